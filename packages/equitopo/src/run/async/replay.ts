/**
 * Repeats a run of asynchronous nodes from its history (history.ts), whether the simulator made it on its modelled clock or
 * real peers over any transport. Every iteration is computed again and given the vectors that it used then, so the rows come
 * out to the last bit, or the history does not belong to this spec.
 *
 * What real peers wrote down of their vectors and rows is held against them: in every iteration a hash of what it exchanged,
 * and the models at both ends. A program that was started again goes on from models that an earlier one of its node had.
 *
 * What each node used is compared with what the rules allow: a vector too old, or a share counted twice or sent to another
 * node, is found. For shares the sum over all nodes and all shares on their way,
 *
 *   sum_i x_i + sum over shares sent and not counted yet of w_ij(r) x_j(r),
 *
 * is followed through every exchange; it must not change.
 */

import type { State } from "../../algorithm/algorithm.ts";
import { createAlgorithm } from "../../algorithm/registry.ts";
import { InputError } from "../../input/input.ts";
import type { ProblemContext } from "../../problem/problem.ts";
import { createProblem } from "../../problem/registry.ts";
import type { Rows } from "../../round/round.ts";
import { createTopology } from "../../topology/registry.ts";
import type { RunSpec } from "../spec.ts";
import { type Begin, type History, hashesOf, isWritten, type Step, type Used } from "./history.ts";
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
    /** How much of that the nodes hold; the rest is in shares that were sent and never counted, so many of them. */
    readonly held: number;
    readonly uncounted: number;
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
  const kinds = optimiser.algorithm.states;
  const lives = Array.from({ length: n }, (_, rank) => livesOf(setting, rank, history[rank]));
  const nodes = lives.map((life) => life.node);
  const done = new Int32Array(n);
  const sent = sentVectors(history);
  const sums = optimiser.algorithm.async === "shares" ? sumsOver(topology) : undefined;
  /** Repeats the node's next iteration; false if there is none, or if it used vectors that are not sent yet. */
  const goesOn = (rank: number): boolean => {
    const step = history[rank][done[rank]];
    if (step === undefined || !step.used.every(sent.has)) return false;
    if (step.begins !== undefined) nodes[rank] = lives[rank].begin(step.begins);
    const node = nodes[rank];
    const vectors = node.compute();
    if (step.hash !== undefined && step.hash !== hashesOf(vectors)) deny(step, `what peer ${rank} exchanged`);
    const used = step.used.map(sent.take);
    step.used.forEach(([from, round, hash], k) => {
      node.inbox.put(from, round, used[k], hash);
    });
    const found = node.exchange(step.round, (peer) => step.kept?.includes(peer) === true).used;
    if (JSON.stringify(step.used) !== JSON.stringify(found)) {
      refuse(node.rank, step, `${JSON.stringify(found)} by the rules`);
    }
    if (step.round !== undefined) {
      sums?.exchanged(node, step, vectors, used, sharesOf(node, kinds));
      sent.put(rank, step, vectors);
    }
    if (step.after !== undefined && !isWritten(node.state.x, step.after)) deny(step, `the last row of peer ${rank}`);
    lives[rank].keep(node);
    done[rank]++;
    return true;
  };
  for (let moved = true; moved; ) {
    moved = false;
    for (const { rank } of nodes) while (goesOn(rank)) moved = true;
  }
  const stuck = nodes.find(({ rank }) => done[rank] < history[rank].length);
  if (stuck !== undefined) refuse(stuck.rank, history[stuck.rank][done[stuck.rank]], "nobody had sent these vectors");
  const x = newRow(type, n * d);
  for (const { rank, state } of nodes) x.set(state.x, rank * d);
  if (sums === undefined) return { x };
  const held = nodes.reduce((sum, node) => sum + (sharesOf(node, kinds).at(-1)?.[0] ?? 0), 0);
  return { x, sums: { weights: sums.weights(), held, uncounted: sums.uncounted(), error: sums.error() } };
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

/**
 * The programs that were a node one after the other. Each goes on from a checkpoint of an earlier one, or from the beginning:
 * the models, and for shares nothing else (peer/course/async-run.ts).
 */
function livesOf(setting: Omit<NodeOptions, "rank" | "saved">, rank: number, steps: readonly Step[]) {
  const { problem, optimiser } = setting;
  const whole = optimiser.algorithm.async === "models";
  const wanted = new Set(steps.flatMap(({ begins }) => begins?.iterations ?? []));
  const kept: { readonly iterations: number; readonly state: State | undefined; readonly own: readonly Rows[] }[] = [];
  /** What the problem keeps for this node. */
  const own = () => Object.values(problem.state ?? {}).map((rows) => partOf(rows, problem.n, rank));
  const copy = () => own().map((rows) => rows.slice());
  const first = { iterations: 0, state: undefined, own: copy() };
  const created = (saved?: NodeOptions["saved"]) => asyncNode({ ...setting, rank, saved });
  return {
    node: created(),

    /** Keeps what a later program may go on from. */
    keep({ iterations, state }: AsyncNode): void {
      if (!wanted.has(iterations)) return;
      const copied = Object.fromEntries(Object.entries(state).map(([name, rows]) => [name, rows.slice()]));
      kept.push({ iterations, state: copied as State, own: copy() });
    },

    begin(begins: Begin): AsyncNode {
      const { iterations, round } = begins;
      const earlier = kept.filter((one) => one.iterations === iterations);
      for (const { state, own: values } of [...earlier.toReversed(), first]) {
        const from = state && (whole ? { state } : { x0: state["x"] });
        const node = created({ iterations, round, ...from });
        if (!isWritten(node.state.x, begins)) continue;
        own().forEach((rows, k) => {
          rows.set(values[k]);
        });
        return node;
      }
      return deny({ used: [], begins }, `the models with which peer ${rank} began`);
    },
  };
}

const partOf = (rows: Rows, n: number, rank: number) => {
  const width = rows.length / n;
  return rows.subarray(rank * width, (rank + 1) * width);
};

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
  const keyOf = (used: Used) => used.join(" ");
  for (const key of history.flat().flatMap(({ used }) => used.map(keyOf))) uses.set(key, (uses.get(key) ?? 0) + 1);
  return {
    put(from: number, { round = 0, hash = "" }: Step, vectors: readonly Rows[]) {
      for (const key of [keyOf([from, round]), keyOf([from, round, hash])]) if (uses.has(key)) sent.set(key, vectors);
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

function deny({ round, used, begins }: Step, what: string): never {
  throw new InputError(
    `${what} must be what the replay of the history gives, to the last bit`,
    begins ?? { round, used },
    "give the whole history of one run, and the spec of that run",
  );
}

function refuse(rank: number, { round, used }: Step, found: string): never {
  throw new InputError(
    `the vectors that peer ${rank} used in round ${round ?? "none"} must be those that it could use: ${found}`,
    used,
    "give the whole history of one run, and the spec of that run",
  );
}
