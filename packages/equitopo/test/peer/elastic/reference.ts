/**
 * What elastic peers must come to where nothing is lost: the epochs one after the other, each on all rows at once, by the
 * definition of a round (round/apply.ts) and not by messages.
 */

import type { Running, State } from "../../../src/algorithm/algorithm.ts";
import { createAlgorithm } from "../../../src/algorithm/registry.ts";
import { createWorld } from "../../../src/algorithm/world.ts";
import { comeBack } from "../../../src/peer/course/one-run.ts";
import { sponsorOf } from "../../../src/peer/elastic/elastic-peer.ts";
import type { Epoch } from "../../../src/peer/elastic/epoch.ts";
import { epochTopology } from "../../../src/peer/elastic/epoch-topology.ts";
import { createProblem } from "../../../src/problem/registry.ts";
import { applyRound } from "../../../src/round/apply.ts";
import type { Rows } from "../../../src/round/round.ts";
import type { RunSpec } from "../../../src/run/spec.ts";

/** The final models of those that are in at the end, by seat. */
export function byDefinition(run: RunSpec, seats: number, epochs: readonly Epoch[]): Map<number, Rows> {
  const problem = createProblem({ ...run.problem, n: seats });
  const optimiser = createAlgorithm(run.algorithm, problem);
  const { d } = problem;
  let peers = new Map<number, Running>();
  epochs.forEach((epoch, k) => {
    const topology = epochTopology(run.topology, epoch);
    const before = peers;
    peers = new Map();
    for (const { seat } of epoch.members) {
      const rows = (width: number) => new Float64Array(width);
      const { learningRate } = optimiser;
      const world = createWorld({ topology, problem, learningRate, seed: run.seed, rows, first: seat, count: 1 });
      const own = before.get(seat);
      const sponsor = before.get(sponsorOf(epoch, seat) ?? -1);
      const copy = (state: State) => ({ ...state, x: state.x.slice() });
      if (sponsor !== undefined) peers.set(seat, optimiser.start({ ...world, x0: sponsor.state.x.slice() as Rows }));
      else if (own !== undefined) peers.set(seat, comeBack(optimiser, world, copy(own.state)));
      else peers.set(seat, optimiser.start(world));
    }
    const last = epochs[k + 1]?.first ?? run.rounds;
    for (let t = epoch.first; t < last; t++) {
      const steps = [...peers.values()].map((running) => running.iterate(t));
      const yielded = steps.map((step) => step.next().value);
      const count = yielded[0]?.vectors.length ?? 0;
      const mixed = Array.from({ length: count }, (_, v) => {
        const x = new Float64Array(steps.length * d);
        yielded.forEach((mix, i) => {
          if (mix) x.set(mix.vectors[v], i * d);
        });
        const out = new Float64Array(x.length);
        applyRound(topology.round(t), x, out);
        return out;
      });
      steps.forEach((step, i) => {
        step.next(mixed.map((all) => all.slice(i * d, (i + 1) * d)));
      });
    }
  });
  return new Map([...peers].map(([seat, { state }]) => [seat, state.x]));
}
