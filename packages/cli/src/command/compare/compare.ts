/** `equitopo compare`: topologies side by side, by what it costs them to agree. */

import type { Command } from "commander";
import type { Rate, Topology } from "equitopo";
import { describe } from "../../certificate/description.ts";
import { type FigureFiles, plotted, requireFigureFiles } from "../../figure/files.ts";
import { type FormatOptions, printAnswer } from "../../terminal/answer.ts";
import type { CommonOptions } from "../../terminal/flags.ts";
import { progressOf } from "../../terminal/progress.ts";
import { noteJson } from "../../topology/notes.ts";
import { addTopologyOptions, type TopologyValues } from "../../topology/options.ts";
import { allReduce, type OverSeeds } from "./comparison.ts";
import { chosen, DRAWS } from "./entrants.ts";
import { drawComparison } from "./figure.ts";
import { COLUMNS } from "./measure.ts";
import type { ComparisonOptions } from "./options.ts";
import { rowDifferences, rowOverSeeds } from "./over-seeds.ts";
import { type Comparison, comparisonInWords } from "./table.ts";

export { flags } from "./options.ts";

interface Options extends ComparisonOptions, CommonOptions, FormatOptions, FigureFiles {}

export const define = (command: Command) => addTopologyOptions(command, undefined, ["degree"]);

export const help = `
For each topology: its degree, its exact rate per round, over a period and in the long run, the gains that DSGD feels,
and the rounds and bytes until ||Pi x|| has shrunk by the tolerance, predicted and measured by running. Bytes are those of
the node that sends most. Measuring runs ${COLUMNS} columns of normal numbers: columns never mix, so that --dim changes the bytes
and not the rounds. An all-reduce, which needs no topology, is listed beside them.
With --seeds A..B graphs are drawn and starts are made with each seed: means with their standard errors, and which rows
differ in the rounds measured, by the exact sign-flip test, paired over seeds (0.05, Holm); --degree draws each family that
draws ${DRAWS} times. Graphs from files have the names of their files; those of several sizes are compared with each other,
and with others at each n where --topologies or --all asks for them.
An option of topologies (--m, --eta, --construction, ...) goes to every topology that takes it; --degree chooses them.
With --faults every topology is also run over a network that drops messages (loss), whose nodes miss rounds (absent), or
whose messages are a round old (stale): the rounds until nodes agree, and how far their mean has moved by then.

Examples:
  equitopo compare --n 300
  equitopo compare --n 300 --all --degree 1                         everything with one peer a round
  equitopo compare --n 300 --degree 4 --faults loss=0.05,absent=0.2
  equitopo compare --n 1000 --topologies d-equistatic,od-equidyn,one-peer-exp,static-exp --tolerance 1e-9
  equitopo compare --n 300 --construction euclid --dim 1000000 --float32
  equitopo compare --n 300 --svg compare.svg --png compare.png      a picture of it
  equitopo compare --n 300 --plot f.pdf --width 500 --no-title      the same for a paper
  equitopo compare --file mine.csv                                  your own weights against all others
  equitopo compare --file a.csv --file b.npy                        and your own against each other
  equitopo compare --n 60 --topologies u-equistatic,od-equidyn --seeds 1..8
`;

export async function act(options: Options & TopologyValues): Promise<void> {
  requireFigureFiles(options);
  const progress = progressOf(options);
  const { contestants, refused } = await chosen(options, progress);
  const rows = contestants.map((one, k) =>
    rowOverSeeds(one, options, `${k + 1} of ${contestants.length}: ${one.label}`, progress),
  );
  progress.done();
  const sizes = [...new Set(rows.map(({ topology }) => topology.n))];
  const comparison = { rows, allReduce: sizes.map((n) => [n, allReduce(n, options)] as const), refused };
  const answer = asJson(comparison, options);
  await printAnswer(answer, () => comparisonInWords(comparison, options), options);
  await plotted(() => drawComparison(rows, options), options, answer);
}

function asJson({ rows, allReduce: reduced, refused }: Comparison, options: Options): object {
  const { tolerance, dim, float32, faults, degree, seeds } = options;
  // JSON knows no Infinity: null is never.
  const ended = <T extends { readonly rounds: number }>(one: T) => {
    return one.rounds === Number.POSITIVE_INFINITY ? { ...one, rounds: null } : one;
  };
  const compared = rows.map(({ topology, label, rate, parts, gains, predicted, measured, faulty, overSeeds }) => ({
    ...described(topology, rate, overSeeds),
    parts,
    ...noteJson(topology),
    label: label === topology.name ? undefined : label,
    exactAfter: topology.exactAfter,
    gains: gains !== undefined && gains.worst < Number.POSITIVE_INFINITY ? gains : null,
    predicted: predicted.rounds === Number.POSITIVE_INFINITY ? null : predicted,
    measured,
    faults: faulty && ended(faulty),
  }));
  const [[n, first], ...others] = reduced;
  return {
    // Of graphs of several sizes every row has its own.
    n: others.length > 0 ? undefined : n,
    ...{ tolerance, dim, bytesPerNumber: float32 ? 4 : 8, degree, faults },
    topologies: compared,
    allReduce: others.length > 0 ? reduced.map(([size, cost]) => ({ n: size, ...cost })) : first,
    ...(seeds && { seeds, differencesOf: "rounds measured", differences: rowDifferences(rows) }),
    refused,
  };
}

/** Of several draws the means, and nothing that only one of them has. */
function described(topology: Topology, rate: Rate, overSeeds: OverSeeds | undefined): object {
  const all = describe(topology, rate);
  if (overSeeds === undefined) return all;
  const { seeds, graphs, rows: _rows, ...over } = overSeeds;
  const summaries = Object.fromEntries(Object.entries(over).map(([key, value]) => [key, value && { seeds, ...value }]));
  if (new Set(graphs.values()).size === 1) return { ...all, overSeeds: summaries };
  const { basis: _b, eigenvalues: _e, error: _r, bound: _u, seed: _s, ...common } = all;
  return { ...common, degree: over.degree.mean, overSeeds: summaries };
}
