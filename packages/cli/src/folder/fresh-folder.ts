/** The folder that a command writes to: the one that --out names, or a new one in runs/. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "equitopo";

/** --out, or runs/NAME where there is none; --resume needs a run to go on with. */
export function outFolder({ out, resume }: { readonly out?: string; readonly resume?: true }, name: string): string {
  if (!resume) return out ?? freshFolder(name);
  if (out === undefined) throw new InputError("--resume needs the folder of the run", "no --out", "add --out DIR");
  if (!existsSync(join(out, "spec.json"))) {
    const rule = "--resume needs a folder with a checkpoint or journal of a run";
    throw new InputError(rule, out, "check --out, or leave out --resume to begin there");
  }
  return out;
}

/** runs/NAME, or runs/NAME-2, ... where that is taken. */
function freshFolder(name: string): string {
  for (let k = 1; ; k++) {
    const path = join("runs", k === 1 ? name : `${name}-${k}`);
    if (!existsSync(path)) return path;
  }
}
