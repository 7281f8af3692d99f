/** Topologies side by side, the numbers: predicted, measured, and sampled over a network that fails. */

import { predictedRounds, type Rate, type Topology } from "equitopo";
import { costOfAllReduce, type Sample, sampleGossip } from "equitopo/internal/advise";
import { defined } from "equitopo/internal/input";
import type { Summary } from "equitopo/outcome";
import { type Gains, gains, watched } from "equitopo/rate";
import { attempt } from "../../input/attempt.ts";
import { showCount } from "../../terminal/numbers.ts";
import type { Progress } from "../../terminal/progress.ts";
import { partsOfGraph } from "../../topology/notes.ts";
import type { Contestant } from "./entrants.ts";
import { measureGossip, mostMessages, workOf } from "./measure.ts";
import type { ComparisonOptions, NetworkFaults } from "./options.ts";

/** Multiplications spent on measuring one topology unless --max-rounds says otherwise: a few seconds. */
const BUDGET = 2e9;
/** Gains that have to be sampled take a second or so, and more than one table should at larger n. */
const GAINS_UP_TO = 1024;

export interface RowCost {
  readonly rounds: number;
  readonly bytes: number;
}

export interface Row {
  readonly topology: Topology;
  /** Its name, and its options where they set it apart. */
  readonly label: string;
  /** Read from a file. */
  readonly own?: true;
  readonly rate: Rate;
  /** Where the graph is not connected. */
  readonly parts?: number;
  /** Absent where they would take long, or there are none. */
  readonly gains?: Gains;
  readonly predicted: RowCost;
  /** null where it was not run, or not to its end. */
  readonly measured: RowCost | null;
  /** Where several seeds were run: the numbers above are then their means. */
  readonly overSeeds?: OverSeeds;
  /** Where faults were asked for; null where it cannot be run with them. */
  readonly faulty?: Sample | null;
}

export interface OverSeeds {
  readonly seeds: readonly number[];
  readonly degree: Summary;
  readonly rate: Summary;
  /** null where it was not run to its end with every seed. */
  readonly rounds: Summary | null;
  readonly bytes: Summary | null;
  readonly graphs: ReadonlyMap<number, Topology>;
  readonly rows: readonly Row[];
}

const vectorBytes = ({ dim, float32 }: ComparisonOptions) => dim * (float32 ? 4 : 8);

/** One exact mean of a vector, by a ring's all-reduce. */
export function allReduce(n: number, options: ComparisonOptions): RowCost {
  const network = { modelBytes: vectorBytes(options), latency: 0, bandwidth: 1 };
  return { rounds: 1, bytes: costOfAllReduce(n, 1, network).bytes };
}

/** `before`, of the same graph from another start, has all that does not depend on the start. */
export function rowOf(
  { topology, label, own }: Contestant,
  options: ComparisonOptions,
  where: string,
  progress: Progress,
  before?: Row,
): Row {
  const { tolerance, seed = 0, maxRounds } = options;
  const vector = vectorBytes(options);
  let done = 0;
  const rate = watched(
    (more) => {
      done += more;
      progress.step(() => `${where}: rate, ${showCount(Math.round(done / 1e6))} million operations so far`);
    },
    () => before?.rate ?? topology.rate(),
  );
  const rounds = before?.predicted.rounds ?? predictedRounds(topology, tolerance);
  // Nobody sends in an empty graph, and 0 times for ever is no number.
  const bytes = rounds === Number.POSITIVE_INFINITY ? rounds : rounds * mostMessages(topology) * vector;
  const parts = partsOfGraph(topology);
  const limit = maxRounds ?? Math.floor(BUDGET / workOf(topology.round(0)));
  // A norm of 1 promises nothing, yet such a graph may agree soon: that one is tried.
  const hopeless = parts > 1 || (rounds > limit && rounds !== Number.POSITIVE_INFINITY);
  const onProgress = (t: number) =>
    progress.step(() => `${where}: round ${showCount(t)} of about ${showCount(rounds)}`);
  const run = hopeless ? null : measureGossip(topology, { until: tolerance, seed, rounds: limit, onProgress });
  const measured = run && { rounds: run.rounds, bytes: run.messages * vector };
  if (before !== undefined) return { ...before, measured };
  progress.step(() => `${where}: gains`);
  // What has no gains, or cannot be run with faults at this size, is shown without them.
  const found = topology.n <= GAINS_UP_TO ? attempt(() => gains(topology)) : undefined;
  const { faults } = options;
  return {
    ...{ topology, label, rate, predicted: { rounds, bytes }, measured },
    ...defined({ own, parts: parts > 1 ? parts : undefined, gains: found }),
    ...(faults === undefined ? {} : { faulty: sampled(topology, faults, tolerance, seed) }),
  };
}

function sampled(topology: Topology, faults: NetworkFaults, tolerance: number, seed: number): Sample | null {
  const { loss = 0, absent = 0, stale = 0 } = faults;
  return attempt(() => sampleGossip(topology, { tolerance, seed, faults: { drop: loss, absent, stale } })) ?? null;
}
