/** `equitopo theory`: what the paper's theorems on DSGD and DSGT say of a topology, and its three tables of them. */

import { type Command, Option } from "commander";
import { InputError, type Topology } from "equitopo";
import { nearest } from "equitopo/input";
import {
  type BetaSource,
  betaSources,
  type Convergence,
  convergence,
  type EstimatedConstants,
  type NetworkRate,
  networkRate,
  type TheoryMethod,
  type TheoryTable,
  type TheoryTableName,
  theoryMethods,
  theoryTable,
  theoryTableNames,
} from "equitopo/theory";
import { listOption, numberOption } from "../arguments.ts";
import type { Estimated } from "../estimate.ts";
import { showCount, showIterations, showRate } from "../numbers.ts";
import { print, printJson } from "../output.ts";
import { progressOf } from "../progress.ts";
import type { CommonOptions } from "../session.ts";
import { type Column, table } from "../table.ts";
import {
  addFileOption,
  addTopologyOptions,
  chosenTopology,
  requireN,
  type TopologyValues,
  topologyValues,
} from "../topology-options.ts";

interface Options extends CommonOptions {
  readonly n?: readonly number[];
  readonly topology?: string;
  readonly file?: string;
  readonly m?: number;
  readonly seed?: number;
  readonly sigma?: number;
  readonly b?: number;
  readonly kappa?: number;
  readonly beta?: BetaSource | number;
  readonly problem?: string;
  readonly T?: number;
}

/** What the theorems ask of a problem, 1 unless it is given or estimated. */
const ones = { sigma: 1, b: 1, kappa: 1 };

const titles: Record<TheoryMethod, string> = {
  "dsgd-nonconvex": "DSGD, non-convex",
  "dsgd-convex": "DSGD, strongly convex",
  dsgt: "DSGT, non-convex",
};

export function define(command: Command): void {
  command.argument("[table]", `a table of the paper in place of --topology: ${theoryTableNames.join(", ")}`);
  const nodes = new Option("--n <N>", "number of nodes; several for a table (default there: 16,64,256,1024)");
  addFileOption(addTopologyOptions(command, nodes.argParser(listOption("n", "100,1000")), ["b"]))
    .option("--topology <NAME>", "a name of `equitopo list`")
    .option("--sigma <S>", "standard deviation of the gradient noise (default 1)", numberOption("sigma", 1))
    .option("--b <B>", "heterogeneity of the nodes' functions (default 1)", numberOption("b", 1))
    .option("--kappa <K>", "condition number, for strongly convex functions (default 1)", numberOption("kappa", 10))
    .option("--problem <P>", "estimate sigma, b and kappa: a problem of `equitopo list`, or that of a spec file")
    .option(
      "--beta <BETA>",
      "the theorems' beta: a number, or round, period or geometric-mean of a topology",
      parseBeta,
    )
    .option("--T <T>", "also the value of every term after T iterations", numberOption("T", 10000))
    .addHelpText(
      "after",
      `
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
`,
    )
    .action(async (name: string | undefined, options: Options & TopologyValues) => {
      const progress = progressOf(options);
      progress.announce("computing rates ...");
      const answer = name === undefined ? await ofTopology(options) : ofTable(name, options);
      progress.done();
      if (options.json) await printJson(answer.json);
      else await print([answer.text]);
    });
}

interface Answer {
  readonly json: object;
  readonly text: string;
}

/** What may be a topology's: b is the theorems' here, not that of doubling. */
const withoutOwn = (options: TopologyValues): TopologyValues => ({ ...options, b: undefined });

/** 0.7, round, period, geometric-mean. */
function parseBeta(text: string): BetaSource | number {
  const word = betaSources.find((source) => source === text);
  return word ?? numberOption("beta", 0.7)(text);
}

