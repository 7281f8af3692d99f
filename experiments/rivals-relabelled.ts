/**
 * Fresh labels every period: the exact graphs stay exact, and their gain becomes nearly the same in every direction, which
 * mends what they are bad at: DSGD on sorted data, gradient tracking, lazy D2, lost messages. n = 300, held against
 * figures that were computed independently.
 */

import type { TopologySpec } from "equitopo";
import type { AveragingResult, AveragingUnit } from "./averaging.ts";
import { mean, medianRounds, showRounds } from "./curves.ts";
import type { Check, Experiment, Panel, Results, Scale, Table } from "./experiment.ts";
import type { TrialResult, TrialUnit } from "./trial.ts";
import type { GainsResult, GainsUnit } from "./unit.ts";

interface Line {
  readonly title: string;
  readonly spec: TopologySpec;
  /** Rounds to 1e-6: exact after so many, but for one-peer exp. at this n. */
  readonly rounds: number;
  /** Rms and worst gain; those of fixed labels are exact. */
  readonly gains?: readonly [rms: number, worst: number];
  /** Where DSGD stalls at learning rate 0.001, iid and sorted. */
  readonly stalls: readonly [number, number];
  /** Iterations of DSGT and lazy D2 to 1e-6. */
  readonly tracking?: number;
  readonly diffusion?: number;
  /** Lazy D2 is still unstable at small learning rates, and refused; its figure is of runs all the same. */
  readonly unstable?: true;
  /** Rounds to 1e-6 with 5 % of messages lost. */
  readonly lossy: number;
}

const n = 300;
const lines: readonly Line[] = [
  {
    title: "Base-2",
    spec: { name: "base", n, k: 1 },
    rounds: 15,
    gains: [2.06, 3.1],
    stalls: [0.1, 0.076],
    tracking: 98,
    diffusion: 89,
    unstable: true,
    lossy: 58,
  },
  { title: "CECA-2P", spec: { name: "ceca-2p", n }, rounds: 9, stalls: [0.093, 0.071], lossy: 40 },
  {
    title: "O.-P. Exp.",
    spec: { name: "one-peer-exp", n },
    rounds: 31,
    gains: [1.69, 2.1],
    stalls: [0.086, 0.066],
    tracking: 60,
    diffusion: 64,
    lossy: 38,
  },
  {
    title: "Base-5",
    spec: { name: "base", n, k: 4 },
    rounds: 4,
    gains: [0.7, 0.83],
    stalls: [0.037, 0.029],
    tracking: 34,
    diffusion: 40,
    lossy: 17,
  },
];

const ALLOWANCE = 0.1;
// As in rivals-learning, whose notes say how it was chosen.
const nine = Array.from({ length: 9 }, (_, k) => 0.00103 * 1.6 ** k);
const relabelled = ({ spec }: Line, count: number) =>
  Array.from({ length: count }, (_, seed) => ({ ...spec, relabel: true, seed }));

const averagingUnit = (line: Line, drop: number): AveragingUnit => ({
  kind: "averaging",
  key: `${line.title}, ${drop === 0 ? "no fault" : "lossy"}`,
  topologies: relabelled(line, drop === 0 ? 21 : 15),
  rounds: drop === 0 ? 60 : Math.ceil(1.5 * line.lossy) + 6,
  tolerances: [1e-6],
  faults: { drop },
  around: drop === 0 ? "start" : "now",
});

/** Graphs that mix two vectors a node have a DSGD of their own. */
const dsgdOver = ({ spec }: Line) => (spec.name.startsWith("ceca") ? "dsgd-ceca" : "dsgd");

const stallUnit = (line: Line, spread: "iid" | "sorted"): TrialUnit => ({
  kind: "trial",
  key: `${line.title}, DSGD ${spread}`,
  topologies: relabelled(line, 3),
  algorithm: dsgdOver(line),
  learningRates: [0.001],
  spread,
  rounds: 300,
});

const raceUnit = (line: Line, algorithm: string, figure: number): TrialUnit => ({
  kind: "trial",
  key: `${line.title}, ${algorithm}`,
  topologies: relabelled(line, 3),
  algorithm,
  learningRates: nine,
  spread: "iid",
  rounds: Math.ceil(1.3 * figure),
  anyway: true,
});

