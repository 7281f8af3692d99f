/** Figures asked for on the command line: where they go, and how they look there. */

import { extname, join } from "node:path";
import { InputError } from "equitopo";
import { csv, type Row } from "../terminal/csv-text.ts";
import { between, type Given, on, word } from "../terminal/flags.ts";
import { jsonText, makeFolder, note, requireEnding, requireWritable, writeAtomically } from "../terminal/output.ts";
import { packageVersion } from "../version.ts";

/** How a figure is drawn for a page of a paper. */
export const lookFlags = {
  width: between("<PT>", "figures so wide: points of a PDF, pixels of an SVG; a column has some 240", 99, 5001, 240),
  fontSize: between("<PT>", "the size of their smaller letters (default 12)", 3, 101, 8),
  noTitle: on("figures without titles: a caption says it"),
};

export type Look = Given<typeof lookFlags>;

export const figureFlags = (what: string) => ({
  svg: word("<FILE>", `also draw ${what}`),
  png: word("<FILE>", "the same picture in pixels, two to one of the SVG"),
  plot: word("<FILE>", "the same as FILE.svg, .png or .pdf; without an ending a folder: all three, data and spec"),
  ...lookFlags,
});

export type FigureFiles = Given<ReturnType<typeof figureFlags>>;

/** A figure that is drawn only if it is wanted, and the numbers behind it. */
export interface Drawable {
  draw(look: Look): string;
  readonly rows: readonly Row[];
}

/** An SVG as a file with this ending. */
export const writers: Readonly<Record<string, (svg: string) => string | Promise<Uint8Array>>> = {
  ".svg": (svg) => svg,
  ".png": async (svg) => (await import("./png.ts")).svgToPng(svg),
  ".pdf": async (svg) => (await import("./pdf.ts")).svgToPdf(svg),
};
const endings = Object.keys(writers);

/** An SVG in every format, by the endings of files. */
export async function inEveryFormat(svg: string): Promise<[ending: string, bytes: string | Uint8Array][]> {
  return Promise.all(endings.map(async (ending) => [ending, await writers[ending](svg)]));
}

const named = ({ svg, png, plot }: FigureFiles) => [svg, png, plot].filter((path) => path !== undefined);

/** Makes the folder, and refuses names that cannot be written or that promise another format, before the work is done. */
export function requireFigureFiles(files: FigureFiles): void {
  for (const kind of ["svg", "png"] as const) {
    const path = files[kind];
    if (path !== undefined) requireEnding(`--${kind}`, path, `.${kind}`);
  }
  for (const path of named(files)) {
    const ending = extname(path).toLowerCase();
    if (ending === "") makeFolder(path);
    else if (!endings.includes(ending)) {
      throw new InputError(`a figure's file must end in ${endings.join(", ")}`, path, "rename it");
    }
    requireWritable(ending === "" ? join(path, "figure.svg") : path);
  }
}

/** Draws where files are named for it, and says so. */
export async function plotted(
  drawn: () => Drawable,
  files: FigureFiles & { readonly quiet?: true },
  answer: object,
): Promise<void> {
  if (named(files).length > 0) note(`figure written to ${await writeFigure(drawn(), files, answer)}`, files);
}

/** Writes what was asked for and gives the names; `answer` is what the command prints with --json. */
export async function writeFigure({ draw, rows }: Drawable, files: FigureFiles, answer: object): Promise<string> {
  const svg = draw(files);
  for (const path of named(files)) {
    const ending = extname(path).toLowerCase();
    if (ending !== "") {
      await writeAtomically(path, [await writers[ending](svg)]);
      continue;
    }
    const spec = { equitopo: packageVersion(), command: ["equitopo", ...process.argv.slice(2)], ...answer };
    const all = [...(await inEveryFormat(svg)), [".csv", csv(rows)]] as const;
    for (const [end, bytes] of all) await writeAtomically(join(path, `figure${end}`), [bytes]);
    await writeAtomically(join(path, "spec.json"), [jsonText(spec)]);
  }
  return named(files).join(" and ");
}
