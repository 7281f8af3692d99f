/**
 * What a certificate says of a design beyond its rate: the frequency where the rate is attained, the multipliers that no
 * weights on its shifts pass, and the bound that no circulant of its degree passes. All of it is computed anew.
 */

import { type CirculantRound, createTopology, type Design, InputError, type Topology } from "equitopo";
import { integer } from "equitopo/input";
import {
  attained,
  designBound,
  exhaust,
  isExhaustible,
  type Multiplier,
  type OnePeerDesign,
  onePeerBound,
  type Question,
  question,
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

/** The rates that are 0 but for the rounding of n weights, of which there is nothing to prove. */
const nothing = (n: number) => 1e-10 + n * 2 ** -36;
/** Rounding between machines. */
const SLACK = 1e-11;
/** Classes of supports that are weighed again to see whether a proof holds: some ten seconds. */
const MOST_CLASSES = 100_000;

/** What of a claim does not hold. */
export function designRefutations(topology: Topology, claim: unknown): string[] {
  if (typeof claim !== "object" || claim === null || Array.isArray(claim)) {
    return [`design is ${JSON.stringify(claim)}, and no claim`];
  }
  const { name } = topology;
  if (name === "designed-static") return staticRefutations(topology, claim);
  if (name === "designed-one-peer") return differences(claim, derivedSequence(topology, claim), () => SLACK, "design.");
  return [`${name} is no design, so nothing can be claimed of it as one`];
}

/** A claim as it comes out of a file: anything may be in it. */
type Claimed = { readonly [Key in keyof DesignClaim]?: unknown };

function staticRefutations(topology: Topology, claim: Claimed): string[] {
  const { n, directed, maxDegree } = topology;
  const round = topology.round(0) as CirculantRound;
  const { rate } = topology.rate();
  let asked: Question;
  try {
    asked = question({ n, degree: claim.degree as number, directed });
    integer("degree", asked.degree, maxDegree);
  } catch (error) {
    if (error instanceof InputError) return [`design: ${error.message}`];
    throw error;
  }
  const multipliers = multipliersOf(n, claim.multipliers);
  const total = multipliers?.reduce((sum, { re, im }) => sum + Math.hypot(re, im), 0) ?? 0;
  if (
    multipliers === undefined ||
    !(Math.abs(total - 1) <= SLACK || (multipliers.length === 0 && rate <= nothing(n)))
  ) {
    return [
      "design.multipliers must be { k, re, im } with k from 1 to n - 1, their moduli of sum 1; none at rate 0 only",
    ];
  }
  const { value, name } = designBound(asked);
  const derived = {
    degree: asked.degree,
    frequency: frequencyOf(
      claim.frequency,
      (k) => modulusAt(round, k),
      rate,
      () => attained(round).frequency,
    ),
    bound: value,
    boundName: name,
    multipliers,
    supportBound: supportBound(n, round.shifts, multipliers),
    // A proof is to weigh all supports again.
    proved: claim.proved === true && isExhaustible(asked, MOST_CLASSES) && exhaust(asked).rate >= rate - 1e-8,
  };
  const above = (["bound", "supportBound"] as const).filter((key) => !(Number(claim[key]) <= rate + SLACK));
  return [
    ...differences(claim, derived, () => SLACK, "design."),
    ...above.map((key) => `design.${key} is above the rate, which it is to be below`),
  ];
}

function derivedSequence(topology: Topology, claim: Claimed): DesignClaim {
  const { n, period = 1 } = topology;
  const rounds = Array.from({ length: period }, (_, t) => topology.round(t) as CirculantRound);
  const { periodNorm = 1 } = topology.rate();
  const modulus = (k: number) => rounds.reduce((product, round) => product * modulusAt(round, k), 1);
  const first = () => Array.from({ length: n - 1 }, (_, j) => j + 1).find((k) => modulus(k) >= periodNorm - SLACK) ?? 1;
  return {
    degree: 1,
    frequency: frequencyOf(claim.frequency, modulus, periodNorm, first),
    bound: onePeerBound(n, period),
    boundName: SPREAD,
  };
}

/** The frequency that is claimed, if the modulus is attained there: any will do. Otherwise one where it is. */
function frequencyOf(claimed: unknown, modulus: (k: number) => number, attains: number, other: () => number): number {
  return Math.abs(modulus(claimed as number) - attains) <= SLACK ? (claimed as number) : other();
}

/** As they are proofs: finite numbers at frequencies beside 0; undefined where any is none. */
function multipliersOf(n: number, claimed: unknown): readonly Multiplier[] | undefined {
  if (!Array.isArray(claimed)) return undefined;
  const valid = claimed.every((one) => isFrequency(one?.k, n) && Number.isFinite(one.re) && Number.isFinite(one.im));
  return valid ? claimed.map(({ k, re, im }) => ({ k, re, im })) : undefined;
}

function isFrequency(k: unknown, n: number): k is number {
  return Number.isInteger(k) && (k as number) >= 1 && (k as number) < n;
}

/** |lambda_k|; not a number where k is no frequency beside 0. */
function modulusAt({ n, self, shifts, weights }: CirculantRound, k: number): number {
  if (!isFrequency(k, n)) return Number.NaN;
  let re = self;
  let im = 0;
  for (let j = 0; j < shifts.length; j++) {
    const angle = (2 * Math.PI * ((k * shifts[j]) % n)) / n;
    re += weights[j] * Math.cos(angle);
    im += weights[j] * Math.sin(angle);
  }
  return Math.hypot(re, im);
}
