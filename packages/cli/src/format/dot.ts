/** Graphviz: `dot`, `neato` and `circo` draw it. Undirected rounds write each pair once. */

import { selfWeight } from "equitopo/round";
import { type Drawing, edgesInto } from "./drawing.ts";

export function* writeDot({ rounds: [{ round }], symmetric }: Drawing): Generator<string> {
  const [kind, arrow] = symmetric ? ["graph", "--"] : ["digraph", "->"];
  yield `${kind} equitopo {\n  layout=circo; node [shape=circle];\n`;
  for (let i = 0; i < round.n; i++) yield `  ${i} [self=${selfWeight(round, i)}];\n`;
  for (let to = 0; to < round.n; to++) {
    for (const { from, weight } of edgesInto(round, to)) {
      if (symmetric && from > to) continue;
      yield `  ${from} ${arrow} ${to} [weight=${weight}];\n`;
    }
  }
  yield "}\n";
}
