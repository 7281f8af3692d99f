/** `rate --plot`: the spectrum as a picture, its format by the file's ending. What cannot be drawn is refused before the rate is computed. */

import { extname } from "node:path";
import { InputError, type Rate, type Topology } from "equitopo";
import { spectrumFigure } from "equitopo/picture";
import { spectrum } from "equitopo/rate";
import { writeFigure } from "../../figure/files.ts";
import { requireWritable } from "../../terminal/output.ts";

/** All eigenvalues of more would take gigabytes. */
const MOST_EIGENVALUES = 1e7;

/** Draws to the file, once the rate is known, and hands back its name; `file` is true where none was named. */
export function plotter(topology: Topology, file: string | true) {
  const { name, n } = topology;
  const path = file === true ? `${name}-${n}-spectrum.svg` : file;
  const kind = extname(path).toLowerCase();
  if (kind !== ".svg" && kind !== ".png")
    throw new InputError("a plot's file must end in .svg or .png", path, "rename it");
  requireWritable(path);
  if (n > MOST_EIGENVALUES) {
    throw new InputError(`n of a plot must be at most ${MOST_EIGENVALUES}`, n, "leave out --plot, or try a smaller n");
  }
  const found = spectrum(topology);
  return (rate: Rate) =>
    writeFigure(spectrumFigure(topology, found, rate), kind === ".svg" ? { svg: path } : { png: path });
}
