/**
 * What a newcomer is shown first: where the paper's one-peer graphs are worth it beside later rivals, and where they are
 * not. Gradient tracking at n = 300, each graph with the learning rate that suits it best; the rounds that sizes from 10^2
 * to 10^6 need, from exact rates; and plain averaging, which the exact rivals win. All three in well under a minute.
 */

import type { AveragingResult, AveragingUnit } from "./averaging.ts";
import { medianRounds } from "./curves.ts";
import type { Experiment, Results } from "./experiment.ts";
import { findings, type Race } from "./first-minute-findings.ts";
import { averagingTable, figureOf, growthTable, raceTable } from "./first-minute-shown.ts";
import { base2, ceca, type Line, od, exponential as onePeer, ou as undirected } from "./rivals-learning-lines.ts";
import type { TrialResult, TrialUnit } from "./trial.ts";
import type { RateResult, RateUnit, Unit, UnitResult } from "./unit.ts";

const [N, REPEATS, TOLERANCE] = [300, 3, 1e-6];
/** Steps of 1.25: a coarser grid would be unkind to whoever has its best learning rate between two of it. */
const learningRates = Array.from({ length: 13 }, (_, k) => 0.0005 * 1.25 ** k);
const sizes = [100, 1000, 10_000, 100_000, 1_000_000];

// By names that a newcomer finds in `equitopo list`, or nearly.
const exponential: Line = { ...onePeer, title: "one-peer-exp" };
const ou: Line = { ...undirected, title: "OU-EquiDyn" };
const relabelled: Line = {
  title: "one-peer-exp, fresh labels",
  random: true,
  spec: (n, seed) => ({ name: "one-peer-exp", n, relabel: true, seed }),
};
const staticExp: Line = { title: "static-exp, log₂ n peers", spec: (n) => ({ name: "static-exp", n }) };

const racers = [od, ou, exponential, base2, relabelled];
const averagers = [od, ou, exponential, base2, ceca];
const growing = [od, exponential, base2, staticExp];

const repeatsOf = (line: Line) => Array.from({ length: line.random ? REPEATS : 1 }, (_, seed) => line.spec(N, seed));

const raceUnit = (line: Line, learningRate: number): TrialUnit => ({
  kind: "trial",
  key: `gradient tracking: ${line.title}, learning rate ${learningRate.toPrecision(3)}`,
  topologies: repeatsOf(line),
  algorithm: "dsgt",
  learningRates: [learningRate],
  spread: "iid",
  rounds: 400,
  curves: true,
});

const averagingUnit = (line: Line): AveragingUnit => ({
  kind: "averaging",
  key: `averaging: ${line.title}`,
  topologies: repeatsOf(line),
  rounds: 80,
  tolerances: [TOLERANCE],
  around: "start",
});

const rateUnit = (line: Line, n: number): RateUnit => ({
  kind: "rate",
  key: `rate: ${line.title}, n = ${n}`,
  topology: line.spec(n, 0),
});

function raceOf(results: Results, line: Line): Race {
  const tried = learningRates.map((learningRate) => {
    const { reached, curves } = resultOf<TrialResult>(results, raceUnit(line, learningRate));
    return { learningRate, iterations: medianRounds(reached[0]), curve: curves?.[0][0] ?? [] };
  });
  const best = tried.reduce((least, one) => (one.iterations < least.iterations ? one : least));
  return { title: line.title, topology: line.spec(N, 0).name, fresh: line === relabelled, ...best };
}

export const firstMinute: Experiment = {
  name: "first-minute",
  title: "300 nodes, no server, one peer a round",
  paper: "Beside later rivals",
  shows: "",
  parameters: () => ({
    "gradient tracking": `DSGT on least squares whose nodes have different solutions (d = 10, 50 rows a node), full gradients, n = ${N}`,
    "learning rates": `for every graph the best of ${learningRates.length} constants, 0.0005 to ${learningRates[learningRates.length - 1].toPrecision(2)} in steps of 1.25`,
    repeats: `${REPEATS} of graphs that are drawn, of which the median counts`,
    sent: "one message of two vectors to one peer in every iteration",
    sizes: sizes.map((n) => n.toLocaleString("en-GB")).join(", "),
  }),
  units: () => [
    ...racers.flatMap((line) => learningRates.map((rate) => raceUnit(line, rate))),
    ...averagers.map(averagingUnit),
    ...growing.flatMap((line) => sizes.map((n) => rateUnit(line, n))),
  ],
  outcome(results) {
    const races = racers.map((line) => raceOf(results, line));
    const averaging = averagers.map((line) => {
      const { reached } = resultOf<AveragingResult>(results, averagingUnit(line));
      return { title: line.title, rounds: medianRounds(reached.map(([round]) => round)) };
    });
    const growth = growing.map((line) => {
      const rates = sizes.map((n) => resultOf<RateResult>(results, rateUnit(line, n)));
      return { title: line.title, topology: line.spec(N, 0).name, rates };
    });
    const shown = { n: N, sizes, races, averaging, growth };
    return {
      figures: [figureOf(shown)],
      tables: [raceTable(shown), averagingTable(shown), growthTable(shown)],
      checks: [],
      findings: findings(shown),
    };
  },
};

const resultOf = <T extends UnitResult>(results: Results, { key }: Unit) => results.get(key) as T;
