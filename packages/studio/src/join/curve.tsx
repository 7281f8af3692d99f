/** A small curve of what this seat measures while it trains, with its range in words. */

import type { Shown } from "./page-state.ts";
import { curveOf } from "./points.ts";

const [width, height] = [320, 120];

export function Curve({ shown }: { readonly shown: Shown }) {
  const { points, runs, standing } = shown;
  const run = runs[standing?.run ?? 0];
  const curve = curveOf(points, run?.rounds ?? 1, width, height);
  if (run === undefined || curve === undefined) return null;
  const now = points[points.length - 1][1];
  const label =
    `${run.measure} at this seat: now ${now.toPrecision(3)}; ` +
    `between ${curve.least.toPrecision(3)} and ${curve.most.toPrecision(3)} since the start`;
  return (
    <figure>
      <svg class="curve" viewBox={`-2 -4 ${width + 4} ${height + 8}`} role="img" aria-label={label}>
        <line class="axis" x1={0} y1={height} x2={width} y2={height} />
        <path d={curve.path} />
      </svg>
      <figcaption>{label}</figcaption>
    </figure>
  );
}
