/** The problems that specs name: networks are a package of their own, and join the others here. */

import { classificationFamily } from "@equitopo/nn";
import { problems } from "equitopo";

problems.add(classificationFamily);

export { problems };
