/**
 * What a newcomer sees first: where the paper's one-peer graphs are better than later rivals, and where they are not.
 * Gradient tracking at n = 300, each graph with its best learning rate; the rounds that sizes from 10^2 to 10^6 need, from
 * exact rates; and plain averaging, which the exact rivals win. All three take well under a minute.
 */

import { type Figure, listed, type Results } from "equitopo/internal/outcome";
import { showCount } from "equitopo/internal/picture";
import { type AveragingUnit, roundsReached } from "./averaging.ts";
import { medianRounds } from "./curves.ts";
import * as graphs from "./graphs.ts";
import type { Study } from "./study.ts";
import { finite, type TrialUnit } from "./trial.ts";
import { rateUnit, resultOf } from "./unit.ts";

const [N, REPEATS, TOLERANCE] = [300, 3, 1e-6];
/** Steps of 1.25: a coarser grid would be unfair to a graph whose best learning rate lies between two of its points. */
const learningRates = Array.from({ length: 13 }, (_, k) => 0.0005 * 1.25 ** k);
const sizes = [100, 1000, 10_000, 100_000, 1_000_000];

// Titles that a newcomer finds in `equitopo list`, or nearly.
type Graph = graphs.Graph;
const { od, base2, ceca } = graphs;
const exponential: Graph = { ...graphs.exponential, title: "one-peer-exp" };
const ou: Graph = { ...graphs.ou, title: "OU-EquiDyn" };
const relabelled = graphs.drawn("one-peer-exp, fresh labels", "one-peer-exp", () => ({ relabel: true }));
const staticExp = graphs.fixed("static-exp, log₂ n peers", "static-exp");

const racers = [od, ou, exponential, base2, relabelled];
const averagers = [od, ou, exponential, base2, ceca];
const growing = [od, exponential, base2, staticExp];

const raceUnit = (line: Graph, learningRate: number): TrialUnit => ({
  kind: "trial",
  key: `gradient tracking: ${line.title}, learning rate ${learningRate.toPrecision(3)}`,
  topologies: graphs.repeatsOf(line, N, REPEATS),
  ...{ algorithm: "dsgt", learningRates: [learningRate], spread: "iid", rounds: 400, curves: true },
});

const averagingUnit = (line: Graph): AveragingUnit => ({
  kind: "averaging",
  key: `averaging: ${line.title}`,
  topologies: graphs.repeatsOf(line, N, REPEATS),
  rounds: 80,
  tolerances: [TOLERANCE],
  around: "start",
});

const growthUnit = (line: Graph, n: number) => rateUnit(`rate: ${line.title}, n = ${n}`, line.spec(n, 0));

type Race = ReturnType<typeof raceOf>;
export type FirstMinute = ReturnType<typeof foundOf>;

/** A graph at its best learning rate: the median over repeats, and the first repeat's relative errors to 1e-6. */
function raceOf(results: Results, line: Graph) {
  const tried = learningRates.map((learningRate) => {
    const { reached, curves } = resultOf(results, raceUnit(line, learningRate));
    return { learningRate, iterations: medianRounds(reached[0]), curve: curves?.[0][0] ?? [] };
  });
  const best = tried.reduce((least, one) => (one.iterations < least.iterations ? one : least));
  // Redrawing labels every period is this project's addition.
  return { title: line.title, topology: line.spec(N, 0).name, fresh: line === relabelled, ...best };
}

/** The paper's graph first; the growth of each size. */
function foundOf(results: Results) {
  const averaging = averagers.map((line) => {
    return { title: line.title, rounds: roundsReached(resultOf(results, averagingUnit(line))) };
  });
  const growth = growing.map((line) => {
    const rates = sizes.map((n) => resultOf(results, growthUnit(line, n)));
    return { title: line.title, topology: line.spec(N, 0).name, rates };
  });
  return { n: N, sizes, races: racers.map((line) => raceOf(results, line)), averaging, growth };
}

export const firstMinute: Study = {
  name: "first-minute",
  title: "300 nodes, no server, one peer a round",
  parameters: () => ({
    "gradient tracking": `DSGT on least squares whose nodes have different solutions (d = 10, 50 rows a node), full gradients, n = ${N}`,
    "learning rates": `for every graph the best of ${learningRates.length} constants, 0.0005 to ${learningRates[learningRates.length - 1].toPrecision(2)} in steps of 1.25`,
    repeats: `${REPEATS} of graphs that are drawn, of which the median counts`,
    sent: "one message of two vectors to one peer in every iteration",
    sizes: sizes.map(showCount).join(", "),
  }),
  units: () => [
    ...racers.flatMap((line) => learningRates.map((rate) => raceUnit(line, rate))),
    ...averagers.map(averagingUnit),
    ...growing.flatMap((line) => sizes.map((n) => growthUnit(line, n))),
  ],
  outcome(results) {
    const shown = foundOf(results);
    const { races, averaging, growth } = shown;
    return {
      figures: [figureOf(shown)],
      tables: [
        {
          name: "gradient-tracking",
          title: `Gradient tracking on ${showCount(N)} nodes: iterations until the relative error is below 1e-6`,
          columns: ["graph", "iterations", "learning rate"],
          rows: races.map(({ title, iterations, learningRate }) => {
            return [title, finite(iterations), Number(learningRate.toPrecision(2))];
          }),
        },
        {
          name: "plain-averaging",
          title: `Plain averaging on ${showCount(N)} nodes: rounds until the error is below 1e-6 of the first`,
          columns: ["graph", "rounds"],
          rows: averaging.map(({ title, rounds }) => [title, finite(rounds)]),
        },
        {
          name: "sizes",
          title: "Rounds that shrink any disagreement by 1e-6, from exact rates, by the number of nodes",
          columns: ["graph", ...sizes.map(showCount)],
          rows: growth.map(({ title, rates }) => [title, ...rates.map(({ predictedRounds }) => predictedRounds)]),
        },
      ],
      checks: [],
      findings: findings(shown),
    };
  },
};

