/** The files that a seat must be given for its runs: none where all of them draw their own data. */

import { type DataSpec, type NeededFiles, neededFiles } from "@equitopo/nn";
import type { RunSpec } from "equitopo";

/** One entry for each data set that the runs name. */
export function filesNeeded(runs: readonly RunSpec[], rank: number): NeededFiles[] {
  const named = runs.flatMap(({ problem }) => {
    const { data } = problem as { readonly data?: DataSpec };
    return problem.name === "classification" && data !== undefined ? [JSON.stringify(data)] : [];
  });
  const needed = [...new Set(named)].map((text) => neededFiles(JSON.parse(text), rank));
  return needed.filter(({ kind }) => kind !== "none");
}
