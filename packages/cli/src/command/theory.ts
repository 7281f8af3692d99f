/** `equitopo theory`: what the paper's theorems on DSGD and DSGT say of a topology, and its three tables of them. */

import { type Command, Option } from "commander";
import { InputError, type Topology } from "equitopo";
import { nearest } from "equitopo/input";
import {
  type Convergence,
  convergence,
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
import { showCount, showIterations, showRate } from "../numbers.ts";
import { print, printJson } from "../output.ts";
import { progressOf } from "../progress.ts";
import type { CommonOptions } from "../session.ts";
import { type Column, table } from "../table.ts";
import {
  addFileOption,
  addTopologyOptions,
  chosenTopology,
  type TopologyValues,
  topologyValues,
} from "../topology-options.ts";

interface Options extends CommonOptions {
  readonly n?: readonly number[];
  readonly topology?: string;
  readonly file?: string;
  readonly m?: number;
  readonly seed?: number;
  readonly sigma: number;
  readonly b: number;
  readonly kappa: number;
  readonly T?: number;
}

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
    .option("--sigma <S>", "standard deviation of the gradient noise", numberOption("sigma", 1), 1)
    .option("--b <B>", "heterogeneity of the nodes' functions", numberOption("b", 1), 1)
    .option("--kappa <K>", "condition number, for strongly convex functions", numberOption("kappa", 10), 1)
    .option("--T <T>", "also the value of every term after T iterations", numberOption("T", 10000))
    .addHelpText(
      "after",
      `
The theorems bound the error by a sum of terms. The first is that of n nodes averaging exactly: it falls with n (linear
speedup). Transient iterations are those until all others are no larger. They are computed from the topology's exact
rate beta with the theorems' hidden constants taken as 1: they compare topologies, and predict no run.
A periodic topology enters with 1 - beta = (1 - norm of a period) / period.

Examples:
  equitopo theory --n 300 --topology od-equidyn --sigma 1 --b 0.5 --kappa 10
  equitopo theory --n 300 --topology ring --T 100000 --json
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

async function ofTopology(options: Options & TopologyValues): Promise<Answer> {
  const { n: sizes, topology: name, file, sigma, b, kappa, T } = options;
  if (name === undefined && file === undefined) {
    const remedy = `give --topology NAME, or one of ${theoryTableNames.join(", ")}`;
    throw new InputError("theory speaks of a topology or of a table", "neither", remedy);
  }
  if (sizes !== undefined && sizes.length !== 1) {
    throw new InputError("a topology has one --n", sizes.join(), `try --n ${sizes[0]}`);
  }
  if (T !== undefined && !(T >= 1)) throw new InputError("T must be at least 1", T, "try --T 10000");
  const topology = await chosenTopology(name, { ...withoutOwn(options), n: sizes?.[0] });
  const network = networkRate(topology);
  const setting = { n: topology.n, beta: network.beta, sigma, b, kappa };
  const all = theoryMethods.map((method) => convergence(method, setting));
  return {
    json: {
      topology: topology.name,
      ...setting,
      ...network,
      ...(T === undefined ? {} : { T }),
      methods: all.map((one) => methodJson(one, T)),
    },
    text: `${topologyText(topology, network, options)}\n\n${all.map((one) => methodText(one, T)).join("\n")}`,
  };
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

function topologyText(topology: Topology, { beta, from, geometricMean }: NetworkRate, options: Options): string {
  const { sigma, b, kappa } = options;
  const source = {
    round: topology.kind === "random" ? "the root of the exact mean-square factor" : "the norm of a round",
    period: `from the norm of a period of ${topology.period} rounds`,
  }[from];
  const mean = geometricMean === undefined ? "" : `; its geometric mean per round is ${showRate(geometricMean)}`;
  return [
    `${topology.name}, n = ${showCount(topology.n)}, sigma = ${sigma}, b = ${b}, kappa = ${kappa}`,
    `beta = ${showRate(beta)}, ${source}${mean}`,
  ].join("\n");
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
  const { n: sizes, m, seed, sigma, b, kappa } = options;
  const stray = ["topology", "file", "T", ...Object.keys(topologyValues(withoutOwn(options)))].find(
    (key) => options[key] !== undefined && key !== "m" && key !== "seed",
  );
  if (stray !== undefined) throw new InputError("a table takes no such option", `--${stray}`, `leave out --${stray}`);
  const found = theoryTable(name as TheoryTableName, {
    ...(sizes === undefined ? {} : { n: sizes }),
    ...(m === undefined ? {} : { m: () => m }),
    ...(seed === undefined ? {} : { seed }),
    ...{ sigma, b, kappa },
  });
  return { json: tableJson(found, options), text: tableText(found, options) };
}

function tableJson({ name, caption, method, rows }: TheoryTable, { sigma, b, kappa }: Options): object {
  const finite = rows.map(({ numbers, ...forms }) => ({
    ...forms,
    numbers: numbers.map((one) => ({ ...one, transientIterations: orNever(one.transientIterations) })),
  }));
  return { name, caption, method, sigma, b, kappa, rows: finite };
}

function tableText({ caption, method, rows }: TheoryTable, { sigma, b, kappa }: Options): string {
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