function figureOf({ n, sizes, races, growth }: FirstMinute): Figure {
  return {
    name: "first-minute",
    title: "One peer a round, no server",
    caption:
      `Left: ${showCount(n)} nodes, each graph at its best learning rate, the first repeat where it is drawn. ` +
      "Right: from exact rates; Base-2 is exact after that many rounds.",
    panels: [
      {
        title: `Gradient tracking on ${showCount(n)} nodes`,
        xLabel: "iterations: one message to one peer each",
        yLabel: "relative error",
        yLog: true,
        series: races.map(({ title: label, topology, curve }) => ({
          label,
          topology,
          x: [...curve.keys()],
          mean: curve,
        })),
      },
      {
        title: "Rounds to shrink any disagreement by 10⁻⁶",
        xLabel: "nodes",
        yLabel: "rounds",
        yLog: true,
        xLog: true,
        series: growth.map(({ title, topology, rates }) => {
          const mean = rates.map(({ predictedRounds }) => predictedRounds ?? Number.NaN);
          return { label: title, topology, x: sizes, mean };
        }),
      },
    ],
  };
}

// The results in sentences, whichever graph wins: if the paper's graph loses, nothing is claimed, and the loss is said.

/** The sentence of the race and of sizes, the one of averaging, and the one of fresh labels. */
export function findings({ n, sizes, races, averaging, growth }: FirstMinute): string[] {
  const [ours, ...others] = races;
  const against = others
    .filter(({ fresh, topology }) => !fresh && !topology.endsWith("equidyn"))
    .map(({ title, iterations }) => `${shown(iterations)} over ${title} (${times(iterations / ours.iterations)})`);
  const { title, rates } = growth[0];
  const rounds = rates.map(({ predictedRounds }) => shown(predictedRounds ?? Number.POSITIVE_INFINITY));
  const rateAt = (k: number) => `${rates.at(k)!.rate.toFixed(4)} at ${showCount(sizes.at(k)!)}`;
  const alike = rounds.every((each) => each === rounds[0]);
  return [
    `With one peer a round and no server, gradient tracking takes ${showCount(n)} nodes to an error of 1e-6 in ` +
      `${inWords(ours.iterations)} over ${ours.title}, ${listed(against)}, each at its best learning rate; ` +
      `the exact rate of ${title} is ${rateAt(0)} nodes and ${rateAt(-1)}: ` +
      `${alike ? rounds[0] : `${rounds[0]} to ${rounds.at(-1)}`} rounds shrink any disagreement by ` +
      `1e-6${alike ? ", whatever the size" : ""}.`,
    averagingFinding(averaging),
    ...others.filter(({ fresh }) => fresh).map((one) => freshFinding(one, races)),
  ];
}

const shown = (iterations: number) => (Number.isFinite(iterations) ? showCount(iterations) : "more than were run");

const inWords = (count: number) =>
  `${Number.isFinite(count) ? showCount(count) : "more"} iterations${Number.isFinite(count) ? "" : " than were run"}`;

const times = (ratio: number) => (Number.isFinite(ratio) ? `${ratio.toFixed(1)} times as many` : "not reached");

function averagingFinding([ours, ...others]: FirstMinute["averaging"]): string {
  const of = ({ title, rounds }: (typeof others)[number]) => `${title} (${shown(rounds)})`;
  const winners = others.filter(({ rounds }) => rounds < ours.rounds).sort((a, b) => a.rounds - b.rounds);
  const own = `${ours.title} takes ${shown(ours.rounds)} rounds`;
  if (winners.length === 0) return `Plain averaging: ${own}, and no graph here takes fewer.`;
  return `Plain averaging is won by others: ${own} there, ${listed(winners.map(of))} fewer.`;
}

/** How fresh labels change a published graph, and how much of our advantage over it they explain. */
function freshFinding(one: Race, races: readonly Race[]): string {
  const [ours] = races;
  const published = races.find(({ fresh, topology }) => !fresh && topology === one.topology);
  const own = `${one.title} every period, which this library adds to the published graph, takes ${inWords(one.iterations)}`;
  if (published === undefined) return `${own}.`;
  const lead = published.iterations - ours.iterations;
  const share = (published.iterations - one.iterations) / lead;
  const instead = `${own} instead of ${shown(published.iterations)}`;
  if (!(lead > 0 && Number.isFinite(share))) return `${instead}.`;
  const part = share >= 1 ? "the whole" : share <= 0 ? "nothing of the" : `${Math.floor(100 * share)} % of the`;
  return `${instead}: redrawing the labels explains ${part} advantage of ${ours.title} over it.`;
}
