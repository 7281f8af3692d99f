/**
 * The shape that a JSON text from outside must have, as data: a shape checks a value field by field, with bounded sizes, and
 * returns the known fields. Other fields are dropped.
 */

/** Returns the checked value; throws a Malformed if it does not have this shape. */
export type Shape<T> = (value: unknown) => T;

export class Malformed extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super("a value of another shape");
    this.value = value;
  }
}

/** A shape by a condition. */
export const when =
  <T>(holds: (value: never) => boolean): Shape<T> =>
  (value) => {
    if (!holds(value as never)) throw new Malformed(value);
    return value as T;
  };

export const whole = (least: number, most: number): Shape<number> =>
  when((value: number) => Number.isInteger(value) && value >= least && value <= most);

export const text = (most: number, holds: (value: string) => boolean = () => true): Shape<string> =>
  when((value: string) => typeof value === "string" && value.length <= most && holds(value));

export const flag: Shape<boolean> = when((value) => typeof value === "boolean");

export const oneOf = <const T>(...values: readonly T[]): Shape<T> => when((value: T) => values.includes(value));

export const list =
  <T>(shape: Shape<T>, most: number): Shape<readonly T[]> =>
  (value) =>
    when<unknown[]>((all: unknown) => Array.isArray(all) && all.length <= most)(value).map((one) => shape(one));

export const object: Shape<Readonly<Record<string, unknown>>> = when(
  (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value),
);

/** A field that may be left out. */
export const optional =
  <T>(shape: Shape<T>): Shape<T | undefined> =>
  (value) =>
    value === undefined ? undefined : shape(value);

/** What a shape returns: its type need not be written beside it. */
export type Of<S> = S extends Shape<infer T> ? T : never;

/** An object of what these shapes return; what may be undefined may be left out. */
export type Fields<S> = {
  readonly [K in keyof S as undefined extends Of<S[K]> ? never : K]: Of<S[K]>;
} & {
  readonly [K in keyof S as undefined extends Of<S[K]> ? K : never]?: Exclude<Of<S[K]>, undefined>;
};

/** An object of these fields; fields that are undefined are left out. */
export const fields =
  <S extends Readonly<Record<string, Shape<unknown>>>>(shapes: S): Shape<Fields<S>> =>
  (value) => {
    const given = object(value);
    const read = Object.entries(shapes).map(([name, shape]) => [name, shape(given[name])]);
    return Object.fromEntries(read.filter(([, one]) => one !== undefined)) as Fields<S>;
  };

/** One of several objects, each with its word in the field of that name. */
export type ByWord<N extends string, S> = { [W in keyof S]: { readonly [_ in N]: W } & Of<S[W]> }[keyof S];

/** One of several objects, distinguished by the word in one of their fields. */
export const byWord =
  <N extends string, S extends Readonly<Record<string, Shape<object>>>>(name: N, shapes: S): Shape<ByWord<N, S>> =>
  (value) => {
    const word = object(value)[name];
    if (typeof word !== "string" || !Object.hasOwn(shapes, word)) throw new Malformed(word);
    return { [name]: word, ...shapes[word](value) } as ByWord<N, S>;
  };

/** The value of a JSON text; undefined if it is too long, not JSON or of another shape. */
export function readJson<T>(json: string, most: number, shape: Shape<T>): T | undefined {
  if (json.length > most) return undefined;
  try {
    return shape(JSON.parse(json));
  } catch (error) {
    if (error instanceof Malformed || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
