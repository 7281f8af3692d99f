/**
 * Rounds over the multiples of a power: in round l = t mod c
 *
 *   W = (1/b) (I + P^s + P^(2 s) + ... + P^((b-1) s)),   s = b^l mod n,
 *
 * what the k-peer exponential graph and doubling have in common; they differ in where the cycle of c rounds ends. Equal
 * shifts add up, and one that is 0 mod n adds to the own weight. Circulant, doubly stochastic, rounds commute; T rounds
 * from the start of a cycle, T <= c, average over b^T labels in a row (rate/window.ts), so they are exact where n divides
 * b^T. At most b - 1 peers, any n. peers(t, i) in O(b log b), memory O(sqrt c).
 */

import { gcd, mulMod, powMod } from "../number/integers.ts";
import type { Rate } from "../rate/rate.ts";
import { type Window, windowNorm } from "../rate/window.ts";
import { isSymmetric } from "../round/circulant.ts";
import type { CirculantRound } from "../round/round.ts";
import { circulantPeers } from "./circulant.ts";
import { type Topology, type TopologySpec, topologyOf } from "./topology.ts";

/** So short a cycle is kept written out; of a longer one each round is worked out when it is asked for. */
const SHORT = 64;

/** The topology of these rounds with b weights a node and a cycle of `period` rounds, in none of which n divides s. */
export function powerShifts(spec: TopologySpec, b: number, period: number): Topology {
  const { n } = spec;
  const power = powers(b, n, period);
  const written = period <= SHORT ? Array.from({ length: period }, (_, l) => multiples(n, power(l), b)) : undefined;
  const round = (t: number) => written?.[t % period] ?? multiples(n, power(t % period), b);
  const window = (rounds: number, times: number): Window[] =>
    rounds * times === 0 ? [] : [{ size: b ** rounds, residue: powMod(b, rounds, n), times }];
  const norm = (m: number) => {
    const whole = Math.floor(m / period);
    return Math.min(1, windowNorm(n, [...window(period, whole), ...window(m - whole * period, 1)]));
  };
  // Labels 0 .. b - 1 times s: some are met one way only, unless they are all there are.
  const directed = b < n;
  return topologyOf({
    kind: "periodic",
    directed,
    symmetric: !directed && Array.from({ length: period }, (_, l) => l).every((l) => isSymmetric(round(l))),
    maxDegree: Math.min(b, n) - 1,
    period,
    ...(powMod(b, period, n) === 0 ? { exactAfter: period } : {}),
    spec,
    round,
    peers: (t, i) => circulantPeers(round(t), i),
    norm,
    rate: () => exactRate(n, b, period, norm),
  });
}

function exactRate(n: number, b: number, period: number, norm: (m: number) => number): Rate {
  // A unit s permutes the frequencies of s = 1; any other s leaves the classes mod gcd(s, n) apart.
  const rate = period > 1 && gcd(b, n) > 1 ? 1 : norm(1);
  const periodNorm = norm(period);
  // The norm's root, by way of b^period times the norm: a long cycle's norm is below all numbers.
  const scaled = windowNorm(n, [{ size: 1, residue: powMod(b, period, n), times: 1 }]);
  const periodRate = periodNorm === 0 ? 0 : Math.min(1, scaled ** (1 / period) / b);
  return { rate, bound: null, method: "closed form", periodNorm, periodRate };
}

/** l -> b^l mod n for 0 <= l < count, from two tables of sqrt(count). */
function powers(b: number, n: number, count: number): (l: number) => number {
  const stride = Math.ceil(Math.sqrt(count));
  const table = (base: number) => {
    const list = [1 % n];
    while (list.length <= stride) list.push(mulMod(list[list.length - 1], base, n));
    return list;
  };
  const near = table(b % n);
  const far = table(near[stride]);
  return (l) => {
    const row = Math.floor(l / stride);
    return mulMod(far[row], near[l - row * stride], n);
  };
}

/** The round of the shifts 0, s, 2 s, ..., (b - 1) s mod n, s in [1, n). */
function multiples(n: number, s: number, b: number): CirculantRound {
  const found: number[] = [];
  for (let at = s; at !== 0 && found.length < b - 1; at = at + s < n ? at + s : at + s - n) found.push(at);
  // They come round again after the `count`-th: then the first few are there once more than the others.
  const count = found.length + 1;
  const turns = Math.floor(b / count);
  const weight = (multiple: number) => (turns + (multiple < b % count ? 1 : 0)) / b;
  const links = found.map((shift, k) => ({ shift, weight: weight(k + 1) })).sort((a, c) => a.shift - c.shift);
  const shifts = Int32Array.from(links, ({ shift }) => shift);
  return { kind: "circulant", n, self: weight(0), shifts, weights: Float64Array.from(links, (link) => link.weight) };
}
