/**
 * Thinning for drawing. Of the points in one half-pixel column only the first, lowest, highest and last are kept (the M4
 * aggregation of Jugel et al., VLDB 2014), so the drawn line covers the same pixels.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** `points` in pixels, in drawing order. Runs of up to four points on a column pass unchanged. */
export function thin(points: readonly Point[], columnWidth = 0.5): Point[] {
  const kept: Point[] = [];
  let start = 0;
  for (let end = 1; end <= points.length; end++) {
    const column = Math.floor(points[start].x / columnWidth);
    if (end < points.length && Math.floor(points[end].x / columnWidth) === column) continue;
    let [low, high] = [start, start];
    for (let i = start; i < end; i++) {
      if (points[i].y < points[low].y) low = i;
      if (points[i].y > points[high].y) high = i;
    }
    const chosen = [...new Set([start, low, high, end - 1])].sort((a, b) => a - b);
    for (const i of chosen) kept.push(points[i]);
    start = end;
  }
  return kept;
}

/**
 * The parts of a curve that can be drawn, in pixels. A value without a place on the axis leaves a gap. An exact zero on a
 * logarithmic axis first drops to `floor`, so that a curve that reaches it is seen to fall and not only to end.
 */
export function stretches(
  xs: readonly number[],
  ys: readonly number[],
  map: { readonly x: (value: number) => number; readonly y: (value: number) => number; readonly floor: number },
): Point[][] {
  const found: Point[][] = [];
  let current: Point[] = [];
  xs.forEach((at, i) => {
    const point = { x: map.x(at), y: map.y(ys[i]) };
    if (!Number.isNaN(point.x + point.y)) current.push(point);
    else {
      if (current.length > 0 && ys[i] === 0 && !Number.isNaN(point.x)) current.push({ x: point.x, y: map.floor });
      found.push(current);
      current = [];
    }
  });
  return [...found, current].filter(({ length }) => length > 0);
}
