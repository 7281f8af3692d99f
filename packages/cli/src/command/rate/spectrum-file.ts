/** `rate --plot`: the spectrum as a picture. What cannot be drawn is refused before the rate is computed. */

import { InputError, type Rate, type Topology } from "equitopo";
import { defined } from "equitopo/internal/input";
import { spectrumFigure } from "equitopo/picture";
import { spectrum } from "equitopo/rate";
import { type Look, requireFigureFiles, writeFigure } from "../../figure/files.ts";
import { looking } from "../../figure/whole.ts";

/** All eigenvalues of more would take gigabytes. */
const MOST_EIGENVALUES = 1e7;

/** Draws to the file, once the rate is known, and hands back its name; `file` is true where none was named. */
export function plotter(topology: Topology, file: string | true, look: Look) {
  const { name, n } = topology;
  const plot = file === true ? `${name}-${n}-spectrum.svg` : file;
  requireFigureFiles({ plot });
  if (n > MOST_EIGENVALUES) {
    throw new InputError(`n of a plot must be at most ${MOST_EIGENVALUES}`, n, "leave out --plot, or try a smaller n");
  }
  const found = spectrum(topology);
  return (rate: Rate, answer: object) => {
    const drawable = {
      draw: () =>
        looking({ title: "" }, look, (_, width) => spectrumFigure(topology, found, rate, defined({ ...look, width }))),
      rows: Array.from(found.re, (re, k) => ({ re, im: found.im[k] })),
    };
    return writeFigure(drawable, { plot }, answer);
  };
}
