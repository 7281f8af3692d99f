/**
 * Where long work stands, on one line of a terminal's error stream. The line shows itself after two seconds, so that
 * short commands stay quiet, is redrawn at most ten times a second, and is wiped when the work is done. Silent where
 * stderr is no terminal, and with --quiet.
 */

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

/** The line itself; `text` is handed the time since the start and the room there is. */
function statusLine({ quiet = false, stream = process.stderr, now = () => performance.now() }: LineOptions) {
  const silent = quiet || stream.isTTY !== true;
  const start = now();
  let next = start + delay;
  let shown = false;
  const draw = (text: string, width: number) => {
    stream.write(wipe + text.slice(0, width));
    shown = true;
  };
  const width = () => Math.max(20, (stream.columns || 80) - 1);
  return {
    step(text: (elapsed: number, width: number) => string) {
      if (silent) return;
      const time = now();
      if (time < next) return;
      next = time + interval;
      draw(text(time - start, width()), width());
    },
    announce(text: string) {
      if (!silent) draw(text, width());
    },
    done() {
      if (shown) stream.write(wipe);
      shown = false;
    },
  };
}

export interface Progress {
  /** Says where the work stands, once it has lasted long enough; cheap to call often. */
  step(text: () => string): void;
  /** Says at once what is about to be computed in one go. */
  announce(text: string): void;
  done(): void;
}

/** Words. */
export function progressOf(options: LineOptions): Progress {
  return statusLine(options);
}

export interface ProgressOptions extends LineOptions {
  readonly label: string;
  readonly total: number;
  /** Units that were finished before this run began: they count as done, but not towards the speed. */
  readonly done?: number;
}

export interface ProgressBar {
  /** `done` of the total (fractions are fine); `label` replaces the words before the bar. */
  update(done: number, label?: string): void;
  end(): void;
}

/** A bar with the time left. */
export function progressBar(options: ProgressOptions): ProgressBar {
  const { total, done: before = 0 } = options;
  const line = statusLine(options);
  let label = options.label;
  return {
    update(done, words) {
      label = words ?? label;
      line.step((elapsed, width) => {
        const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
        const worked = done - before;
        // Before a hundredth is done, what it took says more about the start than about the rest.
        const left = worked >= total / 100 ? timeLeft((elapsed * Math.max(0, total - done)) / worked) : "";
        const tail = ` ${String(Math.floor(share * 100)).padStart(3)}%${left}`;
        const head = label.length + tail.length + 12 > width ? "" : `${label} `;
        const cells = Math.max(0, Math.min(30, width - head.length - tail.length));
        const filled = Math.round(share * cells);
        return head + "█".repeat(filled) + "░".repeat(cells - filled) + tail;
      });
    },
    end: line.done,
  };
}

function timeLeft(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 100) return `, ${seconds} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `, ${minutes} min left` : `, ${Math.round(minutes / 60)} h left`;
}
