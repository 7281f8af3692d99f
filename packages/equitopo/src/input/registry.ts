/**
 * One shape for everything that is chosen by name: topologies, algorithms, problems, models, layers, schedules, splits,
 * compressors, transports. Command-line flags, `equitopo list`, the checking of specs and its errors derive from it, and
 * it is open: whoever adds a member (a plug-in, a test) has it everywhere.
 */

import { InputError, oneOf } from "./input.ts";
import type { Options } from "./option.ts";

/** What every member has: the name that specs say, a line about it, and the options that stand beside the name. */
export interface Member {
  readonly name: string;
  readonly summary: string;
  readonly options: Options;
}

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
export class Registry<M extends Member> implements Iterable<M> {
  /** What its members are, in one word: "topology". */
  readonly kind: string;
  readonly #members: Map<string, M>;

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
    return this.#members.has(name);
  }

  /** The member of that name, or an error that suggests the nearest. */
  get(name: string): M {
    return this.#members.get(oneOf(this.kind, name, this.names)) as M;
  }

  /** One more, at the end. A name that is taken is refused: a spec must mean the same thing for everybody. */
  add(member: M): void {
    const known = this.#members.get(member.name);
    if (known === member) return;
    if (!/^[a-z][a-z0-9-]*$/.test(member.name)) {
      throw new InputError(
        `the name of a ${this.kind} is made of small letters, digits and dashes`,
        member.name,
        "rename it, for example my-own",
      );
    }
    if (known !== undefined) {
      throw new InputError(`the name of a ${this.kind} is taken once`, member.name, "choose another name");
    }
    this.#members.set(member.name, member);
  }
}
