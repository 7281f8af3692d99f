/** Outer rules at peers of a modelled network: late steps wait less, and a peer killed on its way costs its own updates only. */

import { expect, it } from "vitest";
import { type AlgorithmSpec, createAlgorithm } from "../../../src/algorithm/registry.ts";
import { createWorld } from "../../../src/algorithm/world.ts";
import { comeBack } from "../../../src/peer/course/one-run.ts";
import { runPeer } from "../../../src/peer/course/peer.ts";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { checkHistories } from "../../../src/peer/history/checker.ts";
import type { HistoryLine } from "../../../src/peer/history/history.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import type { Rows } from "../../../src/round/round.ts";
import { simulate } from "../../../src/run/simulate.ts";
import { disagreement } from "../../../src/testing/network.ts";
import { quadratic } from "../../../src/testing/quadratic.ts";
import { createTopology } from "../../../src/topology/registry.ts";
import { run as hopping, products } from "../products.ts";

const [n, d, rounds] = [6, 3, 60];
const problem = quadratic({ n, d, sigma: 0.1 });
const topology = createTopology({ name: "random-matching", n, seed: 2 });
/** Milliseconds of an update on the network's clock. */
const compute = 5;

/** A world at a peer, whose network can begin exchanges. */
function worldOf(optimiser: ReturnType<typeof createAlgorithm>, rank: number) {
  const rows = (width: number) => new Float64Array(width);
  const { learningRate } = optimiser;
  return createWorld({ topology, problem, learningRate, seed: 1, rows, first: rank, count: 1, begins: true });
}

const methodOf = (options: object) =>
  createAlgorithm({ name: "gossip-diloco", steps: 5, learningRate: 0.02, ...options } as AlgorithmSpec);

/** Final models, and milliseconds that the peers waited on average. */
async function onSlowLinks(options: object) {
  const optimiser = methodOf(options);
  const network = new MemoryNetwork(n, { delay: [20, 20] });
  let waited = 0;
  const x = await Promise.all(
    Array.from({ length: n }, async (_, rank) => {
      const running = optimiser.start(worldOf(optimiser, rank));
      await runPeer({
        ...{ topology, rounds, running, timeout: 1000, exchanges: optimiser.exchanges, transport: network.join(rank) },
        onRound: (report) => {
          waited += report.waited / n;
          return network.sleep(compute);
        },
      });
      return [...running.state.x];
    }),
  );
  const expected = simulate({ topology, algorithm: optimiser, problem, rounds, seed: 1 }).x;
  expect(x.flat()).toEqual([...expected]);
  return { waited, time: network.time };
}

it("late steps travel while the next updates are computed: the simulator's bits, and hardly any waiting", async () => {
  const [plain, late] = [await onSlowLinks({}), await onSlowLinks({ late: true })];
  // Twelve exchanges of a letter and a vote, 20 ms each; five updates of 5 ms are longer than the letter, not than both.
  expect(plain.waited).toBeGreaterThanOrEqual(12 * 40);
  expect(late.waited).toBeLessThan(0.5 * plain.waited);
  expect(late.time).toBeLessThan(0.75 * plain.time);
});

it("peers that all go on from a checkpoint have begun nothing, and exchange what they held", async () => {
  const optimiser = methodOf({ late: true });
  const at = 23;
  const saved = await Promise.all(onceMore(optimiser, 0, at, () => undefined, new MemoryNetwork(n, { delay: [1, 3] })));
  const x = await Promise.all(onceMore(optimiser, at, rounds, (rank) => saved[rank], new MemoryNetwork(n)));
  const expected = simulate({ topology, algorithm: optimiser, problem, rounds, seed: 1 }).x;
  expect(x.flatMap((state) => [...state["x"]])).toEqual([...expected]);
});

type Saved = Readonly<Record<string, Rows>>;

function onceMore(
  optimiser: ReturnType<typeof createAlgorithm>,
  first: number,
  last: number,
  from: (rank: number) => Saved | undefined,
  network: MemoryNetwork,
): Promise<Saved>[] {
  return Array.from({ length: n }, async (_, rank) => {
    const running = optimiser.start(worldOf(optimiser, rank), from(rank) as { x: Rows } | undefined);
    const { exchanges } = optimiser;
    await runPeer({ topology, first, rounds: last, running, timeout: 1000, exchanges, transport: network.join(rank) });
    return Object.fromEntries(Object.entries(running.state).map(([name, rows]) => [name, rows.slice()]));
  });
}

