/** Every driver goes by the one cadence: where its rule is another, all of them record, evaluate and save by that. */

import { describe, expect, test, vi } from "vitest";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { runElasticPeer } from "../../../src/peer/elastic/elastic-peer.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import type { Problem, Tally } from "../../../src/problem/problem.ts";
import { createProblem } from "../../../src/problem/registry.ts";
import type { Rows } from "../../../src/round/round.ts";
import type { PeerRecord } from "../../../src/run/course/row-course.ts";
import { simulate } from "../../../src/run/simulate.ts";
import { expandSpec, type RunSpec } from "../../../src/run/spec.ts";
import { createTopology } from "../../../src/topology/registry.ts";
import { memoryStore } from "../../peer/store.ts";

// Whatever a run asks for: records every 7 updates, evaluations every 4 (asynchronous ones at the end), checkpoints every 5.
vi.mock("../../../src/run/course/cadence.ts", async (original) => {
  const { Cadence } = await original<typeof import("../../../src/run/course/cadence.ts")>();
  type Options = ConstructorParameters<typeof Cadence>[0];
  class Changed extends Cadence {
    constructor(options: Options) {
      super({ ...options, every: 7, evaluate: 4 });
    }
  }
  return { Cadence: Changed };
});
vi.mock("../../../src/run/course/save-points.ts", () => ({ savePoints: () => (updates: number) => updates % 5 === 0 }));

const n = 3;
const recorded = [0, 4, 7, 8, 10];
const evaluated = [4, 8, 10];
const saved = [5, 10];

const runOf = (more: object = {}) =>
  expandSpec({
    topologies: [{ name: "ring", n }],
    algorithms: [{ name: "dsgd", learningRate: 0.01 }],
    problem: { name: "least-squares", K: 5, d: 2 },
    ...{ rounds: 10, ...more },
  })[0];

/** With an evaluation: the sum of the averaged models. */
function withEvaluation(problem: Problem): Problem {
  return {
    ...problem,
    gradient: problem.gradient.bind(problem),
    metrics: problem.metrics.bind(problem),
    evaluation: {
      *tally(x, _updates, _first, count): Generator<readonly Rows[], readonly Tally[], readonly Rows[]> {
        const [mean] = yield [x.slice()];
        return Array.from({ length: count }, (_, i) => ({ first: mean[i * problem.d] }));
      },
      summarise: (tallies) => ({ first: tallies.reduce((sum, { first }) => sum + first, 0) }),
    },
  };
}

function simulated(run: RunSpec, async?: { maxStale: number }) {
  const told: number[] = [];
  const record = simulate({
    ...{ topology: createTopology(run.topology), algorithm: run.algorithm, rounds: run.rounds },
    ...{ problem: withEvaluation(createProblem(run.problem)), onEvaluation: (updates: number) => told.push(updates) },
    ...(async === undefined ? {} : { async }),
  });
  expect(record.evaluations?.updates).toEqual(told);
  return { recorded: record.updates, evaluated: told };
}

/** What one of three peers records, evaluates and saves. */
async function byPeers(work: (rank: number, options: PeerParts) => Promise<unknown>) {
  const records: PeerRecord[][] = [[], [], []];
  const saves = [0, 0, 0];
  const peers = records.map((list, rank) => {
    const { load, name } = memoryStore();
    const store = { name, load, save: async () => void saves[rank]++ };
    const onRecord = (record: PeerRecord) => void list.push(record);
    return work(rank, {
      onRecord,
      checkpoint: { store },
      problemOf: (run) => withEvaluation(createProblem(run.problem)),
    });
  });
  await Promise.all(peers);
  return {
    recorded: records[1].map(({ updates }) => updates),
    evaluated: records[1].filter(({ tally }) => tally !== undefined).map(({ updates }) => updates),
    saves: saves[1],
  };
}

interface PeerParts {
  readonly onRecord: (record: PeerRecord) => void;
  readonly checkpoint: { readonly store: ReturnType<typeof memoryStore> };
  readonly problemOf: (run: RunSpec) => Problem;
}

const specPeers = (run: RunSpec) => {
  const network = new MemoryNetwork(n);
  return byPeers((rank, options) => runSpecPeer({ transport: network.join(rank), runs: [run], ...options }));
};

describe("a driver follows another rule:", () => {
  test("the simulator", () => {
    expect(simulated(runOf())).toEqual({ recorded, evaluated });
  });

  test("the asynchronous simulator", () => {
    expect(simulated(runOf(), { maxStale: 8 })).toEqual({ recorded: [0, 7, 10], evaluated: [10] });
  });

  test("a peer", async () => {
    expect(await specPeers(runOf())).toEqual({ recorded, evaluated, saves: saved.length });
  });

  test("an asynchronous peer", async () => {
    const found = await specPeers(runOf({ mode: "async" }));
    // It may skip the update at which something is due: the next one serves.
    expect(found.recorded.length).toBe(3);
    expect([found.recorded[0], found.recorded[1] >= 7, found.recorded[2]]).toEqual([0, true, 10]);
    expect([found.evaluated, found.saves]).toEqual([[10], saved.length]);
  });

  test("an elastic peer", async () => {
    const network = new MemoryNetwork(n, { delay: [1, 2] });
    const found = await byPeers((seat, options) =>
      runElasticPeer({
        ...{ lane: network.lane(seat), seat, seats: n, run: runOf(), incarnation: 1, patience: { beat: 10 } },
        ...options,
      }),
    );
    // And when the epoch begins.
    expect(found).toEqual({ recorded, evaluated, saves: saved.length + 1 });
  });
});
