/** `equitopo compare`: topologies side by side, by what it costs them to agree. */

import type { Command } from "commander";
import { InputError, option, topologies } from "equitopo";
import { betweenOption, integerOption } from "../arguments.ts";
import {
  allReduce,
  type ComparisonOptions,
  chosen,
  type NetworkFaults,
  type Refusal,
  type Row,
  type RowCost,
  rowOf,
} from "../comparison.ts";
import { drawComparison } from "../comparison-figure.ts";
import { comparisonInWords } from "../comparison-table.ts";
import { describe } from "../describe.ts";
import { sayTime } from "../duration.ts";
import { addFigureOptions, type FigureFiles, requireFigureFiles, wantsFigure, writeFigure } from "../figure/files.ts";
import { foreseenRates } from "../foresee.ts";
import { COLUMNS } from "../measure.ts";
import { note, print, printJson } from "../output.ts";
import { progressOf } from "../progress.ts";
import type { CommonOptions } from "../session.ts";
import { noteJson } from "../topology-notes.ts";
import { addTopologyOptions, type TopologyValues } from "../topology-options.ts";

interface Options extends ComparisonOptions, CommonOptions, FigureFiles {}

export function define(command: Command): void {
  addFigureOptions(addTopologyOptions(command, undefined, ["degree"]), "error against rounds, one run of each topology")
    .option("--topologies <a,b,c>", "only these (default: the paper's, its baselines, and some rivals)", parseNames)
    .option("--all", "every registered topology")
    .option(
      "--degree <K>",
      "only what has at most K peers a round, with options for that",
      integerOption("degree", 1, 2),
    )
    .option("--faults <LIST>", "and over a network that fails: loss=0.05,absent=0.2,stale=0.1", parseFaults)
    .option("--file <FILE>", "your own graph as well: csv, npy, json or GraphML, as for `equitopo rate`")
    .option("--tolerance <T>", "shrink disagreement by this factor", toleranceOption, 1e-6)
    .option("--dim <D>", "numbers in a vector", integerOption("dim", 1, 1000), 1000)
    .option("--float32", "numbers of 4 bytes, not 8")
    .option("--max-rounds <R>", "measure up to R rounds (default: a few seconds)", integerOption("max-rounds", 1, 1e6))
    .addHelpText(
      "after",
      `
For each topology: its degree, its exact rate per round, over a period and in the long run, the gains that DSGD feels,
and the rounds and bytes until ||Pi x|| has shrunk by the tolerance, predicted and measured by running. Bytes are those of
the node that sends most. Measuring runs ${COLUMNS} columns of normal numbers: columns never mix, so that --dim changes the bytes
and not the rounds. An all-reduce, which needs no topology, stands beside them.
An option of topologies (--m, --eta, --construction, ...) goes to every topology that takes it; --degree chooses them.
With --faults every topology is also run over a network that loses messages (loss), whose nodes miss rounds (absent), or
whose messages are a round old (stale): the rounds until nodes agree, and how far their mean has moved by then.

Examples:
  equitopo compare --n 300
  equitopo compare --n 300 --all --degree 1                         everything with one peer a round
  equitopo compare --n 300 --degree 4 --faults loss=0.05,absent=0.2
  equitopo compare --n 1000 --topologies d-equistatic,od-equidyn,one-peer-exp,static-exp --tolerance 1e-9
  equitopo compare --n 300 --construction euclid --dim 1000000 --float32
  equitopo compare --n 300 --svg compare.svg --png compare.png      a picture of it
  equitopo compare --file mine.csv                                  your own weights against all others
`,
    )
    .action(async (options: Options & TopologyValues) => {
      requireFigureFiles(options);
      const progress = progressOf(options);
      // Making them, and seeing how long it will take, are seconds themselves at large n.
      if ((options["n"] as number) > LARGE) progress.announce("making the topologies ...");
      const { contestants, refused } = await chosen(options, progress);
      sayTime(() => {
        const seconds = foreseenRates(contestants.map(({ topology }) => topology));
        progress.done();
        return seconds;
      }, options);
      const rows = contestants.map((one, k) =>
        rowOf(one, options, `${k + 1} of ${contestants.length}: ${one.label}`, progress),
      );
      progress.step(() => "drawing");
      const figure = wantsFigure(options) ? drawComparison(rows, options) : undefined;
      progress.done();
      const { n } = contestants[0].topology;
      const reduced = allReduce(n, options);
      if (options.json) await printJson(asJson(n, rows, reduced, refused, options));
      else await print([comparisonInWords({ n, rows, allReduce: reduced, refused }, options)]);
      if (figure !== undefined) note(`figure written to ${await writeFigure(figure, options)}`, options);
    });
}

/** Nodes. */
const LARGE = 10_000;

/** Numbers of 8 bytes agree to some 1e-15 of where they started, and runs would never show less. */
const LEAST_TOLERANCE = 1e-13;

function toleranceOption(text: string): number {
  const tolerance = betweenOption("tolerance", 0, 1, 1e-6)(text);
  if (tolerance >= LEAST_TOLERANCE) return tolerance;
  const rule = `tolerance must be at least ${LEAST_TOLERANCE}, since rounding of 8-byte numbers hides what is smaller`;
  throw new InputError(rule, tolerance, "try --tolerance 1e-12");
}

function parseNames(text: string): readonly string[] {
  return [...new Set(text.split(",").map((name) => topologies.get(name.trim()).name))];
}

const faultNames = ["loss", "absent", "stale"] as const;

/** loss=0.05,absent=0.2 */
function parseFaults(text: string): NetworkFaults {
  const faults: Record<string, number> = {};
  for (const word of text.split(",")) {
    const [name, value] = word.split("=").map((part) => part.trim());
    const share = value === undefined ? undefined : option.parseNumber(value);
    const known = faultNames.some((one) => one === name);
    if (!known || share === undefined || !(share >= 0 && share < 1) || name in faults) {
      const rule = `faults must be a list of ${faultNames.join(", ")}, each with a share in [0, 1)`;
      throw new InputError(rule, word, "try --faults loss=0.05,absent=0.2");
    }
    faults[name] = share;
  }
  return faults;
}

function asJson(
  n: number,
  rows: readonly Row[],
  reduced: RowCost,
  refused: readonly Refusal[],
  options: Options,
): object {
  const { tolerance, dim, float32, faults, degree } = options;
  // JSON knows no Infinity: null is never.
  const cost = (c: RowCost | null) => (c === null || c.rounds === Number.POSITIVE_INFINITY ? null : c);
  const compared = rows.map(({ topology, label, rate, parts, gains, predicted, measured, faulty }) => ({
    ...describe(topology, rate),
    ...(parts === undefined ? {} : { parts }),
    ...noteJson(topology),
    ...(label === topology.name ? {} : { label }),
    ...(topology.exactAfter === undefined ? {} : { exactAfter: topology.exactAfter }),
    gains: gains !== undefined && gains.worst < Number.POSITIVE_INFINITY ? gains : null,
    predicted: cost(predicted),
    measured,
    ...(faulty === undefined
      ? {}
      : { faults: faulty && { ...faulty, rounds: faulty.rounds === Number.POSITIVE_INFINITY ? null : faulty.rounds } }),
  }));
  return {
    ...{ n, tolerance, dim, bytesPerNumber: float32 ? 4 : 8 },
    ...(degree === undefined ? {} : { degree }),
    ...(faults === undefined ? {} : { faults }),
    topologies: compared,
    allReduce: reduced,
    refused,
  };
}