it.each([
  { name: "ou-equidyn", n: 7, seed: 5 },
  { name: "hierarchy", n: 7, groups: [3, 2, 2], between: "od-equidyn", seed: 3 },
])("evaluations come between what was begun and its use; the histories fit together: $name", async (graph) => {
  const algorithm: AlgorithmSpec = { name: "gossip-diloco", steps: 6, fragments: 3, late: true, learningRate: 0.01 };
  const run = { ...hopping, topology: graph, algorithm };
  const lines: HistoryLine[][] = Array.from({ length: 7 }, () => []);
  const network = new MemoryNetwork(7, { delay: [1, 3] });
  const x: number[][] = [];
  await Promise.all(
    lines.map((kept, rank) =>
      runSpecPeer({
        ...{ transport: network.join(rank), runs: [run], problemOf: () => products(), timeout: 20_000 },
        history: (line) => void kept.push(line),
        onRecord: (record) => {
          x[rank] = [...record.x];
        },
      }),
    ),
  );
  const { rounds, every, evaluate, seed } = { ...hopping, evaluate: 7 };
  const expected = simulate({
    ...{ topology: createTopology(graph), algorithm, problem: products(), rounds, every, evaluate, seed },
  });
  expect(x.flat()).toEqual([...expected.x]);
  expect(checkHistories(lines).violations).toEqual([]);
});

/** A network in which the letter to a peer that is dead comes back, like a connection that is refused. */
class Refusing extends MemoryNetwork {
  readonly #dead = new Set<number>();

  override crash(rank: number): void {
    this.#dead.add(rank);
    super.crash(rank);
  }

  revive(rank: number) {
    this.#dead.delete(rank);
    return this.join(rank);
  }

  override carry(from: number, to: number, letter: Parameters<MemoryNetwork["carry"]>[2]): void {
    if (this.#dead.has(to)) this.after(1, () => this.tellGone(to, from));
    else super.carry(from, to, letter);
  }
}

it.each([{}, { late: true }])(
  "a peer killed between two outer steps costs its own updates only %o",
  async (options) => {
    const optimiser = methodOf({ steps: 10, ...options });
    const network = new Refusing(n, { delay: [1, 2] });
    const skipped: number[] = [];
    const missing: number[] = [];
    const final: Rows[] = [];
    await Promise.all(
      Array.from({ length: n }, async (_, rank) => {
        const common = { topology, rounds: 200, timeout: 400, maxLag: 20, exchanges: optimiser.exchanges };
        let running = optimiser.start(worldOf(optimiser, rank));
        let saved: Saved = {};
        let done = 0;
        const onRound = ({ round, missing: absent }: { round: number; missing: readonly number[] }) => {
          done++;
          if (rank !== 3) missing.push(...absent);
          if (round % 10 === 4)
            saved = Object.fromEntries(Object.entries(running.state).map(([k, v]) => [k, v.slice()]));
          if (rank === 3 && round === 57) network.crash(rank);
          return network.sleep(compute);
        };
        try {
          await runPeer({ ...common, transport: network.join(rank), running, onRound });
        } catch {
          await network.sleep(30);
          const transport = network.revive(rank);
          while (transport.reached < 0) await network.sleep(1);
          running = comeBack(optimiser, worldOf(optimiser, rank), saved as { x: Rows });
          await runPeer({ ...common, transport, running, first: transport.reached + 1, onRound });
        }
        skipped[rank] = 200 - done;
        final[rank] = running.state.x;
      }),
    );
    // The others have done every update; they miss one peer's exchange or two, and nobody else's.
    skipped.forEach((count, rank) => {
      if (rank !== 3) expect(count).toBe(0);
    });
    // A peer learns where the others are from their last exchange, and is at most an outer step behind them.
    expect(Math.abs(skipped[3])).toBeLessThanOrEqual(30);
    expect(new Set(missing)).toEqual(new Set([3]));
    expect(missing.length).toBeLessThanOrEqual(3);
    const x = Float64Array.from(final.flatMap((row) => [...row]));
    const never = simulate({ topology, algorithm: optimiser, problem, rounds: 200, seed: 1 }).x;
    expect(disagreement(x, d)).toBeLessThan(2 * disagreement(never, d));
  },
);
