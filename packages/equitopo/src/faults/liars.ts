/**
 * Liars: nodes that send something else than their rows. Who they are is a list, or a share of the nodes drawn from the
 * seed; what they say is an attack (attack/). A function of (seed, exchange, rows) alone, in the simulator and, where the
 * attack needs only the liar's own row, at real peers alike.
 */

import { InputError, integer, real } from "../input/input.ts";
import { RandomStream, streams } from "../random/stream.ts";
import type { Rows } from "../round/round.ts";
import { type AttackSpec, createAttack } from "./attack/registry.ts";

export interface LiarFaults {
  /** The liars by their numbers, or the share of the nodes that lie (rounded to whole nodes, drawn from the seed). */
  readonly liars?: readonly number[] | number;
  /** What they say: an attack by name, or { name, ...options }. */
  readonly attack?: AttackSpec;
}

/** Liars with their attack, in a network of n. */
export interface Liars {
  /** Ascending. */
  readonly nodes: readonly number[];
  /** 1 for each liar. */
  readonly marks: Uint8Array;
  /** Whether real peers can play it. */
  readonly alone: boolean;
  /** Whether their data is mislabelled. */
  readonly mislabels: boolean;
  /** What liar `node` says in place of its own row: new memory. */
  say(node: number, own: Rows, exchange: number, honest: readonly Rows[]): Rows;
}

/**
 * The liars among n nodes, or undefined where there are none. O(n).
 *
 * @example
 * ```ts
 * import { liarsAmong } from "equitopo/faults";
 * liarsAmong({ liars: [5, 2], attack: "large" }, 8, 0)?.nodes.join() // => "2,5"
 * liarsAmong({ liars: 0.25, attack: "large" }, 8, 0)?.nodes.length // => 2
 * liarsAmong({}, 8, 0) // => undefined
 * ```
 */
export function liarsAmong({ liars, attack }: LiarFaults, n: number, seed: number): Liars | undefined {
  if (liars === undefined && attack === undefined) return undefined;
  if (liars === undefined || attack === undefined) {
    const remedy = liars === undefined ? "say who lies: liars: [3] or 0.1" : "say what they say: attack: sign-flip";
    throw new InputError("liars and an attack belong together", liars ?? attack, remedy);
  }
  const { family, lie } = createAttack(attack);
  const nodes = nodesOf(liars, n, seed);
  if (nodes.length === 0) return undefined;
  const marks = new Uint8Array(n);
  for (const node of nodes) marks[node] = 1;
  return {
    nodes,
    marks,
    alone: family.alone,
    mislabels: family.mislabels === true,
    say(node, own, exchange, honest) {
      const said = own.slice();
      lie(own, { node, exchange, seed, honest }, said);
      return said;
    },
  };
}

function nodesOf(liars: readonly number[] | number, n: number, seed: number): number[] {
  if (typeof liars === "number") {
    const count = Math.round(n * real("liars", liars, { min: 0, max: 1, open: "max" }, 0.1));
    return [...new RandomStream(seed, streams.liars).permutation(n).slice(0, requireHonest(count, n)).sort()];
  }
  if (!Array.isArray(liars)) {
    throw new InputError("liars must be a list of nodes, or a share of them", liars, "try liars: [3] or liars: 0.1");
  }
  const nodes = [...new Set(liars)].map((node, k) => integer(`liars[${k}]`, node, 0, n - 1));
  requireHonest(nodes.length, n);
  return nodes.sort((a, b) => a - b);
}

function requireHonest(count: number, n: number): number {
  if (count < n) return count;
  throw new InputError(`somebody must be honest: at most ${n - 1} of ${n} nodes lie`, count, "name fewer liars");
}

/** The rows of the honest nodes alone, in their order; the rows themselves where nobody lies. */
export function honestRows<T extends Rows>(x: T, liars: Liars | undefined): T {
  if (liars === undefined) return x;
  const n = liars.marks.length;
  const d = x.length / n;
  const honest = x.slice(0, (n - liars.nodes.length) * d) as T;
  let at = 0;
  for (let i = 0; i < n; i++) {
    if (liars.marks[i] === 1) continue;
    honest.set(x.subarray(i * d, (i + 1) * d), at);
    at += d;
  }
  return honest;
}
