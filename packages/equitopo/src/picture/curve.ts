/** One curve: the band over repeats, the mean line thinned to what can be seen, and its markers. */

import { dashOf, markersAlong, paint } from "./marker.ts";
import type { Look, Theme } from "./palette.ts";
import type { Scale } from "./scale.ts";
import type { Box, Series } from "./series.ts";
import { escapeText, pixel } from "./text.ts";
import { type Point, stretches, thin } from "./thin.ts";

export function curve(one: Series, look: Look, index: number, of: number, x: Scale, y: Scale, box: Box, theme: Theme) {
  const colour = escapeText(theme.on(look.colour));
  const name = escapeText(one.label);
  // A little below the frame, where the clip hides the end of the fall.
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

/** A marker that nobody sees marks nothing. */
const inFrame = (points: readonly Point[], { width, height }: Box) =>
  points.filter(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height);

function band(one: Series, map: Parameters<typeof stretches>[2], colour: string, name: string): string {
  if (one.low === undefined || one.high === undefined) return "";
  // Where the foot has no place on the axis (zero spread to zero), the band reaches down to the floor.
  const feet = one.low.map((low) => (Number.isNaN(map.y(low)) && !Number.isNaN(low) ? map.floor : map.y(low)));
  const tops = one.high.map(map.y);
  const both = feet.map((foot, i) => (Number.isNaN(tops[i]) ? Number.NaN : foot));
  const upper = stretches(
    one.x,
    tops.map((top, i) => (Number.isNaN(both[i]) ? Number.NaN : top)),
    { ...map, y: same },
  );
  const lower = stretches(one.x, both, { ...map, y: same });
  const d = upper.map((points, i) => `${path([...thin(points), ...thin(lower[i]).reverse()])}Z`).join("");
  return d && `<path class="band series" data-series="${name}" d="${d}" fill="${colour}" fill-opacity="0.18"/>`;
}

const same = (pixels: number) => pixels;
function path(points: readonly Point[]): string {
  // A lone point still shows: a round cap is not drawn for a line of no length everywhere, a hair of it is.
  if (points.length === 1) return `M${pixel(points[0].x)} ${pixel(points[0].y)}h0.01`;
  return points.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${pixel(x)} ${pixel(y)}`).join("");
}
