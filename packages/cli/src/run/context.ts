/** What a problem finds around it on this machine: the files of data sets, and cores. */

import type { ProblemContext } from "equitopo";

export interface ContextOptions {
  /** The folder of data sets. */
  readonly data?: string;
  readonly threads?: number;
}

export function contextOf(_options: ContextOptions): ProblemContext {
  return {};
}
