/**
 * Learning rates gamma_t of iteration t = 0, 1, 2, ..., all positive:
 *
 * - constant: rate.
 * - step:     divided by `factor` whenever (t + 1) mod `every` = 0, never below `floor`. The defaults are the paper's
 *             for least squares (errata 9): by 1.4 every 40, floor 0.001.
 * - warm-up:  rate (t + 1) / steps until t + 1 = steps, then `after` (another schedule, constant by default), counted on
 *             from there.
 * - cosine:   floor + (rate - floor) (1 + cos(pi t / rounds)) / 2, then floor.
 */

import { InputError, integer, oneOf, onlyKeys, real } from "../input/input.ts";
import { cosSinTurn } from "../number/elementary.ts";

export type ScheduleSpec =
  | number
  | { readonly name: "constant"; readonly rate: number }
  | {
      readonly name: "step";
      readonly rate: number;
      readonly factor?: number;
      readonly every?: number;
      readonly floor?: number;
    }
  | { readonly name: "warm-up"; readonly rate: number; readonly steps: number; readonly after?: ScheduleSpec }
  | { readonly name: "cosine"; readonly rate: number; readonly rounds: number; readonly floor?: number };

/** t -> gamma_t. */
export type Schedule = (t: number) => number;

const names = ["constant", "step", "warm-up", "cosine"] as const;

/**
 * The schedule that a spec describes; a number is a constant.
 *
 * @example
 * ```ts
 * import { createSchedule } from "equitopo";
 * const paper = createSchedule({ name: "step", rate: 0.037 });
 * [paper(38), paper(39), paper(79)].map((g) => g.toFixed(4)).join(" ") // => "0.0370 0.0264 0.0189"
 * ```
 */
export function createSchedule(spec: ScheduleSpec): Schedule {
  if (typeof spec !== "object" || spec === null) {
    const rate = positive("learningRate", spec);
    return () => rate;
  }
  switch (oneOf("the name of a learning-rate schedule", spec.name, names)) {
    case "constant":
      return constant(spec);
    case "step":
      return step(spec as Named<"step">);
    case "warm-up":
      return warmUp(spec as Named<"warm-up">);
    case "cosine":
      return cosine(spec as Named<"cosine">);
  }
}

type Named<N extends string> = Extract<ScheduleSpec, { readonly name: N }>;

function constant(spec: object & { readonly rate: number }): Schedule {
  onlyKeys("constant", spec, ["name", "rate"]);
  const rate = positive("rate", spec.rate);
  return () => rate;
}

function step(spec: Named<"step">): Schedule {
  onlyKeys("step", spec, ["name", "rate", "factor", "every", "floor"]);
  const rate = positive("rate", spec.rate);
  const factor = spec.factor ?? 1.4;
  if (!(factor > 1 && factor < Number.POSITIVE_INFINITY)) {
    throw new InputError("factor, what the rate is divided by, must be above 1", factor, "try factor = 1.4");
  }
  const every = integer("every", spec.every ?? 40, 1);
  const floor = real("floor", spec.floor ?? Math.min(rate, 0.001), { min: 0, max: rate, open: "min" }, rate / 10);
  return (t) => {
    let now = rate;
    for (let left = Math.floor((t + 1) / every); left > 0 && now > floor; left--) now /= factor;
    return Math.max(now, floor);
  };
}

function warmUp(spec: Named<"warm-up">): Schedule {
  onlyKeys("warm-up", spec, ["name", "rate", "steps", "after"]);
  const rate = positive("rate", spec.rate);
  const steps = integer("steps", spec.steps, 1);
  const after = createSchedule(spec.after ?? rate);
  return (t) => (t < steps ? (rate * (t + 1)) / steps : after(t - steps));
}

function cosine(spec: Named<"cosine">): Schedule {
  onlyKeys("cosine", spec, ["name", "rate", "rounds", "floor"]);
  const rate = positive("rate", spec.rate);
  const rounds = integer("rounds", spec.rounds, 1);
  const floor = real("floor", spec.floor ?? rate / 100, { min: 0, max: rate, open: "min" }, rate / 100);
  const turn = new Float64Array(2);
  return (t) => {
    if (t >= rounds) return floor;
    // Half a turn over all rounds, in 2^-32 of a turn.
    cosSinTurn(Math.round((t / rounds) * 2147483648), turn);
    return floor + 0.5 * (rate - floor) * (1 + turn[0]);
  };
}

function positive(name: string, value: unknown): number {
  if (typeof value !== "number" || !(value > 0 && value < Number.POSITIVE_INFINITY)) {
    throw new InputError(`${name} must be a positive number`, value, `try ${name} = 0.01`);
  }
  return value;
}
