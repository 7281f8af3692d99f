/** Gradient tracking when a peer dies and comes back: the sum of trackers is repaired by audits, and only by them. */

import { describe, expect, it } from "vitest";
import { createAlgorithm } from "../../../src/algorithm/registry.ts";
import { createWorld } from "../../../src/algorithm/world.ts";
import { comeBack } from "../../../src/peer/course/one-run.ts";
import { runPeer } from "../../../src/peer/course/peer.ts";
import { repairing } from "../../../src/peer/course/repair.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import type { Problem } from "../../../src/problem/problem.ts";
import { ouEquiDyn } from "../../../src/topology/ou-equidyn.ts";

const n = 7;
/** f_i = a_i (x - c_i)^2 / 2, with a common minimum at sum a c / sum a. */
const a = (i: number) => 1 + (i % 3);
const c = (i: number) => i * i - 9;
const optimum = (nodes: readonly number[]) =>
  nodes.reduce((sum, i) => sum + a(i) * c(i), 0) / nodes.reduce((sum, i) => sum + a(i), 0);
const everyone = Array.from({ length: n }, (_, i) => i);
const problem: Problem = {
  name: "bowls",
  n,
  d: 1,
  gradient(x, _t, out, first, count) {
    for (let i = 0; i < count; i++) out[i] = a(first + i) * (x[i] - c(first + i));
  },
  metrics: () => ({}),
};
const topology = ouEquiDyn({ n, seed: 2 });
const rounds = 900;

interface Plan {
  readonly algorithm: string;
  readonly audit: boolean;
  /** Peer 3 is killed after that iteration, and comes back some 100 iterations later, or never. */
  readonly crash?: { readonly after: number; readonly back: boolean };
}

/** The final models of those that reached the end. */
async function run({ algorithm, audit, crash }: Plan): Promise<Map<number, number>> {
  const network = new MemoryNetwork(n, { delay: [1, 2] });
  const optimiser = createAlgorithm({ name: algorithm, learningRate: 0.05 });
  const world = (rank: number) =>
    createWorld({
      ...{ topology, problem, learningRate: optimiser.learningRate, seed: 0, first: rank, count: 1 },
      rows: (width) => new Float64Array(width),
    });
  const audited = (running: ReturnType<typeof optimiser.start>) =>
    audit ? repairing(running, optimiser.algorithm, { every: 100, rounds: 40 }) : running;
  const final = new Map<number, number>();
  const common = { topology, rounds, timeout: 20, maxLag: 20 };
  await Promise.all(
    everyone.map(async (rank) => {
      let transport = network.join(rank);
      let running = audited(optimiser.start(world(rank)));
      const saved = { x: new Float64Array(1), y: new Float64Array(1), g: new Float64Array(1) };
      try {
        await runPeer({
          ...common,
          transport,
          running,
          onRound: ({ round }) => {
            saved.x.set(running.state.x);
            if (rank === 3 && round === crash?.after) network.crash(rank);
          },
        });
      } catch {
        if (crash?.back !== true) return;
        await network.sleep(400);
        transport = network.join(rank);
        while (transport.reached < 0) await network.sleep(5);
        running = audited(comeBack(optimiser, world(rank), saved));
        await runPeer({ ...common, transport, running, first: transport.reached + 1 });
      }
      final.set(rank, running.state.x[0]);
      await network.sleep(100);
    }),
  );
  return final;
}

const farthest = (final: ReadonlyMap<number, number>, from: number) =>
  Math.max(...[...final.values()].map((x) => Math.abs(x - from)));

describe.each(["dsgt", "diging"])("%s", (algorithm) => {
  it("audits change nothing that matters where nothing is lost", async () => {
    expect(farthest(await run({ algorithm, audit: true }), optimum(everyone))).toBeLessThan(1e-8);
  });

  it("a peer that comes back leaves a gap in the sum of trackers, and the network off its mark", async () => {
    const final = await run({ algorithm, audit: false, crash: { after: 20, back: true } });
    expect(final.size).toBe(n);
    expect(farthest(final, optimum(everyone))).toBeGreaterThan(0.01);
  });

  it("with audits it still converges to the minimum of all", async () => {
    const final = await run({ algorithm, audit: true, crash: { after: 20, back: true } });
    expect(final.size).toBe(n);
    expect(farthest(final, optimum(everyone))).toBeLessThan(1e-8);
  });

  it("without it the others converge to the minimum of their own", async () => {
    const final = await run({ algorithm, audit: true, crash: { after: 20, back: false } });
    expect(final.size).toBe(n - 1);
    expect(farthest(final, optimum(everyone.filter((i) => i !== 3)))).toBeLessThan(1e-8);
  });
});

describe("audits", () => {
  it("are refused where there is no tracker", () => {
    const optimiser = createAlgorithm({ name: "dsgd" });
    const rows = (width: number) => new Float64Array(width);
    const world = createWorld({
      ...{ topology, problem, learningRate: optimiser.learningRate, seed: 0, rows, first: 0, count: 1 },
    });
    expect(() => repairing(optimiser.start(world), optimiser.algorithm, { every: 10, rounds: 5 })).toThrow(
      /gradient tracking/,
    );
  });

  it("momenta come back from the checkpoint, trackers start anew", () => {
    const rows = (width: number) => new Float64Array(width);
    const back = (name: string, saved: Record<string, Float64Array>) => {
      const optimiser = createAlgorithm({ name });
      const learningRate = optimiser.learningRate;
      const world = createWorld({ ...{ topology, problem, learningRate, seed: 0, rows, first: 0, count: 1 } });
      return comeBack(optimiser, world, saved as { x: Float64Array }).state;
    };
    const of = (value: number) => Float64Array.of(value);
    expect(back("dmsgd", { x: of(1), m: of(2) })).toEqual({ x: of(1), m: of(2) });
    expect(back("dsgt", { x: of(1), y: of(2), g: of(3) })).toEqual({ x: of(1), y: of(0), g: of(0) });
  });
});
