/** GraphML of other programs: what is read, and what is said of a file that cannot be. */

import { grid } from "equitopo";
import { graphOf } from "equitopo/internal/topology";
import { expect, test } from "vitest";
import { readGraphml } from "../../../src/topology/read/graphml.ts";
import { readXml } from "../../../src/topology/read/xml.ts";

/** As networkx 3.6.1 writes it: nx.write_graphml(G, path). */
const networkx = (keys: string, kind: string, body: string) => `<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
${keys}  <graph edgedefault="${kind}">
${body}  </graph>
</graphml>
`;
const weightKey = `  <key id="d0" for="edge" attr.name="weight" attr.type="double" />\n`;
const node = (id: string) => `    <node id="${id}" />\n`;
const edge = (source: string, target: string, weight?: number) =>
  weight === undefined
    ? `    <edge source="${source}" target="${target}" />\n`
    : `    <edge source="${source}" target="${target}">\n      <data key="d0">${weight}</data>\n    </edge>\n`;

const read = (text: string) => {
  const graph = readGraphml(text);
  return graphOf(graph, { name: "custom", n: graph.n });
};

test("a matrix by nx.from_numpy_array: own weights are loops, undirected edges count both ways", () => {
  const body = ["0", "1", "2"].map(node).join("");
  const edges = [edge("0", "0", 0.5), edge("0", "1", 0.25), edge("0", "2", 0.25), edge("1", "1", 0.75)].join("");
  const { symmetric, n, peers } = read(networkx(weightKey, "undirected", body + edges + edge("2", "2", 0.75)));
  expect([symmetric, n]).toEqual([true, 3]);
  expect(peers(0, 0)).toMatchObject({
    self: 0.5,
    from: [
      { node: 2, weight: 0.25 },
      { node: 1, weight: 0.25 },
    ],
  });
});

test("a directed edge carries what its target gives to its source", () => {
  const cycle = edge("0", "1", 0.5) + edge("1", "2", 0.5) + edge("2", "0", 0.5);
  const { symmetric, peers } = read(networkx(weightKey, "directed", ["0", "1", "2"].map(node).join("") + cycle));
  expect(symmetric).toBe(false);
  expect(peers(0, 1)).toMatchObject({ self: 0.5, from: [{ node: 0, weight: 0.5 }] });
});

test("no weights: Metropolis weights, as for edges in a CSV file", () => {
  const names = ["a", "b", "c", "d", "e &amp; f", "g"];
  const pairs = [
    [0, 1],
    [1, 2],
    [3, 4],
    [4, 5],
    [0, 3],
    [1, 4],
    [2, 5],
  ];
  const body = names.map(node).join("") + pairs.map(([a, b]) => edge(names[a], names[b])).join("");
  expect(read(networkx("", "undirected", body)).rate().rate).toBeCloseTo(
    grid({ n: 6, rows: 2, cols: 3 }).rate().rate,
    10,
  );
});

test("labels 0 .. n - 1 in another order keep their numbers; comments, CDATA and prefixes are read over", () => {
  const text = `<g:graphml xmlns:g="x"><!-- <node id="9"/> --><g:key id='w' attr.name='weight'/>
    <g:graph edgedefault="directed"><g:node id="1"/><g:node id="0"/>
    <g:edge source="0" target="1" directed="false"><g:data key="w"><![CDATA[0.25]]></g:data></g:edge></g:graph></g:graphml>`;
  expect(read(text).peers(0, 1)).toMatchObject({ self: 0.75, from: [{ node: 0, weight: 0.25 }] });
});

