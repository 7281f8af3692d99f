/**
 * Inner optimisers: what a node does with its gradient G, all by itself. They are parts of algorithms, which say what is
 * mixed when; their moments are a node's own.
 *
 *   sgd:        X <- X - g G;
 *   momentum:   m <- b m + G;   X <- X - g m;
 *   adamw:      m <- b1 m + (1 - b1) G;   v <- b2 v + (1 - b2) G^2;   X <- (1 - g w) X where X is a matrix;
 *               X <- X - g mh / (sqrt(vh) + eps),   mh = m / (1 - b1^(t+1)),   vh = v / (1 - b2^(t+1)).
 *
 * Before any of them a gradient longer than `clip` is shortened to it (0: never). adamw is that of Loshchilov and Hutter
 * (2019): its decay w is no part of the gradient, and only what the problem calls matrices decays (Problem.matrices).
 */

import { InputError, inside } from "../input/input.ts";
import {
  about,
  nonnegative,
  type Option,
  type Options,
  positiveShare,
  settle,
  share,
  type Values,
} from "../input/option.ts";
import { type AnyFamily, Registry } from "../input/registry.ts";
import type { Rows } from "../round/round.ts";
import type { State, World } from "./algorithm.ts";

/** A member of the registry of inner optimisers. */
export interface InnerFamily<O extends Options = Options> extends AnyFamily {
  readonly options: O;
  /** The names of its moments, rows that begin as zeros. */
  readonly moments: readonly string[];
  /** The step of iteration t, from the gradient at state.x. */
  step(world: World, state: State, gradient: Rows, t: number, options: Values<O>): void;
}

const defineInner = <O extends Options>(member: InnerFamily<O>): InnerFamily<O> => member;

const clip = (preset: number) => about(nonnegative(preset), "a longer gradient is shortened to this norm; 0: never");

/** All inner optimisers. */
export const inners = new Registry<InnerFamily>("inner optimiser", [
  defineInner({
    name: "sgd",
    summary: "gradient descent",
    options: { clip: clip(0) },
    moments: [],
    step: (world, { x }, gradient, t) => world.passes.descend(x, world.learningRate(t), gradient),
  }),
  defineInner({
    name: "momentum",
    summary: "gradient descent with momentum",
    options: { momentum: share(0.9), clip: clip(0) },
    moments: ["m"],
    step: (world, { x, m }, gradient, t, { momentum }) =>
      world.passes.momentumDescend(x, m, gradient, momentum, world.learningRate(t)),
  }),
  defineInner({
    name: "adamw",
    summary: "Adam, the decay of matrices apart from the gradient",
    options: {
      beta1: share(0.9),
      beta2: share(0.99),
      epsilon: positiveShare(1e-8),
      weightDecay: about(nonnegative(0.1), "of what the problem calls matrices"),
      clip: clip(1),
    },
    moments: ["m", "v"],
    step(world, { x, m, v }, gradient, t, { beta1, beta2, epsilon, weightDecay }) {
      const s = world.learningRate(t);
      if (weightDecay > 0) world.passes.shrinkMatrices(x, 1 - s * weightDecay, world.matrices);
      world.passes.adamDescend(x, m, v, gradient, {
        ...{ b1: beta1, b2: beta2, c1: 1 - power(beta1, t + 1), c2: 1 - power(beta2, t + 1), s, eps: epsilon },
      });
    },
  }),
]);

/** b^k by squaring: Math.pow may differ between engines in the last digit. */
function power(b: number, k: number): number {
  let result = 1;
  for (let square = b, rest = k; rest > 0; square *= square, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
  }
  return result;
}

/** The name of an inner optimiser, and its options: plain JSON. */
export interface InnerSpec {
  readonly name: string;
  readonly [option: string]: unknown;
}

/** The same with its defaults filled in; a name alone means these. */
function settleInner(spec: unknown): InnerSpec {
  const given = typeof spec === "string" ? { name: spec } : spec;
  if (typeof given !== "object" || given === null) {
    const rule = `an inner optimiser is one of ${inners.names.join(", ")}, or { name, ...options }`;
    throw new InputError(rule, spec, 'try { name: "adamw" }');
  }
  const { name, ...own } = given as InnerSpec;
  const member = inners.get(name);
  return { name, ...inside(name, () => settle(name, member.options, own)) };
}

/** An algorithm's option `inner`. */
export const inner = (preset: string): Option<InnerSpec> => ({
  default: settleInner(preset),
  range: `${inners.names.join(", ")}, or { name, ...options }`,
  help: "what a node does between two exchanges",
  check: (name, value) => inside(name, () => settleInner(value)),
  parse: (text) => text,
});

/** What all inner optimisers keep, for the `states` of an algorithm. */
export const moments = { m: "own", v: "own" } as const;

/** An inner optimiser at work: its moments, and its step. */
export function startInner({ name, ...options }: InnerSpec, world: World) {
  const member = inners.get(name);
  const most = options["clip"] as number;
  return {
    moments: Object.fromEntries(member.moments.map((moment) => [moment, world.rows()])),
    step(state: State, gradient: Rows, t: number): void {
      if (most > 0) world.passes.clipRows(gradient, most, world.count);
      member.step(world, state, gradient, t, options);
    },
  };
}