async function ofTopology(options: Options & TopologyValues): Promise<Answer> {
  const { n: sizes, topology: name, file, beta, problem, T } = options;
  if (sizes !== undefined && sizes.length !== 1) {
    throw new InputError("a topology has one --n", sizes.join(), `try --n ${sizes[0]}`);
  }
  if (T !== undefined && !(T >= 1)) throw new InputError("T must be at least 1", T, "try --T 10000");
  const found: Estimated | undefined =
    problem === undefined ? undefined : await (await import("../estimate.ts")).estimated(problem, sizes?.[0]);
  const n = sizes?.[0] ?? found?.n;
  const named = name !== undefined || file !== undefined;
  const topology = named ? await chosenTopology(name, { ...withoutOwn(options), n }) : found?.topology;
  if (found !== undefined && topology !== undefined && topology.n !== found.n) {
    const remedy = `try --n ${found.n}`;
    throw new InputError(`the topology must have the problem's ${found.n} nodes`, topology.n, remedy);
  }
  const network = networkOf(topology, beta);
  const setting = { n: topology?.n ?? requireN({ n }), beta: network.beta, ...constantsFor(options, found?.constants) };
  const all = theoryMethods.map((method) => convergence(method, setting));
  const head = [...settingText(topology, setting, network), ...(found?.words ?? [])].join("\n");
  return {
    json: {
      ...(topology === undefined ? {} : { topology: topology.name }),
      ...setting,
      ...network,
      ...(found === undefined ? {} : { problem: found.json }),
      ...(T === undefined ? {} : { T }),
      methods: all.map((one) => methodJson(one, T)),
    },
    text: `${head}\n\n${all.map((one) => methodText(one, T)).join("\n")}`,
  };
}

/** The beta of a topology, or a number that stands for any network. */
function networkOf(topology: Topology | undefined, beta: Options["beta"]): NetworkRate {
  if (topology !== undefined) return networkRate(topology, beta);
  if (typeof beta === "number") return { beta, from: "given" };
  const remedy = `give --topology NAME, or one of ${theoryTableNames.join(", ")}`;
  throw new InputError("theory speaks of a topology or of a table", "neither", remedy);
}

/** What is given comes first, then what was estimated, then 1. */
function constantsFor({ sigma, b, kappa }: Options, found: EstimatedConstants | undefined): typeof ones {
  const known = { sigma: sigma ?? found?.sigma, b: b ?? found?.b, kappa: kappa ?? found?.kappa };
  if (known.sigma === 0 && sigma === undefined) {
    throw new InputError(
      "the theorems compare with the noise: the problem's sigma must be above 0",
      0,
      "give --sigma S",
    );
  }
  if (known.kappa === Number.POSITIVE_INFINITY && kappa === undefined) {
    const rule = "kappa needs a problem that is strongly convex where gradient descent arrives";
    throw new InputError(rule, `mu = ${found?.mu}`, "give --kappa K");
  }
  return { sigma: known.sigma ?? ones.sigma, b: known.b ?? ones.b, kappa: known.kappa ?? ones.kappa };
}

/** JSON knows no Infinity: null is never. */
const orNever = (T: number) => (T === Number.POSITIVE_INFINITY ? null : T);

function methodJson(one: Convergence, T: number | undefined): object {
  const { method, measure, terms, transientIterations, limitedBy } = one;
  return {
    method,
    measure,
    transientIterations: orNever(transientIterations),
    limitedBy,
    ...(T === undefined ? {} : { value: one.at(T) }),
    terms: terms.map((term) => ({
      name: term.name,
      formula: term.formula,
      dominatedFrom: orNever(term.dominatedFrom),
      ...(T === undefined ? {} : { value: term.at(T) }),
    })),
  };
}

