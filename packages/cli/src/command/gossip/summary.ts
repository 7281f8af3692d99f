/** What a run of gossip came to: in words, with the error on a logarithmic scale, and as a figure. */

import { type GossipOptions, type GossipRecord, type Topology, topologies } from "equitopo";
import { bandOf } from "equitopo/internal/outcome";
import { fillsDecade, type Series } from "equitopo/internal/picture";
import { rateWork, staticWork } from "equitopo/topology";
import type { Drawable } from "../../figure/files.ts";
import { drawable } from "../../figure/whole.ts";
import type { Part } from "../../terminal/answer.ts";
import { wrapped } from "../../terminal/lines.ts";
import { showBytes, showCount, showRate } from "../../terminal/numbers.ts";
import { type Cell, left, numberCell, right, type Table, table, valueTable } from "../../terminal/table.ts";

export interface GossipRun {
  readonly record: GossipRecord;
  readonly options: GossipOptions;
  /** Milliseconds: of everything, and of a round. */
  readonly timing: { readonly milliseconds: number; readonly perRound: number };
  /** Where more than the calling one were asked for. */
  readonly threads?: number;
}

/** Rows of the table of errors, and the width of its bars. */
const [ROWS, BAR] = [12, 32];
/** Nodes and seconds above which a rate may take longer than the run that it is set beside, and nobody has asked for it. */
const [RATE_UP_TO, RATE_SECONDS] = [100_000, 1];

export function gossipInWords(topology: Topology, run: GossipRun): Part[] {
  const { record, options, timing, threads = 1 } = run;
  const { errors, recorded, bytesPerNode, seconds } = record;
  const { rounds, d } = options;
  const last = errors[errors.length - 1];
  const numbers = `${showCount(d)} numbers${options.type === "float32" ? " of 4 bytes" : ""} at each node`;
  const lines: [string, Cell, string][] = [
    ["error", numberCell(last, showError), `after ${showCount(rounds)} rounds; ${showError(errors[0])} at the start`],
  ];
  const factor = measuredFactor(record, options);
  if (factor !== undefined)
    lines.push(["per round", numberCell(factor, showRate), `measured; ${promise(topology, options)}`]);
  lines.push(["mean drift", numberCell(record.meanDrift, showError), aboutTheMean(topology, run)]);
  const busiest = options.pushSum ? ", weights included" : "";
  lines.push(["bytes/node", numberCell(bytesPerNode, showBytes), `sent by the node that sent most${busiest}`]);
  if (seconds !== undefined) {
    lines.push(["simulated", `${showError(seconds[seconds.length - 1])} s`, "on the network of --alpha and --beta"]);
  }
  const shared = threads === 1 ? "" : ` on ${threads} threads`;
  const each = rounds === 0 ? "" : `${showError(timing.perRound)} ms a round${shared}`;
  lines.push(["computed in", `${timing.milliseconds.toFixed(0)} ms`, each]);
  const title = `${topology.name}, n = ${showCount(topology.n)}, ${numbers}`;
  return [`${wrapped(title)}\n`, valueTable(lines, title), "\n", errorTable(recorded, errors)];
}

/** The least and the largest positive one; without the spread of Math.min, which ends at some 100,000 rounds. */
function positiveRange(errors: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const error of errors) {
    if (!(error > 0)) continue;
    low = Math.min(low, error);
    high = Math.max(high, error);
  }
  return [low, high];
}

/** Some of the recorded rounds, each with a bar for the logarithm of its error. */
function errorTable(recorded: readonly number[], errors: readonly number[]): Table {
  const [low, high] = positiveRange(errors).map(Math.log10);
  const bar = (error: number) => {
    if (!(error > 0)) return "";
    // The least bar is one cell: only an error of 0 has none.
    const share = high > low ? (Math.log10(error) - low) / (high - low) : 1;
    return "█".repeat(1 + Math.round((BAR - 1) * share));
  };
  const count = Math.min(ROWS, errors.length);
  const shown = Array.from({ length: count }, (_, k) => Math.round((k * (errors.length - 1)) / Math.max(1, count - 1)));
  return table(
    [right("round"), right("error"), { ...left("log scale"), terminalOnly: true }],
    shown.map((k) => [numberCell(recorded[k], showCount), numberCell(errors[k], showError), bar(errors[k])]),
  );
}

/**
 * The geometric mean of the factors per round, up to where rounding takes over; undefined where there is none, or where
 * faults have put an end to the shrinking and it would say nothing.
 */
function measuredFactor({ errors, recorded }: GossipRecord, options: GossipOptions): number | undefined {
  const floor = errors[0] * (options.type === "float32" ? 1e-5 : 1e-13);
  let end = errors.length - 1;
  while (end > 0 && !(errors[end] > floor)) end--;
  if (faulty(options) && errors[end] > 0.99 * errors[Math.floor(end / 2)]) return undefined;
  return end === 0 ? undefined : (errors[end] / errors[0]) ** (1 / recorded[end]);
}

