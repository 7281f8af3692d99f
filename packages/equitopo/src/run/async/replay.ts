/**
 * A run of asynchronous nodes done again from its history (history.ts), wherever it was made: by the simulator on its
 * modelled clock, or by real peers over any transport. Every iteration is computed anew and given the vectors that it used
 * then, so the rows come out to the last bit, or the history is not one of this spec.
 *
 * What each node used is compared with what the rules make it use: a vector too old, a share counted twice or sent to
 * somebody else is found out. For shares the sum over all nodes and everything on its way,
 *
 *   sum_i x_i + sum over shares sent and not counted yet of w_ij(r) x_j(r),
 *
 * is followed through every exchange, where it must not change.
 */

import { createAlgorithm } from "../../algorithm/registry.ts";
import { InputError } from "../../input/input.ts";
import type { ProblemContext } from "../../problem/problem.ts";
import { createProblem } from "../../problem/registry.ts";
import type { Rows } from "../../round/round.ts";
import { createTopology } from "../../topology/registry.ts";
import type { RunSpec } from "../spec.ts";
import type { History, Step } from "./history.ts";
import { asyncMode } from "./mode.ts";
import { AsyncNode, type NodeOptions } from "./node.ts";
import { Sums } from "./sums.ts";

export interface ReplayOptions extends Omit<NodeOptions, "rank" | "saved"> {
  readonly history: History;
}

export interface Replay {
  /** The models at the end, n rows of d. */
  readonly x: Rows;
  /** Of shares: what the sums, those on their way included, come to, and the most by which an exchange changed them. */
  readonly sums?: {
    /** Of push-sum's weights: n, as at the start. */
    readonly weights: number;
    /** Of values and weights, relative to their size: rounding. */
    readonly error: number;
  };
}

/**
 * Does the run of a history again. O(its exchanges) iterations, and the memory of all vectors that are still to be used.
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
  if (history.length !== n) throw new InputError(`a history must be of all ${n} nodes`, history.length, "give all");
  const nodes = Array.from({ length: n }, (_, rank) => new AsyncNode({ ...setting, rank }));
  const done = new Int32Array(n);
  const sent = new Sent(history);
  const sums = optimiser.algorithm.async === "shares" ? new Sums(topology) : undefined;
  for (let moved = true; moved; ) {
    moved = false;
    for (const node of nodes) {
      for (
        let step = history[node.rank][done[node.rank]];
        step !== undefined;
        step = history[node.rank][done[node.rank]]
      ) {
        if (!step.used.every(([from, round]) => sent.has(from, round))) break;
        const vectors = node.compute();
        const used = step.used.map(([from, round]) => sent.take(from, round));
        step.used.forEach(([from, round], k) => {
          node.inbox.put(from, round, used[k]);
        });
        requireSame(
          node.rank,
          step,
          node.exchange(step.round, (peer) => step.kept?.includes(peer) === true),
        );
        if (step.round !== undefined) {
          sums?.exchanged(node, step, vectors, used, sharesOf(node, optimiser.algorithm.states));
          sent.put(node.rank, step.round, vectors);
        }
        done[node.rank]++;
        moved = true;
      }
    }
  }
  const stuck = nodes.find(({ rank }) => done[rank] < history[rank].length);
  if (stuck !== undefined) refuse(stuck.rank, history[stuck.rank][done[stuck.rank]], "vectors that nobody had sent");
  const x = type === "float64" ? new Float64Array(n * d) : new Float32Array(n * d);
  for (const { rank, state } of nodes) x.set(state.x, rank * d);
  return { x, ...(sums === undefined ? {} : { sums: { weights: sums.weights, error: sums.error } }) };
}

/** The same for a run of a spec. */
export function replayRun(run: RunSpec, history: History, context: ProblemContext = {}): Replay {
  const mode = asyncMode(run);
  if (mode === undefined) {
    throw new InputError("a history is of a run with mode: async", run.label, "a synchronous run needs none");
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

/** Vectors that were sent, for as long as somebody is still to use them. */
class Sent {
  readonly #uses = new Map<string, number>();
  readonly #vectors = new Map<string, readonly Rows[]>();

  constructor(history: History) {
    for (const { used } of history.flat()) {
      for (const [from, round] of used) {
        const name = `${from} ${round}`;
        this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
      }
    }
  }

  put(from: number, round: number, vectors: readonly Rows[]): void {
    const name = `${from} ${round}`;
    if (this.#uses.has(name)) this.#vectors.set(name, vectors);
  }

  has(from: number, round: number): boolean {
    return this.#vectors.has(`${from} ${round}`);
  }

  take(from: number, round: number): readonly Rows[] {
    const name = `${from} ${round}`;
    const vectors = this.#vectors.get(name) as readonly Rows[];
    const left = (this.#uses.get(name) as number) - 1;
    this.#uses.set(name, left);
    if (left === 0) this.#vectors.delete(name);
    return vectors;
  }
}

function requireSame(rank: number, said: Step, found: Step): void {
  if (JSON.stringify(said.used) !== JSON.stringify(found.used))
    refuse(rank, said, `${JSON.stringify(found.used)} by the rules`);
}

function refuse(rank: number, { round, used }: Step, found: string): never {
  throw new InputError(
    `what peer ${rank} says it used in round ${round ?? "none"} must be what it could: ${found}`,
    used,
    "give the whole history of one run, and its very spec",
  );
}
