/** One curve: the band over repeats, the mean line thinned to what can be seen, its markers, and its sample in legends. */

import type { Look, Marker, Theme } from "./palette.ts";
import type { Scale } from "./scale.ts";
import type { Box, Series } from "./series.ts";
import { escapeText, pixel } from "./text.ts";
import { type Point, stretches, thin } from "./thin.ts";

export function curve(one: Series, look: Look, index: number, of: number, x: Scale, y: Scale, box: Box, theme: Theme) {
  const colour = escapeText(theme.on(look.colour));
  const name = escapeText(one.label);
  // A little below the frame, where the end of the fall is clipped.
  const map = { x: x.map, y: y.map, floor: box.height + 4 };
  const whole = stretches(one.x, one.mean, map);
  const lines = whole.map((points) => path(thin(points))).join("");
  const dash = dashOf(look);
  const width = one.dashed ? 1.4 : one.strong ? 2.8 : 1.8;
  const line = `<path class="mean" d="${lines}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linejoin="round"${dash}/>`;
  const marks = look.marker && markersAlong(one, inFrame(whole.flat(), box), index, of, box.width, look.marker);
  const dots = marks ? `<path class="marks" d="${marks}" ${paint(look, theme)}/>` : "";
  return {
    band: band(one, map, colour, name),
    line: lines && `<g class="series" data-series="${name}">${line}${dots}</g>`,
  };
}

/** Markers outside of the frame are not drawn. */
const inFrame = (points: readonly Point[], { width, height }: Box) =>
  points.filter(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height);

function band(one: Series, map: Parameters<typeof stretches>[2], colour: string, name: string): string {
  if (one.low === undefined || one.high === undefined) return "";
  // If the foot has no place on the axis (zero spread to zero), the band reaches down to the floor.
  const feet = one.low.map((low) => (Number.isNaN(map.y(low)) && !Number.isNaN(low) ? map.floor : map.y(low)));
  const tops = one.high.map(map.y);
  const both = feet.map((foot, i) => (Number.isNaN(tops[i]) ? Number.NaN : foot));
  const drawn = tops.map((top, i) => (Number.isNaN(both[i]) ? Number.NaN : top));
  const [upper, lower] = [drawn, both].map((pixels) => stretches(one.x, pixels, { ...map, y: (at) => at }));
  const d = upper.map((points, i) => `${path([...thin(points), ...thin(lower[i]).reverse()])}Z`).join("");
  return d && `<path class="band series" data-series="${name}" d="${d}" fill="${colour}" fill-opacity="0.18"/>`;
}

function path(points: readonly Point[]): string {
  // A single point is drawn as a very short line: not every viewer draws a round cap on a line without length.
  if (points.length === 1) return `M${pixel(points[0].x)} ${pixel(points[0].y)}h0.01`;
  return points.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${pixel(x)} ${pixel(y)}`).join("");
}

/** Whether the points are few enough for a marker on each. */
export const few = (one: Series) => !one.dashed && one.x.length <= 24;

const dashOf = ({ dash }: Look) => (dash === undefined ? "" : ` stroke-dasharray="${dash}"`);

/** Filled with a rim that separates it from the line, or an outline. */
export function paint({ colour, hollow }: Look, theme: Theme): string {
  const own = escapeText(theme.on(colour));
  return hollow
    ? `fill="${theme.ground}" stroke="${own}" stroke-width="1.4"`
    : `fill="${own}" stroke="${theme.ground}" stroke-width="0.7"`;
}

/**
 * Markers on the points of a short series, if they do not touch; otherwise about eight along the frame (five if there are
 * many curves), each series a little further right, and one at the end of a curve that was too short for any.
 */
function markersAlong(one: Series, points: Point[], index: number, of: number, width: number, marker: Marker): string {
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

/**
 * The corners on a circle around the point: how many, the first one's angle in turns, and whether the shape is notched
 * between them.
 */
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
