/** Rounds and iterations are two clocks: several hops have rounds of their own, and all who know t know the round. */

import { expect, test } from "vitest";
import { defineAlgorithm, initialState, oneExchange } from "../../src/algorithm/algorithm.ts";
import { doublyStochastic } from "../../src/algorithm/condition.ts";
import { drive, type Turn } from "../../src/algorithm/drive.ts";
import { algorithms, createAlgorithm } from "../../src/algorithm/registry.ts";
import * as passes from "../../src/algorithm/rows.ts";
import { whole } from "../../src/input/option.ts";
import { applyRound } from "../../src/round/apply.ts";
import type { Round, Rows } from "../../src/round/round.ts";
import { simulate } from "../../src/run/simulate.ts";
import { quadratic } from "../../src/testing/quadratic.ts";
import { ouEquiDyn } from "../../src/topology/ou-equidyn.ts";

const n = 12;
const d = 3;
const problem = { ...quadratic({ n, d, sigma: 0 }), start: Float64Array.of(1, 2, 3) };
const topology = ouEquiDyn({ n, seed: 5 });

/** x <- W(Kt + K - 1) ... W(Kt) (x + own label): hops rounds an iteration, an idle one now and then. */
const hopping = defineAlgorithm({
  name: "hopping",
  summary: "several hops per iteration",
  update: "X+ = W ... W (X + i)",
  condition: doublyStochastic,
  exact: false,
  options: { hops: whole(6, 1) },
  sends: ({ hops }) => ({ vectors: hops }),
  exchanges: ({ hops }) => ({ hops, yields: hops + 1 }),
  states: {},
  start(world, { hops }, saved) {
    const state = initialState(world, saved, {});
    return {
      state,
      *iterate(t) {
        for (let k = 0; k < state.x.length; k++) state.x[k] += Math.floor(k / d);
        if (t % 3 === 1) return;
        for (let hop = 0; hop < hops; hop++) {
          // A mean in between takes no round.
          if (hop === 2) yield { vectors: [world.rows(1)], by: "mean" };
          [state.x] = yield { vectors: [state.x] };
        }
      },
    };
  },
});
algorithms.add(hopping as unknown as Parameters<typeof algorithms.add>[0]);

test("hop k of iteration t is round K t + k, whatever means and idle iterations there are", () => {
  const hops = 4;
  let x: Rows = Float64Array.from({ length: n * d }, (_, k) => problem.start[k % d]);
  for (let t = 0; t < 7; t++) {
    x = x.map((v, k) => v + Math.floor(k / d)) as Float64Array;
    if (t % 3 === 1) continue;
    for (let hop = 0; hop < hops; hop++) x = applyRound(topology.round(hops * t + hop), x, x.slice());
  }
  const run = simulate({ topology, algorithm: { name: "hopping" as string, hops }, problem, rounds: 7 });
  expect(run.x).toEqual(x);
});

test("an algorithm with one hop keeps W(t), both exchanges of atc-gt; the k-th exchange of local-steps is W(k)", () => {
  const asked: number[] = [];
  const watched = {
    ...topology,
    round: (t: number): Round => {
      asked.push(t);
      return topology.round(t);
    },
  };
  simulate({ topology: watched, algorithm: { name: "atc-gt" }, problem, rounds: 3 });
  expect(asked.slice(-6)).toEqual([0, 0, 1, 1, 2, 2]);
  asked.length = 0;
  simulate({ topology: watched, algorithm: { name: "local-steps", steps: 3 }, problem, rounds: 9 });
  expect(asked.slice(-3)).toEqual([0, 1, 2]);
});

test("every exchange has a number of its own, and more than were declared are refused", () => {
  const { start } = createAlgorithm({ name: "hopping" as string, hops: 3 });
  const world = {
    ...{
      count: 1,
      n,
      d,
      topology,
      x0: new Float64Array(d),
      learningRate: () => 1,
      passes,
      matrices: { d, ranges: [] },
    },
    ...{ gradient: () => {}, words: () => {}, rows: (width = d) => new Float64Array(width) },
    encode: () => ({ bytes: new Uint8Array(0), decode: () => {} }),
  };
  const running = start(world);
  const turns: Turn[] = [];
  const exchange = ({ vectors }: { vectors: readonly Rows[] }, turn: Turn) => {
    turns.push(turn);
    return vectors;
  };
  drive(running, 2, exchange, { hops: 3, yields: 4 });
  expect(turns.map(({ round }) => round)).toEqual([6, 7, 8, 8]);
  expect(turns.map((turn) => turn.exchange)).toEqual([8, 9, 10, 11]);
  expect(() => drive(running, 3, exchange, oneExchange())).toThrow(
    /at most the 1 exchanges that its algorithm declares/,
  );
});

test("rows asked for inside an iteration do not pile up", () => {
  const before = process.memoryUsage();
  const greedy = defineAlgorithm({
    ...hopping,
    name: "greedy",
    options: {},
    sends: () => ({ vectors: 1 }),
    exchanges: oneExchange,
    start(world, _options, saved) {
      const state = initialState(world, saved, {});
      return {
        state,
        *iterate() {
          const copy = world.rows();
          copy.set(state.x);
          [state.x] = yield { vectors: [copy] };
        },
      };
    },
  });
  const wide = { name: "wide", n: 100, d: 1000, gradient: () => {}, metrics: () => ({}) };
  algorithms.add(greedy as unknown as Parameters<typeof algorithms.add>[0]);
  // 1000 updates of 800 kB each: 800 MB if nothing were given back.
  simulate({
    topology: ouEquiDyn({ n: 100 }),
    algorithm: { name: "greedy" as string },
    problem: wide,
    rounds: 1000,
    every: 1000,
  });
  const after = process.memoryUsage();
  expect(after.external + after.arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(300e6);
});
