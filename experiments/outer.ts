/**
 * Outer rules over graphs: what each makes of local steps at equal updates, and what theory says of disagreement. Not in the
 * paper, whose graphs nobody had under an outer optimiser.
 */

import {
  type Check,
  type Difference,
  type Figure,
  mean,
  pairedDifferences,
  type Results,
  type Scale,
} from "equitopo/internal/outcome";
import * as graphs from "./graphs.ts";
import { FAR, type SettlingUnit, type TrainingUnit } from "./outer-work.ts";
import type { Study } from "./study.ts";
import { resultOf } from "./unit.ts";

type Graph = graphs.Graph;

const ring = graphs.fixed("Ring", "ring");
const ou = graphs.drawn("OU-EquiDyn", "ou-equidyn");
const over: readonly Graph[] = [
  ...[graphs.staticExp, graphs.od, ou, graphs.matching],
  ...[graphs.exponential, graphs.base2, graphs.ceca, ring],
];

interface Rule {
  readonly title: string;
  readonly spec: Readonly<Record<string, unknown>> & { readonly name: string };
  /** It averages over all nodes, whatever the graph. */
  readonly mean?: true;
}

const STEPS = 10;
const rules: readonly Rule[] = [
  { title: "no outer rule", spec: { name: "local-adamw" } },
  { title: "gossip-diloco", spec: { name: "gossip-diloco" } },
  { title: "gossip-diloco, momentum mixed", spec: { name: "gossip-diloco", mixMomentum: true } },
  { title: "NoLoCo", spec: { name: "noloco" } },
  { title: "SlowMo over W", spec: { name: "slowmo", by: "topology", outerMomentum: 0.5 } },
  { title: "GASLoC, transcribed", spec: { name: "gasloc" } },
  { title: "GASLoC, mix first", spec: { name: "gasloc", form: "mix-first" } },
  { title: "DiLoCo", spec: { name: "diloco" }, mean: true },
  { title: "SlowMo", spec: { name: "slowmo" }, mean: true },
];
const [local, own, shared] = rules;
const diloco = rules[7];

/** Learning rates of gradient descent and of AdamW, whose steps do not depend on a gradient's size. */
const rates = {
  sgd: { "least-squares": [0.0003, 0.001, 0.003], logistic: [0.05, 0.15, 0.5] },
  adamw: { "least-squares": [0.01, 0.03, 0.1], logistic: [0.01, 0.03, 0.1] },
} as const;

interface Setting {
  readonly inner: keyof typeof rates;
  readonly problem: TrainingUnit["problem"];
  readonly spread: TrainingUnit["spread"];
  readonly n: number;
}

const settings = (scale: Scale): Setting[] =>
  (scale === "full" ? [16, 17, 64] : [16]).flatMap((n) =>
    (["least-squares", "logistic"] as const).flatMap((problem) =>
      (["iid", "sorted"] as const).flatMap((spread) =>
        (n === 64 ? (["sgd", "adamw"] as const) : (["sgd"] as const)).map((inner) => ({ inner, problem, spread, n })),
      ),
    ),
  );

const nameOf = ({ inner, problem, spread, n }: Setting) => `${problem}, ${spread}, n = ${n}, ${inner}`;
const graphsAt = (scale: Scale) => (scale === "full" ? over : [graphs.od, graphs.ceca, ring]);

/** CECA's rounds are whole periods, exact means. */
const roundsOver = (graph: Graph, n: number) => (graph === graphs.ceca ? { rounds: Math.ceil(Math.log2(n)) } : {});

const ruleOver = ({ spec, mean }: Rule, graph: Graph, n: number) => ({
  ...{ ...spec, steps: STEPS },
  ...(mean ? {} : roundsOver(graph, n)),
});

function training(setting: Setting, rule: Rule, graph: Graph, scale: Scale): TrainingUnit {
  const { n, inner, ...data } = setting;
  const all = rates[inner][data.problem];
  const over = rule.mean ? graphs.allReduce : graph;
  return {
    ...{ kind: "outer-training", key: `${nameOf(setting)}: ${rule.title} over ${over.title}`, ...data },
    algorithm: { ...ruleOver(rule, over, n), inner: { name: inner } },
    topologies: Array.from({ length: scale === "full" ? 6 : 3 }, (_, seed) => over.spec(n, seed)),
    learningRates: scale === "full" ? all : [all[1]],
    updates: scale === "full" ? 600 : 100,
  };
}

const trainings = (scale: Scale) =>
  settings(scale).flatMap((setting) =>
    rules.flatMap((rule) =>
      (rule.mean ? [graphs.allReduce] : graphsAt(scale)).map((graph) => training(setting, rule, graph, scale)),
    ),
  );

