/** The pages of @equitopo/studio as they were built, wherever the package is installed: each is one file. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { InputError } from "equitopo";

/** index is the studio, join the page of a browser that takes a seat. */
export function builtPage(name: "index" | "join"): Buffer {
  return built(`${name}.html`);
}

/** The worker that the studio fetches to train on a GPU. */
export function builtWorker(): Buffer {
  return built("gpu.js");
}

function built(file: string): Buffer {
  const path = createRequire(import.meta.url).resolve(`@equitopo/studio/${file}`);
  try {
    return readFileSync(path);
  } catch {
    throw new InputError("the pages of the studio must be built", path, "install @equitopo/studio, or build it");
  }
}
