/**
 * A progress bar with the time left, on a terminal's error stream only. It shows itself after two seconds, so that short
 * commands stay quiet, is redrawn at most ten times a second, and leaves nothing behind when it ends.
 */

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly label: string;
  readonly total: number;
  /** Units that were finished before this run began: they count as done, but not towards the speed. */
  readonly done?: number;
  readonly quiet?: boolean;
  readonly stream?: ProgressStream;
  /** Milliseconds. */
  readonly now?: () => number;
}

export interface ProgressBar {
  /** `done` of the total (fractions are fine); `label` replaces the words before the bar. */
  update(done: number, label?: string): void;
  end(): void;
}

const [delay, interval] = [2000, 100];

export function progressBar(options: ProgressOptions): ProgressBar {
  const { total, done: before = 0, quiet = false, stream = process.stderr, now = () => performance.now() } = options;
  const silent = quiet || stream.isTTY !== true;
  const start = now();
  let label = options.label;
  let last = Number.NEGATIVE_INFINITY;
  return {
    update(done, words) {
      label = words ?? label;
      const time = now();
      if (silent || time - start < delay || time - last < interval) return;
      last = time;
      const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
      const worked = done - before;
      const left = worked > 0 ? timeLeft(((time - start) * Math.max(0, total - done)) / worked) : "";
      const width = Math.max(20, (stream.columns ?? 80) - 1);
      const tail = ` ${String(Math.floor(share * 100)).padStart(3)}%${left}`;
      const head = label.length + tail.length + 12 > width ? "" : `${label} `;
      const cells = Math.max(0, Math.min(30, width - head.length - tail.length));
      const filled = Math.round(share * cells);
      stream.write(`\r\x1b[2K${(head + "█".repeat(filled) + "░".repeat(cells - filled) + tail).slice(0, width)}`);
    },
    end() {
      if (last !== Number.NEGATIVE_INFINITY) stream.write("\r\x1b[2K");
      last = Number.NEGATIVE_INFINITY;
    },
  };
}

function timeLeft(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 100) return `, ${seconds} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `, ${minutes} min left` : `, ${Math.round(minutes / 60)} h left`;
}
