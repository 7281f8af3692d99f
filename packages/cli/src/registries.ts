/** Everything that is chosen by name, by the key that plug-ins and `equitopo list --json` have for it. */

import { classificationFamily, dataSets, layers, models, splits } from "@equitopo/nn";
import { algorithms, compressors, problems, schedules, topologies } from "equitopo";
import { transports } from "./peers/transports.ts";

// Networks are a package of their own: here they join the problems that specs name.
problems.add(classificationFamily);

export const registries = {
  ...{ topologies, algorithms, problems, schedules, compressors },
  ...{ models, layers, datasets: dataSets, splits, transports },
};
