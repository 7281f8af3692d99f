/** Graphviz: `dot`, `neato` and `circo` draw it. Undirected rounds write each pair once. */

import { type Drawing, edgesInto, selfWeights } from "./drawing.ts";

export function* writeDot({ round, symmetric }: Drawing): Generator<string> {
  const [kind, arrow] = symmetric ? ["graph", "--"] : ["digraph", "->"];
  yield `${kind} equitopo {\n  layout=circo; node [shape=circle];\n`;
  for (const [i, weight] of selfWeights(round).entries()) yield `  ${i} [self=${weight}];\n`;
  for (let to = 0; to < round.n; to++) {
    for (const { from, weight } of edgesInto(round, to)) {
      if (symmetric && from > to) continue;
      yield `  ${from} ${arrow} ${to} [weight=${weight}];\n`;
    }
  }
  yield "}\n";
}
