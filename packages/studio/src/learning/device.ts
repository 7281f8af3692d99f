/** Whether this page can train on the GPU, and the desk that does. */

import { type Desk, type Line, openDesk } from "../desk.ts";

/** Why not, or undefined where it can be tried: whether there is an adapter is seen when it is opened. */
export function gpuTrouble(): string | undefined {
  if (!location.protocol.startsWith("http")) return "not from a file: serve the page, as equitopo studio does";
  if (!("gpu" in navigator)) return "this browser has no WebGPU";
  return undefined;
}

/** A desk over the worker that lies beside the page. */
export const gpuDesk = (): Desk => openDesk(() => new Worker("./gpu.js") as unknown as Line);
