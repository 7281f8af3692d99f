/** A Python that has torch: EQUITOPO_PYTHON, python3, Debian's own python3, in turn. */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The first of them that imports torch, or undefined. */
export function pythonWithTorch(): string | undefined {
  const { EQUITOPO_PYTHON } = process.env;
  const tried = [...(EQUITOPO_PYTHON === undefined ? [] : [EQUITOPO_PYTHON]), "python3", "/usr/bin/python3"];
  const has = (python: string) => spawnSync(python, ["-c", "import torch, numpy"], { stdio: "ignore" }).status === 0;
  return tried.find(has);
}

export const noTorch = "no Python here has torch and numpy (EQUITOPO_PYTHON, python3 and /usr/bin/python3 were tried)";

/** The environment in which `import equitopo` finds the package of this repository, for ranks on one machine. */
export function torchEnvironment(): NodeJS.ProcessEnv {
  const source = fileURLToPath(new URL("../../packages/python/src", import.meta.url));
  return {
    ...process.env,
    PYTHONPATH: source,
    OMP_NUM_THREADS: "1",
    GLOO_SOCKET_IFNAME: "lo",
    PYTHONDONTWRITEBYTECODE: "1",
  };
}
