/**
 * Learning rates gamma_t of iteration t = 0, 1, 2, ..., all positive. A registry; plug-ins add theirs:
 *
 * - constant: rate.
 * - step:     divided by `factor` whenever (t + 1) mod `every` = 0, never below `floor`. The defaults are the paper's
 *             for least squares (errata 9): by 1.4 every 40, floor 0.001.
 * - warm-up:  rate (t + 1) / steps until t + 1 = steps, then `after` (another schedule, constant by default), counted
 *             from there.
 * - cosine:   floor + (rate - floor) (1 + cos(pi t / rounds)) / 2, then floor.
 * - cifar10:  the paper's CIFAR-10 runs on n nodes: from 0.1 over the first five epochs up to 0.1 n (as they ran) or to
 *             0.01 n (smooth: no jump back), then 0.01 n, and a tenth of that from epochs 50, 100 and 120 on; 130 epochs
 *             in all, or the same course in fewer or more.
 */

import { InputError, real } from "../input/input.ts";
import * as option from "../input/option.ts";
import { type AnyFamily, Registry } from "../input/registry.ts";
import { cosSinTurn } from "../number/elementary.ts";

/** t -> gamma_t. */
export type Schedule = (t: number) => number;

/** A constant, or the name of a schedule and its options: plain JSON. A name alone means its defaults. */
export type ScheduleSpec = number | string | { readonly name: string; readonly [option: string]: unknown };

/** Properties of a run that a schedule may depend on. */
export interface ScheduleContext {
  readonly n?: number;
  /** Iterations of one pass over the data, if the problem has data. */
  readonly epoch?: number;
}

/** A member of the registry of schedules. */
export interface ScheduleFamily<O extends option.Options = option.Options> extends AnyFamily {
  readonly options: O;
  create(options: option.Values<O>, context: ScheduleContext): Schedule;
}

/** A member for `schedules.add` or a plug-in, its options' types inferred. */
export const defineSchedule = <O extends option.Options>(member: ScheduleFamily<O>): ScheduleFamily<O> => member;

/**
 * The schedule that a spec describes; a number is a constant.
 *
 * @example
 * ```ts
 * import { createSchedule } from "equitopo";
 * const paper = createSchedule({ name: "step", rate: 0.037 });
 * [paper(38), paper(39), paper(79)].map((g) => g.toFixed(4)).join(" ") // => "0.0370 0.0264 0.0189"
 * createSchedule("cifar10", { n: 17, epoch: 100 })(499).toFixed(2) // => "1.70"
 * ```
 */
export function createSchedule(spec: ScheduleSpec, context: ScheduleContext = {}): Schedule {
  const named = typeof spec === "string" && schedules.has(spec) ? { name: spec } : spec;
  if (typeof named !== "object" || named === null) {
    const rate = option.positive(0.01).check("learningRate", named);
    return () => rate;
  }
  const { name, ...options } = named;
  const member = schedules.get(name);
  return member.create(option.settle(name, member.options, options, ["name"]), context);
}

const rate = option.required(option.positive(0.01));
/** Above 0 and at most the rate. */
const floor = option.optional(option.number(0.001));

const constant = defineSchedule({
  name: "constant",
  summary: "one rate",
  options: { rate },
  create:
    ({ rate: value }) =>
    () =>
      value,
});

const step = defineSchedule({
  name: "step",
  summary: "divided by a factor now and then",
  options: {
    rate,
    factor: {
      default: 1.4,
      range: "above 1",
      check(name, value) {
        if (typeof value === "number" && value > 1 && value < Number.POSITIVE_INFINITY) return value;
        throw new InputError(`${name}, what the rate is divided by, must be above 1`, value, `try ${name} = 1.4`);
      },
    } as option.Option<number>,
    every: option.whole(40, 1),
    floor,
  },
  create({ rate: first, factor, every, floor: given }) {
    const least = real("floor", given ?? Math.min(first, 0.001), { min: 0, max: first, open: "min" }, first / 10);
    return (t) => {
      let now = first;
      for (let left = Math.floor((t + 1) / every); left > 0 && now > least; left--) now /= factor;
      return Math.max(now, least);
    };
  },
});

const warmUp = defineSchedule({
  name: "warm-up",
  summary: "from small to the rate, then another schedule",
  options: {
    rate,
    steps: option.required(option.whole(100, 1)),
    after: {
      default: undefined,
      range: "a schedule",
      check: (_name, value) => value as ScheduleSpec,
    } as option.Option<ScheduleSpec | undefined>,
  },
  create({ rate: full, steps, after }, context) {
    const next = createSchedule(after ?? full, context);
    return (t) => (t < steps ? (full * (t + 1)) / steps : next(t - steps));
  },
});

const cosine = defineSchedule({
  name: "cosine",
  summary: "down to a floor along half a cosine",
  options: { rate, rounds: option.required(option.whole(1000, 1)), floor },
  create({ rate: first, rounds, floor: given }) {
    const least = real("floor", given ?? first / 100, { min: 0, max: first, open: "min" }, first / 100);
    const turn = new Float64Array(2);
    return (t) => {
      if (t >= rounds) return least;
      // Half a turn over all rounds, in units of 2^-32 of a turn.
      cosSinTurn(Math.round((t / rounds) * 2147483648), turn);
      return least + 0.5 * (first - least) * (1 + turn[0]);
    };
  },
});

const cifar10 = defineSchedule({
  name: "cifar10",
  summary: "the paper's course for CIFAR-10",
  options: {
    warmUp: option.about(
      option.word("as-run", "smooth"),
      "to 0.1 n as the paper's code ran, or to the 0.01 n that follows",
    ),
    epochs: option.about(option.whole(130, 1), "in which the paper's course of 130 epochs is run through"),
  },
  create({ warmUp: kind, epochs }, { n, epoch: length }) {
    const refused = new InputError("cifar10 needs a problem with epochs", "none", "choose another learningRate");
    // Without a run only the traffic is of interest, and not the rate: it is refused when it is used.
    if (n === undefined)
      return () => {
        throw refused;
      };
    if (length === undefined) throw refused;
    return (iteration) => {
      const t = (iteration * 130) / epochs;
      const epoch = Math.floor(t / length);
      const top = kind === "as-run" ? n : n / 10;
      if (epoch < 5) return 0.1 * (1 + ((top - 1) * (t + 1)) / (5 * length));
      return 0.01 * n * (epoch < 50 ? 1 : epoch < 100 ? 0.1 : epoch < 120 ? 0.01 : 0.001);
    };
  },
});

/** All schedules; plug-ins add theirs. */
export const schedules = new Registry<ScheduleFamily>("schedule", [constant, step, warmUp, cosine, cifar10]);
