/** The problems that specs name: networks are a package of their own, and join the others here. */

import { classificationFamily, languageFamily } from "@equitopo/nn";
import { problems } from "equitopo";

problems.add(classificationFamily);
problems.add(languageFamily);

export { problems };
