/** What @equitopo/studio was built into, wherever the package is installed: each page is one file. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { InputError } from "equitopo";

/** index.html is the studio, join.html the page of a browser that takes a seat, gpu.js and graphs.js are workers that the studio fetches. */
export function built(file: "index.html" | "join.html" | "gpu.js" | "graphs.js"): Buffer {
  const path = createRequire(import.meta.url).resolve(`@equitopo/studio/${file}`);
  try {
    return readFileSync(path);
  } catch {
    throw new InputError("the pages of the studio must be built", path, "install @equitopo/studio, or build it");
  }
}
