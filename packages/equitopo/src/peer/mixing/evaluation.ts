/**
 * A peer's part in an evaluation (Problem.evaluation): what it yields is averaged over the network by the schedule that
 * run/average.ts fixes, weights beside the values, so that a peer is handed the row that the simulator has for it.
 */

import { attachWeights, ratios } from "../../faults/push-sum.ts";
import { InputError } from "../../input/input.ts";
import type { Evaluation, Problem, Tally } from "../../problem/problem.ts";
import type { Rows } from "../../round/round.ts";
import { averaging } from "../../run/average.ts";
import { allocate, typeOf } from "../exchange/transport.ts";
import { Mixing, type MixingOptions } from "./mixing.ts";

/** Exchanges that an evaluation among n peers takes at most; 0 where the problem has none. */
export function evaluationLength({ evaluation }: Pick<Problem, "evaluation">, n: number): number {
  return evaluation === undefined ? 0 : (evaluation.yields ?? 2) * averaging(n).rounds;
}

export interface PeerEvaluation extends Pick<MixingOptions, "transport" | "timeout" | "signal"> {
  readonly evaluation: Evaluation;
  readonly node: number;
  readonly x: Rows;
  readonly updates: number;
  /** Whether none follows. */
  readonly last: boolean;
  /** Whether its row counts; default yes. */
  readonly honest?: boolean | undefined;
  readonly first: number;
}

/** What this peer contributes to the network's numbers. */
export async function evaluateAtPeer(options: PeerEvaluation): Promise<Tally> {
  const { evaluation, node, x, updates, last, transport, first, honest = true } = options;
  const { topology, rounds } = averaging(transport.size);
  const { yields = 2 } = evaluation;
  const steps = evaluation.tally(x, updates, node, 1, last);
  let step = steps.next();
  for (let k = 0; !step.done; k++) {
    if (k === yields) {
      throw new InputError(`an evaluation averages at most the ${yields} times it declares`, k + 1, "raise `yields`");
    }
    if (topology === undefined) {
      step = steps.next(step.value.map((row) => row.slice()));
      continue;
    }
    // The run itself borrows.
    const mixing = new Mixing({ ...options, topology, missing: "drop", borrow: false });
    let rows = step.value.map((row) => weighted(row, honest ? 1 : 0));
    for (let t = 0; t < rounds; t++) {
      const started = mixing.start({ vectors: rows }, { round: t, exchange: t }, first + k * rounds + t);
      rows = await mixing.finish(started);
    }
    step = steps.next(rows.map(ratio));
  }
  return step.value[0];
}

/** (w x, w). */
export function weighted(row: Rows, weight = 1): Rows {
  const out = allocate(typeOf(row), row.length + 1);
  attachWeights(row, row.length, out, weight);
  return out;
}

/** The x of (w x, w): w x / w; NaN where no weight is left. */
export function ratio(row: Rows): Rows {
  const out = allocate(typeOf(row), row.length - 1).fill(Number.NaN) as Rows;
  ratios(row, out.length, out);
  return out;
}
