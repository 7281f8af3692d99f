/**
 * How a network averages what an evaluation hands it (Problem.evaluation): a fixed schedule of one-peer rounds that is
 * fast whatever the run's own topology is, the one-peer exponential graph where n is a power of two (exact after log2 n
 * rounds), else OD-EquiDyn until the disagreement has shrunk by 1e-6. Both are directed, so a weight travels beside the
 * values and the answer is the ratio (push-sum). Peers do these rounds by messages, the simulator over all rows: the same
 * additions in the same order, the same bits.
 */

import { attachWeights, ratios } from "../faults/push-sum.ts";
import { predictedRounds } from "../rate/prediction.ts";
import type { Mixer } from "../round/mixer.ts";
import type { Rows } from "../round/round.ts";
import { odEquiDyn } from "../topology/od-equidyn.ts";
import { onePeerExp } from "../topology/one-peer-exp.ts";
import type { Topology } from "../topology/topology.ts";

/** Rounds 0 .. rounds - 1 of the topology, in every evaluation; none where there is only one node. */
export interface Averaging {
  readonly topology: Topology | undefined;
  readonly rounds: number;
}

/**
 * @example
 * ```ts
 * import { averaging } from "equitopo/run";
 * averaging(16).rounds // => 4
 * averaging(17).topology?.name // => "od-equidyn"
 * ```
 */
export function averaging(n: number): Averaging {
  if (n < 2) return { topology: undefined, rounds: 0 };
  const topology = (n & (n - 1)) === 0 ? onePeerExp({ n }) : odEquiDyn({ n });
  return { topology, rounds: predictedRounds(topology, 1e-6) };
}

/** Averages n rows, or those that are not marked in `without`, as n peers would; answers with new rows for all. Memory of the mixer is taken once for each width. */
export function averager(mixer: Mixer, without?: Uint8Array): (rows: Rows) => Rows {
  const { topology, rounds } = averaging(mixer.n);
  const memory = new Map<number, Rows>();
  return (rows) => {
    if (topology === undefined) return rows.slice();
    const width = rows.length / mixer.n;
    let weighted = memory.get(width) ?? mixer.rows(width + 1);
    if (without === undefined) attachWeights(rows, width, weighted);
    else {
      without.forEach((mark, i) => {
        const [own, out] = [rows.subarray(i * width, (i + 1) * width), weighted.subarray(i * (width + 1))];
        attachWeights(own, width, out, 1 - mark);
      });
    }
    for (let t = 0; t < rounds; t++) weighted = mixer.mix(topology.round(t), weighted);
    memory.set(width, weighted);
    const means = rows.slice();
    ratios(weighted, width, means);
    return means;
  };
}
