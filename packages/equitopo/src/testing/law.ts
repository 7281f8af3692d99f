/**
 * A law is a name and a function that throws if the law is broken, so that any test runner can loop over a suite:
 *
 *   for (const { name, run } of topologyLaws(mine)) test(name, run);
 */

export interface Law {
  readonly name: string;
  run(): void | Promise<void>;
}

/** Laws from their names and what runs them. */
export function lawsOf(laws: Readonly<Record<string, Law["run"]>>): Law[] {
  return Object.entries(laws).map(([name, run]) => ({ name, run }));
}

/** Throws an error with this text unless it holds. */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** Throws unless two numbers lie within a tolerance of each other. */
export function near(actual: number | undefined, expected: number, what: string, tolerance = 1e-12): void {
  if (actual === undefined || !(Math.abs(actual - expected) <= tolerance)) {
    throw new Error(`${what}: expected ${expected}, found ${actual}`);
  }
}

/** Throws unless both are the same as JSON, typed arrays being lists. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const found = plain(actual);
  const wanted = plain(expected);
  if (found !== wanted) throw new Error(`${what}: expected ${shown(wanted)}, found ${shown(found)}`);
}

/**
 * A value as text, for comparison. JSON loses the sign of zero and numbers that are not finite, so these are written as text.
 */
export function plain(value: unknown): string {
  return JSON.stringify(value, (_key, part) => {
    if (ArrayBuffer.isView(part)) return Array.from(part as Float64Array, spelt);
    return typeof part === "number" ? spelt(part) : part;
  });
}

function spelt(value: number): number | string {
  return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value);
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}

/** Throws unless the call throws an error whose message matches. */
export function refuses(call: () => unknown, message: RegExp, what: string): void {
  let error: unknown;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  const found = error instanceof Error ? error.message : "no error";
  must(error instanceof Error && message.test(found), `${what}: expected an error like ${message}, found ${found}`);
}
