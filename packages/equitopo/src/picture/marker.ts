/** Markers on curves and the samples of lines in legends. */

import type { Look, Marker, Theme } from "./palette.ts";
import type { Series } from "./series.ts";
import { escapeText, pixel } from "./text.ts";
import type { Point } from "./thin.ts";

/** Few enough points for a marker on each. */
export const few = (one: Series) => !one.dashed && one.x.length <= 24;

export const dashOf = ({ dash }: Look) => (dash === undefined ? "" : ` stroke-dasharray="${dash}"`);

/** Filled with a rim that sets it off the line, or an outline. */
export function paint({ colour, hollow }: Look, theme: Theme): string {
  const own = escapeText(theme.on(colour));
  return hollow
    ? `fill="${theme.ground}" stroke="${own}" stroke-width="1.4"`
    : `fill="${own}" stroke="${theme.ground}" stroke-width="0.7"`;
}

/**
 * Markers on the points of a short series, as far as they do not touch; else about eight along the frame (five where
 * there are many curves), each series a little further on, and one at the end of a curve that was too short for any.
 */
export function markersAlong(
  one: Series,
  points: Point[],
  index: number,
  of: number,
  width: number,
  marker: Marker,
): string {
  const gap = width / (of > 8 ? 5 : 8);
  let next = gap * (0.25 + (0.75 * index) / of);
  let last: Point | undefined;
  let found = "";
  const put = (point: Point) => {
    found += shape(marker, point, size);
    last = point;
  };
  for (const point of points) {
    if (few(one)) {
      if (last === undefined || Math.hypot(point.x - last.x, point.y - last.y) >= 3 * size) put(point);
    } else if (point.x >= next) {
      put(point);
      next += gap * (1 + Math.floor((point.x - next) / gap));
    }
  }
  if (last === undefined && points.length > 0) put(points[points.length - 1]);
  return found;
}

const size = 3.6;

/** Corners on a circle around the point: how many, how far turned (in turns), and whether it is cut in between them. */
const forms: Readonly<Record<Marker, readonly [corners: number, turn: number, cut?: boolean]>> = {
  triangle: [3, 0.75],
  diamond: [4, 0],
  circle: [0, 0],
  square: [4, 0.125],
  down: [3, 0.25],
  plus: [4, 0, true],
  left: [3, 0.5],
  right: [3, 0],
  cross: [4, 0.125, true],
};

function shape(marker: Marker, { x, y }: Point, r: number): string {
  const [corners, turn, cut] = forms[marker];
  if (corners === 0) return `M${pixel(x - r)} ${pixel(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  const count = cut ? 2 * corners : corners;
  let d = "";
  for (let k = 0; k < count; k++) {
    const angle = 2 * Math.PI * (turn + k / count);
    const far = r * (cut ? 1.7 - 0.9 * (k % 2) : 1.25);
    d += `${k === 0 ? "M" : "L"}${pixel(x + far * Math.cos(angle))} ${pixel(y + far * Math.sin(angle))}`;
  }
  return `${d}Z`;
}

/** A level piece of a series' line with its marker, as legends and end labels show it. */
export function sample(one: Series, look: Look, x1: number, x2: number, y: number, theme: Theme): string {
  const colour = escapeText(theme.on(look.colour));
  const place = { x: (x1 + x2) / 2, y };
  const mark = look.marker === undefined ? "" : `<path d="${shape(look.marker, place, size)}" ${paint(look, theme)}/>`;
  return `<path d="M${pixel(x1)} ${pixel(y)}H${pixel(x2)}" stroke="${colour}" stroke-width="${one.strong ? 2.8 : 1.8}"${dashOf(look)} fill="none"/>${mark}`;
}
