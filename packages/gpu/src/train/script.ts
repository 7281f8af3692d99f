/**
 * An algorithm's iterations, written down instead of done: its rows lie on the device, so what it is handed in their place
 * are names without numbers, and what it asks of its world (gradients, passes, exchanges) becomes a list of operations. So
 * the algorithms of the library run on the device as they are; one that looks into a row itself is refused when it does.
 */

import type { Mix, Optimiser, RowPasses, Turn, World } from "equitopo/internal/algorithm";
import { driveSteps } from "equitopo/internal/algorithm";
import type { InputError } from "equitopo/internal/input";
import type { Rows } from "equitopo/internal/round";
import { refusal } from "equitopo/internal/run";
import type { Topology } from "equitopo/internal/topology";
import { type ByRowName, type PassName, passOf } from "../shader/pass.ts";

/** Rows by their number: 0 are the models. */
export type Operation =
  | { readonly kind: "gradient"; readonly out: number }
  | {
      readonly kind: "pass";
      readonly name: PassName | ByRowName;
      readonly rows: readonly number[];
      readonly numbers: readonly number[];
    }
  | { readonly kind: "mix"; readonly vectors: readonly number[]; readonly mean: boolean; readonly turn: Turn };

/** What is done, whatever the numbers: equal texts are one program. */
export function textOf(operations: readonly Operation[]): string {
  return operations
    .map((one) => {
      if (one.kind === "gradient") return `gradient ${one.out}`;
      return one.kind === "mix" ? `mix ${one.vectors.join(" ")}` : `${one.name} ${one.rows.join(" ")}`;
    })
    .join("; ");
}

/**
 * An algorithm at work on the rows of all nodes, as a list of operations an iteration. O(operations).
 *
 * @example
 * ```ts
 * import { Script } from "@equitopo/gpu";
 * import { createAlgorithm, ring } from "equitopo";
 * const script = new Script(createAlgorithm({ name: "dmsgd" }), ring({ n: 4 }));
 * script.iterate(0).map((one) => (one.kind === "pass" ? one.name : one.kind)).join() // => "gradient,momentumDescend,mix"
 * ```
 */
export class Script {
  /** What is done before the first iteration. */
  readonly opening: readonly Operation[];
  readonly #optimiser: Optimiser;
  readonly #running: ReturnType<Optimiser["start"]>;
  readonly #numbers = new Map<Rows, number>();
  #written: Operation[] = [];
  #t = -1;

  constructor(optimiser: Optimiser, topology: Topology, learningRate: (t: number) => number = optimiser.learningRate) {
    this.#optimiser = optimiser;
    if (optimiser.sends.compressed !== undefined) throw this.#refused("compresses what it sends");
    this.#running = optimiser.start(this.#world(topology, learningRate));
    this.opening = this.#written;
  }

  /** The algorithm's states, each by the number of its rows; x is 0. */
  state(): Readonly<Record<string, number>> {
    const entries = Object.entries(this.#running.state).map(([name, rows]) => [name, this.#numberOf(rows)] as const);
    return Object.fromEntries(entries);
  }

  iterate(t: number): readonly Operation[] {
    this.#written = [];
    this.#t = t;
    const exchange = (mix: Mix, turn: Turn) => this.#mix(mix, turn);
    const steps = driveSteps(this.#running, t, exchange, this.#optimiser.exchanges);
    for (let step = steps.next(); !step.done; ) step = steps.next(step.value);
    this.#bringModelsHome();
    return this.#written;
  }

  #world(topology: Topology, learningRate: (t: number) => number): World {
    const { n } = topology;
    const refused = (why: string) => this.#refused(why);
    return {
      ...{ n, count: n, topology, learningRate, x0: this.#rows() },
      get d(): number {
        throw refused("asks how long its rows are");
      },
      rows: (width) => {
        if (width === undefined) return this.#rows();
        throw this.#refused("keeps rows of another width than a model's");
      },
      gradient: (x, t, out) => {
        if (t !== this.#t) throw this.#refused("takes a gradient where the next iteration begins");
        if (this.#numberOf(x) !== 0) throw this.#refused("takes gradients elsewhere than at its models");
        this.#written.push({ kind: "gradient", out: this.#numberOf(out) });
      },
      passes: this.#passes(),
      // Where they are is known to the kernel alone.
      matrices: { d: 0, ranges: [] },
      words: () => {
        throw this.#refused("draws random numbers of its own");
      },
      encode: () => {
        throw this.#refused("compresses what it sends");
      },
    };
  }

  #passes(): RowPasses {
    const write = (name: string, given: readonly (Rows | number | Readonly<Record<string, number>>)[]) => {
      const pass = passOf(name);
      if (pass === undefined) throw this.#refused(`does what has no kernel (${name})`);
      const rows = given.flatMap((one) => (this.#numbers.has(one as Rows) ? [this.#numberOf(one as Rows)] : []));
      const numbers = given.flatMap((one) => {
        if (typeof one === "number") return [one];
        if (this.#numbers.has(one as Rows)) return [];
        return pass.numbers.flatMap((number) => (one as Readonly<Record<string, number>>)[number] ?? []);
      });
      this.#written.push({ kind: "pass", name: name as PassName | ByRowName, rows, numbers });
    };
    return new Proxy({} as RowPasses, {
      get:
        (_, name) =>
        (...given: Parameters<typeof write>[1]) =>
          write(String(name), given),
    });
  }

  #mix({ vectors, by, coded, heard }: Mix, turn: Turn): readonly Rows[] {
    if (coded !== undefined || heard !== undefined) throw this.#refused("sends something other than rows");
    this.#written.push({
      ...{ kind: "mix", vectors: vectors.map((rows) => this.#numberOf(rows)), mean: by === "mean", turn },
    });
    return vectors;
  }

  /** Networks read their parameters from one place: if the algorithm has swapped its models for other rows, copies back. */
  #bringModelsHome(): void {
    const { state } = this.#running;
    const at = this.#numberOf(state.x);
    if (at === 0) return;
    const other = [...this.#numbers.keys()].find((rows) => this.#numbers.get(rows) === 0) as Rows;
    if (Object.values(state).includes(other)) throw this.#refused("exchanges its models with another of its states");
    this.#written.push({ kind: "pass", name: "copy", rows: [0, at], numbers: [] });
    this.#numbers.set(state.x, 0);
    this.#numbers.set(other, at);
  }

  /** Rows that only the device has: code that reads or writes their numbers gets an error. */
  #rows(): Rows {
    const touched = () => {
      throw this.#refused("looks into its rows itself");
    };
    const rows = new Proxy(new Float32Array(0), { get: touched, set: touched });
    this.#numbers.set(rows, this.#numbers.size);
    return rows;
  }

  #numberOf(rows: Rows): number {
    const number = this.#numbers.get(rows);
    if (number === undefined) throw this.#refused("has rows that its world did not give it");
    return number;
  }

  #refused(why: string): InputError {
    const { name } = this.#optimiser;
    const reason = `it does what is done to whole rows, and the algorithm ${why}`;
    return refusal({ title: "a GPU" }, name, reason, name, "choose another algorithm, or use the CPU");
  }
}
