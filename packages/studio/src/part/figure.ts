/** A figure that comes as SVG text already, as those of curves do (equitopo/picture): saved like a picture, in either theme. */

import type { Paper, Picture } from "equitopo/picture";

export interface Figure extends Omit<Picture, "draw"> {
  svg(theme: Paper["theme"]): string;
}
