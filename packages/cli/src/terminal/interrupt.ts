/** Ctrl-C as an AbortSignal: the work stops where it is safe, what was finished stays, and the exit code says so. */

import { constants } from "node:os";

/** Ctrl-C, a request to end, and a terminal that is closed. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs `work`; on such a signal aborts it, says `farewell` on stderr and ends the process with 128 + its number, as shells do. */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  farewell: string | (() => string),
): Promise<T> {
  const controller = new AbortController();
  let code = 0;
  const handlers = signals.map((signal) => {
    const abort = () => {
      code = 128 + constants.signals[signal];
      controller.abort(new Error("interrupted"));
    };
    process.once(signal, abort);
    return () => process.off(signal, abort);
  });
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    process.stderr.write(`\n${typeof farewell === "string" ? farewell : farewell()}\n`);
    process.exit(code);
  } finally {
    handlers.map((off) => off());
  }
}

/** What is said of a run that can go on from its folder, with the options that it was given. */
export const goesOn = (out: string) => `interrupted; the same command with --out ${out} --resume goes on`;
