/**
 * The first minute in sentences, computed from what came out: whoever wins, they say so. Nothing is claimed where the
 * paper's graph loses, and where it does is said, too.
 */

import { listed } from "./findings.ts";
import type { RateResult } from "./unit.ts";

/** A graph at its best learning rate. */
export interface Race {
  readonly title: string;
  readonly topology: string;
  /** Whether its labels are drawn anew every period, which is this project's addition to it. */
  readonly fresh: boolean;
  /** The median over repeats; Infinity where there were too few. */
  readonly iterations: number;
  readonly learningRate: number;
  /** The relative error of the first repeat until it is below 1e-6. */
  readonly curve: readonly number[];
}

export interface FirstMinute {
  readonly n: number;
  readonly sizes: readonly number[];
  /** The paper's graph first. */
  readonly races: readonly Race[];
  readonly averaging: readonly { readonly title: string; readonly rounds: number }[];
  /** Of each size. */
  readonly growth: readonly {
    readonly title: string;
    readonly topology: string;
    readonly rates: readonly RateResult[];
  }[];
}

const count = (value: number) => value.toLocaleString("en-GB");

/** The sentence of the race and of sizes, the one of averaging, and the one of fresh labels. */
export function findings({ n, sizes, races, averaging, growth }: FirstMinute): string[] {
  const [ours, ...others] = races;
  const against = others
    .filter(({ fresh, topology }) => !fresh && !topology.endsWith("equidyn"))
    .map(({ title, iterations }) => `${shown(iterations)} over ${title} (${times(iterations / ours.iterations)})`);
  const [first, last] = [0, sizes.length - 1];
  const { title, rates } = growth[0];
  const rounds = rates.map(({ predictedRounds }) => shown(predictedRounds ?? Number.POSITIVE_INFINITY));
  const alike = rounds.every((each) => each === rounds[first]);
  return [
    `With one peer a round and no server, gradient tracking takes ${count(n)} nodes to an error of 1e-6 in ` +
      `${inWords(ours.iterations)} over ${ours.title}, ${listed(against)}, each at its best learning rate; ` +
      `the exact rate of ${title} is ${rates[first].rate.toFixed(4)} at ${count(sizes[first])} nodes and ` +
      `${rates[last].rate.toFixed(4)} at ${count(sizes[last])}: ` +
      `${alike ? `${rounds[first]} rounds` : `${rounds[first]} to ${rounds[last]} rounds`} shrink any disagreement by ` +
      `1e-6${alike ? ", whatever the size" : ""}.`,
    averagingFinding(averaging),
    ...others.filter(({ fresh }) => fresh).map((one) => freshFinding(one, races)),
  ];
}

const shown = (iterations: number) => (Number.isFinite(iterations) ? count(iterations) : "more than were run");

const inWords = (iterations: number) =>
  Number.isFinite(iterations) ? `${count(iterations)} iterations` : "more iterations than were run";

function times(ratio: number): string {
  if (!Number.isFinite(ratio)) return "not reached";
  return `${ratio.toFixed(1)} times as many`;
}

function averagingFinding([ours, ...others]: FirstMinute["averaging"]): string {
  const of = ({ title, rounds }: (typeof others)[number]) => `${title} (${shown(rounds)})`;
  const winners = others.filter(({ rounds }) => rounds < ours.rounds).sort((a, b) => a.rounds - b.rounds);
  const own = `${ours.title} takes ${shown(ours.rounds)} rounds`;
  if (winners.length === 0) return `Plain averaging: ${own}, and nobody here takes fewer.`;
  return `Plain averaging is won by others: ${own} there, ${listed(winners.map(of))} fewer.`;
}

/** What fresh labels make of a published graph, and how much of our lead over it that is. */
function freshFinding(one: Race, races: readonly Race[]): string {
  const [ours] = races;
  const published = races.find(({ fresh, topology }) => !fresh && topology === one.topology);
  const own = `${one.title} every period, which this library adds to the published graph, takes ${inWords(one.iterations)}`;
  if (published === undefined) return `${own}.`;
  const lead = published.iterations - ours.iterations;
  const share = (published.iterations - one.iterations) / lead;
  const instead = `${own} instead of ${shown(published.iterations)}`;
  if (!(lead > 0 && Number.isFinite(share))) return `${instead}.`;
  const part = share >= 1 ? "all" : share <= 0 ? "nothing" : `${Math.floor(100 * share)} %`;
  return `${instead}: rounds drawn anew make up ${part} of the lead of ${ours.title} over it.`;
}
