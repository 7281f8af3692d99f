/**
 * Algorithms driven slowly and plainly: all n rows in one world, or n worlds of one row each with the mixing done in between.
 */

import { firstRound, type Mix, type Running, type State, type World } from "../algorithm/algorithm.ts";
import { drive } from "../algorithm/drive.ts";
import type { Optimiser } from "../algorithm/registry.ts";
import { createWorld } from "../algorithm/world.ts";
import type { Problem } from "../problem/problem.ts";
import { applyRound } from "../round/apply.ts";
import { meanRow } from "../round/distance.ts";
import type { Round, Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";

export interface Setting {
  readonly optimiser: Optimiser;
  readonly topology: Topology;
  readonly problem: Problem;
  readonly seed?: number;
  /** n rows to start from in place of the problem's. */
  readonly x0?: Float64Array;
}

function worldOf({ optimiser, topology, problem, seed = 3, x0 }: Setting, first: number, count: number): World {
  const { learningRate } = optimiser;
  const rows = (width: number) => new Float64Array(count * width);
  const world = createWorld({ topology, problem, learningRate, seed, rows, first, count });
  if (x0 !== undefined) world.x0.set(x0.subarray(first * problem.d, (first + count) * problem.d));
  return world;
}

export function startAll(setting: Setting, saved?: Readonly<State>): Running {
  return setting.optimiser.start(worldOf(setting, 0, setting.problem.n), saved);
}

/** W of an exchange; `round` numbers those of the topology. */
function roundOf({ topology }: Setting, round: number, mix: Mix): Round {
  return mix.by === "mean" ? { kind: "mean", n: topology.n, keep: 0 } : topology.round(round);
}

/** Iteration t over all rows; `seen` looks at what is sent. */
export function step(setting: Setting, running: Running, t: number, seen?: (mix: Mix) => void): void {
  drive(
    running,
    t,
    (mix, turn) => {
      seen?.(mix);
      return mix.vectors.map((x) => {
        const y = applyRound(roundOf(setting, turn.round, mix), x, new Float64Array(x.length));
        // The algorithm no longer owns these rows: using them must show.
        x.fill(Number.NaN);
        return y;
      });
    },
    setting.optimiser.exchanges,
  );
}

/** X after 1, 2, ..., rounds updates. */
export function trajectory(setting: Setting, rounds: number): Float64Array[] {
  const running = startAll(setting);
  return Array.from({ length: rounds }, (_, t) => {
    step(setting, running, t);
    return Float64Array.from(running.state.x);
  });
}

/** X after so many updates, at least one. */
export function limitOf(setting: Setting, rounds: number): Float64Array {
  return trajectory(setting, rounds)[rounds - 1];
}

/** The same by n worlds of one row, in lockstep. */
export function rowByRow(setting: Setting, rounds: number): Float64Array[] {
  const { n, d } = setting.problem;
  const { exchanges } = setting.optimiser;
  const nodes = Array.from({ length: n }, (_, i) => setting.optimiser.start(worldOf(setting, i, 1)));
  return Array.from({ length: rounds }, (_, t) => {
    const iterations = nodes.map((node) => node.iterate(t));
    let steps = iterations.map((iteration) => iteration.next());
    let hop = 0;
    while (!steps[0].done) {
      const mixes = steps.map((result) => result.value as Mix);
      const round = roundOf(setting, firstRound(exchanges, t) + Math.min(hop, exchanges.hops - 1), mixes[0]);
      if (mixes[0].by !== "mean") hop++;
      const mixed = mixes[0].vectors.map((_, v) => {
        const width = mixes[0].vectors[v].length;
        const all = new Float64Array(n * width);
        for (let i = 0; i < n; i++) all.set(mixes[i].vectors[v], i * width);
        return applyRound(round, all, new Float64Array(n * width));
      });
      steps = iterations.map((iteration, i) =>
        iteration.next(mixed.map((all): Rows => all.slice(i * (all.length / n), (i + 1) * (all.length / n)))),
      );
    }
    const x = new Float64Array(n * d);
    for (let i = 0; i < n; i++) x.set(nodes[i].state.x, i * d);
    return x;
  });
}

/** Each column's mean over the rows. */
export const meanOf = (x: Rows, d: number) => meanRow(x, x.length / d);

/** The largest difference of two equally long lists. */
export function gap(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let k = 0; k < a.length; k++) {
    const difference = Math.abs(a[k] - b[k]);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

/** The largest distance of a row from the rows' mean. */
export function disagreement(x: Rows, d: number): number {
  const mean = meanOf(x, d);
  const agreed = x.map((_, k) => mean[k % d]);
  return gap(x, agreed);
}
