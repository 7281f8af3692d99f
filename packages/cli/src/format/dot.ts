/** Graphviz: `dot`, `neato` and `circo` draw it. Undirected rounds write each pair once. */

import { selfWeight } from "equitopo/round";
import { type Drawing, edgesOnce } from "./drawing.ts";

export function* writeDot(drawing: Drawing): Generator<string> {
  const {
    rounds: [{ round }],
    symmetric,
  } = drawing;
  const [kind, arrow] = symmetric ? ["graph", "--"] : ["digraph", "->"];
  yield `${kind} equitopo {\n  layout=circo; node [shape=circle];\n`;
  for (let i = 0; i < round.n; i++) yield `  ${i} [self=${selfWeight(round, i)}];\n`;
  for (const { from, to, weight } of edgesOnce(drawing)) yield `  ${from} ${arrow} ${to} [weight=${weight}];\n`;
  yield "}\n";
}
