/** `equitopo graph`: one round of a topology as a file. */

import type { Command } from "commander";
import { InputError, type Round, type Topology, topologies } from "equitopo";
import { nearest } from "equitopo/input";
import { layoutOf } from "equitopo/picture";
import { integerOption } from "../arguments.ts";
import type { Drawing } from "../format/drawing.ts";
import { showBytes } from "../numbers.ts";
import { type Chunk, note, print, writeAtomically } from "../output.ts";
import { type Progress, progressOf } from "../progress.ts";
import type { CommonOptions } from "../session.ts";
import { addFileOption, addTopologyOptions, chosenTopology, type TopologyValues } from "../topology-options.ts";

type Write = (drawing: Drawing) => Iterable<Chunk> | Promise<Iterable<Chunk>>;

/** Every format by name, which is also how its files end. A new one is a file in format/ and a line here. */
const formats: Readonly<Record<string, () => Promise<Write>>> = {
  json: async () => (await import("../format/json.ts")).writeJson,
  csv: async () => (await import("../format/csv.ts")).writeCsv,
  dot: async () => (await import("../format/dot.ts")).writeDot,
  graphml: async () => (await import("../format/graphml.ts")).writeGraphml,
  npy: async () => (await import("../format/npy.ts")).writeNpy,
  svg: async () => (await import("../format/svg.ts")).writeSvg,
  png: async () => {
    const { writeSvg } = await import("../format/svg.ts");
    const { svgToPng } = await import("../figure/png.ts");
    return async (drawing) => [await svgToPng([...writeSvg(drawing)].join(""))];
  },
};
/** Those that a terminal cannot show. */
const binary = new Set(["npy", "png"]);

interface Options extends CommonOptions {
  readonly round?: number;
  readonly start?: number;
  readonly shift?: number;
  readonly format?: string;
  readonly out?: string;
}

export function define(command: Command): void {
  command.argument("[topology]", "a name of `equitopo list`");
  addFileOption(addTopologyOptions(command))
    .option("--round <T>", "which round, from 0 (the default)", integerOption("round", 0, 3))
    .option("--shift <V>", "the label difference by hand (od-equidyn; ou-equidyn, with --start)", shiftOption)
    .option("--start <S>", "the start of the matching by hand, from 0 (ou-equidyn)", integerOption("start", 0, 0))
    .option("--format <FORMAT>", `${Object.keys(formats).join(", ")}; by the end of --out, else json`)
    .option("--out <FILE>", "write to a file, which appears whole or not at all")
    .addHelpText(
      "after",
      `
Labels count from 0. An edge from -> to carries the weight w_to,from that the receiver gives it.
json is { n, round, self: [w_ii], edges: [[from, to, weight], ...] }; csv is from,to,weight with self weights as
from = to; npy is the dense matrix; \`equitopo rate --file\` reads all three.

Examples:
  equitopo graph d-equistatic --n 17 --basis 1,2,4,8             json on stdout
  equitopo graph ou-equidyn --n 17 --round 3 --out pairs.svg     a picture of round 3
  equitopo graph ou-equidyn --n 17 --start 2 --shift 5           the matching for s = 2, v = 5
  equitopo graph torus --n 300 --rows 15 --format dot | circo -Tpdf -o torus.pdf
  equitopo graph --file mine.csv --out mine.svg                  your own graph in another format
  equitopo graph ring --n 10 --out w.npy && python3 -c 'import numpy; print(numpy.load("w.npy"))'
`,
    )
    .action(async (name: string | undefined, options: Options & TopologyValues) => {
      const format = formatOf(options);
      const topology = await chosenTopology(name, options);
      const { symmetric } = topology;
      const drawing: Drawing = { ...roundOf(topology, options), symmetric, layout: layoutOf(topology) };
      if (options.out === undefined && binary.has(format) && process.stdout.isTTY) {
        throw new InputError(`${format} is binary and needs a file or a pipe`, "a terminal", "give --out FILE");
      }
      const chunks = await (await formats[format]())(drawing);
      if (options.out === undefined) return print(chunks);
      const progress = progressOf(options);
      writeAtomically(options.out, watched(chunks, progress));
      progress.done();
      note(`${format} written to ${options.out}`, options);
    });
}

function* watched(chunks: Iterable<Chunk>, progress: Progress): Generator<Chunk> {
  let size = 0;
  for (const chunk of chunks) {
    yield chunk;
    size += chunk.length;
    progress.step(() => `${showBytes(size)} written`);
  }
}

/** May be negative: -v is n - v. */
const shiftOption = integerOption("shift", Number.MIN_SAFE_INTEGER, 5);

function formatOf({ format, json, out }: Options): string {
  const names = Object.keys(formats);
  if (json && format !== undefined && format !== "json") {
    throw new InputError("--json is --format json", `--format ${format}`, "leave out one of them");
  }
  if (json) return "json";
  if (format === undefined) return out === undefined ? "json" : byEnding(out, names);
  if (names.includes(format)) return format;
  const near = nearest(format, names);
  const remedy = near === undefined ? "choose one of them" : `did you mean ${near}?`;
  throw new InputError(`format must be one of ${names.join(", ")}`, format, remedy);
}

function byEnding(out: string, names: readonly string[]): string {
  const ending = /\.([^./\\]*)$/.exec(out)?.[1] ?? "";
  const format = names.find((name) => name === ending.toLowerCase());
  if (format !== undefined) return format;
  const rule = `the file's ending must tell its format, one of ${names.join(", ")}`;
  throw new InputError(rule, out, "rename it, or say it with --format");
}

/** The round of that number, or the one whose random choices were given. */
function roundOf(
  topology: Topology,
  { round: number, start, shift }: Options,
): { round: Round; number: number | null } {
  if (start === undefined && shift === undefined) {
    return { round: topology.round(number ?? 0), number: number ?? 0 };
  }
  const { name, n } = topology;
  if (number !== undefined) {
    throw new InputError("--round draws what --shift and --start give by hand", `--round ${number}`, "leave out one");
  }
  const { roundOf } = topology;
  if (roundOf === undefined) {
    const names = topologies.filter(({ choices }) => choices !== undefined).map((member) => member.name);
    throw new InputError(`--shift and --start are for ${names.join(" and ")}`, name, "leave them out");
  }
  const choices = topologies.get(name).choices ?? [];
  const takes = choices.map((choice) => `--${choice}`).join(" and ");
  if (shift === undefined || choices.includes("start") !== (start !== undefined)) {
    throw new InputError(`${name} takes ${takes}`, { start, shift }, `give ${takes}`);
  }
  if (shift === 0 || Math.abs(shift) >= n) {
    throw new InputError(
      `shift must be an integer from 1 to n - 1 = ${n - 1}, or -v for n - v`,
      shift,
      "try --shift 1",
    );
  }
  if (start !== undefined && start >= n) {
    throw new InputError(`start must be an integer from 0 to n - 1 = ${n - 1}`, start, "try --start 0");
  }
  return { round: roundOf({ shift: shift < 0 ? shift + n : shift, start: start ?? 0 }), number: null };
}
