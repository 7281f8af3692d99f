/** `equitopo rate`: the exact consensus rate of one topology, or of your own graph. */

import type { Command } from "commander";
import { InputError, type Rate, type Topology } from "equitopo";
import { integerOption } from "../arguments.ts";
import { describe } from "../describe.ts";
import { type Mixing, mixingJson, mixingLines, mixingOf } from "../mixing.ts";
import { showCount, showRate, showRateOf } from "../numbers.ts";
import { jsonText, note, print, printJson, writeAtomically } from "../output.ts";
import { notConnected, partsOfGraph } from "../parts.ts";
import { foreseenMeter, rateMeter, tellWork } from "../rate-work.ts";
import type { CommonOptions } from "../session.ts";
import { noteJson } from "../topology-notes.ts";
import {
  addFileOption,
  addTopologyOptions,
  chosenTopology,
  specFromOptions,
  type TopologyValues,
} from "../topology-options.ts";

/** Basis indices shown to a person. */
const SHOWN = 20;

interface Options extends CommonOptions {
  readonly file?: string;
  readonly certificate?: string;
  readonly rounds?: number;
  readonly gains?: true;
  readonly plot?: string | true;
}

export function define(command: Command): void {
  command.argument("[topology]", "a name of `equitopo list`");
  addFileOption(addTopologyOptions(command))
    .option("--certificate <FILE>", "also write a certificate that `equitopo verify` re-derives")
    .option("--rounds <M>", "also the exact norm over M rounds", integerOption("rounds", 1, 10))
    .option("--plot [FILE]", "also draw the eigenvalues on the complex plane: FILE.svg or FILE.png")
    .option("--gains", "gains and the asymptotic rate whatever they take (by default up to n = 64, or in closed form)")
    .addHelpText(
      "after",
      `
The rate is the smallest beta with E ||Pi W x||^2 <= beta^2 ||Pi x||^2: the factor by which disagreement shrinks in a
round, at worst. It is exact; the paper's bound on the same beta stands beside it. Where single rounds say little (graphs
that are exact after a few, or not symmetric), look at --rounds: the norm of their product, which the predicted rounds
come from. The gains are what DSGD feels: a step g leaves a disagreement of g times the gain. --plot draws the eigenvalues
of W; of the product of a period; of E W where rounds are drawn: the caption says which.

Files: csv with the header from,to,weight (self weights as from = to) or from,to (undirected, Metropolis weights), or a
plain matrix; npy with the dense matrix; json as \`equitopo graph\` writes it; GraphML as that, networkx, igraph and Gephi
write it. Labels count from 0.

Examples:
  equitopo rate d-equistatic --n 300 --m 9                  nine basis indices, drawn with seed 0
  equitopo rate u-equistatic --n 17 --basis 1,2,4,8         the Paley graph
  equitopo rate d-equistatic --n 300 --rho 0.5 --p 0.1      the paper's Algorithm 3
  equitopo rate ou-equidyn --n 300 --construction euclid    undirected, one peer per round
  equitopo rate od-equidyn --n 300 --eta 0.5 --json         for programs
  equitopo rate de-bruijn --n 300 --p 9 --rounds 4 --gains  four rounds, and what learning feels
  equitopo rate d-equistatic --n 300 --plot spectrum.svg    all eigenvalues, and the circle that none leaves
  equitopo rate --file mine.csv                             your own weights
  equitopo rate d-equistatic --n 17 --basis 1,4 --certificate c.json && equitopo verify c.json
`,
    )
    .action(async (name: string | undefined, options: Options & TopologyValues) => {
      if (options.certificate !== undefined && options.file !== undefined) {
        const { file } = options;
        throw new InputError("a certificate must name a topology", `--file ${file}`, "leave out --certificate");
      }
      const work =
        name === undefined || options.file !== undefined
          ? undefined
          : tellWork(specFromOptions(name, options), options);
      const label = `rate of ${name ?? options.file}`;
      const making = rateMeter(label, work, options);
      const topology = await chosenTopology(name, options, making);
      // Of a graph of somebody's own nothing is known before it is there.
      const meter = options.file === undefined ? making : foreseenMeter(label, topology, options);
      const parts = partsOfGraph(topology);
      if (parts > 1) note(`${topology.name} is ${notConnected(parts)}`, options);
      const plot =
        options.plot === undefined ? undefined : (await import("../spectrum-file.ts")).plotter(topology, options.plot);
      const rate = meter.run(() => topology.rate());
      const mixing = meter.run(() => mixingOf(topology, rate, options));
      if (options.certificate !== undefined) {
        const { certify } = await import("../certificate.ts");
        await writeAtomically(options.certificate, [jsonText(certify(topology))]);
      }
      const drawn = await plot?.(rate);
      meter.end();
      if (options.json)
        await printJson({
          ...describe(topology, rate),
          ...(parts > 1 ? { parts } : {}),
          ...noteJson(topology),
          ...mixingJson(mixing),
          ...(drawn === undefined ? {} : { plot: drawn }),
        });
      else await print([`${inWords(topology, rate, mixing)}\n`]);
      if (drawn !== undefined) note(`spectrum drawn to ${drawn}`, options);
      if (options.certificate !== undefined) note(`certificate written to ${options.certificate}`, options);
    });
}

