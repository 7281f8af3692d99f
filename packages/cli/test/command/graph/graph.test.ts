/** `graph`: the contract of its JSON, and every format read back by `rate --file` or by eye of a small case. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTopology } from "equitopo";
import { denseMatrix } from "equitopo/round";
import { greedyPartner } from "equitopo/topology";
import { describe, expect, it } from "vitest";
import { equitopo, json, scratch } from "../../command.ts";

const folder = scratch();

describe("graph", () => {
  it("follows the paper's direction: node i sends to i + u", async () => {
    expect(await json("graph d-equistatic --n 4 --basis 1")).toEqual({
      n: 4,
      round: 0,
      self: [0.25, 0.25, 0.25, 0.25],
      edges: [
        [3, 0, 0.75],
        [0, 1, 0.75],
        [1, 2, 0.75],
        [2, 3, 0.75],
      ],
    });
  });

  it("gives the round that is asked for", async () => {
    const { round, edges } = await json("graph od-equidyn --n 30 --seed 5 --round 7");
    expect(round).toBe(7);
    const [link] = createTopology({ name: "od-equidyn", n: 30, seed: 5 }).peers(7, 0).from;
    expect(edges[0]).toEqual([link.node, 0, link.weight]);
  });

  it("gives the matching of a start and a shift, 0-based", async () => {
    const { self, edges, round } = await json("graph ou-equidyn --n 7 --start 2 --shift 3");
    expect(round).toBeNull();
    for (let i = 0; i < 7; i++) {
      const partner = greedyPartner(7, 3, 2, i);
      const from = edges.filter(([, to]: number[]) => to === i).map(([node]: number[]) => node);
      expect(from).toEqual(partner === i ? [] : [partner]);
      expect(self[i]).toBe(partner === i ? 1 : 0.5);
    }
    const euclid = await json("graph ou-equidyn --n 7 --start 2 --shift 3 --construction euclid");
    expect(euclid.self.filter((w: number) => w === 1)).toHaveLength(1);
  });

  it("writes your own graph in another format", async () => {
    const [csv, npy] = [join(folder, "own.csv"), join(folder, "own.npy")];
    const drawn = "graph erdos-renyi --n 12 --seed 3";
    await equitopo(`${drawn} --out ${csv}`);
    await equitopo(`graph --file ${csv} --out ${npy}`);
    expect(await json(`graph --file ${npy}`)).toEqual(await json(drawn));
    expect((await equitopo(`graph ring --n 12 --file ${csv}`)).status).toBe(2);
  });

  it("takes a shift for od-equidyn, -v for n - v", async () => {
    const { edges } = await json("graph od-equidyn --n 5 --shift -1");
    expect(edges[0].slice(0, 2)).toEqual([1, 0]);
    expect(edges).toEqual((await json("graph od-equidyn --n 5 --shift 4")).edges);
  });
});

describe("a torus that is a ring", () => {
  const text = "torus of 1 x 17 is a ring: try n = 16 or 18 for two sides";

  it("says so, once and on stderr, and in JSON", async () => {
    for (const words of ["graph torus --n 17", "rate torus --n 17", "gossip torus --n 17 --dim 1 --rounds 2"]) {
      const plain = await equitopo(words);
      expect([words, plain.stderr]).toEqual([words, `${text}\n`]);
      expect((await equitopo(`${words} --quiet`)).stderr).toBe("");
      expect((await json(words)).note).toBe(text);
      expect(await json(words.replace("17", "18"))).not.toHaveProperty("note");
    }
  });

  it("and so do a comparison, and the runs of a spec before the first of them", async () => {
    const compared = "compare --n 17 --topologies torus,grid,ring --max-rounds 9";
    expect((await equitopo(compared)).stdout).toContain(text);
    const { topologies } = await json(compared);
    expect(topologies.map(({ note }: { note?: string }) => note)).toEqual([
      text,
      "grid of 1 x 17 is a path: try n = 16 or 18 for two sides",
      undefined,
    ]);
    const spec = join(folder, "torus.json");
    const document = {
      topologies: [{ name: "torus", n: 17 }],
      algorithms: [{ name: "dsgd" }],
      problem: { name: "least-squares", d: 2 },
      rounds: 2,
      seeds: [1, 2],
    };
    writeFileSync(spec, JSON.stringify(document));
    const { stderr } = await equitopo(`run ${spec} --out ${join(folder, "torus")}`);
    expect(stderr.split(text)).toHaveLength(2);
  });
});

describe("formats", () => {
  const spec = "u-equistatic --n 12 --basis 1,5,5,6";

  for (const format of ["json", "csv", "npy"]) {
    it(`${format} comes back through --file with the same rate`, async () => {
      for (const graph of [spec, "static-exp --n 11", "star --n 6 --lazy"]) {
        const out = join(folder, `back.${format}`);
        expect((await equitopo(`graph ${graph} --format ${format} --out ${out} --quiet`)).stderr).toBe("");
        const answer = await json(`rate --file ${out}`);
        const expected = await json(`rate ${graph}`);
        expect(answer.rate).toBeCloseTo(expected.rate, 11);
        expect(answer).toMatchObject({ topology: "custom", n: expected.n, degree: expected.degree });
      }
    });
  }

  it("npy is the dense matrix", async () => {
    const out = join(folder, "w.npy");
    await equitopo(`graph ${spec} --out ${out}`);
    const bytes = readFileSync(out);
    expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x93NUMPY\x01\x00");
    const start = 10 + bytes.readUInt16LE(8);
    expect(start % 64).toBe(0);
    const w = denseMatrix(createTopology({ name: "u-equistatic", n: 12, basis: [1, 5, 5, 6] }).round(0));
    const read = Float64Array.from(w, (_, k) => bytes.readDoubleLE(start + 8 * k));
    expect(read).toEqual(w);
    expect(bytes).toHaveLength(start + 8 * 144);
  });

  it("dot and graphml write an undirected pair once and directed edges all", async () => {
    const dot = (await equitopo("graph ring --n 5 --format dot")).stdout;
    expect(dot).toMatch(/^graph /);
    expect(dot.match(/ -- /g)).toHaveLength(5);
    const directed = (await equitopo("graph static-exp --n 5 --format dot")).stdout;
    expect(directed).toMatch(/^digraph /);
    expect(directed.match(/ -> /g)).toHaveLength(15);
    const graphml = (await equitopo("graph ring --n 5 --format graphml")).stdout;
    expect(graphml).toContain('edgedefault="undirected"');
    expect(graphml.match(/<edge /g)).toHaveLength(5);
    expect(graphml.match(/<node /g)).toHaveLength(5);
    expect((await equitopo("graph static-exp --n 5 --format graphml")).stdout.match(/<edge /g)).toHaveLength(15);
  });

  it("svg draws a grid as a grid", async () => {
    const svg = (await equitopo("graph grid --n 12 --rows 3 --cols 4 --format svg")).stdout;
    const columns = new Set(Array.from(svg.matchAll(/<circle cx="([^"]+)"/g), ([, x]) => x));
    const rows = new Set(Array.from(svg.matchAll(/<circle [^>]*cy="([^"]+)"/g), ([, y]) => y));
    expect([columns.size, rows.size]).toEqual([4, 3]);
  });

  it("svg says what it shows, and --layout stands the nodes elsewhere", async () => {
    const torus = (await equitopo("graph torus --n 18 --format svg")).stdout;
    expect(torus).toContain("Torus, n = 18, 3 x 6");
    expect(torus).toContain("round 0, like all others: 36 undirected edges");
    expect((await equitopo("graph ou-equidyn --n 17 --round 3 --format svg")).stdout).toMatch(
      />round 3: \d undirected/,
    );
    const xs = async (words: string) => {
      const svg = (await equitopo(`graph hypercube --n 16 --format svg ${words}`)).stdout;
      return new Set(Array.from(svg.matchAll(/<circle cx="([^"]+)"/g), ([, x]) => x)).size;
    };
    expect([await xs("--layout lattice"), await xs("--layout circle")]).toEqual([4, 9]);
    const refused = await equitopo("graph ring --n 9 --layout circle");
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("--layout is for svg, png and pdf")]);
  });

  it("svg has the edges of the topology, and no others", async () => {
    for (const spec of [
      "torus --n 18",
      "ou-equidyn --n 17 --round 5",
      "d-equistatic --n 11 --basis 1,3",
      "star --n 6",
    ]) {
      const { edges } = await json(`graph ${spec}`);
      const svg = (await equitopo(`graph ${spec} --format svg`)).stdout;
      const drawn = Array.from(svg.matchAll(/data-edge="(\d+)-(\d+)"/g), ([, from, to]) => [Number(from), Number(to)]);
      // What goes both ways is drawn once.
      const both = svg.includes("marker-end")
        ? drawn
        : drawn.flatMap(([a, b]) => [
            [a, b],
            [b, a],
          ]);
      const ends = edges.map(([from, to]: number[]) => [from, to]);
      expect(both.map(String).sort()).toEqual(ends.map(String).sort());
    }
  });

  it("svg draws every node and edge, arrowheads where edges go one way", async () => {
    const svg = (await equitopo("graph d-equistatic --n 9 --basis 1,2 --format svg")).stdout;
    expect(svg.match(/<circle /g)).toHaveLength(9);
    expect(svg.match(/marker-end/g)).toHaveLength(18);
    const undirected = (await equitopo("graph ring --n 9 --format svg")).stdout;
    expect(undirected.match(/<path d="M[^"]*Q/g)).toHaveLength(9);
    expect(undirected).not.toContain("marker-end");
  });

  it("many rounds follow each other: json, csv with their numbers, svg a second each", async () => {
    const range = "graph ou-equidyn --n 9 --rounds 2:5";
    const { n, rounds } = await json(range);
    expect([n, rounds.map(({ round }: { round: number }) => round)]).toEqual([9, [2, 3, 4]]);
    for (const { round, self, edges } of rounds) {
      expect({ n, round, self, edges }).toEqual(await json(`graph ou-equidyn --n 9 --round ${round}`));
    }
    const [header, ...lines] = (await equitopo(`${range} --format csv`)).stdout.trim().split("\n");
    expect(header).toBe("round,from,to,weight");
    expect(lines.filter((line) => line.startsWith("3,"))).toEqual(
      (await equitopo("graph ou-equidyn --n 9 --round 3 --format csv")).stdout
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => `3,${line}`),
    );
    const svg = (await equitopo(`${range} --format svg`)).stdout;
    expect(svg).toContain("animation:turn 3s step-end infinite");
    expect(svg).toContain("prefers-reduced-motion:reduce");
    const groups = svg.split('<g class="round').slice(1);
    groups.forEach((group, k) => {
      expect(group).toContain(`>round ${k + 2}: `);
      const drawn = Array.from(group.matchAll(/data-edge="(\d+)-(\d+)"/g), ([, from, to]) => `${from},${to}`);
      const pairs = rounds[k].edges.filter(([from, to]: number[]) => from < to);
      expect(drawn).toEqual(pairs.map(([from, to]: number[]) => `${from},${to}`));
    });
    expect(groups).toHaveLength(3);
  });

  it("refuses rounds that cannot be, and formats that hold one", async () => {
    for (const [words, rule] of [
      ["--rounds 5:5", "rounds must be FROM:TO"],
      ["--rounds 3", "rounds must be FROM:TO"],
      ["--rounds 0:9 --round 2", "--round, --rounds, and --shift with --start each say which"],
      ["--rounds 0:9 --format png", '--rounds is for json, csv and svg, got "png"; write one of these'],
    ]) {
      const { status, stdout, stderr } = await equitopo(`graph ou-equidyn --n 9 ${words}`);
      expect([status, stdout, stderr]).toEqual([2, "", expect.stringContaining(rule)]);
    }
  });

  it("refuses a picture of too many edges as soon as they are, and keeps no rounds that wait", async () => {
    const begun = performance.now();
    const { status, stderr } = await equitopo("graph ou-equidyn --n 15000 --rounds 0:10000 --format svg");
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/edges of a picture must be at most 20000, .* fewer rounds/),
    ]);
    // All ten thousand would take minutes and gigabytes.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it("chooses the format by the end of --out", async () => {
    const out = join(folder, "ring.csv");
    const { stdout, stderr } = await equitopo(`graph ring --n 3 --out ${out}`);
    expect([stdout, stderr]).toEqual(["", `csv written to ${out}\n`]);
    expect(readFileSync(out, "utf8")).toMatch(/^from,to,weight\n0,0,0\.333/);
  });

  it("draws pixels, and refuses an ending that tells no format", async () => {
    const out = join(folder, "ring.PNG");
    expect((await equitopo(`graph ring --n 3 --out ${out}`)).stderr).toBe(`png written to ${out}\n`);
    expect([...readFileSync(out).subarray(1, 4)]).toEqual([..."PNG"].map((letter) => letter.charCodeAt(0)));
    for (const name of ["ring.eps", "ring"]) {
      const { status, stderr } = await equitopo(`graph ring --n 3 --out ${join(folder, name)}`);
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: the file's ending must tell its format, /)]);
      expect(existsSync(join(folder, name))).toBe(false);
    }
    const svgAsPng = await equitopo(`graph ring --n 3 --format svg --out ${join(folder, "other.png")}`);
    expect([svgAsPng.status, existsSync(join(folder, "other.png"))]).toEqual([2, false]);
    expect(svgAsPng.stderr).toMatch(
      /^error: a file of --format svg must not end in \.png, got ".*other\.png"; rename it/,
    );
    expect((await equitopo(`graph ring --n 3 --format csv --out ${join(folder, "ring.txt")}`)).status).toBe(0);
  });

  it("leaves an old file alone when it fails, and nothing beside it", async () => {
    const out = join(folder, "kept.svg");
    writeFileSync(out, "old");
    const before = readdirSync(folder);
    expect((await equitopo(`graph complete --n 300 --out ${out}`)).status).toBe(2);
    expect((await equitopo(`graph ring --n 1 --out ${join(folder, "new.json")}`)).status).toBe(2);
    expect((await equitopo(`graph ring --n 9 --out ${join(folder, "no", "new.json")}`)).status).toBe(2);
    expect(readFileSync(out, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(before);
    expect(existsSync(join(folder, "no"))).toBe(false);
  });
});
