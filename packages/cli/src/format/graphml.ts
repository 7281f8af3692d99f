/** GraphML, which networkx, igraph, Gephi and Cytoscape read. Undirected rounds write each pair once. */

import { selfWeight } from "equitopo/round";
import { type Drawing, edgesInto } from "./drawing.ts";

export function* writeGraphml({ rounds: [{ round }], symmetric }: Drawing): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="self" for="node" attr.name="selfWeight" attr.type="double"/>
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph id="equitopo" edgedefault="${symmetric ? "undirected" : "directed"}">
`;
  for (let i = 0; i < round.n; i++) {
    yield `    <node id="${i}"><data key="self">${selfWeight(round, i)}</data></node>\n`;
  }
  for (let to = 0; to < round.n; to++) {
    for (const { from, weight } of edgesInto(round, to)) {
      if (symmetric && from > to) continue;
      yield `    <edge source="${from}" target="${to}"><data key="weight">${weight}</data></edge>\n`;
    }
  }
  yield "  </graph>\n</graphml>\n";
}
