/**
 * Which rounds of a transport the exchanges of a run take, counted from the run's first. An iteration takes
 * `yields` of them whether it uses them or not, and after every `every` updates (and after the last) an evaluation takes
 * `length`; an exchange that goes in steps (group-mixing.ts) takes a number for each:
 *
 *     exchange e of iteration t:    steps e + floor(t / every) length
 *     evaluation after u updates:   steps yields u + (ceil(u / every) - 1) length
 *
 * So a number alone says where its sender is, and a peer that starts late needs no replay.
 */

export interface NumberingOptions {
  readonly yields: number;
  readonly rounds: number;
  /** Numbers that one exchange takes; 1 by default. */
  readonly steps?: number;
  /** Updates between two evaluations and the exchanges of one; none where left out. */
  readonly evaluation?: { readonly every: number; readonly length: number } | undefined;
}

export class Numbering {
  /** Numbers of an exchange, and of all exchanges of an iteration. */
  readonly #steps: number;
  readonly #yields: number;
  readonly #rounds: number;
  readonly #every: number;
  readonly #length: number;

  constructor({ yields, rounds, steps = 1, evaluation }: NumberingOptions) {
    this.#steps = steps;
    this.#yields = steps * yields;
    this.#rounds = rounds;
    // Beyond the end there is one evaluation, at the end.
    this.#every = Math.max(1, Math.min(evaluation?.every ?? rounds, rounds));
    this.#length = evaluation?.length ?? 0;
  }

  /** Of the exchange that the run counts as number `exchange`, in iteration t. */
  of(t: number, exchange: number = (this.#yields * t) / this.#steps): number {
    return this.#steps * exchange + Math.floor(t / this.#every) * this.#length;
  }

  /** Of the first exchange of the evaluation after so many updates. */
  evaluation(updates: number): number {
    return this.#yields * updates + (Math.ceil(updates / this.#every) - 1) * this.#length;
  }

  /** Whether an evaluation follows so many updates. */
  evaluates(updates: number): boolean {
    return this.#length > 0 && (updates % this.#every === 0 || updates === this.#rounds);
  }

  /** The iteration that a number belongs to, or that follows the evaluation it belongs to; -1 before the run. */
  iteration(number: number): number {
    if (number < 0) return -1;
    const block = this.#yields * this.#every + this.#length;
    const whole = Math.floor(number / block);
    const rest = Math.floor((number - whole * block) / this.#yields);
    return Math.min(this.#rounds, whole * this.#every + Math.min(this.#every, rest));
  }

  /** All numbers of the run. */
  get length(): number {
    return this.#yields * this.#rounds + Math.ceil(this.#rounds / this.#every) * this.#length;
  }
}
