/** Peers go by what algorithms and problems declare: hops, states, evaluations. */

import { describe, expect, it } from "vitest";
import { defineAlgorithm, initialState, oneExchange, oneVector } from "../../../src/algorithm/algorithm.ts";
import { anyWeights } from "../../../src/algorithm/condition.ts";
import { algorithms, createAlgorithm } from "../../../src/algorithm/registry.ts";
import { createWorld } from "../../../src/algorithm/world.ts";
import { loadCheckpoints } from "../../../src/peer/course/checkpoint.ts";
import { comeBack } from "../../../src/peer/course/one-run.ts";
import { runTexts } from "../../../src/peer/course/options.ts";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import type { Problem, Tally } from "../../../src/problem/problem.ts";
import type { PeerRecord } from "../../../src/run/course/row-course.ts";
import { simulate } from "../../../src/run/simulate.ts";
import { expandSpec, parseSpec } from "../../../src/run/spec.ts";
import { createTopology } from "../../../src/topology/registry.ts";
import { d, n, products, run, simulated } from "../products.ts";
import { byPeers } from "../runs.ts";
import { memoryStore } from "../store.ts";

type Member = Parameters<typeof algorithms.add>[0];

/** A momentum m that is the node's own, and q, a share of something: a letter that means nothing to anybody. */
const sharing = defineAlgorithm({
  name: "sharing-of-the-test",
  summary: "has a share called q",
  update: "X+ = W X",
  condition: anyWeights,
  exact: false,
  options: {},
  sends: oneVector,
  exchanges: oneExchange,
  states: { m: "own", q: "share" },
  start(world, _options, saved) {
    const state = initialState(world, saved, { m: world.rows(), q: world.rows() });
    return {
      state,
      *iterate() {
        [state.x] = yield { vectors: [state.x] };
      },
    };
  },
});
algorithms.add(sharing as unknown as Member);

const problemAt = (rank: number) => ({ problemOf: () => products(rank, 1) });
const join = (network: MemoryNetwork) => Array.from({ length: n }, (_, rank) => network.join(rank));

describe("six hops of power iteration over OU-EquiDyn", () => {
  it("are six rounds, as in the simulator, and evaluations are its to the last bit", async () => {
    const records: PeerRecord[][] = [];
    await Promise.all(
      join(new MemoryNetwork(n, { delay: [1, 3] })).map((transport, rank) => {
        records[rank] = [];
        return runSpecPeer({
          ...{ transport, runs: [run], ...problemAt(rank) },
          onRecord: (record) => records[rank].push({ ...record, x: record.x.slice() }),
        });
      }),
    );
    expect(records.flatMap((list) => [...(list.at(-1)?.x ?? [])])).toEqual([...simulated.x]);
    expect(records[3].map(({ updates }) => updates)).toEqual([...simulated.updates]);
    expect(Math.max(...records.map((list) => list.at(-1)?.bytes ?? 0))).toBe(simulated.bytes.at(-1));
    const { summarise } = products().evaluation as NonNullable<Problem["evaluation"]>;
    const { updates, metrics } = simulated.evaluations as NonNullable<typeof simulated.evaluations>;
    expect(updates).toEqual([7, 14, 21, 25]);
    updates.forEach((done, k) => {
      const tallies = records.map((list) => list.find((record) => record.updates === done)?.tally as Tally);
      expect(tallies[4]["updates"]).toBe(done);
      expect(summarise(tallies)).toEqual({ at: metrics["at"][k], labels: metrics["labels"][k] });
    });
    expect(metrics["labels"][3]).toBeCloseTo(21, 3);
  });

  it("go on bit by bit from checkpoints, which hold what the problem keeps", async () => {
    const stores = Array.from({ length: n }, memoryStore);
    const network = new MemoryNetwork(n, { delay: [1, 3] });
    await Promise.all(
      join(network).map(async (transport, rank) => {
        const stopped = runSpecPeer({
          ...{ transport, runs: [run], ...problemAt(rank), checkpoint: { store: stores[rank], every: 4 } },
          onRound: (_, { round }) => {
            if (round === 12) network.crash(rank);
          },
        });
        await expect(stopped).rejects.toThrow(/closed/);
      }),
    );
    const [saved] = await loadCheckpoints(stores[3], runTexts({ runs: [run] }), 3);
    expect([saved.round, saved.problem?.["seen"].length]).toEqual([12, 1]);
    const kept: Problem[] = [];
    const rows: number[][] = [];
    await Promise.all(
      join(new MemoryNetwork(n, { delay: [1, 3] })).map((transport, rank) => {
        kept[rank] = products(rank, 1);
        return runSpecPeer({
          ...{ transport, runs: [run], problemOf: () => kept[rank], checkpoint: { store: stores[rank], every: 4 } },
          onRecord: ({ x }) => {
            rows[rank] = [...x];
          },
        });
      }),
    );
    expect(rows.flat()).toEqual([...simulated.x]);
    const whole = products();
    simulate({
      topology: createTopology(run.topology),
      ...{ algorithm: run.algorithm, problem: whole, rounds: 25, seed: run.seed },
    });
    expect(kept.flatMap(({ state }) => [...(state?.["seen"] ?? [])])).toEqual([...(whole.state?.["seen"] ?? [])]);
  });
});

describe("a state called q that is a share", () => {
  it("begins anew in a rejoin; what is the node's own is kept", () => {
    const optimiser = createAlgorithm({ name: "sharing-of-the-test" as string });
    const topology = createTopology({ name: "ring", n });
    const rows = (width: number) => new Float64Array(width);
    const { learningRate } = optimiser;
    const world = createWorld({ topology, problem: products(0, 1), learningRate, seed: 0, rows, first: 0, count: 1 });
    const of = (value: number) => new Float64Array(d).fill(value);
    const back = comeBack(optimiser, world, { x: of(1), m: of(2), q: of(3) });
    expect(back.state).toEqual({ x: of(1), m: of(2), q: of(0) });
  });
});

describe("losses on purpose", () => {
  it("spare means, which are exact or nothing", async () => {
    const runs = expandSpec({
      topologies: [{ name: "od-equidyn", n, seed: 5 }],
      algorithms: [{ name: "centralised", learningRate: 0.01 }],
      problem: { name: "least-squares", K: 10 },
      ...{ rounds: 10, every: 10, faults: { drop: 0.5 } },
    });
    const [{ missed }] = await byPeers(join(new MemoryNetwork(n)), runs);
    expect(missed).toBe(0);
  });

  it("are refused where nothing would be left", () => {
    const document = { topologies: [{ name: "ring", n }], algorithms: [{ name: "dsgd" }], faults: { drop: 1 } };
    expect(() => expandSpec(parseSpec({ ...document, problem: { name: "least-squares" } }))).toThrow(
      /drop must lie in/,
    );
  });
});
