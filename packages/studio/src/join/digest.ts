/**
 * What happens in a worker, boiled down for a page that looks ten times a second: rounds may be a thousand times as many.
 * Pure: a caller that has a clock calls `take` when it is time.
 */

import type { Tally } from "equitopo";
import type { Counts, RoundReport } from "equitopo/peer";
import type { Accuracy, Standing } from "./page-state.ts";
import type { Point } from "./points.ts";

export class Digest {
  #run = 0;
  #last: RoundReport | undefined;
  /** Whether anything happened since the last look. */
  #news = false;
  #missing = new Set<number>();
  /** In all rounds so far. Meetings are not counted: who comes a little later is waited for there. */
  #missed = 0;
  /** Of what was measured since the last look. */
  #sum = 0;
  #count = 0;
  #accuracy: Accuracy | undefined;

  /** After a round; `value` is what the curve shows, not a number where there is none. */
  round(run: number, report: RoundReport, value: number): void {
    if (run !== this.#run) {
      this.#run = run;
      this.#accuracy = undefined;
      this.#begin();
    }
    this.#last = report;
    this.#news = true;
    for (const peer of report.missing) this.#missing.add(peer);
    this.#missed += report.missing.length;
    if (!Number.isFinite(value)) return;
    this.#sum += value;
    this.#count++;
  }

  /** After an evaluation. */
  evaluated(updates: number, tally: Tally): void {
    const accuracy = accuracyOf(tally);
    if (accuracy === undefined) return;
    this.#accuracy = { updates, ...accuracy };
    this.#news = true;
  }

  /** What is new since the last time; undefined where nothing is. */
  take(counts: Pick<Counts, "sentBytes" | "receivedBytes">): Standing | undefined {
    if (this.#last === undefined || !this.#news) return undefined;
    const { round, partners, lag } = this.#last;
    const { sentBytes, receivedBytes } = counts;
    const points: Point[] = this.#count === 0 ? [] : [[round + 1, this.#sum / this.#count]];
    const standing: Standing = {
      ...{ run: this.#run, updates: round + 1, partners: [...new Set(partners)], missing: [...this.#missing] },
      ...{ sentBytes, receivedBytes, missed: this.#missed, lag, points },
      ...(this.#accuracy === undefined ? {} : { accuracy: this.#accuracy }),
    };
    this.#begin();
    return standing;
  }

  #begin(): void {
    this.#news = false;
    this.#missing = new Set();
    this.#sum = 0;
    this.#count = 0;
  }
}

/** The best that a seat can say by itself: its own model on all test images, else the average on its part of them. */
function accuracyOf(tally: Tally): Omit<Accuracy, "updates"> | undefined {
  const { accuracy, averagedRight, averagedImages } = tally;
  if (Number.isFinite(accuracy)) return { value: accuracy, what: "this seat's model on all test images" };
  if (!(averagedImages > 0)) return undefined;
  return { value: averagedRight / averagedImages, what: "the averaged model on this seat's part of the test images" };
}
