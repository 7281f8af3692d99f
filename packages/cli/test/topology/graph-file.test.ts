/** Your own graph: what is read, and what is said of a file that cannot be. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTopology, grid, type Peers } from "equitopo";
import { encodeNpy } from "equitopo/input";
import { describe, expect, it } from "vitest";
import { readGraphFile } from "../../src/topology/graph-file.ts";
import { equitopo, json, parsed, scratch, spawned } from "../command.ts";

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

  it("whole numbers", async () => {
    const swap = encodeNpy({ shape: [2, 2], values: Int32Array.of(0, 1, 1, 0) });
    expect((await readGraphFile(file("graph", swap))).peers(0, 0).from).toEqual([{ node: 1, weight: 1 }]);
  });

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

describe("edges without weights", () => {
  const rows = [
    [0, 1, 1, 0],
    [1, 0, 1, 0],
    [1, 1, 0, 1],
    [0, 0, 1, 0],
  ];
  const flat = rows.flat();
  const expectedRate = async () => (await readGraphFile(file("kite.csv", "from,to\n0,1\n0,2\n1,2\n2,3"))).rate().rate;
  const header = (type: string) =>
    Buffer.from(
      `\x93NUMPY\x01\x00\x76\x00${`{'descr': '${type}', 'fortran_order': False, 'shape': (4, 4), }`.padEnd(117)}\n`,
      "latin1",
    );
  const cases: Record<string, string | Uint8Array> = {
    "adjacency.csv": rows.map((row) => row.join()).join("\n"),
    "adjacency.txt as numpy.savetxt writes it": rows
      .map((row) => row.map((one) => one.toExponential(18)).join(" "))
      .join("\n"),
    "bool.npy": Buffer.concat([header("|b1"), Uint8Array.from(flat)]),
    "int64.npy": Buffer.concat([header("<i8"), new Uint8Array(BigInt64Array.from(flat, BigInt).buffer)]),
    "uint8.npy": encodeNpy({ shape: [4, 4], values: Uint8Array.from(flat) }),
    "float64.npy": encodeNpy({ shape: [4, 4], values: Float64Array.from(flat) }),
    "source,target": "source,target\n0,1\n0,2\n1,2\n2,3\n",
    "pairs.json": '{"n":4,"edges":[[0,1],[0,2],[1,2],[2,3]]}',
  };
  it.each(Object.entries(cases))("%s gets Metropolis weights", async (_name, content) => {
    const path = file("graph", content);
    const { status, stdout, stderr } = await equitopo(`rate --file ${path} --json`);
    expect([status, JSON.parse(stdout).rate]).toEqual([0, await expectedRate()]);
    const said = /all its weights are 1, so they are taken as edges without weights, with metropolis weights/;
    if (/source|json/.test(_name)) expect(stderr).toBe("");
    else expect(stderr).toMatch(said);
  });

  it("a matching of ones is the weights that it was", async () => {
    const swap = await readGraphFile(file("graph", "0,1\n1,0"));
    expect(swap.peers(0, 0)).toMatchObject({ self: 0, from: [{ node: 1, weight: 1 }] });
  });

  it("--weights takes the edges only, and says so", async () => {
    const path = file("far.csv", "from,to,weight\n0,1,7\n1,0,7\n0,2,3\n1,2,5\n2,3,1");
    const { stderr, stdout } = await equitopo(`rate --file ${path} --weights metropolis --json`);
    expect(JSON.parse(stdout).rate).toBe(await expectedRate());
    expect(stderr).toMatch(
      /far\.csv: metropolis weights on its 4 edges, those of the file are not used; 3 of them go one way there, and both ways here/,
    );
    const best = await json(`rate --file ${path} --weights best-constant`);
    // I - c L of the kite: L has the eigenvalues 0, 1, 3, 4, so c = 2/5 is above 1/3, the most that a degree of 3 allows.
    expect(best.rate).toBeCloseTo(2 / 3, 12);
    expect((await equitopo(`rate --file ${path}`)).stderr).toMatch(/must sum to 1.*weights metropolis/);
    const compared = await equitopo(`compare --file ${path} --weights best-constant --topologies complete --json`);
    expect(compared.stderr).toMatch(/best-constant weights on its 4 edges/);
    expect(JSON.parse(compared.stdout).topologies[0].rate).toBeCloseTo(2 / 3, 12);
    for (const command of ["gossip", "graph"])
      expect((await equitopo(`${command} --file ${path} --weights metropolis --json`)).status).toBe(0);
    const { status, stderr: refused } = await equitopo(`rate --file ${path} --weights 0.3,0.2`);
    expect([status, refused]).toEqual([
      2,
      expect.stringMatching(/--weights of a file must be one of metropolis, best-constant/),
    ]);
  });

  it.each(["from,to\n1,2\n2,3\n3,1", "source,target\n1,2\n2,3\n3,1", "from,to,weight\n1,2,1\n2,3,1\n3,1,1"])(
    "labels that count from 1 are refused in words: %s",
    async (text) => {
      const { status, stdout, stderr } = await equitopo(`rate --file ${file("one.csv", text)}`);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(
        /one\.csv: labels count from 0, and node 0 has no edge, got "labels 1 \.\. 3"; subtract 1 from every label/,
      );
    },
  );
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
    [
      "another header",
      "a,b\n0,1",
      /line 1 must be numbers, or the header from,to,weight or from,to \(or source,target\), got "a,b";/,
    ],
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
    ["complex numbers", npy("<c16", false, "2, 2", [1, 0, 0, 1]), /the type is one of .*, got "<c16";/],
    ["a rectangle", npy("<f8", false, "1, 2", [1, 0]), /must be square, got "\(1, 2\)";/],
    ["a cut file", npy("<f8", false, "2, 2", [1, 0, 0]), /2 x 2 numbers of 8 bytes .*, got \d+; the file is truncated/],
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
  await expect(readGraphFile(path, { room: { bytes: 1e9, heap: 1e5 } })).rejects.toThrow(
    /long\.csv: the lists of a graph must fit into the 100 kB that Node grants them, got "about \d+ kB"; set NODE_OPTIONS=/,
  );
  expect((await readGraphFile(path)).n).toBe(1000);
});
