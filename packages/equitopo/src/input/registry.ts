/**
 * One shape for everything that is chosen by name: topologies, algorithms, problems, models, layers, schedules, splits,
 * compressors, transports. Command-line flags, `equitopo list`, the checks of specs and their errors derive from it. It is
 * open: a member that a plug-in or a test adds is available everywhere.
 */

import { InputError, oneOf } from "./input.ts";
import type { Options, Values } from "./option.ts";

/** Every member has the name that specs use, a line about it, and options. */
export interface AnyFamily {
  readonly name: string;
  readonly summary: string;
  readonly options: Options;
}

/** Members under their names, as types: `ByName<typeof ringFamily | typeof starFamily>` has the keys ring and star. */
export type ByName<M extends AnyFamily> = { readonly [F in M as F["name"]]: F };

/** What a spec may write for one of these members: its name and its options. `More` are keys that all of them take. */
export type Choice<F, More = unknown> = {
  [N in keyof F]: Flat<{ readonly name: N } & Partial<F[N] extends { options: infer O } ? Values<O> : never> & More>;
}[keyof F];

type Flat<T> = { [K in keyof T]: T[K] };

/** T where its name is known at run time only: a name that is written out in a program is checked by the compiler. */
export type Unwritten<T, N> = T & { readonly name: string extends N ? N : never };

/**
 * The members of one kind, in the order in which `equitopo list` shows them.
 *
 * @example
 * ```ts
 * import { Registry } from "equitopo";
 * const shapes = new Registry("shape", [{ name: "disc", summary: "round", options: {} }]);
 * shapes.add({ name: "square", summary: "not round", options: {} });
 * shapes.get("square").summary // => "not round"
 * shapes.names.join() // => "disc,square"
 * ```
 */
export class Registry<M extends AnyFamily> implements Iterable<M> {
  /** The kind of its members, in one word: "topology". */
  readonly kind: string;
  readonly #members: Map<string, M>;
  /** Found by their names, but not among those to choose from. */
  readonly #unlisted = new Map<string, M>();

  constructor(kind: string, members: Iterable<M> = []) {
    this.kind = kind;
    this.#members = new Map(Array.from(members, (member) => [member.name, member]));
  }

  [Symbol.iterator](): Iterator<M> {
    return this.#members.values();
  }

  get length(): number {
    return this.#members.size;
  }

  map<T>(make: (member: M) => T): T[] {
    return Array.from(this, make);
  }

  filter(keep: (member: M) => boolean): M[] {
    return [...this].filter(keep);
  }

  get names(): string[] {
    return [...this.#members.keys()];
  }

  has(name: string): boolean {
    return this.#members.has(name) || this.#unlisted.has(name);
  }

  /** The member of that name, or an error that suggests the nearest. */
  get(name: string): M {
    return this.#unlisted.get(name) ?? (this.#members.get(oneOf(this.kind, name, this.names)) as M);
  }

  /**
   * Adds a member at the end, or one that is found by its name only. A name can be taken only once: a spec must mean the
   * same thing for everybody.
   */
  add(member: M, place: "listed" | "unlisted" = "listed"): void {
    const known = this.#members.get(member.name) ?? this.#unlisted.get(member.name);
    if (known === member) return;
    if (!/^[a-z][a-z0-9-]*$/.test(member.name)) {
      const rule = `the name of a ${this.kind} is made of small letters, digits and dashes`;
      throw new InputError(rule, member.name, "rename it, for example my-own");
    }
    if (known !== undefined) {
      throw new InputError(`the name of a ${this.kind} is taken once`, member.name, "choose another name");
    }
    (place === "listed" ? this.#members : this.#unlisted).set(member.name, member);
  }
}
