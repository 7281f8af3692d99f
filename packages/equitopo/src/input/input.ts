/**
 * Errors about input: the rule that must hold, the value that came, and what to try. Every check of the library throws these,
 * so that the command line can turn exactly these into exit code 2.
 */

export class InputError extends RangeError {
  readonly rule: string;
  readonly value: string;
  readonly remedy: string;

  constructor(rule: string, value: unknown, remedy: string) {
    const shown = show(value);
    super(`${rule}, got ${shown}; ${remedy}`);
    this.name = "InputError";
    this.rule = rule;
    this.value = shown;
    this.remedy = remedy;
  }

  /** The same error under the path of the value in a larger document. */
  under(path: string): InputError {
    const error = new InputError(`${path}: ${this.rule}`, undefined, this.remedy);
    return Object.assign(error, { value: this.value, message: `${error.rule}, got ${this.value}; ${this.remedy}` });
  }
}

/** Runs `check`, and adds `path` to any error about input. */
export function inside<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof InputError ? error.under(path) : error;
  }
}

function show(value: unknown): string {
  // Of a number beyond 2^53 the last digits are not those that were written.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return (value as number).toExponential();
  if (typeof value === "number") return String(value);
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** The integer `value` in [min, max], or an error that names it. */
export function integer(name: string, value: unknown, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  const bounded = max !== Number.MAX_SAFE_INTEGER || Number(value) > max;
  const range = bounded ? `from ${min} to ${max}` : `of at least ${min}`;
  const near = Number.isFinite(value) ? Math.round(value as number) : min;
  throw new InputError(`${name} must be an integer ${range}`, value, attempt(name, Math.max(min, Math.min(max, near))));
}

/** "try eta = 0.5", or "try 9" if the name cannot be written so. */
function attempt(name: string, value: number): string {
  return /^[\w.[\]]+$/.test(name) ? `try ${name} = ${value}` : `try ${value}`;
}

/** Labels, shifts and partners are 32-bit integers. */
const MOST_NODES = 2 ** 31 - 1;

/** The number of nodes of a topology: an integer from `fewest` to the largest that 32-bit labels can count. */
export function nodes(n: unknown, fewest = 2): number {
  if (typeof n === "number" && n > MOST_NODES) {
    throw new InputError(`n must be at most ${MOST_NODES}`, n, "try a smaller n: labels are 32-bit integers");
  }
  return integer("n", n, fewest);
}

/** The nearest n below and above that are accepted, in words: "try n = 13 or 17". */
export function nearestAccepted(n: number, least: number, accepts: (n: number) => boolean): string {
  let below = n - 1;
  while (below >= least && !accepts(below)) below--;
  let above = Math.max(least, n + 1);
  while (!accepts(above)) above++;
  return below >= least ? `try n = ${below} or ${above}` : `try n = ${above}`;
}

/** The interval of finite numbers from 0 on. */
export const nonnegative = { min: 0, max: Number.POSITIVE_INFINITY, open: "max" } as const;

/** A real number inside an interval; `open` sides exclude their end. */
export function real(
  name: string,
  value: unknown,
  interval: { min: number; max: number; open?: "min" | "max" | "both" },
  suggestion: number,
): number {
  const { min, max, open } = interval;
  const openMin = open === "min" || open === "both";
  const openMax = open === "max" || open === "both";
  const above = typeof value === "number" && (openMin ? value > min : value >= min);
  if (above && (openMax ? value < max : value <= max)) return value;
  const range =
    max === Number.POSITIVE_INFINITY
      ? `be ${openMin ? "above" : "at least"} ${min}`
      : `lie in ${openMin ? "(" : "["}${min}, ${max}${openMax ? ")" : "]"}`;
  throw new InputError(`${name} must ${range}`, value, attempt(name, suggestion));
}

/** One of a few words; the error suggests the nearest one. */
export function oneOf<T extends string>(name: string, value: unknown, words: readonly T[]): T {
  if (typeof value === "string" && (words as readonly string[]).includes(value)) return value as T;
  const near = typeof value === "string" ? nearest(value, words) : undefined;
  const remedy = near === undefined ? `choose one of them` : `did you mean ${near}?`;
  throw new InputError(`${name} must be one of ${words.join(", ")}`, value, remedy);
}

/** Refuses an options object with an unknown key: a misspelt option would otherwise be ignored silently. */
export function onlyKeys(owner: string, options: object, keys: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (keys.includes(key)) continue;
    const near = nearest(key, keys);
    const remedy = near === undefined ? "leave it out" : `did you mean ${near}?`;
    throw new InputError(`${owner} takes the options ${keys.join(", ")}`, key, remedy);
  }
}

/** The word at the smallest edit distance, if that is small enough for a slip; or the plural of the word. */
export function nearest<T extends string>(word: string, words: readonly T[]): T | undefined {
  let best: T | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of words) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  // By its letters alone, topology is far from topologies.
  return best ?? words.find((plural) => word.endsWith("y") && plural === `${word.slice(0, -1)}ies`);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without the entries that are undefined, as JSON would have it. */
export function defined<T extends object>(entries: T): Defined<T> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Defined<T>;
}
