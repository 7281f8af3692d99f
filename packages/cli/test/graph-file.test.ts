/** Your own graph: what is read, and what is said of a file that cannot be. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTopology, grid, type Peers } from "equitopo";
import { describe, expect, it } from "vitest";
import { readGraphFile } from "../src/graph-file.ts";
import { equitopo, json, parsed, scratch, spawned } from "./command.ts";

const folder = scratch();

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** An npy file as numpy writes it. */
function npy(descr: string, fortran: boolean, shape: string, numbers: readonly number[]): Uint8Array {
  const header = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (${shape}), }`.padEnd(
    117,
  );
  const start = Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header}\n`, "latin1");
  const list = descr === "<f4" ? Float32Array.from(numbers) : Float64Array.from(numbers);
  return Buffer.concat([start, new Uint8Array(list.buffer)]);
}

/** Not symmetric; numpy.linalg.norm(W - 1/3, 2) = 0.2645751311064591. */
const matrix = [
  [0.2, 0.3, 0.5],
  [0.5, 0.2, 0.3],
  [0.3, 0.5, 0.2],
];
const expected = 0.2645751311064591;

describe("files that are read", () => {
  const text = matrix.map((row) => row.join()).join("\n");
  const edges = matrix.flatMap((row, to) => row.map((weight, from) => `${from},${to},${weight}`));
  const columns = matrix[0].flatMap((_, from) => matrix.map((row) => row[from]));
  const cases: Record<string, string | Uint8Array> = {
    "matrix.csv": text,
    "matrix with carriage returns, comments and blank lines": `# W\r\n\r\n${text.replaceAll("\n", "\r\n")}\r\n`,
    "matrix as numpy.savetxt writes it": text.replaceAll(",", " "),
    "edges with a header": ["from,to,weight", ...edges].join("\n"),
    "edges without": edges.join("\n"),
    "C order": npy("<f8", false, "3, 3", matrix.flat()),
    "Fortran order": npy("<f8", true, "3, 3", columns),
    float32: npy("<f4", false, "3, 3", matrix.flat()),
  };
  for (const [name, content] of Object.entries(cases)) {
    it(name, async () => {
      const topology = await readGraphFile(file("graph", content));
      const w01 = topology.peers(0, 0).from.find(({ node }) => node === 1)?.weight;
      expect(w01).toBeCloseTo(0.3, 6);
      expect(topology.rate().rate).toBeCloseTo(expected, name === "float32" ? 6 : 12);
    });
  }

  it("undirected edges get Metropolis weights", async () => {
    const list = ["0,1", "1,2", "3,4", "4,5", "0,3", "1,4", "2,5"];
    const topology = await readGraphFile(file("grid.csv", ["from,to", ...list].join("\n")));
    expect(topology.symmetric).toBe(true);
    expect(topology.rate().rate).toBeCloseTo(grid({ n: 6, rows: 2, cols: 3 }).rate().rate, 10);
  });

  it("comes through stdin too, and stands in a comparison", () => {
    expect(parsed(spawned("rate --file - --json", text)).rate).toBeCloseTo(expected, 12);
    const { n, topologies } = parsed(spawned("compare --file - --topologies ring --json", text));
    expect([n, ...topologies.map((row: { topology: string }) => row.topology)]).toEqual([3, "custom", "ring"]);
  });
});

describe("what graph writes", () => {
  it.each(["graphml", "npy", "csv", "json"])("as %s has the rate that it had", async (format) => {
    for (const words of ["d-equistatic --n 17 --m 4", "grid --n 12"]) {
      const path = join(folder, `graph.${format}`);
      expect((await equitopo(`graph ${words} --format ${format} --out ${path} --quiet`)).status).toBe(0);
      const [there, back] = [await json(`rate ${words}`), await json(`rate --file ${path}`)];
      expect([back.n, back.degree]).toEqual([there.n, there.degree]);
      expect(back.rate).toBeCloseTo(there.rate, 12);
    }
  });

  it.each(["ou-equidyn", "od-equidyn", "complete"])("of a round of %s comes back weight by weight", async (name) => {
    const topology = createTopology({ name, n: 7 });
    const { stdout } = await equitopo(`graph ${name} --n 7 --format graphml`);
    const back = await readGraphFile(file("round", stdout));
    const weights = ({ self, from }: Peers) => [self, new Map(from.map(({ node, weight }) => [node, weight]))];
    for (let i = 0; i < 7; i++) expect(weights(back.peers(0, i))).toEqual(weights(topology.peers(0, i)));
  });
});

