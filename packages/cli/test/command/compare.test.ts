/** `compare`: predicted against measured, and bytes counted from what nodes send. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { customGraph, ouEquiDyn, topologies as registry, ring } from "equitopo";
import { describe, expect, it } from "vitest";
import { measureGossip, mostMessages } from "../../src/measure.ts";
import { equitopo, json, scratch } from "../command.ts";
import { all, byClass, parseXml, words } from "../xml.ts";

interface Row {
  readonly topology: string;
  readonly degree: number;
  readonly predicted: { rounds: number; bytes: number } | null;
  readonly measured: { rounds: number; bytes: number } | null;
}

describe("compare --json", () => {
  it("measures no more rounds than a static or periodic rate promises, and lists what refuses n", async () => {
    const { n, topologies, refused, tolerance, dim, bytesPerNumber } = await json("compare --n 20");
    expect({ n, tolerance, dim, bytesPerNumber }).toEqual({ n: 20, tolerance: 1e-6, dim: 1000, bytesPerNumber: 8 });
    expect(refused).toContainEqual({ topology: "hypercube", reason: "needs a power of 2" });
    const names = [...topologies, ...refused].map(({ topology }: Row) => topology);
    expect(names.sort()).toEqual(registry.names.sort());
    for (const { topology, predicted, measured, degree } of topologies as Row[]) {
      if (!topology.endsWith("equidyn")) expect(measured!.rounds).toBeLessThanOrEqual(predicted!.rounds);
      // All graphs here are regular in what they send, but for grid, star and the random ones: degree is the largest.
      expect(predicted!.bytes).toBe(predicted!.rounds * degree * 8000);
      expect(measured!.bytes).toBeLessThanOrEqual(measured!.rounds * degree * 8000);
    }
  });

  it("is exact after one period at powers of two", async () => {
    const [row] = (await json("compare --n 64 --topologies one-peer-exp --dim 10 --float32")).topologies;
    expect(row.predicted).toEqual({ rounds: 6, bytes: 240 });
    expect(row.measured).toEqual({ rounds: 6, bytes: 240 });
  });

  it("hands options to the topologies that take them", async () => {
    const [ring, od] = (await json("compare --n 17 --topologies ring,od-equidyn --eta 0.5 --seed 4")).topologies;
    expect([ring.eta, od.eta, od.seed]).toEqual([undefined, 0.5, 4]);
  });

  it("does not run what would take too long", async () => {
    const [row] = (await json("compare --n 50 --topologies ring --max-rounds 100")).topologies as Row[];
    expect(row.measured).toBeNull();
    expect(row.predicted!.rounds).toBeGreaterThan(100);
  });
});

describe("compare as a table", () => {
  it("puts EquiTopo first, aligned, with what the rates mean underneath", async () => {
    const { stdout, stderr } = await equitopo("compare --n 24");
    expect(stderr).toBe("");
    const lines = stdout.split("\n");
    const first = lines.findIndex((line) => line.startsWith("---")) + 1;
    const names = lines.slice(first, first + 13).map((line) => line.split(" ")[0]);
    expect(names.slice(0, 4)).toEqual(["d-equistatic", "u-equistatic", "od-equidyn", "ou-equidyn"]);
    expect(new Set(names).size).toBe(13);
    expect(new Set(lines.slice(first - 3, first + 13).map((line) => line.length)).size).toBe(1);
    expect(stdout).toContain("od-equidyn and ou-equidyn: the rate is a mean square");
    expect(stdout).toContain("Left out: hypercube (needs a power of 2).");
    expect((await equitopo("compare --n 24 --topologies od-equidyn --quiet")).stdout).not.toContain("mean square");
  });
});

describe("compare --svg and --png", () => {
  const folder = scratch();
  const labels = (svg: string) => all(parseXml(svg.trim()), byClass("key")).map(words);

  it("draws a curve for each topology, labelled with its peers and rounds, the last to arrive first", async () => {
    const [svg, png] = ["all.svg", "all.png"].map((name) => join(folder, name));
    const { stdout, stderr } = await equitopo(`compare --n 64 --svg ${svg} --png ${png} --json`);
    expect(stderr).toBe(`figure written to ${svg} and ${png}\n`);
    const measured = new Map<string, number>(
      (JSON.parse(stdout).topologies as Row[]).map(({ topology, degree, measured }) => {
        const peers = degree === 1 ? "1 peer" : `${degree} peers`;
        return [`${topology}, ${peers}: ${measured!.rounds.toLocaleString("en-GB")}`, measured!.rounds] as const;
      }),
    );
    const drawn = labels(readFileSync(svg, "utf8"));
    expect([...drawn].sort()).toEqual([...measured.keys()].sort());
    // Those that arrive within the figure stand below the others, which are in the order of their errors.
    const quick = drawn.filter((label) => measured.get(label)! <= 60);
    expect(drawn.slice(-quick.length)).toEqual(quick);
    const rounds = quick.map((label) => measured.get(label)!);
    expect([...rounds].sort((a, b) => b - a)).toEqual(rounds);
    expect(readFileSync(png).subarray(1, 4).toString()).toBe("PNG");
  });

  it("shows what was not run to its end, without a number", async () => {
    const svg = join(folder, "ring.svg");
    await equitopo(`compare --n 50 --topologies ring --max-rounds 40 --tolerance 1e-3 --svg ${svg}`);
    const drawn = readFileSync(svg, "utf8");
    expect(labels(drawn)).toEqual(["ring, 2 peers"]);
    expect(drawn).toContain("by 10⁻³");
  });

  it("refuses a file in no folder before it measures", async () => {
    const { status, stdout } = await equitopo(`compare --n 20 --png ${join(folder, "none", "a.png")}`);
    expect([status, stdout]).toEqual([2, ""]);
  });
});

describe("a rate of 1", () => {
  const folder = scratch();

  it("promises nothing by itself: a de Bruijn graph is exact after two rounds, and that is predicted", async () => {
    const path = join(folder, "bruijn.csv");
    writeFileSync(path, ".5,.5,0,0\n0,0,.5,.5\n.5,.5,0,0\n0,0,.5,.5\n");
    const [row] = (await json(`compare --file ${path} --topologies ring`)).topologies;
    expect(row).toMatchObject({
      topology: "custom",
      predicted: { rounds: 2, bytes: 32000 },
      measured: { rounds: 2, bytes: 32_000 },
    });
    expect(row.rate).toBeCloseTo(1, 12);
  });

  it("is all that a graph without edges has", async () => {
    const path = join(folder, "identity.csv");
    writeFileSync(path, "1,0\n0,1\n");
    const { stdout } = await equitopo(`compare --file ${path} --topologies ring --max-rounds 50`);
    expect(stdout).toMatch(/^custom +0 +1 +- +- +- +-$/m);
    expect(stdout).toContain("a rate of 1 promises nothing");
  });
});

describe("measureGossip", () => {
  const options = { tolerance: 1e-3, seed: 1, maxRounds: 10_000 };

  it("counts what the busiest node sends: OU-EquiDyn leaves nodes idle", () => {
    const topology = ouEquiDyn({ n: 9, seed: 2 });
    const { rounds, messages } = measureGossip(topology, options)!;
    const sent = Array.from({ length: 9 }, () => 0);
    for (let t = 0; t < rounds; t++) for (let i = 0; i < 9; i++) sent[i] += topology.peers(t, i).to.length;
    expect(messages).toBe(Math.max(...sent));
    expect(messages).toBeLessThan(rounds);
    expect(mostMessages(topology)).toBe(1);
  });

  it("counts peers sent to, not received from", () => {
    // Node 0 sends to 1 and 2, and receives from 3 alone.
    const topology = customGraph({
      n: 4,
      self: [0, 0.5, 0.5, 0],
      edges: [
        [0, 1, 0.5],
        [0, 2, 0.5],
        [1, 3, 0.5],
        [2, 3, 0.5],
        [3, 0, 1],
      ],
    });
    expect(mostMessages(topology)).toBe(2);
    const { rounds, messages } = measureGossip(topology, options)!;
    expect(messages).toBe(2 * rounds);
  });

  it("gives up where it is told to", () => {
    expect(measureGossip(ring({ n: 100 }), { ...options, maxRounds: 5 })).toBeNull();
  });
});
