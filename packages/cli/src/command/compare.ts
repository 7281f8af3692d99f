/** `equitopo compare`: topologies side by side, by what it costs them to agree. */

import type { Command } from "commander";
import { InputError, predictedRounds, type Rate, type Topology, topologies } from "equitopo";
import { optionsOf } from "equitopo/topology";
import { betweenOption, integerOption } from "../arguments.ts";
import { type Compared, drawComparison, groupOf } from "../comparison-figure.ts";
import { describe } from "../describe.ts";
import { addFigureOptions, type FigureFiles, requireFigureFiles, wantsFigure, writeFigure } from "../figure/files.ts";
import { COLUMNS, type Measured, measureGossip, mostMessages, workOf } from "../measure.ts";
import { showBytes, showCount, showFactor, showRate } from "../numbers.ts";
import { note, print, printJson } from "../output.ts";
import { type Progress, progressOf } from "../progress.ts";
import type { CommonOptions } from "../session.ts";
import { table } from "../table.ts";
import {
  addTopologyOptions,
  requireN,
  type TopologyValues,
  topologyFromSharedOptions,
  topologyValues,
} from "../topology-options.ts";

/** Multiplications spent on measuring one topology unless --max-rounds says otherwise: a few seconds. */
const BUDGET = 2e9;

interface Options extends CommonOptions, FigureFiles {
  readonly topologies?: readonly string[];
  readonly file?: string;
  readonly tolerance: number;
  readonly dim: number;
  readonly float32?: true;
  readonly maxRounds?: number;
  readonly seed?: number;
}

interface Cost {
  readonly rounds: number;
  readonly bytes: number;
}

interface Row extends Compared {
  readonly rate: Rate;
  readonly predicted: Cost;
  /** null where it was not run, or not to its end. */
  readonly measured: Cost | null;
}

export function define(command: Command): void {
  addFigureOptions(addTopologyOptions(command), "error against rounds, one run of each topology")
    .option("--topologies <a,b,c>", "only these (default: all)", parseNames)
    .option("--file <FILE>", "your own graph as well: csv, npy or json, as for `equitopo rate`")
    .option("--tolerance <T>", "shrink disagreement by this factor", betweenOption("tolerance", 0, 1, 1e-6), 1e-6)
    .option("--dim <D>", "numbers in a vector", integerOption("dim", 1, 1000), 1000)
    .option("--float32", "numbers of 4 bytes, not 8")
    .option("--max-rounds <R>", "measure up to R rounds (default: a few seconds)", integerOption("max-rounds", 1, 1e6))
    .addHelpText(
      "after",
      `
For each topology: its degree, its exact rate, and the rounds and bytes until ||Pi x|| has shrunk by the tolerance,
predicted from the rate and measured by running. Bytes are those of the node that sends most. Measuring runs ${COLUMNS}
columns of normal numbers: columns never mix, so that --dim changes the bytes and not the rounds.
An option of topologies (--m, --eta, --construction, ...) goes to every topology that takes it.

Examples:
  equitopo compare --n 300
  equitopo compare --n 1000 --topologies d-equistatic,od-equidyn,one-peer-exp,static-exp --tolerance 1e-9
  equitopo compare --n 300 --construction euclid --dim 1000000 --float32
  equitopo compare --n 300 --svg compare.svg --png compare.png      a picture of it
  equitopo compare --file mine.csv                                  your own weights against all others
`,
    )
    .action(async (options: Options & TopologyValues) => {
      requireFigureFiles(options);
      const progress = progressOf(options);
      const { contestants, refused } = await chosen(options);
      const rows = contestants.map((topology, k) => {
        const where = `${k + 1} of ${contestants.length}: ${topology.name}`;
        return rowOf(topology, options, where, progress);
      });
      progress.step(() => "drawing");
      const figure = wantsFigure(options) ? drawComparison(rows, options) : undefined;
      progress.done();
      const n = contestants[0].n;
      if (options.json) await printJson(asJson(n, rows, refused, options));
      else await print([asText(n, sorted(rows), refused, options)]);
      if (figure !== undefined) note(`figure written to ${await writeFigure(figure, options)}`, options);
    });
}

function parseNames(text: string): readonly string[] {
  return [...new Set(text.split(",").map((name) => topologies.get(name.trim()).name))];
}

interface Refusal {
  readonly topology: string;
  readonly reason: string;
}

async function chosen(options: Options & TopologyValues): Promise<{ contestants: Topology[]; refused: Refusal[] }> {
  const own: Topology[] = [];
  if (options.file !== undefined) {
    const { readGraphFile } = await import("../graph-file.ts");
    own.push(await readGraphFile(options.file));
  }
  const n = options["n"] === undefined && own.length > 0 ? own[0].n : requireN(options);
  if (own.length > 0 && own[0].n !== n) {
    throw new InputError(`--n must be the ${own[0].n} nodes of ${options.file}`, n, "leave out --n");
  }
  const names = options.topologies ?? topologies.names;
  const given = topologyValues(options);
  for (const key of Object.keys(given)) {
    // The seed is also that of the start.
    if (key === "seed" || names.some((name) => key in optionsOf(topologies.get(name)))) continue;
    throw new InputError(`--${key} must be an option of a topology compared`, names.join(","), `leave out --${key}`);
  }
  const refused: Refusal[] = [];
  const graphs = names.flatMap((name) => {
    const reason = Number.isInteger(n) && n >= 2 ? topologies.get(name).refuses?.(n) : undefined;
    if (reason === undefined) return [topologyFromSharedOptions(name, n, given)];
    refused.push({ topology: name, reason });
    return [];
  });
  const all = [...own, ...graphs];
  if (all.length === 0) {
    const [{ topology, reason }] = refused;
    throw new InputError(`${topology} ${reason}`, n, "choose another n or topology");
  }
  return { contestants: all, refused };
}

