/** A graph that was read, as a topology: found by its name, not among those to choose from, and plain JSON all the way. */

import { createTopology, grid, topologies } from "equitopo";
import { readGraph, relabelled } from "equitopo/topology";
import { expect, test } from "vitest";

const bytes = (text: string) => new TextEncoder().encode(text);
const square = readGraph(bytes("source,target\n0,1\n0,2\n1,3\n2,3\n"));

test("has the weights of the family that it is a graph of", () => {
  const [own, known] = [createTopology({ name: "file", graph: square }), grid({ n: 4 })];
  for (let i = 0; i < 4; i++) expect(own.peers(0, i)).toEqual(known.peers(0, i));
  const best = createTopology({ name: "file", graph: square, weights: "best-constant" });
  expect(best.rate().rate).toBeCloseTo(grid({ n: 4, weights: "best-constant" }).rate().rate, 12);
});

test("comes back from its spec, also as JSON", () => {
  const weighted = readGraph(bytes("from,to,weight\n0,1,0.3\n1,2,0.3\n2,0,0.3\n0,0,0.7\n1,1,0.7\n2,2,0.7\n"));
  const topology = createTopology({ name: "file", graph: weighted });
  const again = createTopology(JSON.parse(JSON.stringify(topology.spec)));
  expect([again.symmetric, again.n, again.rate()]).toEqual([false, 3, topology.rate()]);
  expect(again.spec).toEqual(topology.spec);
  expect(relabelled(again, 3).n).toBe(3);
  expect(createTopology({ name: "file", graph: weighted, relabel: true }).kind).toBe("random");
});

test("is found by its name only, and the name is taken", () => {
  expect(topologies.has("file")).toBe(true);
  expect(topologies.names).not.toContain("file");
  expect([...topologies].map(({ name }) => name)).not.toContain("file");
  expect(() => topologies.add({ ...topologies.get("file") })).toThrow(/taken once, got "file"/);
});

test.each<[object, RegExp]>([
  [{}, /the graph of a file must be read before it is made, got nothing; .*readGraph/],
  [{ graph: square, n: 5 }, /n must be the 4 nodes of the file, got 5/],
  [{ graph: { n: 3, edges: [[0, 3]] } }, /the to of an edge must be an integer from 0 to 2, got 3/],
  [{ graph: { n: 3, edges: [[0, 1, 1]] } }, /graph: edge 0 must be \[i, j\], as there is no self, got \[0,1,1\]/],
  [{ graph: { n: 3, edges: "all" } }, /graph: a graph must be \{ n, edges, self \}/],
  [{ graph: { n: 3, edges: [[1, 1]] } }, /must join two nodes, got 1/],
  [{ graph: square, path: 5 }, /path must be a file's name, got 5/],
])("refused: %j", (options, message) => {
  expect(() => createTopology({ name: "file", ...options })).toThrow(message);
});
