/** A yes that comes after its deadline is made good in a later exchange: the sum of all rows is what it would have been. */

import { describe, expect, it } from "vitest";
import { createAlgorithm } from "../../../src/algorithm/registry.ts";
import { createWorld } from "../../../src/algorithm/world.ts";
import { runPeer } from "../../../src/peer/course/peer.ts";
import type { Letter } from "../../../src/peer/exchange/lane.ts";
import type { HistoryLine } from "../../../src/peer/history/history.ts";
import { Corrections } from "../../../src/peer/mixing/corrections.ts";
import { Mixing } from "../../../src/peer/mixing/mixing.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import type { Rows } from "../../../src/round/round.ts";
import { ring } from "../../../src/topology/ring.ts";

const n = 3;
const topology = ring({ n });

/** What happens to one letter: milliseconds more, or undefined where it is lost. */
class Slow extends MemoryNetwork {
  readonly #extra: (from: number, to: number, letter: Letter) => number | undefined;

  constructor(extra: (from: number, to: number, letter: Letter) => number | undefined) {
    super(n, { delay: [1, 2] });
    this.#extra = extra;
  }

  override carry(from: number, to: number, letter: Letter): void {
    const extra = this.#extra(from, to, letter);
    if (extra === 0) super.carry(from, to, letter);
    else if (extra !== undefined) this.after(extra, () => super.carry(from, to, letter));
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Gossip with a pause after each round, in which a late vote comes; what the sums are in the end. */
async function gossip(network: MemoryNetwork, type: "float64" | "float32" = "float64", rounds = 6) {
  const told: HistoryLine[] = [];
  const peers = Array.from({ length: n }, (_, rank) => network.join(rank, { timeout: 100 }));
  const rows = await Promise.all(
    peers.map(async (transport, i) => {
      transport.history = (line) => told.push(line);
      const mixing = new Mixing({ transport, topology });
      const Kind = type === "float64" ? Float64Array : Float32Array;
      let vectors: Rows[] = [Kind.of(i * i), Kind.of(1 - i, 7 * i)];
      for (let t = 0; t < rounds; t++) {
        vectors = await mixing.finish(mixing.start({ vectors }, { round: t, exchange: t }));
        await network.sleep(150);
      }
      return vectors;
    }),
  );
  const sums = [sum(rows.map(([x]) => x[0])), sum(rows.map(([, y]) => y[0])), sum(rows.map(([, y]) => y[1]))];
  return {
    sums,
    told,
    mended: peers.map(({ counts }) => counts.mended),
  };
}

const yesOf =
  (from: number, to: number) =>
  (a: number, b: number, { kind, round }: Letter) =>
    kind === "yes" && round === 0 && a === from && b === to;

describe("a late yes", () => {
  it("restores the sums of all vectors of the exchange", async () => {
    const late = yesOf(0, 1);
    const { sums, told, mended } = await gossip(new Slow((...way) => (late(...way) ? 130 : 0)));
    expect(mended).toEqual([0, 1, 0]);
    expect(sums[0]).toBeCloseTo(5, 12);
    expect(sums[1]).toBeCloseTo(0, 12);
    expect(sums[2]).toBeCloseTo(21, 12);
    expect(told.filter(({ kind }) => kind === "amended")).toEqual([
      expect.objectContaining({
        exchange: 0,
        partner: 0,
        to: "mended",
        received: [expect.any(String), expect.any(String)],
      }),
    ]);
  });

  it("in single precision too, and where both are late", async () => {
    const [one, other] = [yesOf(0, 1), yesOf(1, 0)];
    const both = new Slow((...way) => (one(...way) || other(...way) ? 130 : 0));
    const { sums, mended } = await gossip(both, "float32");
    expect(mended).toEqual([1, 1, 0]);
    expect(sums[0]).toBeCloseTo(5, 5);
    expect(sums[2]).toBeCloseTo(21, 5);
  });

  it("and only one that is lost for good leaves the window", async () => {
    const lost = yesOf(0, 1);
    const { sums, mended } = await gossip(new Slow((...way) => (lost(...way) ? undefined : 0)));
    expect(mended).toEqual([0, 0, 0]);
    expect(Math.abs(sums[0] - 5)).toBeGreaterThan(1e-3);
  });

  it.each([
    ["dsgt", "y", "g"],
    ["choco", "s", "h"],
  ] as const)("keeps the invariant of %s: sum %s = sum %s", async (name, one, other) => {
    const late = yesOf(0, 1);
    const network = new Slow((...way) => (late(...way) ? 130 : 0));
    const optimiser = createAlgorithm({ name, learningRate: 0.05 });
    const problem = {
      ...{ name: "bowls", n, d: 2, metrics: () => ({}) },
      gradient(x: Rows, _t: number, out: Rows, first: number) {
        for (let k = 0; k < 2; k++) out[k] = (1 + first) * (x[k] - first - k);
      },
    };
    const { learningRate } = optimiser;
    const rows = (width: number) => new Float64Array(width);
    let mended = 0;
    const states = await Promise.all(
      [0, 1, 2].map(async (rank) => {
        const transport = network.join(rank, { timeout: 100 });
        const world = createWorld({ topology, problem, learningRate, seed: 0, rows, first: rank, count: 1 });
        const running = optimiser.start(world);
        const onRound = () => network.sleep(150);
        await runPeer({ transport, topology, running, rounds: 8, onRound });
        mended += transport.counts.mended;
        return running.state as Record<string, Rows>;
      }),
    );
    expect(mended).toBe(1);
    const sums = (state: string) => [0, 1].map((k) => sum(states.map((own) => own[state][k])));
    for (const k of [0, 1]) expect(sums(one)[k]).toBeCloseTo(sums(other)[k], 12);
    expect(Math.abs(sums(one)[0])).toBeGreaterThan(1e-3);
  });
});

describe("corrections", () => {
  const one = (number: number, partner: number, bytes = 8) => ({
    ...{ number, partner, kind: "topology 0", received: [], vectors: [new Float64Array(bytes / 8)] },
  });
  const due = (corrections: Corrections) =>
    corrections.take("topology 0").map(({ number, partner }) => [number, partner]);

  it("wait for the exchange of their kind", () => {
    const corrections = new Corrections();
    corrections.keep(one(3, 1));
    corrections.keep(one(4, 2));
    corrections.vote(4, 2);
    expect(corrections.take("mean 0")).toEqual([]);
    expect(due(corrections)).toEqual([[4, 2]]);
    expect(due(corrections)).toEqual([]);
  });

  it("may be outrun by their votes", () => {
    const corrections = new Corrections();
    corrections.vote(3, 1);
    corrections.keep(one(3, 1));
    expect(due(corrections)).toEqual([[3, 1]]);
  });

  it("are kept in bounded memory, for a bounded number of exchanges", () => {
    const corrections = new Corrections();
    corrections.keep(one(0, 1));
    corrections.keep(one(2000, 1, 40 * 2 ** 20));
    corrections.keep(one(2001, 1, 40 * 2 ** 20));
    for (const number of [0, 2000, 2001]) corrections.vote(number, 1);
    expect(due(corrections)).toEqual([[2001, 1]]);
  });
});