function rowOf(topology: Topology, options: Options, where: string, progress: Progress): Row {
  progress.step(() => `${where}: rate`);
  const { tolerance, seed = 0, maxRounds } = options;
  const vector = options.dim * (options.float32 ? 4 : 8);
  const rate = topology.rate();
  const rounds = predictedRounds(topology, tolerance);
  // Nobody sends in an empty graph, and 0 times for ever is no number.
  const bytes = rounds === Number.POSITIVE_INFINITY ? rounds : rounds * mostMessages(topology) * vector;
  const predicted: Cost = { rounds, bytes };
  const limit = maxRounds ?? Math.floor(BUDGET / workOf(topology.round(0)));
  // A norm of 1 promises nothing, yet such a graph may agree soon: that one is tried.
  const hopeless = rounds > limit && rounds !== Number.POSITIVE_INFINITY;
  const onRound = (t: number) => progress.step(() => `${where}: round ${showCount(t)} of about ${showCount(rounds)}`);
  const run: Measured | null = hopeless
    ? null
    : measureGossip(topology, { tolerance, seed, maxRounds: limit, onRound });
  return { topology, rate, predicted, measured: run && { rounds: run.rounds, bytes: run.messages * vector } };
}

/** Your own graphs and the EquiTopo graphs first; the others by the bytes that they take. */
function sorted(rows: readonly Row[]): Row[] {
  const group = ({ topology: { name } }: Row) => ({ own: 0, equitopo: 1, baseline: 2, rival: 2 })[groupOf(name)];
  const bytes = ({ measured, predicted }: Row) => measured?.bytes ?? predicted.bytes;
  return [...rows].sort((a, b) => group(a) - group(b) || (group(a) === 2 ? bytes(a) - bytes(b) : 0));
}

function asJson(n: number, rows: readonly Row[], refused: readonly Refusal[], options: Options): object {
  const { tolerance, dim, float32 } = options;
  const cost = (c: Cost | null) => (c === null || c.rounds === Number.POSITIVE_INFINITY ? null : c);
  const compared = rows.map(({ topology, rate, predicted, measured }) => {
    return { ...describe(topology, rate), predicted: cost(predicted), measured };
  });
  return { n, tolerance, dim, bytesPerNumber: float32 ? 4 : 8, topologies: compared, refused };
}

function asText(n: number, rows: readonly Row[], refused: readonly Refusal[], options: Options): string {
  const { tolerance, dim, float32 } = options;
  const periodic = rows.some(({ rate }) => rate.periodRate !== undefined);
  const random = rows.some(({ topology }) => topology.kind === "random");
  const left = (title: string) => ({ title, align: "left" }) as const;
  const right = (title: string) => ({ title, align: "right" }) as const;
  const columns = [
    left("topology"),
    right("degree"),
    right("rate"),
    ...(periodic ? [right("rate over\na period")] : []),
    right("rounds\npredicted"),
    right("rounds\nmeasured"),
    right("bytes/node\npredicted"),
    right("bytes/node\nmeasured"),
  ];
  const cells = rows.map(({ topology, rate, predicted, measured }) => [
    topology.name,
    showCount(topology.maxDegree),
    showRate(rate.rate),
    ...(periodic ? [rate.periodRate === undefined ? "" : showRate(rate.periodRate)] : []),
    showCount(predicted.rounds),
    measured === null ? "-" : showCount(measured.rounds),
    showBytes(predicted.bytes),
    measured === null ? "-" : showBytes(measured.bytes),
  ]);
  const notes: string[] = [];
  const namesOf = (kind: Topology["kind"]) =>
    rows.filter(({ topology }) => topology.kind === kind).map(({ topology }) => topology.name);
  if (random) {
    const mean = `${namesOf("random").join(" and ")}: the rate is a mean square over random rounds; one run is often faster.`;
    const worst = `${namesOf("periodic").join(" and ")}: the rates are worst cases, of a round and over a period, not mean squares.`;
    notes.push(mean, ...(periodic ? [worst] : []));
  }
  if (rows.some(({ predicted }) => predicted.rounds === Number.POSITIVE_INFINITY)) {
    notes.push("- predicted: a rate of 1 promises nothing.");
  }
  if (rows.some(({ measured }) => measured === null)) {
    notes.push("- measured: not run to the end, which takes too many rounds; --max-rounds R tries R of them.");
  }
  for (const { topology, reason } of refused) notes.push(`Left out: ${topology} (${reason}).`);
  const vector = `${showCount(dim)} numbers of ${float32 ? 4 : 8} bytes`;
  const title = `n = ${showCount(n)}: what it takes to shrink disagreement by ${showFactor(tolerance)}, vectors of ${vector}`;
  const foot = options.quiet || notes.length === 0 ? "" : `\n${notes.join("\n")}\n`;
  return `${title}\n\n${table(columns, cells)}${foot}`;
}