/** What it means that only these sums of W are 1. */
const sums = {
  rows: "columns do not sum to 1: nodes agree on a mean that drifts",
  columns: "rows do not sum to 1: the mean is kept, push-sum divides the rest out",
} as const;

/** A short block to read. */
function inWords(topology: Topology, exact: Rate, mixing: Mixing): string {
  const { bound, method, error, eigenvalues, periodNorm, periodRate } = exact;
  const { name, n, ...options } = topology.spec;
  const meaning = {
    static: "norm of Pi W: the most a round leaves of any disagreement",
    periodic: "norm of Pi W(t) in the worst round",
    random: "root of the exact mean-square factor of one random round",
  }[topology.kind];
  const lines: [string, string, string][] = [
    ["rate", showRateOf(exact), `${meaning}; ${method}${error === undefined ? "" : `, error below ${bounded(error)}`}`],
  ];
  if (periodRate !== undefined && periodNorm !== undefined) {
    const { period, block } = topology;
    const span = period === undefined ? "block" : "period";
    const exactly =
      periodNorm === 0 ? `the mean is exact after one ${span}` : `geometric mean per round over one ${span}`;
    const norm = period === undefined ? "root of the exact mean-square factor" : "norm";
    lines.push(["periodRate", showRate(periodRate), exactly]);
    lines.push(["periodNorm", showRate(periodNorm), `${norm} of one ${span} of ${period ?? block} rounds`]);
  }
  if (topology.stochastic !== undefined) lines.push(["stochastic", topology.stochastic, sums[topology.stochastic]]);
  if (topology.pair !== undefined) lines.push(["vectors", "2", "a node mixes two vectors; the rate is x's from z = x"]);
  if (bound !== null) lines.push(["bound", showRate(bound), "the paper's bound on this rate"]);
  if (eigenvalues !== undefined) {
    const { largest, smallest } = eigenvalues;
    const shown = largest === exact.rate ? showRateOf(exact) : showRate(largest);
    lines.push(["eigenvalues", shown, `the largest beside 1; the smallest is ${showRate(smallest)}`]);
  }
  lines.push(["degree", showCount(topology.maxDegree), "the most peers that a node receives from in a round"]);
  lines.push(...mixingLines(mixing));
  const width = Math.max(...lines.map(([, value]) => value.length));
  const body = lines.map(([key, value, text]) => `  ${key.padEnd(14)}${value.padEnd(width)}  ${text}`);
  const given = Object.entries(options).map(([key, value]) => `  ${key.padEnd(14)}${showOption(value)}`);
  return [`${name}, n = ${showCount(n)}`, ...body, ...given].join("\n");
}

function bounded(error: number): string {
  return error < 1e-15 ? "1e-15" : error.toExponential(1);
}

function showOption(value: unknown): string {
  if (typeof value === "object" && !Array.isArray(value)) return JSON.stringify(value);
  if (!Array.isArray(value)) return String(value);
  const first = value.slice(0, SHOWN).join(", ");
  return value.length > SHOWN ? `${first}, ... (${showCount(value.length)} in all; --json has them)` : first;
}
