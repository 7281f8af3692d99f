/** Ctrl-C as an AbortSignal: the work stops where it is safe, what was finished stays, and the exit code says so. */

/** 128 + SIGINT, as shells expect. */
const INTERRUPTED = 130;
/** Ctrl-C, being told to end, and a terminal that is closed. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs `work`; on such a signal aborts it, says `farewell` on stderr and ends the process. */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  farewell: string | (() => string),
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("interrupted"));
  for (const signal of signals) process.once(signal, abort);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    process.stderr.write(`\n${typeof farewell === "string" ? farewell : farewell()}\n`);
    process.exit(INTERRUPTED);
  } finally {
    signals.map((signal) => process.off(signal, abort));
  }
}

/** What is said of a run whose folder can be gone on with: the options that were given belong to it. */
export const goesOn = (out: string) => `interrupted; the same command with --out ${out} --resume goes on`;
