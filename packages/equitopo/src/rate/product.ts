/**
 * What m rounds leave of any disagreement at worst: ||W(m-1) ... W(0) - J||_2. The norm of a single round says little
 * where rounds are disconnected (every one-peer graph) or not normal (de Bruijn), and nothing of the powers of its bound
 * need be reached; this is the exact norm of the product itself:
 *
 * - where a topology has a closed form, that;
 * - circulant rounds: max over k != 0 of prod_t |lambda_k(t)|, O(n M) a round of one period;
 * - one symmetric or circulant W: rate^m;
 * - else Lanczos iteration on the product, never multiplied out, with a certificate: O(m edges) a step;
 * - random rounds: rate^m bounds the root of the mean square, and is labelled so.
 */

import { integer } from "../input/input.ts";
import { applyRound } from "../round/apply.ts";
import { counted, largestSingularValue } from "./lanczos.ts";
import { Modes } from "./modes.ts";
import { pairProduct } from "./pair.ts";
import type { Rate } from "./rate.ts";
import { allModal, applyTransposed, isModal, type RoundSequence, stretchOf } from "./sequence.ts";

export interface ProductNorm {
  readonly norm: number;
  /** mean square: E ||x - mean||^2 shrinks by norm^2 at least, one run may do worse. */
  readonly method: "closed form" | "certified iteration" | "mean square";
  /** certified iteration: the norm differs from a true singular value by no more than this. */
  readonly error?: number;
}

/**
 * The norm over m >= 0 rounds from round `first` on.
 *
 * @example
 * ```ts
 * import { onePeerExp } from "equitopo";
 * import { normOver } from "equitopo/rate";
 * const graph = onePeerExp({ n: 300 });
 * normOver(graph, 9).norm.toFixed(4) // => "0.1486"
 * normOver(graph, 71).norm < 1e-6 // => true
 * ```
 */
export function normOver(topology: RoundSequence, m: number, first = 0): ProductNorm {
  integer("the number of rounds", m, 0);
  integer("the first round", first, 0);
  if (m === 0) return { norm: 1, method: "closed form" };
  const { exactAfter, kind } = topology;
  const stretch = stretchOf(topology);
  const wait = (stretch - (first % stretch)) % stretch;
  if (exactAfter !== undefined && m >= wait + exactAfter) return { norm: 0, method: "closed form" };
  if (wait === 0 && topology.norm !== undefined) return { norm: topology.norm(m), method: "closed form" };
  // Within a stretch that is exact the draws do not matter: they only name the nodes anew.
  const drawn = kind === "random" && (exactAfter === undefined || (wait > 0 && m > wait));
  if (drawn || topology.stochastic !== undefined)
    return { norm: meanSquare(topology, m, first), method: "mean square" };
  if (isNormal(topology)) return power(topology.rate(), m);
  if (allModal(topology)) return { norm: modalNorm(topology, m, first), method: "closed form" };
  return productNorm(topology, m, first);
}

/** What independent draws leave: of every whole block what a block leaves, of one that is cut what a round of it leaves. */
function meanSquare(topology: RoundSequence, m: number, first: number): number {
  const { rate, periodNorm } = topology.rate();
  const { block = 1 } = topology;
  if (block === 1) return rate ** m;
  const [begin, end] = [Math.ceil(first / block), Math.floor((first + m) / block)];
  const whole = Math.max(0, end - begin);
  const cut = Math.floor((first + m - 1) / block) - Math.floor(first / block) + 1 - whole;
  return (periodNorm ?? rate) ** whole * rate ** cut;
}

/** Whether it is one W that commutes with its transpose as far as one can see: the norm of a power is that of W to it. */
export function isNormal(topology: RoundSequence): boolean {
  const { kind, symmetric, pair } = topology;
  return kind === "static" && pair === undefined && (symmetric || isModal(topology.round(0)));
}

function power({ rate, method, error }: Rate, m: number): ProductNorm {
  const norm = rate ** m;
  return error === undefined ? { norm, method } : { norm, method, error: Math.max(0, (rate + error) ** m - norm) };
}

type Modal = Pick<RoundSequence, "n" | "period" | "round">;

/** max over k != 0 of prod |lambda_k|: whole periods are powers, what is left over is multiplied round by round. */
export function modalNorm(topology: Modal, m: number, first = 0): number {
  const period = topology.period!;
  const modes = new Modes(topology.n);
  const whole = Math.floor(m / period);
  const squares = whole === 0 ? new Float64Array(modes.count).fill(1) : periodSquares(topology, modes);
  if (whole > 1) raise(squares, whole);
  for (let t = first + whole * period; t < first + m; t++) modes.multiplySquares(topology.round(t), squares);
  return Math.sqrt(largest(squares));
}

/** prod |lambda_k|^2 over one period, for every k. */
export function periodSquares(topology: Modal, modes: Modes): Float64Array {
  const squares = new Float64Array(modes.count).fill(1);
  for (let t = 0; t < topology.period!; t++) modes.multiplySquares(topology.round(t), squares);
  return squares;
}

/** Every entry to a whole power, by multiplications alone: the same in every engine. */
export function raise(values: Float64Array, exponent: number): void {
  for (let k = 0; k < values.length; k++) {
    let result = 1;
    for (let e = exponent, square = values[k]; e > 0; e = Math.floor(e / 2), square *= square) {
      if (e % 2 === 1) result *= square;
    }
    values[k] = result;
  }
}

/** Away from k = 0. */
export function largest(values: Float64Array): number {
  let most = 0;
  for (let k = 1; k < values.length; k++) most = Math.max(most, values[k]);
  return most;
}

/** The norm of a product of any rounds, over two vectors a node too, by certified iteration. */
function productNorm(topology: RoundSequence, m: number, first: number): ProductNorm {
  const { forward, backward } =
    topology.pair === undefined ? plainProduct(topology, m, first) : pairProduct(topology, m, first);
  const { value, error } = largestSingularValue(topology.n, forward, backward);
  return { norm: Math.min(1, value), method: "certified iteration", error };
}

function plainProduct(topology: RoundSequence, m: number, first: number) {
  const rounds = Array.from({ length: m }, (_, t) => topology.round(first + t));
  const memory = [new Float64Array(topology.n), new Float64Array(topology.n)];
  const along = (order: typeof rounds, apply: typeof applyTransposed) => (x: Float64Array, y: Float64Array) => {
    let current = x;
    order.forEach((round, step) => {
      const next = step === m - 1 ? y : memory[step % 2];
      counted(apply, round, current, next);
      current = next;
    });
  };
  return { forward: along(rounds, applyRound), backward: along([...rounds].reverse(), applyTransposed) };
}
