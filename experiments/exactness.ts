/** Checks that compare measured curves of the paper's graphs with their exact rates and the formulas as printed. */

import type { TopologySpec } from "equitopo";
import { type Check, mean, type Panel, type Series } from "equitopo/internal/outcome";
import type { GossipResult, GossipUnit, MeetingsResult } from "./unit.ts";

/** Gossip on a graph, once for each repeat; on one of the paper's graphs also by the formulas as printed. */
export function gossipUnits(
  key: string,
  repeats: number,
  rounds: number,
  spec: (seed: number) => TopologySpec,
  paper: boolean,
) {
  const printed = paper ? { printed: true as const } : {};
  return Array.from({ length: repeats }, (_, seed): GossipUnit => {
    return { kind: "gossip", key: `${key} repeat=${seed}`, topology: spec(seed), rounds, seed, ...printed };
  });
}

export const consensusPanel = (title: string, series: readonly Series[]): Panel => {
  return { title, xLabel: "round t", yLabel: "‖x(t) − J x(0)‖", yLog: true, series };
};

export function below(name: string, expected: string, off: number, limit: number, before = ""): Check {
  return { name, expected, measured: before + off.toExponential(1), pass: off < limit };
}

/** Whether a rate is the expected one, to six digits. */
export function hits(name: string, rate: number, exact: number, expected = String(exact)): Check {
  return { name, expected, measured: rate.toFixed(6), pass: Math.abs(rate - exact) < 1e-6 };
}

type Printed = GossipResult & { readonly printed: NonNullable<GossipResult["printed"]> };

/** Runs of one graph, in groups of the same n. */
type Groups = readonly (readonly GossipResult[])[];

/**
 * For one of the paper's graphs: its curves are those of the matrices as printed, its rate is that of the formula, and the
 * errors fall as that rate says: at least by it in every round if the graph is static, on average over rounds and repeats if
 * it is drawn.
 */
export function exactness(title: string, groups: Groups, dynamic: boolean): Check[] {
  const all = groups.flat() as Printed[];
  if (all.some(({ printed }) => printed === undefined)) {
    return [{ name: `${title}: one of the paper's graphs`, expected: "yes", measured: "another", pass: false }];
  }
  const off = Math.max(...all.map(({ printed }) => printed.off));
  const rates = Math.max(...all.map(({ rate, printed }) => Math.abs(rate ** 2 - printed.largest)));
  return [
    below(`${title}: curves are those of the matrices as printed`, "to 1e-9 of the error, in every round", off, 1e-9),
    below(`${title}: the rate is that of the formula`, "β² to 1e-9", rates, 1e-9),
    dynamic ? onAverage(title, groups as Printed[][]) : inEveryRound(title, all),
  ];
}

/** Squared factors per round, before rounding errors take over. */
function factors({ errors }: GossipResult): number[] {
  const above = errors.filter((error) => error > 1e-8 * errors[0]);
  return above.slice(1).map((error, t) => (error / above[t]) ** 2);
}

function inEveryRound(title: string, runs: readonly Printed[]): Check {
  const excess = Math.max(...runs.map((run) => Math.max(...factors(run)) - run.printed.largest));
  // The start has all modes; only the slowest are left in the end, and the factor rises to the rate.
  const late = Math.min(...runs.map((run) => factors(run).at(-1)! / run.printed.largest));
  return {
    name: `${title}: every round shrinks the error at least by the exact rate`,
    expected: "never by less, and within a quarter of β² in the end",
    measured: `excess ${excess.toExponential(1)}, last factor at least ${late.toFixed(3)} β²`,
    pass: excess < 1e-7 && late > 0.75,
  };
}

/**
 * Given x(t), the mean square of the next error lies between the least and the largest factor times that of x(t), whatever
 * was drawn before. So does the mean of the measured factors over all rounds, up to its standard error.
 */
function onAverage(title: string, groups: readonly Printed[][]): Check {
  const found = groups.map((runs) => {
    const measured = runs.flatMap(factors);
    const centre = mean(measured);
    const error = Math.sqrt(mean(measured.map((value) => (value - centre) ** 2)) / measured.length);
    const low = mean(runs.map(({ printed }) => printed.least));
    const high = Math.min(mean(runs.map(({ printed }) => printed.largest)), mean(runs.map(({ bound }) => bound! ** 2)));
    return { centre, error, low, high, off: Math.max(low - centre, centre - high) / error };
  });
  const { centre, error, low, high, off } = found.reduce((worst, one) => (one.off > worst.off ? one : worst));
  return {
    name: `${title}: mean-square factor of a round, measured against exact`,
    expected: `between ${low.toFixed(4)} and ${high.toFixed(4)} (no more than the bound), up to four standard errors`,
    measured: `${centre.toFixed(4)} ± ${error.toFixed(4)}`,
    pass: off < 4,
  };
}

/**
 * OU-EquiDyn with the full basis: nodes at label difference v meet in a round with probability p_v / (n - 1), p_v the
 * share of nodes with a partner, which is why the start is drawn: from one fixed start some never meet (section 4.2).
 */
export function meetings(title: string, n: number, rounds: number, { counts }: MeetingsResult): Check {
  const matched = (v: number) => {
    // The nodes left over when labels are cut into blocks of 2 q; the last block may have started.
    const q = Math.min(v, n - v);
    const rest = n % (2 * q);
    return 1 - Math.min(rest, 2 * q - rest) / n;
  };
  let [worst, pair] = [0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const chance = matched(j - i) / (n - 1);
      const deviation = Math.sqrt(rounds * chance * (1 - chance));
      worst = Math.max(worst, Math.abs(counts[pair++] - rounds * chance) / deviation);
    }
  }
  return {
    name: `${title}, n = ${n}: every pair meets as often as it should`,
    expected: `in ${rounds} rounds, within 5 standard deviations for each of the ${counts.length} pairs`,
    measured: `at most ${worst.toFixed(2)}, rarest pair ${Math.min(...counts)} times`,
    pass: worst < 5,
  };
}
