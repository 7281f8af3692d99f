/** The points of a curve that grows while it is looked at: beyond a limit neighbours are merged, so it never gets heavy. */

/** After so many updates, this value. */
export type Point = readonly [updates: number, value: number];

/** At most `most` points: as often as needed, every two neighbours become their mean. O(points). */
export function thinned(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points;
  const halved: Point[] = [];
  for (let k = 0; k + 1 < points.length; k += 2) {
    const [[, x], [updates, y]] = [points[k], points[k + 1]];
    halved.push([updates, (x + y) / 2]);
  }
  if (points.length % 2 === 1) halved.push(points[points.length - 1]);
  return thinned(halved, most);
}

/** The path of the finite points in a box of width x height, and the range of their values: from 0 to `updates` across, from the least to the most upwards. O(points). */
export function curveOf(points: readonly Point[], updates: number, width: number, height: number) {
  const finite = points.filter(([, value]) => Number.isFinite(value));
  if (finite.length === 0) return undefined;
  const least = finite.reduce((low, [, value]) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const most = finite.reduce((top, [, value]) => Math.max(top, value), Number.NEGATIVE_INFINITY);
  const scale = most > least ? height / (most - least) : 0;
  const place = ([at, value]: Point) =>
    `${((at / Math.max(1, updates)) * width).toFixed(1)} ${(height - (value - least) * scale).toFixed(1)}`;
  return { path: `M${finite.map(place).join("L")}`, least, most };
}
