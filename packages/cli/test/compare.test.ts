/** `compare`: predicted against measured, and bytes counted from what nodes send. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { customGraph, ouEquiDyn, ring } from "equitopo";
import { describe, expect, it } from "vitest";
import { measureGossip, mostMessages } from "../src/measure.ts";
import { equitopo, json, scratch } from "./command.ts";

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
    expect(refused).toEqual([{ topology: "hypercube", reason: "needs a power of 2" }]);
    expect(topologies).toHaveLength(13);
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

describe("a rate of 1", () => {
  const folder = scratch();

  it("promises nothing, yet a de Bruijn graph is exact after two rounds", async () => {
    const path = join(folder, "bruijn.csv");
    writeFileSync(path, ".5,.5,0,0\n0,0,.5,.5\n.5,.5,0,0\n0,0,.5,.5\n");
    const [row] = (await json(`compare --file ${path} --topologies ring`)).topologies;
    expect(row).toMatchObject({ topology: "custom", predicted: null, measured: { rounds: 2, bytes: 32_000 } });
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