test("what an edge or a node leaves out is its key's default", () => {
  // As networkx 3.6.1 writes a graph with G.graph["edge_default"] = {"weight": 0.25} and node_default likewise.
  const keys = `  <key id="d0" for="edge" attr.name="weight" attr.type="double">
    <default>0.25</default>
  </key>
  <key id="d1" for="node" attr.name="selfWeight" attr.type="double">
    <default>0.5</default>
  </key>
`;
  const nodes = `    <node id="0">\n      <data key="d1">0.625</data>\n    </node>\n${["1", "2", "3"].map(node).join("")}`;
  const edges = edge("0", "1", 0.125) + edge("0", "3") + edge("1", "2") + edge("2", "3");
  const { self, edges: read } = readGraphml(networkx(keys, "undirected", nodes + edges));
  expect(self).toEqual([0.625, 0.5, 0.5, 0.5]);
  expect(read.filter(([from, to]) => from < to)).toEqual([
    [0, 1, 0.125],
    [0, 3, 0.25],
    [1, 2, 0.25],
    [2, 3, 0.25],
  ]);
});

test("a default as yEd writes it; one of nodes, or an empty one, is none of edges", () => {
  const yed = (of: string, text: string) =>
    `  <key attr.name="weight" attr.type="double" for="${of}" id="d9">
    <default xml:space="preserve">${text}</default>\n  </key>
  <key for="edge" id="d10" yfiles.type="edgegraphics"/>\n`;
  const body = ["n0", "n1", "n2"].map(node).join("") + edge("n0", "n1") + edge("n1", "n2");
  const own = (keys: string) => read(networkx(keys, "undirected", body)).peers(0, 1).self;
  expect(own(yed("edge", "<![CDATA[0.25]]>"))).toBe(0.5);
  expect(own(yed("all", "0.25"))).toBe(0.5);
  const metropolis = own("");
  expect(metropolis).toBeCloseTo(1 / 3);
  expect(own(yed("node", "0.25"))).toBe(metropolis);
  expect(own(yed("edge", ""))).toBe(metropolis);
  expect(() => own(yed("edge", "much"))).toThrow(/nonnegative numbers, got "much"/);
});

test.each<[string, string, RegExp]>([
  [
    "a directed edge without a weight",
    networkx("", "directed", node("0") + node("1") + edge("0", "1")),
    /must be undir/,
  ],
  [
    "one weight of two",
    networkx(weightKey, "undirected", node("0") + node("1") + node("2") + edge("0", "1", 0.5) + edge("1", "2")),
    /all must, got "1 to 2"/,
  ],
  ["an unknown node", networkx(weightKey, "undirected", node("0") + edge("0", "7", 0.5)), /two of its nodes, got "7"/],
  ["a node twice", networkx("", "undirected", node("0") + node("0")), /ids of nodes must differ, got "0"/],
  [
    "a negative weight",
    networkx(weightKey, "undirected", node("0") + node("1") + edge("0", "1", -1)),
    /nonnegative numbers, got "-1"/,
  ],
  [
    "weights above 1",
    networkx(weightKey, "undirected", node("0") + node("1") + edge("0", "1", 2)),
    /must sum to 1.*got 2/,
  ],
  [
    "two graphs",
    `<graphml><graph edgedefault="directed"/><graph edgedefault="directed"/></graphml>`,
    /one graph, got 2/,
  ],
  ["a hyperedge", `<graphml><graph edgedefault="directed"><hyperedge/></graph></graphml>`, /join two nodes/],
  ["a loop without a weight", networkx("", "undirected", node("0") + edge("0", "0")), /must join two nodes, got "0"/],
  ["no edgedefault", "<graphml><graph/></graphml>", /must have edgedefault/],
  ["a tag left open", `<graphml>\n<graph edgedefault="directed">\n</graphml>`, /line 3: the file must be XML/],
  ["a file cut off", `<graphml><graph edgedefault="directed">`, /<graph> must be closed/],
  ["a document type", `<!DOCTYPE x [<!ENTITY a "b">]><graphml/>`, /line 1: the file must be XML/],
])("refused: %s", (_name, text, message) => {
  expect(() => read(text)).toThrow(message);
});

test("only the five entities of XML are replaced", () => {
  const [, text] = readXml("<a>&lt;&#x41;&toString;</a>");
  expect(text).toEqual({ kind: "text", text: "<A&toString;" });
});
