/** Power iteration with six hops, on a problem that keeps something for every node and is evaluated on the way. */

import { defineAlgorithm, initialState } from "../../src/algorithm/algorithm.ts";
import { anyWeights } from "../../src/algorithm/condition.ts";
import { algorithms } from "../../src/algorithm/registry.ts";
import { whole } from "../../src/input/option.ts";
import type { Problem, Tally } from "../../src/problem/problem.ts";
import type { Rows } from "../../src/round/round.ts";
import { simulate } from "../../src/run/simulate.ts";
import { expandSpec, parseSpec } from "../../src/run/spec.ts";
import { createTopology } from "../../src/topology/registry.ts";

/** Decentralised power iteration: x <- A_i x at every node, then hops of gossip, then scaled to length 1. */
const power = defineAlgorithm({
  name: "power-of-the-test",
  summary: "power iteration, its products averaged by several hops",
  update: "X+ = W ... W (A X) / |W ... W (A X)|",
  condition: anyWeights,
  exact: false,
  options: { hops: whole(6, 1) },
  sends: ({ hops }) => ({ vectors: hops }),
  exchanges: ({ hops }) => ({ hops, yields: hops }),
  states: {},
  start(world, { hops }, saved) {
    const state = initialState(world, saved, {});
    const product = world.rows();
    return {
      state,
      *iterate(t) {
        world.gradient(state.x, t, product);
        state.x.set(product);
        for (let hop = 0; hop < hops; hop++) [state.x] = yield { vectors: [state.x] };
        const { x } = state;
        for (let i = 0; i < world.count; i++) {
          const row = x.subarray(i * world.d, (i + 1) * world.d);
          let square = 0;
          for (const value of row) square += value * value;
          for (let k = 0; k < row.length; k++) row[k] /= Math.sqrt(square);
        }
      },
    };
  },
});
algorithms.add(power as unknown as Parameters<typeof algorithms.add>[0]);

export const n = 7;
export const d = 3;

/** A_i = diag(1, 2, 3) + a little of node i in the corner; what it has seen of rows is its state. */
export function products(first = 0, count = n): Problem {
  const state = { seen: new Float64Array(count) };
  return {
    ...{ name: "products", n, d, state, start: Float64Array.of(1, 1, 1) },
    gradient(x, _t, out, from, rows) {
      for (let i = 0; i < rows; i++) {
        for (let k = 0; k < d; k++) out[i * d + k] = (k + 1) * x[i * d + k];
        out[i * d] += 0.1 * (from + i) * x[i * d + 2];
        state.seen[from + i - first] += x[i * d];
      }
    },
    metrics: (x) => ({ first: x[0] }),
    evaluation: {
      *tally(x, updates, from, rows): Generator<readonly Rows[], readonly Tally[], readonly Rows[]> {
        const [mean, label] = yield [x.slice(), Float64Array.from({ length: rows }, (_, i) => from + i)];
        const [twice] = yield [mean.map((value) => 2 * value) as Rows];
        return Array.from({ length: rows }, (_, i) => ({ at: twice[i * d], label: label[i], updates }));
      },
      summarise: (tallies) => ({
        at: tallies.reduce((sum, { at }) => sum + at, 0),
        labels: tallies.reduce((sum, { label }) => sum + label, 0),
      }),
    },
  };
}

export const [run] = expandSpec(
  parseSpec({
    topologies: [{ name: "ou-equidyn", n, seed: 5 }],
    algorithms: [{ name: "power-of-the-test", hops: 6 }],
    problem: { name: "least-squares" },
    rounds: 25,
    every: 10,
    evaluate: 7,
  }),
);
/** All of it in one program. */
export const simulated = simulate({
  topology: createTopology(run.topology),
  ...{ algorithm: run.algorithm, problem: products(), rounds: 25, every: 10, evaluate: 7, seed: run.seed },
});
