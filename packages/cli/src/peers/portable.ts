/**
 * Whether browsers can take part in the runs of a spec: it must say everything itself. A plug-in is code of this machine,
 * and files of data sets are on it; neither is handed to strangers' tabs. What may be is a file for each node (own data
 * with %r in its name): the person at that node picks it, and nobody else sees it.
 */

import { type DataSpec, neededFiles } from "@equitopo/nn";
import { expandSpec, InputError, type RunSpec, type SpecDocument } from "equitopo";
import { plugins } from "../input/plugins.ts";
import "../input/problems.ts";
import { requireNames } from "../run/here.ts";

/** The runs of a spec that needs nothing but itself; refuses any other, with the reason. */
export function portableRuns(document: SpecDocument): RunSpec[] {
  requireNames(document, "a room");
  // Those of a spec that was read from a file are among the loaded ones, too.
  const loaded = new Set([...(document.plugins ?? []), ...plugins()].map(({ file }) => file));
  if (loaded.size > 0) {
    throw new InputError(
      "a room has no plug-ins: a browser would have to run code of this machine",
      [...loaded].join(", "),
      "use members that equitopo has (equitopo list), or equitopo run --transport tcp",
    );
  }
  const { problem } = document as { readonly problem?: { readonly name?: string } };
  if (problem?.name === "language") {
    const remedy = "use equitopo run --transport tcp, or equitopo worker";
    throw new InputError("a room trains no language models yet: browsers do not have them", problem.name, remedy);
  }
  const asked = new Set<string>();
  const files = {
    has(name: string) {
      asked.add(name);
      return false;
    },
    read(name: string): never {
      throw new InputError("the file must be there", name, "name another");
    },
  };
  try {
    return expandSpec(document, { files });
  } catch (error) {
    if (!(error instanceof InputError) || asked.size === 0) throw error;
    throw new InputError(
      "a room has no data files: a browser cannot read those of this machine",
      [...asked].slice(0, 3).join(", "),
      'use data: "synthetic", own data with a file for each node (%r), or equitopo run --transport tcp',
    );
  }
}

/** Whether the nodes of a portable run have files that are not here. */
export function dataIsElsewhere({ problem }: RunSpec): boolean {
  const { data } = problem as { readonly data?: DataSpec };
  return problem.name === "classification" && data !== undefined && neededFiles(data, 0).kind === "files";
}
