/**
 * What a certificate says of a design beyond its rate: the frequency where the rate is attained, the multipliers that no
 * weights on its shifts pass, and the bound that no circulant of its degree passes. All of it is computed anew.
 */

import { createTopology, type Design, type Topology } from "equitopo";
import {
  designBound,
  exhaust,
  type Multiplier,
  type OnePeerDesign,
  onePeerBound,
  supportBound,
} from "equitopo/internal/design";
import { differences } from "./differences.ts";

export interface DesignClaim {
  /** Peers that were asked for; the shifts may be fewer. */
  readonly degree: number;
  /** A k with |lambda_k| = rate; of a sequence, where the period's norm is attained. */
  readonly frequency: number;
  readonly bound: number;
  readonly boundName: string;
  readonly multipliers?: readonly Multiplier[];
  readonly supportBound?: number;
  /** Whether all supports were weighed. */
  readonly proved?: boolean;
}

/** What bounds sequences of one-peer rounds. */
const SPREAD = "even spread";

/** The claim of a static design of so many peers. */
export function designClaim(design: Design, degree: number): DesignClaim {
  const { boundName, frequency, multipliers, supportBound: least, proved } = design.certificate;
  return { degree, frequency, bound: design.bound, boundName, multipliers, supportBound: least, proved };
}

/** The claim of a sequence. */
export function sequenceClaim({ bound, certificate }: OnePeerDesign): DesignClaim {
  return { degree: 1, frequency: certificate.frequency, bound, boundName: SPREAD };
}

/** The topology that a design is. */
export function designedTopology(design: Design | OnePeerDesign): Topology {
  const { n, self, shifts, weights } = design;
  return "period" in design
    ? createTopology({ name: "designed-one-peer", n, shifts, weights })
    : createTopology({ name: "designed-static", n, self, shifts, weights });
}

/** What of a claim does not hold. */
export function designRefutations(topology: Topology, claim: DesignClaim): string[] {
  const derived = topology.kind === "periodic" ? derivedSequence(topology, claim) : derivedStatic(topology, claim);
  return differences(claim, derived, 1e-9, "design.");
}

function derivedStatic(topology: Topology, claim: DesignClaim): DesignClaim {
  const { n, directed } = topology;
  const round = topology.round(0);
  const { degree, frequency } = claim;
  if (round.kind !== "circulant" || !Number.isInteger(degree) || degree < round.shifts.length || degree >= n) {
    return { ...claim, degree: topology.maxDegree };
  }
  const shifts = Array.from(round.shifts);
  const { rate } = topology.rate();
  const reached = modulusAt(n, round.self, shifts, round.weights, frequency);
  const { value, name } = designBound({ n, degree, directed });
  const multipliers = Array.isArray(claim.multipliers) ? claim.multipliers : [];
  const total = multipliers.reduce((sum, { re, im }) => sum + Math.hypot(re, im), 0);
  return {
    degree,
    // Any frequency where the rate is attained will do.
    frequency: Math.abs(reached - rate) <= 1e-9 ? frequency : Number.NaN,
    bound: value,
    boundName: name,
    // Their sum must be 1; none are needed where the rate is 0.
    multipliers: Math.abs(total - 1) <= 1e-9 || multipliers.length === 0 ? multipliers : [],
    supportBound: supportBound(n, shifts, multipliers),
    // A proof is to weigh all supports again.
    proved: claim.proved === true && exhaust({ n, degree, directed }).rate >= rate - 1e-8,
  };
}

function derivedSequence(topology: Topology, claim: DesignClaim): DesignClaim {
  const { n, period = 1 } = topology;
  const { shifts, weights } = topology.spec as unknown as { shifts: readonly number[]; weights: readonly number[] };
  const reached = shifts.reduce(
    (product, s, t) => product * modulusAt(n, 1 - weights[t], [s], [weights[t]], claim.frequency),
    1,
  );
  const { periodNorm = 1 } = topology.rate();
  return {
    degree: 1,
    frequency: Math.abs(reached - periodNorm) <= 1e-12 ? claim.frequency : Number.NaN,
    bound: onePeerBound(n, period),
    boundName: SPREAD,
  };
}

/** |lambda_k|; not a number where k is no frequency beside 0. */
function modulusAt(n: number, self: number, shifts: ArrayLike<number>, weights: ArrayLike<number>, k: number): number {
  if (!Number.isInteger(k) || k <= 0 || k >= n) return Number.NaN;
  let re = self;
  let im = 0;
  for (let j = 0; j < shifts.length; j++) {
    const angle = (2 * Math.PI * ((k * shifts[j]) % n)) / n;
    re += weights[j] * Math.cos(angle);
    im += weights[j] * Math.sin(angle);
  }
  return Math.hypot(re, im);
}
