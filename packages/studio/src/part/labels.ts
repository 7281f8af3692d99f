/** Where a point's name goes in a chart: the first place beside it that covers no curve and no other name. Pure. */

import type { Point } from "equitopo/internal/picture";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Of the point, to the side; of lines of names, one from the next. */
const [ASIDE, LINE] = [9, 17];
/** Steps up and down from the point, the nearest first. */
const STEPS = [-1, 1, -2, 2, -3, 3, -4, 4, -6, 6];

/** Boxes of a size beside a point and within the paper, the nearest first: to the right, then to the left. */
export function placesBeside(
  { x, y }: Point,
  { width, height }: Pick<Box, "width" | "height">,
  paper: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number },
): Box[] {
  const within = (at: number) => Math.max(paper.left, Math.min(paper.right - width, at));
  return STEPS.flatMap((step) => {
    const edge = y + step * LINE - height / 2;
    if (edge < paper.top || edge + height > paper.bottom) return [];
    return [x + ASIDE, x - ASIDE - width].map((at) => ({ x: within(at), y: edge, width, height }));
  });
}

/** The first box that covers nothing; where there is none, the one that covers least. O(boxes points). */
export function freest(boxes: readonly Box[], lines: readonly (readonly Point[])[], taken: readonly Box[]): Box {
  const costs = boxes.map((box) => {
    const crossed = lines.filter((line) => line.some((to, k) => k > 0 && touches(box, line[k - 1], to))).length;
    return crossed + 2 * taken.filter((other) => overlaps(box, other)).length;
  });
  return boxes[costs.indexOf(Math.min(...costs))];
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether a line between two points passes through a box: the share of the line inside, side by side, is not empty. */
export function touches({ x, y, width, height }: Box, from: Point, to: Point): boolean {
  let [first, last] = [0, 1];
  for (const [start, step, low, size] of [
    [from.x, to.x - from.x, x, width],
    [from.y, to.y - from.y, y, height],
  ]) {
    if (step === 0) {
      if (start < low || start > low + size) return false;
      continue;
    }
    const shares = [(low - start) / step, (low + size - start) / step];
    first = Math.max(first, Math.min(...shares));
    last = Math.min(last, Math.max(...shares));
  }
  return first <= last;
}
