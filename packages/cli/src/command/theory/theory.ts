/** `equitopo theory`: what the paper's theorems on DSGD and DSGT say of a topology, and its three tables of them. */

import { type Command, Option } from "commander";
import { InputError, type Topology } from "equitopo";
import { defined, nearest } from "equitopo/internal/input";
import * as theory from "equitopo/theory";
import { type FormatOptions, formatFlag, type Part, printAnswer } from "../../terminal/answer.ts";
import { listOption, numberOption } from "../../terminal/arguments.ts";
import { addFlags, type CommonOptions, type Given, number, parsed, word } from "../../terminal/flags.ts";
import { wrapped } from "../../terminal/lines.ts";
import { showCount, showIterations, showRate } from "../../terminal/numbers.ts";
import { progressOf } from "../../terminal/progress.ts";
import { type Cell, left, numberCell, right, table, wordTable } from "../../terminal/table.ts";
import {
  addTopologyOptions,
  chosenTopology,
  fileFlag,
  requireN,
  type TopologyValues,
  topologyValues,
} from "../../topology/options.ts";

const flags = {
  ...fileFlag,
  topology: word("<NAME>", "a name of `equitopo list`"),
  sigma: number("<S>", "standard deviation of the gradient noise (default 1)", 1),
  b: number("<B>", "heterogeneity of the nodes' functions (default 1)", 1),
  kappa: number("<K>", "condition number, for strongly convex functions (default 1)", 10),
  problem: word("<P>", "estimate sigma, b and kappa: a problem of `equitopo list`, or that of a spec file"),
  beta: parsed(
    "<BETA>",
    "the theorems' beta: a number, or round, period or geometric-mean of a topology",
    () => parseBeta,
  ),
  T: number("<T>", "also the value of every term after T iterations", 10000),
  ...formatFlag,
};

interface Options extends CommonOptions, FormatOptions, Given<typeof flags> {
  readonly n?: readonly number[];
  readonly m?: number;
  readonly seed?: number;
}

/** What the theorems ask of a problem, 1 unless it is given or estimated. */
const ones = { sigma: 1, b: 1, kappa: 1 };

const titles: Record<theory.TheoryMethod, string> = {
  "dsgd-nonconvex": "DSGD, non-convex",
  "dsgd-convex": "DSGD, strongly convex",
  dsgt: "DSGT, non-convex",
};

export function define(command: Command): Command {
  command.argument("[table]", `a table of the paper in place of --topology: ${theory.theoryTableNames.join(", ")}`);
  const nodes = new Option("--n <N>", "number of nodes; several for a table (default there: 16,64,256,1024)");
  return addFlags(addTopologyOptions(command, nodes.argParser(listOption("n", "100,1000")), ["b"]), flags);
}

export const first = () => theory.theoryTableNames;

export const help = `
The theorems bound the error by a sum of terms. The first is that of n nodes averaging exactly: it falls with n (linear
speedup). Transient iterations are those until all others are no larger. They are computed from the topology's exact
rate beta with the theorems' hidden constants taken as 1: they compare topologies, and predict no run.
A periodic topology enters with 1 - beta = (1 - norm of a period) / period; --beta round takes the theorems at their
word (the norm of the worst round), --beta geometric-mean the optimistic mean over a period, --beta 0.7 a number of yours.
--problem estimates the noise sigma, the heterogeneity b and the condition number kappa = L / mu of a problem at its
optimum: exactly for least squares, elsewhere from sampled gradients and power iterations; --sigma, --b, --kappa override.

Examples:
  equitopo theory --n 300 --topology od-equidyn --sigma 1 --b 0.5 --kappa 10
  equitopo theory --n 300 --topology ring --T 100000 --json
  equitopo theory --n 300 --topology od-equidyn --problem least-squares
  equitopo theory --problem spec.yaml                        the problem and the first topology of a spec
  equitopo theory --n 300 --topology one-peer-exp --beta round
  equitopo theory --n 300 --beta 0.7                         of any network with this rate
  equitopo theory table-dsgt                                 the paper's table, with numbers
  equitopo theory table-dsgd-nonconvex --n 100,1000
  equitopo theory table-dsgd-convex --n 64 --kappa 100 --m 12
`;

export async function act(name: string | undefined, options: Options & TopologyValues): Promise<void> {
  const progress = progressOf(options);
  progress.announce("computing rates ...");
  const answer = name === undefined ? await ofTopology(options) : ofTable(name, options);
  progress.done();
  await printAnswer(answer.json, () => answer.text, options);
}

/** What may be a topology's: b is the theorems' here, not that of doubling. */
const withoutOwn = (options: TopologyValues): TopologyValues => ({ ...options, b: undefined });