/** The rules whose disagreement is predicted; the last one feeds too much of it into its momentum. */
const predicted: readonly Rule[] = [
  ...rules.filter(({ mean }) => !mean),
  { title: "NoLoCo 0.9 / 0.7 / 0.7", spec: { name: "noloco", outerMomentum: 0.9 } },
];

const settling = (rule: Rule, graph: Graph, n: number, scale: Scale): SettlingUnit => ({
  ...{ kind: "outer-settling", key: `settles, n = ${n}: ${rule.title} over ${graph.title}` },
  algorithm: { ...rule.spec, steps: 2 },
  topology: graph.spec(n, 0),
  outerSteps: scale === "full" ? 4000 : 1500,
});

/** A row for each rule and n, of a unit for each graph. */
const settlingRows = (scale: Scale) =>
  (scale === "full" ? [16, 17, 64] : [16]).flatMap((n) =>
    predicted.map((rule) => {
      const cases = graphsAt(scale).filter((graph) => graph !== graphs.ceca);
      return { n, rule, graphs: cases, units: cases.map((graph) => settling(rule, graph, n, scale)) };
    }),
  );

const settlings = (scale: Scale) =>
  settlingRows(scale).flatMap(({ n, rule, graphs, units }) =>
    units.map((unit, k) => ({ unit, name: `${rule.title}, ${graphs[k].title}, n = ${n}` })),
  );

/** The errors by seed at the learning rate that is best in the mean; undefined where it is refused or always diverges. */
function bestOf(results: Results, unit: TrainingUnit) {
  const { errors, apart } = resultOf(results, unit);
  const means = errors.map((seeds) => mean(seeds.map((value) => value ?? Number.POSITIVE_INFINITY)));
  const at = means.indexOf(Math.min(...means));
  if (!Number.isFinite(means[at])) return undefined;
  return {
    mean: means[at],
    bySeed: new Map(errors[at].map((value, seed) => [seed, value ?? Number.NaN])),
    apart: mean(apart[at].map((value) => value ?? Number.NaN)),
  };
}

const short = (value: number | undefined) => (value === undefined ? null : Number(value.toPrecision(3)));

/** How one rule does over graph after graph, against OD-EquiDyn, seed by seed. */
function against(results: Results, setting: Setting, rule: Rule, scale: Scale): Difference[] {
  const base = bestOf(results, training(setting, rule, graphs.od, scale));
  if (base === undefined) return [];
  return graphsAt(scale)
    .filter((graph) => graph !== graphs.od)
    .flatMap((graph) => {
      const other = bestOf(results, training(setting, rule, graph, scale));
      if (other === undefined) return [];
      return pairedDifferences(
        new Map([
          [graph.title, other.bySeed],
          [graphs.od.title, base.bySeed],
        ]),
      );
    });
}

const interval = ({ interval }: Difference) =>
  interval === null ? null : `${interval[0].toPrecision(2)} to ${interval[1].toPrecision(2)}`;

export const outer: Study = {
  name: "outer",
  title: "Outer rules over graphs",
  paper: "Not in the paper",
  shows:
    "Local steps with an outer rule over the graphs of the paper and its rivals: what is left of the error at equal updates, and how far apart models are, beside what a linear model says.",
  parameters: (scale) => ({
    problems:
      "least squares and logistic regression, d = 10, 50 rows a node, full gradients; solutions apart, each its own (iid) or in ten groups of neighbouring labels (sorted)",
    "local steps": `${STEPS} of gradient descent, at n = 64 also of AdamW; cosine down to a tenth, the best learning rate of three`,
    updates: String(training(settings(scale)[0], local, graphs.od, scale).updates),
    seeds: `${training(settings(scale)[0], local, graphs.od, scale).topologies.length}, of data and graph`,
    settling: "least squares whose nodes are alike but for noise, so small a step that curvature plays no part",
  }),
  units: (scale) => [...trainings(scale), ...settlings(scale).map(({ unit }) => unit)],
  outcome(results, scale) {
    const all = graphsAt(scale);
    const cell = (setting: Setting, rule: Rule, graph: Graph) =>
      short(bestOf(results, training(setting, rule, graph, scale))?.mean);
    return {
      figures: figuresOf(results, scale),
      tables: [
        ...settings(scale).map((setting, k) => ({
          name: `errors-${k}`,
          title: `Error of the averaged model: ${nameOf(setting)}`,
          columns: ["rule", ...all.map(({ title }) => title)],
          rows: rules.map((rule) => [
            rule.title,
            ...all.map((graph, k) => (rule.mean && k > 0 ? null : cell(setting, rule, graph))),
          ]),
        })),
        {
          name: "paired",
          title: `Error less that over ${graphs.od.title}, seed by seed: mean and Student's 95 % interval`,
          columns: ["setting", "rule", "graph", "difference", "interval"],
          rows: settings(scale).flatMap((setting) =>
            [local, own, shared].flatMap((rule) =>
              against(results, setting, rule, scale).map((one) => [
                ...[nameOf(setting), rule.title, one.a, short(one.mean), interval(one)],
              ]),
            ),
          ),
        },
        {
          name: "settling",
          title: "Disagreement per unit of drift and of speed: measured / predicted",
          columns: ["n", "rule", ...all.filter((graph) => graph !== graphs.ceca).map(({ title }) => title)],
          rows: settlingRows(scale).map(({ n, rule, units }) => [
            ...[n, rule.title],
            ...units.map((unit) => {
              const { measured, predicted, grew } = resultOf(results, unit);
              return `${grew ? "grows" : measured?.toFixed(2)} / ${predicted?.toFixed(2) ?? "grows"}`;
            }),
          ]),
        },
      ],
      checks: [
        ...settlings(scale).map(({ unit, name }) => settlingCheck(results, unit, name)),
        ...settings(scale).map((setting) => periodCheck(results, setting, scale)),
        ...settings(scale)
          .filter(({ spread }) => spread === "sorted")
          .map((setting) => apartCheck(results, setting, scale)),
      ],
      notes: [
        "Where a rule refuses a graph its cell is empty, and its disagreement is measured all the same.",
        "GASLoC was read second hand: its numbers are those of a transcription.",
      ],
    };
  },
};