const gainsUnit = (line: Line, fresh: boolean): GainsUnit => ({
  kind: "gains",
  key: `${line.title}, gains${fresh ? ", relabelled" : ""}`,
  topology: fresh ? { ...line.spec, relabel: true } : line.spec,
});

/** What costs more than a moment: gains are sampled, and exact methods run for nine learning rates. */
const slow = (scale: Scale) => scale === "full";
const withGains = (scale: Scale) => (slow(scale) ? lines.filter((line) => line.gains !== undefined) : []);
const races = (scale: Scale) =>
  slow(scale)
    ? lines.flatMap((line) => [
        ...(line.tracking === undefined ? [] : [{ line, algorithm: "dsgt", figure: line.tracking }]),
        ...(line.diffusion === undefined ? [] : [{ line, algorithm: "d2", figure: line.diffusion }]),
      ])
    : [];

export const rivalsRelabelled: Experiment = {
  name: "rivals-relabelled",
  title: "Exact graphs with fresh labels every period",
  paper: "Not in the paper",
  shows:
    "A fresh random labelling at the start of each period keeps exact graphs exact and takes away their bad directions; the price is links that change for ever, as EquiDyn's do.",
  parameters: (scale) => ({
    n: "300",
    repeats: "21 without faults, 15 with 5 % lost, 3 in learning",
    left: slow(scale) ? "nothing" : "gains, DSGT and lazy D²: see the full run",
  }),
  units: (scale) => [
    ...lines.flatMap((line) => [averagingUnit(line, 0), averagingUnit(line, 0.05)]),
    ...lines.flatMap((line) => [stallUnit(line, "iid"), stallUnit(line, "sorted")]),
    ...races(scale).map(({ line, algorithm, figure }) => raceUnit(line, algorithm, figure)),
    ...withGains(scale).flatMap((line) => [gainsUnit(line, false), gainsUnit(line, true)]),
  ],
  outcome: (results, scale) => ({
    notes: [
      "The nine learning rates are those of rivals-learning, whose beginning was chosen so that its figures come out. What a worst gain may be off by (35 %) is our own choice: the figures only say that theirs lie too high.",
      "Lazy D² over relabelled Base-2 holds at the large learning rates of its figure; at small ones its stability radius is 1.08, and the library refuses it.",
    ],
    figures: [
      {
        name: "rivals-relabelled",
        title: "Relabelled graphs, n = 300",
        caption: "The first run of each. Spread as a share of the first one.",
        panels: [panel(results, 0), panel(results, 0.05)],
      },
    ],
    tables: [table(results, scale)],
    checks: [
      ...lines.flatMap((line) => averagingChecks(results, line)),
      ...lines.flatMap((line) => line.stalls.map((figure, k) => stallCheck(results, line, k, figure))),
      ...races(scale).map(({ line, algorithm, figure }) => raceCheck(results, line, algorithm, figure)),
      ...withGains(scale).flatMap((line) => gainsChecks(results, line)),
    ],
  }),
};

function panel(results: Results, drop: number): Panel {
  return {
    title: drop === 0 ? "no fault" : "5 % of messages lost",
    xLabel: "round t",
    yLabel: "spread / first spread",
    yLog: true,
    series: lines.map((line) => {
      const { errors } = results.get(averagingUnit(line, drop).key) as AveragingResult;
      const end = errors.findIndex((error) => error < 1e-12);
      const shown = end < 0 ? errors : errors.slice(0, end + 1);
      return { label: line.title, topology: line.spec.name, x: shown.map((_, t) => t), mean: shown };
    }),
  };
}

const roundsOf = (results: Results, line: Line, drop: number) =>
  medianRounds((results.get(averagingUnit(line, drop).key) as AveragingResult).reached.map(([round]) => round));

function stallOf(results: Results, line: Line, spread: "iid" | "sorted"): number {
  const [runs] = (results.get(stallUnit(line, spread).key) as TrialResult).late;
  return runs === undefined ? Number.NaN : mean(runs.map((value) => value ?? Number.NaN));
}

const raceOf = (results: Results, line: Line, algorithm: string, figure: number) =>
  Math.min(...(results.get(raceUnit(line, algorithm, figure).key) as TrialResult).reached.map(medianRounds));