/** 0.7, round, period, geometric-mean. */
function parseBeta(text: string): theory.BetaSource | number {
  const word = theory.betaSources.find((source) => source === text);
  return word ?? numberOption("beta", 0.7)(text);
}

async function ofTopology(options: Options & TopologyValues) {
  const { n: sizes, topology: name, file, beta, problem, T } = options;
  if (sizes !== undefined && sizes.length !== 1) {
    throw new InputError("a topology has one --n", sizes.join(), `try --n ${sizes[0]}`);
  }
  if (T !== undefined && !(T >= 1)) throw new InputError("T must be at least 1", T, "try --T 10000");
  const found =
    problem === undefined ? undefined : await (await import("./constants.ts")).estimated(problem, sizes?.[0]);
  const n = sizes?.[0] ?? found?.n;
  const named = name !== undefined || file !== undefined;
  const topology = named ? await chosenTopology(name, { ...withoutOwn(options), n }) : found?.topology;
  if (found !== undefined && topology !== undefined && topology.n !== found.n) {
    const remedy = `try --n ${found.n}`;
    throw new InputError(`the topology must have the problem's ${found.n} nodes`, topology.n, remedy);
  }
  const network = networkOf(topology, beta);
  const setting = { n: topology?.n ?? requireN({ n }), beta: network.beta, ...constantsFor(options, found?.constants) };
  const all = theory.theoryMethods.map((method) => theory.convergence(method, setting));
  const head = [...settingText(topology, setting, network), ...(found?.words ?? [])].join("\n");
  return {
    json: {
      ...defined({ topology: topology?.name, ...setting, ...network, problem: found?.json, T }),
      methods: all.map((one) => methodJson(one, T)),
    },
    text: [`${head}\n`, ...all.flatMap((one) => ["\n", ...methodText(one, T)])],
  };
}

/** The beta of a topology, or a number that stands for any network. */
function networkOf(topology: Topology | undefined, beta: Options["beta"]): theory.NetworkRate {
  if (topology !== undefined) return theory.networkRate(topology, beta);
  if (typeof beta === "number") return { beta, from: "given" };
  const remedy = `give --topology NAME, or one of ${theory.theoryTableNames.join(", ")}`;
  throw new InputError("theory speaks of a topology or of a table", "neither", remedy);
}

/** What is given comes first, then what was estimated, then 1. */
function constantsFor({ sigma, b, kappa }: Options, found: theory.EstimatedConstants | undefined): typeof ones {
  const known = { sigma: sigma ?? found?.sigma, b: b ?? found?.b, kappa: kappa ?? found?.kappa };
  if (known.sigma === 0 && sigma === undefined) {
    const rule = "the theorems compare with the noise: the problem's sigma must be above 0";
    throw new InputError(rule, 0, "give --sigma S");
  }
  if (known.kappa === Number.POSITIVE_INFINITY && kappa === undefined) {
    const rule = "kappa needs a problem that is strongly convex where gradient descent arrives";
    throw new InputError(rule, `mu = ${found?.mu}`, "give --kappa K");
  }
  return { sigma: known.sigma ?? ones.sigma, b: known.b ?? ones.b, kappa: known.kappa ?? ones.kappa };
}

/** JSON knows no Infinity: null is never. */
const orNever = (T: number) => (T === Number.POSITIVE_INFINITY ? null : T);

function methodJson(one: theory.Convergence, T: number | undefined): object {
  const { method, measure, terms, transientIterations, limitedBy } = one;
  const value = (of: { at(T: number): number }) => (T === undefined ? undefined : of.at(T));
  return {
    ...{ method, measure, transientIterations: orNever(transientIterations), limitedBy, value: value(one) },
    terms: terms.map((term) => {
      const { name, formula, dominatedFrom } = term;
      return { name, formula, dominatedFrom: orNever(dominatedFrom), value: value(term) };
    }),
  };
}

type Setting = { readonly n: number } & typeof ones;

function settingText(topology: Topology | undefined, { n, sigma, b, kappa }: Setting, rate: theory.NetworkRate) {
  const { beta, from, geometricMean } = rate;
  const round = topology?.kind === "random" ? "the root of the exact mean-square factor" : "the norm of a round";
  const source = {
    round: topology?.kind === "periodic" && from === "round" ? "the norm of the worst round" : round,
    period: `from the norm of a period of ${topology?.period} rounds`,
    "geometric-mean": `the geometric mean per round over a period of ${topology?.period}`,
    given: "as given",
  }[from];
  const other = geometricMean === undefined || from === "geometric-mean";
  const mean = other ? "" : `; its geometric mean per round is ${showRate(geometricMean)}`;
  const shown = (value: number) => String(Number(value.toPrecision(6)));
  return [
    `${topology?.name ?? "any network"}, n = ${showCount(n)}, sigma = ${shown(sigma)}, b = ${shown(b)}, kappa = ${shown(kappa)}`,
    `beta = ${showRate(beta)}, ${source}${mean}`,
  ];
}

