/**
 * Repeats a run of asynchronous nodes from its history (history.ts), whether the simulator made it on its modelled clock or
 * real peers over any transport. Every iteration is computed again and given the vectors that it used then, so the rows come
 * out to the last bit, or the history does not belong to this spec.
 *
 * What each node used is compared with what the rules allow: a vector too old, or a share counted twice or sent to another
 * node, is found. For shares the sum over all nodes and all shares on their way,
 *
 *   sum_i x_i + sum over shares sent and not counted yet of w_ij(r) x_j(r),
 *
 * is followed through every exchange; it must not change.
 */

import { createAlgorithm } from "../../algorithm/registry.ts";
import { InputError } from "../../input/input.ts";
import type { ProblemContext } from "../../problem/problem.ts";
import { createProblem } from "../../problem/registry.ts";
import type { Rows } from "../../round/round.ts";
import { createTopology } from "../../topology/registry.ts";
import type { RunSpec } from "../spec.ts";
import type { History, Step, Used } from "./history.ts";
import { asyncMode } from "./mode.ts";
import { type AsyncNode, asyncNode, type NodeOptions, newRow } from "./node.ts";
import { sumsOver } from "./sums.ts";

export interface ReplayOptions extends Omit<NodeOptions, "rank" | "saved"> {
  readonly history: History;
}

export interface Replay {
  /** The models at the end, n rows of d. */
  readonly x: Rows;
  /** For shares: the sums, shares on their way included, at the end. */
  readonly sums?: {
    /** The sum of push-sum's weights: n, as at the start. */
    readonly weights: number;
    /** The most by which exchanges changed the sums of values and weights, relative to their size: rounding. */
    readonly error: number;
  };
}

/**
 * Repeats the run of a history. O(its exchanges) iterations, and the memory of all vectors that are still to be used.
 *
 * @example
 * ```ts
 * import { createAlgorithm, customProblem, ring, type Rows } from "equitopo";
 * import { replay } from "equitopo/run";
 * const problem = customProblem({ n: 3, d: 1, start: Float64Array.of(0), gradient: (_x, i, _t, out) => { out[0] = -i; } });
 * const history = [[{ round: 0, used: [] }], [{ round: 0, used: [] }], [{ round: 1, used: [[1, 0] as const] }]];
 * const optimiser = createAlgorithm({ name: "dsgd", learningRate: 3 });
 * const setting = { topology: ring({ n: 3 }), problem, optimiser, seed: 0, type: "float64" as const, mode: { maxStale: 4 } };
 * // Node 2 took its own 6 and node 1's 3, and kept the weight of node 0, of which it had nothing.
 * [...replay({ ...setting, history }).x].map((value: number) => value.toFixed(3)).join(" ") // => "0.000 3.000 5.000"
 * ```
 */
export function replay({ history, ...setting }: ReplayOptions): Replay {
  const { topology, problem, optimiser, type } = setting;
  const { n, d } = problem;
  if (history.length !== n)
    throw new InputError(`a history must hold all ${n} nodes`, history.length, "give the histories of all");
  const nodes = Array.from({ length: n }, (_, rank) => asyncNode({ ...setting, rank }));
  const done = new Int32Array(n);
  const sent = sentVectors(history);
  const sums = optimiser.algorithm.async === "shares" ? sumsOver(topology) : undefined;
  /** Repeats the node's next iteration; false if there is none, or if it used vectors that are not sent yet. */
  const goesOn = (node: AsyncNode): boolean => {
    const step = history[node.rank][done[node.rank]];
    if (step === undefined || !step.used.every(sent.has)) return false;
    const vectors = node.compute();
    const used = step.used.map(sent.take);
    step.used.forEach(([from, round], k) => {
      node.inbox.put(from, round, used[k]);
    });
    const found = node.exchange(step.round, (peer) => step.kept?.includes(peer) === true).used;
    if (JSON.stringify(step.used) !== JSON.stringify(found)) {
      refuse(node.rank, step, `${JSON.stringify(found)} by the rules`);
    }
    if (step.round !== undefined) {
      sums?.exchanged(node, step, vectors, used, sharesOf(node, optimiser.algorithm.states));
      sent.put([node.rank, step.round], vectors);
    }
    done[node.rank]++;
    return true;
  };
  for (let moved = true; moved; ) {
    moved = false;
    for (const node of nodes) while (goesOn(node)) moved = true;
  }
  const stuck = nodes.find(({ rank }) => done[rank] < history[rank].length);
  if (stuck !== undefined) refuse(stuck.rank, history[stuck.rank][done[stuck.rank]], "nobody had sent these vectors");
  const x = newRow(type, n * d);
  for (const { rank, state } of nodes) x.set(state.x, rank * d);
  return { x, ...(sums === undefined ? {} : { sums: { weights: sums.weights(), error: sums.error() } }) };
}

/** Repeats a run of a spec from its history. */
export function replayRun(run: RunSpec, history: History, context: ProblemContext = {}): Replay {
  const mode = asyncMode(run);
  if (mode === undefined) {
    throw new InputError("a history must belong to a run with mode: async", run.label, "a synchronous run needs none");
  }
  const problem = createProblem(run.problem, context);
  try {
    const topology = createTopology(run.topology);
    const optimiser = createAlgorithm(run.algorithm, problem);
    const { seed, type, faults } = run;
    return replay({ topology, problem, optimiser, seed, type, mode, drop: faults?.drop, history });
  } finally {
    problem.close?.();
  }
}

/** The states that are shares, in the order in which they are exchanged. */
function sharesOf({ state }: AsyncNode, kinds: Readonly<Record<string, string>>): Rows[] {
  return Object.keys(kinds)
    .filter((name) => kinds[name] === "share")
    .map((name) => state[name]);
}

/** Vectors that were sent, for as long as any node is still to use them. */
function sentVectors(history: History) {
  const uses = new Map<string, number>();
  const sent = new Map<string, readonly Rows[]>();
  const keyOf = ([from, round]: Used) => `${from} ${round}`;
  for (const key of history.flat().flatMap(({ used }) => used.map(keyOf))) uses.set(key, (uses.get(key) ?? 0) + 1);
  return {
    put(used: Used, vectors: readonly Rows[]) {
      if (uses.has(keyOf(used))) sent.set(keyOf(used), vectors);
    },
    has: (used: Used) => sent.has(keyOf(used)),
    take(used: Used): readonly Rows[] {
      const key = keyOf(used);
      const vectors = sent.get(key) as readonly Rows[];
      const left = (uses.get(key) ?? 0) - 1;
      uses.set(key, left);
      if (left === 0) sent.delete(key);
      return vectors;
    },
  };
}

function refuse(rank: number, { round, used }: Step, found: string): never {
  throw new InputError(
    `the vectors that peer ${rank} used in round ${round ?? "none"} must be those that it could use: ${found}`,
    used,
    "give the whole history of one run, and the spec of that run",
  );
}