function figuresOf(results: Results, scale: Scale): Figure[] {
  const last = settings(scale).at(-1) as Setting;
  return [local, shared].map((rule) => ({
    name: `outer-${rule.spec.name}`,
    title: `${rule.title}: ${nameOf(last)}`,
    caption: "Error of the averaged model after equal updates, at the best learning rate; DiLoCo for comparison.",
    xLabel: "norm of the gradient",
    log: true,
    bars: [...graphsAt(scale).map((graph) => [graph, rule] as const), ...[[graphs.allReduce, diloco] as const]].map(
      ([graph, one]) => ({
        label: one === diloco ? "DiLoCo" : graph.title,
        topology: graph.spec(last.n, 0).name,
        value: bestOf(results, training(last, one, graph, scale))?.mean ?? Number.NaN,
      }),
    ),
  }));
}

/** The share by which what is measured may miss what is predicted: the ring's slow modes turn over a few dozen times. */
const ALLOWANCE = 0.15;

function settlingCheck(results: Results, unit: SettlingUnit, name: string): Check {
  const { measured, predicted, factor, grew, refused } = resultOf(results, unit);
  // What grows hardly at all has not got far by the end of the run.
  const shows = factor ** unit.outerSteps > FAR;
  const near = predicted !== null && measured !== null && Math.abs(measured / predicted - 1) <= ALLOWANCE;
  return {
    name: `disagreement: ${name}`,
    expected:
      predicted === null
        ? `refused; ${shows ? "grows" : `a factor of ${factor.toFixed(4)} is too slow to be seen`}`
        : `${predicted.toPrecision(3)} ± ${100 * ALLOWANCE} %`,
    measured: `${grew ? "grows" : measured?.toPrecision(3)}${refused ? ", refused" : ""}`,
    pass: predicted === null ? refused && grew === shows : near && !grew && !refused,
  };
}

/** Whole periods of CECA are an all-reduce: gossip-diloco over them is DiLoCo. */
function periodCheck(results: Results, setting: Setting, scale: Scale): Check {
  const all = bestOf(results, training(setting, diloco, graphs.allReduce, scale))?.mean ?? Number.NaN;
  const ceca = bestOf(results, training(setting, shared, graphs.ceca, scale))?.mean ?? Number.NaN;
  return {
    name: `gossip-diloco over whole periods of CECA, ${nameOf(setting)}`,
    expected: `${all.toPrecision(6)}, DiLoCo's, to 1e-6 of it`,
    measured: ceca.toPrecision(6),
    pass: Math.abs(ceca - all) <= 1e-6 * all,
  };
}

/** On sorted data nodes are further apart over the ring, at equal vectors. */
function apartCheck(results: Results, setting: Setting, scale: Scale): Check {
  const [slow, fast] = [ring, graphs.od].map(
    (graph) => bestOf(results, training(setting, shared, graph, scale))?.apart ?? Number.NaN,
  );
  return {
    name: `gossip-diloco, momentum mixed: how far models are apart over the ring, ${nameOf(setting)}`,
    expected: "further than over OD-EquiDyn",
    measured: `${slow.toPrecision(3)} and ${fast.toPrecision(3)}`,
    pass: slow > fast,
  };
}