function methodText(one: theory.Convergence, T: number | undefined): Part[] {
  const value = (number: number) => (number === 0 ? "0" : number.toExponential(2));
  const columns = [left("term"), left("up to constants"), right("no larger than\nthe first from T")];
  if (T !== undefined) columns.push(right(`at\nT = ${showIterations(T)}`));
  const rows = one.terms.map(({ name, formula, dominatedFrom, at }, k): Cell[] => [
    name,
    formula,
    k === 0 ? "" : iterationsCell(dominatedFrom),
    ...(T === undefined ? [] : [numberCell(at(T), value)]),
  ]);
  if (T !== undefined) rows.push(["sum", "", "", numberCell(one.at(T), value)]);
  const { transientIterations: transient, limitedBy } = one;
  const verdict =
    transient === Number.POSITIVE_INFINITY
      ? "no end of the transient: the rate promises nothing"
      : `transient iterations: ${showIterations(transient)}${transient === 0 ? "" : `, because of the ${limitedBy} term`}`;
  const title = `${titles[one.method]}: ${one.measure}`;
  return [`${wrapped(title)}\n\n`, table(columns, rows, title), `${wrapped(verdict)}\n`];
}

/** Infinity is never. */
const iterationsCell = (T: number) =>
  numberCell(T, (count) => (count === Number.POSITIVE_INFINITY ? "never" : showIterations(count)));

function ofTable(name: string, options: Options & TopologyValues) {
  const known = theory.theoryTableNames.find((one) => one === name);
  if (known === undefined) {
    const near = nearest(name, theory.theoryTableNames);
    const remedy = near === undefined ? "for a topology, give --topology NAME" : `did you mean ${near}?`;
    throw new InputError(`a table must be one of ${theory.theoryTableNames.join(", ")}`, name, remedy);
  }
  const { n: sizes, m, seed, beta } = options;
  const constants = constantsFor(options, undefined);
  const stray = ["topology", "file", "problem", "T", ...Object.keys(topologyValues(withoutOwn(options)))].find(
    (key) => options[key] !== undefined && key !== "m" && key !== "seed",
  );
  if (stray !== undefined) throw new InputError("a table takes no such option", `--${stray}`, `leave out --${stray}`);
  if (typeof beta === "number") {
    throw new InputError("a table takes --beta round, period or geometric-mean", beta, "leave out --beta");
  }
  const found = theory.theoryTable(known, {
    ...defined({ n: sizes, m: m === undefined ? undefined : () => m, seed, beta }),
    ...constants,
  });
  return { json: tableJson(found, constants), text: tableText(found, constants) };
}

function tableJson({ name, caption, method, rows }: theory.TheoryTable, { sigma, b, kappa }: typeof ones): object {
  const finite = rows.map(({ numbers, ...forms }) => ({
    ...forms,
    numbers: numbers.map((one) => ({ ...one, transientIterations: orNever(one.transientIterations) })),
  }));
  return { name, caption, method, sigma, b, kappa, rows: finite };
}

function tableText({ caption, method, rows }: theory.TheoryTable, { sigma, b, kappa }: typeof ones): Part[] {
  const sizes = [...new Set(rows.flatMap(({ numbers }) => numbers.map(({ n }) => n)))];
  const columns = [
    ...["topology", "peers\n(paper)", "transient\n(paper)"].map(left),
    ...sizes.flatMap((n) => [`n = ${showCount(n)}\npeers`, "\nbeta", "\ntransient"].map(right)),
  ];
  const cells = rows.flatMap((row) =>
    [...new Set(row.numbers.map(({ name }) => name))].map((name) => [
      name,
      row.communication,
      row.transientIterations,
      ...sizes.flatMap((n) => {
        const { degree, beta, transientIterations } = row.numbers.find((one) => one.name === name && one.n === n)!;
        return [numberCell(degree, showCount), numberCell(beta, showRate), iterationsCell(transientIterations)];
      }),
    ]),
  );
  const rates = rows.map(({ topology, convergenceRate }) => [topology, convergenceRate]);
  const kept = method === "dsgt" ? "" : `, b = ${b}${method === "dsgd-convex" ? `, kappa = ${kappa}` : ""}`;
  const setting = `sigma = ${sigma}${kept}; numbers from exact rates, constants as 1; one-peer-exp by its whole periods`;
  return [
    `${wrapped(caption)}\n${wrapped(setting)}\n\n`,
    table(columns, cells, `${caption}\n${setting}`),
    "\n",
    wordTable(["topology", "convergence rate (paper)"], rates, "Convergence rates (paper)"),
  ];
}
