import { existsSync } from "node:fs";
import { join } from "node:path";

/** runs/NAME, or runs/NAME-2, ... where that is taken. */
export function freshFolder(name: string): string {
  for (let k = 1; ; k++) {
    const path = join("runs", k === 1 ? name : `${name}-${k}`);
    if (!existsSync(path)) return path;
  }
}
