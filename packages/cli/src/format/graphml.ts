/** GraphML, which networkx, igraph, Gephi and Cytoscape read. Undirected rounds write each pair once. */

import { selfWeight } from "equitopo/round";
import { type Drawing, edgesOnce } from "./drawing.ts";

export function* writeGraphml(drawing: Drawing): Generator<string> {
  const {
    rounds: [{ round }],
    symmetric,
  } = drawing;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="self" for="node" attr.name="selfWeight" attr.type="double"/>
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph id="equitopo" edgedefault="${symmetric ? "undirected" : "directed"}">
`;
  for (let i = 0; i < round.n; i++) {
    yield `    <node id="${i}"><data key="self">${selfWeight(round, i)}</data></node>\n`;
  }
  for (const { from, to, weight } of edgesOnce(drawing)) {
    yield `    <edge source="${from}" target="${to}"><data key="weight">${weight}</data></edge>\n`;
  }
  yield "  </graph>\n</graphml>\n";
}
