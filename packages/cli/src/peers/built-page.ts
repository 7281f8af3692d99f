/** What @equitopo/studio was built into, wherever the package is installed: each page is one file, and what few ask for lies beside. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { InputError } from "equitopo";

/** What the studio fetches when somebody asks for it: its rarer views, the readers of graphs, and a worker for GPUs. */
const fetched = ["views.js", "gpu.js", "graphs.js"] as const;

export const fetchedScripts = () => Object.fromEntries(fetched.map((name) => [name, built(name)]));

/** index.html is the studio, join.html the page of a browser that takes a seat. */
export function built(file: "index.html" | "join.html" | (typeof fetched)[number]): Buffer {
  const path = createRequire(import.meta.url).resolve(`@equitopo/studio/${file}`);
  try {
    return readFileSync(path);
  } catch {
    throw new InputError("the pages of the studio must be built", path, "install @equitopo/studio, or build it");
  }
}