function table(results: Results, scale: Scale): Table {
  const race = (line: Line, algorithm: string, figure: number | undefined) =>
    figure === undefined || !slow(scale) ? null : raceOf(results, line, algorithm, figure);
  const gain = (line: Line, fresh: boolean) => {
    if (!withGains(scale).includes(line)) return null;
    const { rms, worst } = results.get(gainsUnit(line, fresh).key) as GainsResult;
    return `${rms.toFixed(2)} / ${worst.toFixed(2)}`;
  };
  return {
    name: "relabelled",
    title: "n = 300, relabelled every period",
    columns: [
      "graph",
      "rounds to 1e-6",
      "gain, rms / worst",
      "the same, fixed labels",
      "DSGD iid",
      "DSGD sorted",
      "DSGT iterations",
      "lazy D² iterations",
      "rounds at 5 % lost",
    ],
    rows: lines.map((line) => [
      line.title,
      showRounds(roundsOf(results, line, 0), 60),
      gain(line, true),
      gain(line, false),
      Number(stallOf(results, line, "iid").toPrecision(3)),
      Number(stallOf(results, line, "sorted").toPrecision(3)),
      race(line, "dsgt", line.tracking),
      race(line, "d2", line.diffusion),
      showRounds(roundsOf(results, line, 0.05), averagingUnit(line, 0.05).rounds),
    ]),
    caption: "Worst gains of relabelled graphs are sampled, and lie rather too high.",
  };
}

function averagingChecks(results: Results, line: Line): Check[] {
  const [calm, lossy] = [roundsOf(results, line, 0), roundsOf(results, line, 0.05)];
  // Only one-peer exp. is not exact at this n, and random once it is relabelled.
  const allowance = line.title === "O.-P. Exp." ? 3 : 0;
  return [
    {
      name: `${line.title}: rounds to 1e-6`,
      expected: allowance === 0 ? `${line.rounds}, as with fixed labels` : `${line.rounds} ± ${allowance}`,
      measured: showRounds(calm, 60),
      pass: Math.abs(calm - line.rounds) <= allowance,
    },
    {
      name: `${line.title}: rounds to 1e-6 with 5 % lost`,
      expected: `${line.lossy} ± 15 %`,
      measured: showRounds(lossy, averagingUnit(line, 0.05).rounds),
      pass: Math.abs(lossy - line.lossy) <= Math.max(1, 0.15 * line.lossy),
    },
  ];
}

function stallCheck(results: Results, line: Line, at: number, figure: number): Check {
  const spread = at === 0 ? "iid" : "sorted";
  const measured = stallOf(results, line, spread);
  return {
    name: `${line.title}: where DSGD stalls, ${spread}`,
    expected: `${figure} ± 10 %`,
    measured: measured.toPrecision(3),
    pass: Math.abs(measured - figure) <= ALLOWANCE * figure + 0.0005,
  };
}

function raceCheck(results: Results, line: Line, algorithm: string, figure: number): Check {
  const measured = raceOf(results, line, algorithm, figure);
  const { refused } = results.get(raceUnit(line, algorithm, figure).key) as TrialResult;
  const unstable = algorithm === "d2" && line.unstable === true;
  return {
    name: `${line.title}: ${algorithm === "d2" ? "lazy D²" : "DSGT"} iterations to 1e-6`,
    expected: `${figure} ± 10 %${unstable ? ", and refused" : ""}`,
    measured: `${Number.isFinite(measured) ? measured : "not reached"}${refused === undefined ? "" : ", refused"}`,
    pass: Math.abs(measured - figure) <= ALLOWANCE * figure && (refused !== undefined) === unstable,
  };
}

function gainsChecks(results: Results, line: Line): Check[] {
  const [fixed, fresh] = [false, true].map((one) => results.get(gainsUnit(line, one).key) as GainsResult);
  const [rms, worst] = line.gains!;
  return [
    {
      name: `${line.title}: rms gain`,
      expected: `${rms} ± 10 %`,
      measured: fresh.rms.toFixed(3),
      pass: Math.abs(fresh.rms - rms) <= ALLOWANCE * rms,
    },
    {
      name: `${line.title}: worst gain`,
      expected: `about ${worst}, at most half of that with fixed labels`,
      measured: `${fresh.worst.toFixed(2)} against ${fixed.worst.toFixed(2)}`,
      pass: fresh.worst <= fixed.worst / 2 && fresh.worst >= fresh.rms && Math.abs(fresh.worst / worst - 1) <= 0.35,
    },
  ];
}
