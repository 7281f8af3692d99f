/**
 * The progress of long work, on one line of a terminal's error stream. The line shows itself after two seconds, so that
 * short commands stay quiet, is redrawn at most ten times a second, and is wiped when the work is done. Silent where
 * stderr is no terminal, and with --quiet.
 */

import { harmless } from "./colour.ts";

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface LineOptions {
  readonly quiet?: boolean;
  readonly stream?: ProgressStream;
  /** Milliseconds. */
  readonly now?: () => number;
}

const [delay, interval] = [2000, 100];
const wipe = "\r\x1b[2K";

export type Progress = ReturnType<typeof progressOf>;

/** The line itself; `text` is handed the time since the start and the room there is. */
export function progressOf({ quiet = false, stream = process.stderr, now = () => performance.now() }: LineOptions) {
  const silent = quiet || stream.isTTY !== true;
  const start = now();
  let next = start + delay;
  let shown = false;
  const draw = (text: string, width: number) => {
    stream.write(wipe + harmless(text.slice(0, width), stream));
    shown = true;
  };
  const width = () => Math.max(20, (stream.columns || 80) - 1);
  return {
    /** Says how far the work is, once it has lasted long enough; cheap to call often. */
    step(text: (elapsed: number, width: number) => string): void {
      if (silent) return;
      const time = now();
      if (time < next) return;
      next = time + interval;
      draw(text(time - start, width()), width());
    },
    /** Says at once what is about to be computed in one go. */
    announce(text: string): void {
      if (!silent) draw(text, width());
    },
    done(): void {
      if (shown) stream.write(wipe);
      shown = false;
    },
  };
}

export interface ProgressOptions extends LineOptions {
  readonly label: string;
  readonly total: number;
  /** Units that were finished before this run began: they count as done, but not towards the speed. */
  readonly done?: number;
}

export type ProgressBar = ReturnType<typeof progressBar>;

/** A bar with the time left. */
export function progressBar(options: ProgressOptions) {
  const { total, done: before = 0 } = options;
  const line = progressOf(options);
  let label = options.label;
  return {
    /** `done` of the total (fractions are fine); `words` replace those before the bar. */
    update(done: number, words?: string): void {
      label = words ?? label;
      line.step((elapsed, width) => {
        const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
        const worked = done - before;
        // Before a hundredth is done, what it took says more about the start than about the rest.
        const left = (elapsed * Math.max(0, total - done)) / worked / 1000;
        const tail = ` ${String(Math.floor(share * 100)).padStart(3)}%${worked >= total / 100 ? `, ${showDuration(left)} left` : ""}`;
        const head = label.length + tail.length + 12 > width ? "" : `${label} `;
        const cells = Math.max(0, Math.min(30, width - head.length - tail.length));
        const filled = Math.round(share * cells);
        return head + "█".repeat(filled) + "░".repeat(cells - filled) + tail;
      });
    },
    end: line.done,
  };
}

export function showDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "an unknown time";
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  const hours = seconds / 3600;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24).toLocaleString("en-GB")} days`;
}
