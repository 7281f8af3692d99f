/** A picture: a round as it is, rounds of a range one after another. The drawing is the library's (picture/rounds.ts). */

import { roundsFigure } from "equitopo/picture";
import type { Drawing } from "./drawing.ts";

export function* writeSvg({ rounds, symmetric, title, layout }: Drawing): Generator<string> {
  yield roundsFigure({ title, layout: layout(), symmetric, rounds });
}
