/**
 * What happens in a worker, boiled down for a page that looks ten times a second: rounds may be a thousand times as many.
 * Pure: a caller that has a clock calls `take` when it is time.
 */

import type { Tally } from "equitopo";
import type { Counts, RoundReport } from "equitopo/peer";
import type { Accuracy } from "./page-state.ts";
import type { Point } from "./points.ts";

/** How far training is; sent to the page ten times a second. */
export type Standing = NonNullable<ReturnType<ReturnType<typeof digest>["take"]>>;

export function digest() {
  let run = 0;
  let last: RoundReport | undefined;
  let accuracy: Accuracy | undefined;
  /** In all rounds so far. Meetings are not counted: who comes a little later is waited for there. */
  let missed = 0;
  /** Since the last look: whether anything happened, who was missed, and what was measured. */
  const nothing = () => ({ news: false, missing: new Set<number>(), sum: 0, count: 0 });
  let since = nothing();
  return {
    /** After a round; `value` is what the curve shows, not a number where there is none. */
    round(of: number, report: RoundReport, value: number): void {
      if (of !== run) {
        accuracy = undefined;
        since = nothing();
      }
      run = of;
      last = report;
      since.news = true;
      for (const peer of report.missing) since.missing.add(peer);
      missed += report.missing.length;
      if (!Number.isFinite(value)) return;
      since.sum += value;
      since.count++;
    },
    evaluated(updates: number, tally: Tally): void {
      const found = accuracyOf(tally);
      if (found === undefined) return;
      accuracy = { updates, ...found };
      since.news = true;
    },
    /** What is new since the last time; undefined where nothing is. */
    take({ sentBytes, receivedBytes }: Pick<Counts, "sentBytes" | "receivedBytes">) {
      if (last === undefined || !since.news) return undefined;
      const { missing, sum, count } = since;
      const { round, partners, lag } = last;
      const points: Point[] = count === 0 ? [] : [[round + 1, sum / count]];
      since = nothing();
      return {
        ...{ run, updates: round + 1, partners: [...new Set(partners)], missing: [...missing], missed, lag },
        /** Sums over all runs so far, and the points since the last time. */
        ...{ sentBytes, receivedBytes, points, ...(accuracy === undefined ? {} : { accuracy }) },
      };
    },
  };
}

/** The best that a seat can say by itself: its own model on all test images, else the average on its part of them. */
function accuracyOf(tally: Tally): Omit<Accuracy, "updates"> | undefined {
  const { accuracy, averagedRight, averagedImages } = tally;
  if (Number.isFinite(accuracy)) return { value: accuracy, what: "this seat's model on all test images" };
  if (!(averagedImages > 0)) return undefined;
  return { value: averagedRight / averagedImages, what: "the averaged model on this seat's part of the test images" };
}
