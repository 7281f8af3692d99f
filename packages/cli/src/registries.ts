/** Everything that is chosen by name, by the key that plug-ins and `equitopo list --json` have for it. */

import { dataSets, layers, models, splits, texts } from "@equitopo/nn";
import { algorithms, attacks, compressors, defences, schedules, topologies } from "equitopo";
import { problems } from "./input/problems.ts";
import { transports } from "./peers/transports.ts";

export const registries = {
  ...{ topologies, algorithms, problems, schedules, compressors, defences, attacks },
  ...{ models, layers, datasets: dataSets, texts, splits, transports },
};
