/** Ctrl-C as an AbortSignal: the work stops where it is safe, what was finished stays, and the exit code says so. */

/** 128 + SIGINT, as shells expect. */
const INTERRUPTED = 130;

/** Runs `work`; on SIGINT or SIGTERM aborts it, says `farewell` on stderr and ends the process. */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  farewell: string | (() => string),
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("interrupted"));
  process.once("SIGINT", abort);
  process.once("SIGTERM", abort);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    process.stderr.write(`\n${typeof farewell === "string" ? farewell : farewell()}\n`);
    process.exit(INTERRUPTED);
  } finally {
    process.off("SIGINT", abort);
    process.off("SIGTERM", abort);
  }
}
