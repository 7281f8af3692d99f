/** Figures asked for on the command line: --svg FILE and --png FILE. */

import { type Given, word } from "../terminal/flags.ts";
import { requireEnding, requireWritable, writeAtomically } from "../terminal/output.ts";

export const figureFlags = (what: string) => ({
  svg: word("<FILE>", `also draw ${what}`),
  png: word("<FILE>", "the same picture in pixels, two to one of the SVG"),
});

export type FigureFiles = Given<ReturnType<typeof figureFlags>>;

export function wantsFigure({ svg, png }: FigureFiles): boolean {
  return svg !== undefined || png !== undefined;
}

/** Refuses names that cannot be written or that promise another format, before the work is done. */
export function requireFigureFiles(files: FigureFiles): void {
  for (const kind of ["svg", "png"] as const) {
    const path = files[kind];
    if (path === undefined) continue;
    requireEnding(`--${kind}`, path, `.${kind}`);
    requireWritable(path);
  }
}

/** Writes what was asked for and gives the names. */
export async function writeFigure(drawn: string, { svg, png }: FigureFiles): Promise<string> {
  if (svg !== undefined) await writeAtomically(svg, [drawn]);
  if (png !== undefined) {
    const { svgToPng } = await import("./png.ts");
    await writeAtomically(png, [await svgToPng(drawn)]);
  }
  return [svg, png].filter((path) => path !== undefined).join(" and ");
}