function settingText(
  topology: Topology | undefined,
  { n, sigma, b, kappa }: { readonly n: number } & typeof ones,
  { beta, from, geometricMean }: NetworkRate,
): string[] {
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

function methodText(one: Convergence, T: number | undefined): string {
  const left = (title: string): Column => ({ title, align: "left" });
  const right = (title: string): Column => ({ title, align: "right" });
  const value = (number: number) => (number === 0 ? "0" : number.toExponential(2));
  const columns = [left("term"), left("up to constants"), right("no larger than\nthe first from T")];
  if (T !== undefined) columns.push(right(`at\nT = ${showIterations(T)}`));
  const rows = one.terms.map(({ name, formula, dominatedFrom, at }, k) => [
    name,
    formula,
    k === 0 ? "" : dominatedFrom === Number.POSITIVE_INFINITY ? "never" : showIterations(dominatedFrom),
    ...(T === undefined ? [] : [value(at(T))]),
  ]);
  if (T !== undefined) rows.push(["sum", "", "", value(one.at(T))]);
  const { transientIterations: transient, limitedBy } = one;
  const verdict =
    transient === Number.POSITIVE_INFINITY
      ? "no end of the transient: the rate promises nothing"
      : `transient iterations: ${showIterations(transient)}${transient === 0 ? "" : `, because of the ${limitedBy} term`}`;
  return `${titles[one.method]}: ${one.measure}\n\n${table(columns, rows)}${verdict}\n`;
}

function ofTable(name: string, options: Options & TopologyValues): Answer {
  if (!(theoryTableNames as readonly string[]).includes(name)) {
    const near = nearest(name, theoryTableNames);
    const remedy = near === undefined ? "for a topology, give --topology NAME" : `did you mean ${near}?`;
    throw new InputError(`a table must be one of ${theoryTableNames.join(", ")}`, name, remedy);
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
  const found = theoryTable(name as TheoryTableName, {
    ...(sizes === undefined ? {} : { n: sizes }),
    ...(m === undefined ? {} : { m: () => m }),
    ...(seed === undefined ? {} : { seed }),
    ...(beta === undefined ? {} : { beta }),
    ...constants,
  });
  return { json: tableJson(found, constants), text: tableText(found, constants) };
}

function tableJson({ name, caption, method, rows }: TheoryTable, { sigma, b, kappa }: typeof ones): object {
  const finite = rows.map(({ numbers, ...forms }) => ({
    ...forms,
    numbers: numbers.map((one) => ({ ...one, transientIterations: orNever(one.transientIterations) })),
  }));
  return { name, caption, method, sigma, b, kappa, rows: finite };
}

function tableText({ caption, method, rows }: TheoryTable, { sigma, b, kappa }: typeof ones): string {
  const sizes = [...new Set(rows.flatMap(({ numbers }) => numbers.map(({ n }) => n)))];
  const columns: Column[] = [
    { title: "topology", align: "left" },
    { title: "peers\n(paper)", align: "left" },
    { title: "transient\n(paper)", align: "left" },
    ...sizes.flatMap((n): Column[] => [
      { title: `n = ${showCount(n)}\npeers`, align: "right" },
      { title: "\nbeta", align: "right" },
      { title: "\ntransient", align: "right" },
    ]),
  ];
  const cells = rows.flatMap((row) =>
    [...new Set(row.numbers.map(({ name }) => name))].map((name) => [
      name,
      row.communication,
      row.transientIterations,
      ...sizes.flatMap((n) => {
        const { degree, beta, transientIterations } = row.numbers.find((one) => one.name === name && one.n === n)!;
        const transient = transientIterations === Number.POSITIVE_INFINITY ? "never" : transientIterations;
        return [showCount(degree), showRate(beta), transient === "never" ? transient : showIterations(transient)];
      }),
    ]),
  );
  const width = Math.max(...rows.map(({ topology }) => topology.length));
  const rates = rows.map(({ topology, convergenceRate }) => `  ${topology.padEnd(width)}  ${convergenceRate}`);
  const kept = method === "dsgt" ? "" : `, b = ${b}${method === "dsgd-convex" ? `, kappa = ${kappa}` : ""}`;
  return [
    `${caption}`,
    `sigma = ${sigma}${kept}; numbers from exact rates, constants as 1; one-peer-exp by its whole periods\n`,
    table(columns, cells),
    "Convergence rates (paper):",
    ...rates,
    "",
  ].join("\n");
}