/** What fails on the network, in words. */
function faultsOf({ drop = 0, absent = 0, stale = 0, crash = [], cut = [] }: GossipOptions): string[] {
  const shares = Object.entries({ "messages dropped": drop, "nodes absent": absent, "messages stale": stale });
  return [
    ...shares.flatMap(([what, share]) => (share > 0 ? [`${share * 100} % of ${what}`] : [])),
    ...(crash.length > 0 ? [`${crash.length} crashed`] : []),
    ...(cut.length > 0 ? [`links cut: ${cut.length}`] : []),
  ];
}

const faulty = (options: GossipOptions) => faultsOf(options).length > 0;

function isMuchWork(topology: Topology): boolean {
  if (topology.n > RATE_UP_TO) return true;
  // The registry knows nothing of somebody's own graph.
  const work = topologies.has(topology.spec.name) ? rateWork(topology.spec) : staticWork(topology);
  return (work?.seconds ?? 0) > RATE_SECONDS;
}

/** What the exact rate promises, where having it is no work. */
function promise(topology: Topology, options: GossipOptions): string {
  if (isMuchWork(topology)) return "`equitopo rate` has the exact one";
  const { rate, periodRate, periodNorm } = topology.rate();
  const without = faulty(options) ? ", if nothing failed" : "";
  const span = topology.period ?? topology.block;
  // What is left after an exact period is rounding, which no rate promises anything of.
  if (periodNorm === 0 && span !== undefined) return `the mean is exact after ${showCount(span)} rounds${without}`;
  if (periodRate !== undefined) return `at most ${showRate(periodRate)} over whole periods${without}`;
  const sense = topology.kind === "random" ? " in mean square" : "";
  return `at most ${showRate(rate)}${sense}${without}`;
}

/** Honestly: whether the nodes agree on the mean of what they started with. */
function aboutTheMean(topology: Topology, { options, record }: GossipRun): string {
  const gone = (options.crash ?? []).some(({ from, until }) => from < options.rounds && until === undefined);
  const frozen = gone ? "; a node that crashed for good keeps its row, and the error counts it" : "";
  if (topology.stochastic === "rows") return `columns of W do not sum to 1: every round moves the mean${frozen}`;
  if (!faulty(options)) return "rounding only: every round keeps the mean";
  if (topology.pair !== undefined)
    return `a dropped message parts the means of the two vectors, and the mean moves${frozen}`;
  if ((options.stale ?? 0) > 0) return `stale messages moved the mean, and that stays in the error${frozen}`;
  if (topology.symmetric) return `rounding only: an exchange fails on both sides, which keeps the mean${frozen}`;
  if (options.pushSum) return `of x / weight, and gone once the nodes agree: push-sum keeps the true mean${frozen}`;
  const where = record.meanDrift > 0 ? "messages dropped in directed rounds moved the mean; this" : "a dropped message";
  return `${where} stays in the error; --push-sum repairs it${frozen}`;
}

/** The error curve, and dashed what the exact rate promises of it; of several seeds their mean and a band, and no promise. */
export function drawGossip(topology: Topology, { record, options }: GossipRun, seeds = [record.errors]): Drawable {
  const { recorded } = record;
  const { mean: errors, low: least, high: most } = bandOf("measured", seeds);
  const band = seeds.length > 1 ? { low: least as number[], high: most as number[] } : {};
  const series: Series[] = [{ label: "measured", topology: topology.name, x: recorded, mean: errors, ...band }];
  // Every seed may have drawn a graph of another rate.
  if (seeds.length === 1) {
    const { rate, periodNorm = 1 } = topology.rate();
    const { period = Number.POSITIVE_INFINITY } = topology;
    // Round by round or by whole periods, whichever promises more.
    const promised = recorded.map((t) => errors[0] * Math.min(rate ** t, periodNorm ** Math.floor(t / period)));
    const label = topology.kind === "random" ? "predicted, in mean square" : "predicted, at most";
    series.push({ label, topology: topology.name, dashed: true, x: recorded, mean: promised });
  }
  const shown = seeds.length > 1 ? [`mean over ${seeds.length} seeds, band from the lowest to the highest`] : [];
  const [low, high] = positiveRange(seeds.flat());
  const faults = [...faultsOf(options), ...(options.pushSum ? ["push-sum"] : [])];
  return drawable({
    title: `Gossip on ${topology.name}, n = ${showCount(topology.n)}`,
    subtitle: [`${showCount(options.d)} numbers at each node`, ...faults, ...shown].join(", "),
    xLabel: "round t",
    yLabel: "‖x(t) − J x(0)‖",
    // What is promised may fall out of sight; what was measured fills the figure.
    ...(fillsDecade(errors)
      ? { yLog: true, yRange: [low / 2, high * 2] as const }
      : { yRange: [0, 1.05 * high] as const }),
    series,
  });
}

export function showError(error: number): string {
  if (error === 0) return "0";
  return error >= 1e-3 && error < 1e6 ? String(Number(error.toPrecision(4))) : error.toExponential(2);
}
