/**
 * A line on the terminal's stderr for work that takes longer than two seconds; wiped when the work is done.
 * Silent where stderr is no terminal, and with --quiet.
 */

const PATIENCE_MS = 2000;
const INTERVAL_MS = 100;

export interface Progress {
  /** Says where the work stands, once it has lasted long enough; cheap to call often. */
  step(text: () => string): void;
  /** Says at once what is about to be computed in one go. */
  announce(text: string): void;
  done(): void;
}

export function progressOf(options: { readonly quiet?: true }): Progress {
  const { stderr } = process;
  if (options.quiet || !stderr.isTTY) return { step() {}, announce() {}, done() {} };
  let next = performance.now() + PATIENCE_MS;
  let shown = false;
  const show = (text: string) => {
    stderr.write(`\r\x1b[2K${text.slice(0, (stderr.columns || 80) - 1)}`);
    shown = true;
  };
  return {
    step(text) {
      const now = performance.now();
      if (now < next) return;
      next = now + INTERVAL_MS;
      show(text());
    },
    announce: show,
    done() {
      if (shown) stderr.write("\r\x1b[2K");
      shown = false;
    },
  };
}
