/** Where the graphs differ, in a sentence that is computed: the nearest and the farthest models. Pure. */

import { showBytes } from "equitopo/internal/picture";
import { showShare } from "../part/numbers.ts";
import type { Learnt } from "../work/learning/frame.ts";

export interface Line {
  readonly label: string;
  readonly learnt: Pick<Learnt, "disagreement" | "bytes" | "worstAccuracy">;
}

/** Less than this nobody sees in a picture. */
const ALIKE = 1.05;

/** Undefined where there is nothing to be compared, as with one graph or before the first update. */
export function difference(lines: readonly Line[], update: number): string | undefined {
  const apart = ({ learnt }: Line) => learnt.disagreement[update];
  const ordered = lines.filter((line) => apart(line) > 0).sort((a, b) => apart(a) - apart(b));
  if (ordered.length < 2) return undefined;
  const [best, worst] = [ordered[0], ordered[ordered.length - 1]];
  const factor = apart(worst) / apart(best);
  const near =
    factor < ALIKE
      ? `models over ${best.label} and ${worst.label} are about as near to each other`
      : `models over ${best.label} are ${factor.toPrecision(2)} times as near to each other as those over ${worst.label}`;
  const both = (show: (learnt: Line["learnt"]) => string) => `${show(best.learnt)} and ${show(worst.learnt)}`;
  return `After ${update} ${update === 1 ? "update" : "updates"} ${near}. Their busiest nodes have sent ${both(({ bytes }) => showBytes(bytes))}; their worst nodes are right on ${both(({ worstAccuracy }) => showShare(worstAccuracy))} of test points.`;
}