describe("files that are refused", () => {
  const cases: [string, string | Uint8Array, RegExp][] = [
    ["a row", "0.5,0.5\n0.5,0.4", /graph: every row and column .* row 1 does not, got 0\.9;/],
    ["a column", "0.5,0.5\n0.4,0.6", /graph: .* column 0 does not, got 0\.9;/],
    ["a negative weight", "1.5,-0.5\n-0.5,1.5", /w\[0\]\[1\] must be a nonnegative number, got -0\.5;/],
    ["a word", "from,to,weight\n0,1,0.5\n1,0,x", /graph: line 3, cell 3 must be a number, got "x";/],
    ["an empty cell", "0.5,0.5\n0.5,", /line 2, cell 2 must be a number, got "";/],
    ["a short line", "0.5,0.5\n0.5", /line 2 must have 2 cells, got 1;/],
    ["another header", "a,b\n0,1", /line 1 must be numbers, or the header from,to,weight or from,to, got "a,b";/],
    ["words in the first line", "nan,1\n1,0", /line 1 must be numbers, .*, got "nan,1"; .* with a decimal point/],
    ["commas for points", "0,5;0,5\n0,5;0,5", /line 1 must be numbers, .*, got "0,5;0,5"; /],
    ["numbers that a flag would refuse, too", "1,0\n0,0x1", /line 2, cell 2 must be a number, got "0x1";/],
    [
      "what PowerShell's > writes",
      Buffer.from("\uFEFF0.5,0.5\n0.5,0.5", "utf16le"),
      /text in UTF-8, got "UTF-16"; save/,
    ],
    ["another alphabet", Buffer.from("# caf\u00e9\n\xe9", "latin1"), /in UTF-8, got "the byte 0xE9 in line 1"; save/],
    ["pairs without a header", "0,1\n1,2\n2,0", /put the header from,to above undirected edges/],
    ["half a label", "from,to\n0.5,1", /line 2: from must be a label 0, 1, 2, ..., got 0\.5;/],
    ["a loop", "from,to\n1,1", /line 2: an edge must join two nodes, got 1;/],
    ["a huge label", "from,to,weight\n0,1000000000,1", /labels must be 0 \.\. n - 1/],
    ["nothing", "", /must hold a matrix or a list of edges/],
    ["half of json", '{"n":2,', /graph: the file must be JSON/],
    ["other json", '{"n":2,"self":[1,1]}', /must hold \{ n, self, edges \}/],
    ["a short edge", '{"n":2,"self":[1,1],"edges":[[0,1]]}', /edge 0 must be \[from, to, weight\], got \[0,1\];/],
    ["integers", npy("<i8", false, "2, 2", [1, 0, 0, 1]), /must be <f8 or <f4, got "<i8";/],
    ["a rectangle", npy("<f8", false, "1, 2", [1, 0]), /must be square, got "\(1, 2\)";/],
    ["a cut file", npy("<f8", false, "2, 2", [1, 0, 0]), /must hold 32 bytes of numbers, got 24;/],
    ["a picture", "<svg/>", /read from csv, npy, json or GraphML/],
  ];
  for (const [name, content, message] of cases) {
    it(name, async () => {
      await expect(readGraphFile(file("graph", content))).rejects.toThrow(message);
    });
  }

  it("with exit code 2 and the name of the file", async () => {
    const path = file("bad.csv", "0.5,0.5\n0.5,0.4");
    const { status, stdout, stderr } = await equitopo(`rate --file ${path}`);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: .*bad\.csv: every row and column .*, got 0\.9; .*\n$/);
  });
});

it("refuses a text whose lists have no room, before it is read", async () => {
  const path = file("long.csv", `from,to\n${Array.from({ length: 999 }, (_, i) => `${i},${i + 1}\n`).join("")}`);
  await expect(readGraphFile(path, undefined, { bytes: 1e9, heap: 1e5 })).rejects.toThrow(
    /long\.csv: the lists of a graph must fit into the 100 kB that Node grants them, got "about \d+ kB"; set NODE_OPTIONS=/,
  );
  expect((await readGraphFile(path)).n).toBe(1000);
});
