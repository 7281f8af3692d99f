/** A study: an experiment of the paper or beside it, and what can be chosen of it on the command line. */

import type { Experiment } from "equitopo/outcome";
import type { Against } from "./against.ts";
import type { StudyUnit } from "./unit.ts";

export interface Study extends Experiment<StudyUnit> {
  /** The data set that it needs; `reproduce all` skips it if that is missing. */
  readonly needs?: "mnist" | "cifar10";
  /** A study that is a table: the titles of its rows, and the same study with other choices. */
  readonly rows?: readonly string[];
  choose?(choices: Choices): Study;
}

/** What can be chosen of a study that is a table; the default is the paper's choice. */
export interface Choices {
  readonly epochs?: number;
  readonly rows?: readonly string[];
  readonly seeds?: readonly number[];
  readonly protocols?: readonly ("corrected" | "as-run")[];
  /** The images are the original ones, not a lossy copy: the paper's figures must be reproduced. */
  readonly original?: true;
  /** Figures of another program to compare with. */
  readonly against?: Against;
}
