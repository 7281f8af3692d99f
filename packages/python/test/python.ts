/** Python programs of this machine, for tests: the first that can import what a test needs. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const packageRoot = fileURLToPath(new URL("../", import.meta.url));

/** The package's sources come before an installed one. */
export const environment = { ...process.env, PYTHONPATH: join(packageRoot, "src"), PYTHONDONTWRITEBYTECODE: "1" };

/** EQUITOPO_PYTHON, python3 or Debian's own: the first of 3.9 or later with these modules; undefined where there is none. */
export function pythonWith(...modules: readonly string[]): string | undefined {
  const program = ["import sys", "assert sys.version_info >= (3, 9)", ...modules.map((name) => `import ${name}`)];
  const candidates = [process.env["EQUITOPO_PYTHON"], "python3", "/usr/bin/python3"];
  return candidates.find((one) => one !== undefined && spawnSync(one, ["-c", program.join("\n")]).status === 0);
}

/** What a test says where it cannot be run. */
export function notRun(what: string, modules: readonly string[]): void {
  console.warn(`NOT RUN: ${what} (no python3 of 3.9 or later with ${["nothing", ...modules].at(-1)})`);
}
