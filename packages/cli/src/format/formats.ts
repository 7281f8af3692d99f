/** Every format of `equitopo graph` by name, which is also how its files end. A new one is a file here and a line. */

import { InputError } from "equitopo";
import { defined, oneOf } from "equitopo/internal/input";
import { writers } from "../figure/files.ts";
import { looking } from "../figure/whole.ts";
import type { Chunk } from "../terminal/output.ts";
import { writeCsv } from "./csv.ts";
import { writeDot } from "./dot.ts";
import type { Drawing } from "./drawing.ts";
import { writeGraphml } from "./graphml.ts";
import { writeJson } from "./json.ts";
import { writeNpy } from "./npy.ts";

export interface Format {
  readonly name: string;
  /** A file of it can hold many rounds. */
  readonly many?: true;
  /** It has places for nodes. */
  readonly picture?: true;
  /** A terminal cannot show it. */
  readonly binary?: true;
  /** More nodes are refused, before anything is made of them. */
  readonly mostNodes?: { readonly n: number; readonly remedy: string };
  /**
   * Of a text: the letters of an edge's and of a node's line beside labels and weights, how often a node's label is written
   * in its line, and whether edges that go both ways are written once.
   */
  readonly line?: {
    readonly edge: number;
    readonly node: number;
    readonly nodeLabels: number;
    readonly pairsOnce?: true;
  };
  load(): Promise<(drawing: Drawing) => Iterable<Chunk> | Promise<Iterable<Chunk>>>;
}

/** 8.6 GB. */
const dense = { n: 32_768, remedy: "use --format csv, which holds edges only" };
/** All of them would be a blur long before. */
const drawn = { n: 50_000, remedy: "choose a smaller n, or another format" };

/** A round as it is, rounds of a range one after another. The drawing is the library's (picture/rounds.ts). */
async function svgWriter() {
  const { roundsFigure } = await import("equitopo/picture");
  return ({ rounds, symmetric, title, layout, look }: Drawing) => [
    looking({ title }, look, ({ title }, width) =>
      roundsFigure({ title, layout: layout(), symmetric, rounds, ...defined({ width }) }),
    ),
  ];
}

/** The same picture in the format of a file with this ending. */
const pictureWriter = (ending: string) => async () => {
  const write = await svgWriter();
  return async (drawing: Drawing) => [await writers[ending](write(drawing)[0])];
};

const formats: readonly Format[] = [
  { name: "json", many: true, line: { edge: 6, node: 1, nodeLabels: 0 }, load: async () => writeJson },
  { name: "csv", many: true, line: { edge: 3, node: 3, nodeLabels: 2 }, load: async () => writeCsv },
  { name: "dot", line: { edge: 18, node: 12, nodeLabels: 1, pairsOnce: true }, load: async () => writeDot },
  { name: "graphml", line: { edge: 63, node: 47, nodeLabels: 1, pairsOnce: true }, load: async () => writeGraphml },
  { name: "npy", binary: true, mostNodes: dense, load: async () => writeNpy },
  { name: "svg", many: true, picture: true, mostNodes: drawn, load: svgWriter },
  { name: "png", picture: true, binary: true, mostNodes: drawn, load: pictureWriter(".png") },
  { name: "pdf", picture: true, binary: true, mostNodes: drawn, load: pictureWriter(".pdf") },
];

export const formatNames = formats.map(({ name }) => name);

/** What was asked for by --format, --json or the end of --out. */
export function formatOf({ format, json, out }: { format?: string; json?: true; out?: string }): Format {
  if (json && format !== undefined && format !== "json") {
    throw new InputError("--json is --format json", `--format ${format}`, "leave out one of them");
  }
  const said = json ? "json" : format;
  if (said === undefined) {
    const ending = out === undefined ? "json" : endingOf(out);
    if (formatNames.includes(ending)) return named(ending);
    const rule = `the file's ending must tell its format, one of ${formatNames.join(", ")}`;
    throw new InputError(rule, out, "rename it, or say it with --format");
  }
  const found = named(said);
  // An ending that names no format of ours promises nothing.
  const ending = out === undefined ? said : endingOf(out);
  if (ending !== said && formatNames.includes(ending)) {
    const rule = `a file of --format ${said} must not end in .${ending}`;
    throw new InputError(rule, out, `rename it, or leave out --${json ? "json" : "format"}`);
  }
  return found;
}

function endingOf(out: string): string {
  return /\.([^./\\]*)$/.exec(out)?.[1]?.toLowerCase() ?? "";
}

const named = (name: string) => formats[formatNames.indexOf(oneOf("format", name, formatNames))];

/** Refuses a range of rounds in a format that holds one. */
export function requireMany({ name, many }: Format): void {
  if (many) return;
  const able = formats.filter((format) => format.many).map((format) => format.name);
  const rule = `--rounds is for ${able.slice(0, -1).join(", ")} and ${able[able.length - 1]}`;
  throw new InputError(rule, name, "write one of these, or one round with --round");
}

/** Refuses more nodes than a file of that format should hold. */
export function requireFew({ name, mostNodes }: Format, n: number): void {
  if (mostNodes === undefined || n <= mostNodes.n) return;
  const what = name === "npy" ? "n of a dense npy matrix" : "the nodes of a picture";
  throw new InputError(`${what} must be at most ${mostNodes.n}`, n, mostNodes.remedy);
}
