/** Elastic peers on memory networks: what they come to, bit by bit where nothing is lost, while members come and go. */

import { describe, expect, it } from "vitest";
import type { ElasticSummary } from "../../../src/peer/elastic/options.ts";
import { createProblem } from "../../../src/problem/registry.ts";
import type { Rows } from "../../../src/round/round.ts";
import type { RunSpec } from "../../../src/run/spec.ts";
import { memoryStore } from "../store.ts";
import { Elastic } from "./elastic.ts";
import { byDefinition } from "./reference.ts";
import { upTo } from "./schedule.ts";

/** How far a model is from the minimum of the mean of those seats' functions: the norm of their mean gradient. */
function gradientAt(x: Rows, seats: readonly number[], run: RunSpec, all: number): number {
  const problem = createProblem({ ...run.problem, n: all });
  const sum = new Float64Array(problem.d);
  const one = new Float64Array(problem.d);
  for (const seat of seats) {
    problem.gradient(x, 0, one, seat, 1);
    for (let j = 0; j < one.length; j++) sum[j] += one[j] / seats.length;
  }
  return Math.hypot(...sum);
}

describe("elastic peers", () => {
  it.each(["ou-equidyn", "od-equidyn"])(
    "on %s: one comes and one leaves, to the bits of the definition",
    async (topology) => {
      const elastic = new Elastic(topology, "dsgt", { n: 4, seats: 6, rounds: 160 });
      elastic.onRound = (seat, round) => {
        if (seat === 0 && round === 20) elastic.start(5);
        if (seat === 0 && round === 90) elastic.peer(1).leave();
      };
      for (const seat of upTo(4)) elastic.start(seat);
      const ends = await elastic.end();
      expect(ends.find((end) => end instanceof Error)).toBeUndefined();
      expect(elastic.history.map(({ members }) => members.map(({ seat }) => seat))).toEqual([
        [0, 1, 2, 3],
        [0, 1, 2, 3, 5],
        [0, 2, 3, 5],
      ]);
      expect(ends.map((end) => (end as ElasticSummary).left)).toEqual([false, true, false, false, false]);
      expect(ends.map((end) => (end as ElasticSummary).counts.missed)).toEqual([0, 0, 0, 0, 0]);
      const rows = byDefinition(elastic.run, 6, elastic.history);
      for (const seat of elastic.members) expect(elastic.peer(seat).x, `seat ${seat}`).toEqual(rows.get(seat));
    },
  );

  it("gradient tracking converges to the minimum of those that are in, after a third has died at once", async () => {
    const elastic = new Elastic("ou-equidyn", "dsgt", { n: 6, seats: 6, rounds: 400 });
    elastic.onRound = (seat, round) => {
      if (seat === 0 && round === 60) for (const victim of [2, 5]) elastic.peer(victim).crash();
    };
    for (const seat of upTo(6)) elastic.start(seat);
    await elastic.end();
    expect(elastic.members).toEqual([0, 1, 3, 4]);
    const { members, run } = elastic;
    expect(gradientAt(elastic.peer(0).x, upTo(6), run, 6)).toBeGreaterThan(0.1);
    for (const seat of members) expect(gradientAt(elastic.peer(seat).x, members, run, 6)).toBeLessThan(1e-3);
  });

  it("the larger part of a cut network goes on with a new epoch, and takes the others in again afterwards", async () => {
    const elastic = new Elastic("ou-equidyn", "dsgt", { n: 5, seats: 5, rounds: 420 });
    const cutOff: number[][] = [];
    elastic.onRound = (seat, round) => {
      if (seat === 4 && round === 30) elastic.link = (from, to) => from < 2 === to < 2;
      if (seat !== 4 || round !== 130 || elastic.peer(4).epoch !== 1) return;
      for (const other of [0, 1])
        cutOff.push([elastic.peer(other).epoch, Math.floor(elastic.peer(other).updates / 100)]);
      elastic.link = () => true;
    };
    for (const seat of upTo(5)) elastic.start(seat);
    const ends = await elastic.end();
    expect(ends.find((end) => end instanceof Error)).toBeUndefined();
    expect(elastic.history[1].members.map(({ seat }) => seat)).toEqual([2, 3, 4]);
    // Those that were cut off had no epoch of their own meanwhile, and waited.
    expect(cutOff).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(elastic.members).toEqual([0, 1, 2, 3, 4]);
    for (const seat of upTo(5)) expect(gradientAt(elastic.peer(seat).x, upTo(5), elastic.run, 5)).toBeLessThan(1e-3);
  });

  it("two halves of the same size wait for each other, with the epoch they have, and not for ever", async () => {
    for (const healed of [true, false]) {
      const elastic = new Elastic("ou-equidyn", "dsgd", { n: 4, seats: 4, rounds: 120 });
      elastic.onRound = (seat, round) => {
        if (seat !== 0 || round !== 30) return;
        elastic.link = (from, to) => from < 2 === to < 2;
        if (!healed) return;
        void elastic.network.sleep(1200).then(() => {
          elastic.link = () => true;
        });
      };
      for (const seat of upTo(4)) elastic.start(seat);
      const ends = await elastic.end();
      expect(elastic.history.length).toBe(1);
      if (healed) expect(ends.map((end) => (end as ElasticSummary).epochs)).toEqual([[0], [0], [0], [0]]);
      else
        for (const end of ends)
          expect(String(end)).toMatch(/missed a majority for 2000 ms: membership epoch 0 is 0 1 2 3/);
    }
  });

  it("one that is started again without a memory is given models and begins anew; with one it stays who it is", async () => {
    const elastic = new Elastic("ou-equidyn", "dsgd", { n: 3, seats: 3, rounds: 260 });
    const memory = memoryStore();
    elastic.onRound = (seat, round) => {
      if (seat !== 0 || (round !== 40 && round !== 120)) return;
      elastic.peer(1).crash();
      elastic.start(1, round === 40 ? { memory } : {});
    };
    for (const seat of upTo(3)) elastic.start(seat, seat === 1 ? { memory } : {});
    const ends = await elastic.end();
    expect(ends.map((end) => (end instanceof Error ? end.message : end.epochs))).toEqual([[0, 1], [1], [0, 1]]);
    expect(elastic.history.map(({ members }) => members[1])).toEqual([
      { seat: 1, incarnation: 0, since: 0 },
      { seat: 1, incarnation: 5, since: 1 },
    ]);
  });

  it("all that are started again go on from the last models that were saved", async () => {
    const elastic = new Elastic("ou-equidyn", "dsgd", { n: 3, seats: 3, rounds: 90 });
    const kept = upTo(3).map(() => ({
      memory: memoryStore(),
      checkpoint: { store: memoryStore(), every: 10 },
    }));
    let crashed = false;
    elastic.onRound = (seat, round) => {
      if (seat !== 2 || round !== 47 || crashed) return;
      crashed = true;
      for (const other of upTo(3)) elastic.peer(other).crash();
      for (const other of upTo(3)) elastic.start(other, kept[other]);
    };
    for (const seat of upTo(3)) elastic.start(seat, kept[seat]);
    const ends = await elastic.end();
    expect(ends.map((end) => (end instanceof Error ? end.message : end.epochs))).toEqual([[0], [0], [0]]);
    for (const end of ends) expect((end as ElasticSummary).done + (end as ElasticSummary).skipped).toBeLessThan(60);
    expect(upTo(3).map((seat) => elastic.peer(seat).updates)).toEqual([90, 90, 90]);
  });
});
