/** `equitopo graph`: rounds of a topology as a file. */

import type { Command } from "commander";
import { InputError, type Topology } from "equitopo";
import { layoutAs, layoutNames, titleOf } from "equitopo/picture";
import { lookFlags } from "../../figure/files.ts";
import type { Drawing } from "../../format/drawing.ts";
import { formatNames, formatOf, requireFew, requireMany } from "../../format/formats.ts";
import { type CommonOptions, choice, flagName, type Given, word } from "../../terminal/flags.ts";
import { showCount } from "../../terminal/numbers.ts";
import { type Chunk, note, print, writeAtomically } from "../../terminal/output.ts";
import { type ProgressBar, progressBar } from "../../terminal/progress.ts";
import { noteJson } from "../../topology/notes.ts";
import { addTopologyOptions, chosenTopology, fileFlag, type TopologyValues } from "../../topology/options.ts";
import { roundFlags, roundsOf } from "./rounds.ts";
import { tellGraph } from "./work.ts";

export const flags = {
  ...fileFlag,
  ...roundFlags,
  format: word("<FORMAT>", `${formatNames.join(", ")}; by the end of --out, else json`),
  out: word("<FILE>", "write to a file, which appears whole or not at all"),
  ...lookFlags,
  layout: choice("<NAME>", "svg, png, pdf: where nodes stand; own (the default) is a grid as a grid", [...layoutNames]),
};

interface Options extends CommonOptions, Given<typeof flags> {}

export const words = { "[topology]": "a name of `equitopo list`" };

export const define = (command: Command) => addTopologyOptions(command);

export const help = `
Labels count from 0. An edge from -> to carries the weight w_to,from that the receiver gives it.
json is { n, round, self: [w_ii], edges: [[from, to, weight], ...] }; csv is from,to,weight with self weights as
from = to; npy is the dense matrix; \`equitopo rate --file\` reads all three, and graphml. With --rounds, json is { n, rounds:
[{ round, self, edges }, ...] }, csv begins with a column round, and svg shows each round for a second, over and over.

Examples:
  equitopo graph d-equistatic --n 17 --basis 1,2,4,8             json on stdout
  equitopo graph ou-equidyn --n 17 --round 3 --out pairs.svg     a picture of round 3
  equitopo graph ou-equidyn --n 17 --start 2 --shift 5           the matching for s = 2, v = 5
  equitopo graph ou-equidyn --n 17 --rounds 0:12 --out pairs.svg twelve rounds that play in a browser
  equitopo graph torus --n 16 --width 160 --out torus.pdf        for a paper
  equitopo graph hypercube --n 16 --layout circle --out cube.png on a circle, not as a cube
  equitopo graph torus --n 300 --rows 15 --format dot | circo -Tpdf -o torus.pdf
  equitopo graph --file mine.csv --out mine.svg                  your own graph in another format
  equitopo graph ring --n 10 --out w.npy && python3 -c 'import numpy; print(numpy.load("w.npy"))'
`;

export async function act(name: string | undefined, options: Options & TopologyValues): Promise<void> {
  const format = formatOf(options);
  if (options.rounds !== undefined) requireMany(format);
  const stray = (["layout", "width", "fontSize", "noTitle"] as const).find((flag) => options[flag] !== undefined);
  if (stray !== undefined && !format.picture) {
    throw new InputError(
      `--${flagName(stray)} is for svg, png and pdf`,
      format.name,
      "leave it out, or say --format svg",
    );
  }
  if (typeof options["n"] === "number") requireFew(format, options["n"]);
  const topology = await chosenTopology(name, options);
  requireFew(format, topology.n);
  const drawing = drawingOf(topology, options);
  if (options.out === undefined && format.binary && process.stdout.isTTY) {
    throw new InputError(`${format.name} is binary and needs a file or a pipe`, "a terminal", "give --out FILE");
  }
  const write = await format.load();
  const bytes = tellGraph(drawing, format, options);
  // Where the result goes to the terminal, a line about it would stand in its middle.
  const quiet = options.quiet === true || (options.out === undefined && process.stdout.isTTY);
  const bar = progressBar({ label: `${format.name} of ${topology.name}`, total: bytes ?? 0, quiet });
  const chunks = watched(await write(drawing), bar);
  await (options.out === undefined ? print(chunks) : writeAtomically(options.out, chunks));
  bar.end();
  if (options.out === undefined) return;
  note(`${format.name} written to ${options.out}`, options);
}

function drawingOf(topology: Topology, options: Options): Drawing {
  const { name, n, symmetric, spec } = topology;
  return {
    rounds: roundsOf(topology, options),
    isRange: options.rounds !== undefined,
    symmetric,
    look: options,
    title: [`${titleOf(name)}, n = ${showCount(n)}`, ...shapeOf(spec)].join(", "),
    layout: () => layoutAs(topology, options.layout ?? "own"),
    ...noteJson(topology),
  };
}

/** More indices would not fit a title. */
const MOST_INDICES = 12;

/** What a person would ask for beside n: the sides of a lattice, the basis of a circulant. */
function shapeOf({ rows, cols, basis }: Topology["spec"]): string[] {
  if (typeof rows === "number" && typeof cols === "number") return [`${rows} x ${cols}`];
  return Array.isArray(basis) && basis.length <= MOST_INDICES ? [`basis ${basis.join(", ")}`] : [];
}

function* watched(chunks: Iterable<Chunk>, bar: ProgressBar): Generator<Chunk> {
  let size = 0;
  for (const chunk of chunks) {
    yield chunk;
    size += chunk.length;
    bar.update(size);
  }
}
