import { InputError } from "equitopo";

/** What comes of it; undefined where its input is refused. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
