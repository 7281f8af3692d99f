/**
 * The paper's four graphs again, as its formulas are printed: a second implementation on purpose, so that curves measured on
 * the library's graphs are compared with code that shares no line with them. Given the random draws (the basis, the label
 * difference v_t, the start s_t), it applies
 *
 *   A^(u): a_ij = (n-1)/n for i = j + u, a_ii = 1/n                                        (section 3.1)
 *   D-EquiStatic: the mean of A^(u) over the basis;   U-EquiStatic: (W + W^T)/2             (sections 3.2 and 4.1)
 *   OD-EquiDyn: (1 - eta) I + eta A^(v_t);   OU-EquiDyn: (1 - eta) I + eta A of Alg. 2      (sections 3.3 and 4.2)
 *
 * to one number per node; and the mean-square factors of its rounds for every Fourier mode k,
 *
 *   |1/n + (n-1)/n mean over u of w^(ku)|^2 for the static graphs (the real part for U-EquiStatic),
 *   1 - 2 c (1 - c) mean over v of p_v (1 - cos(2 pi k v / n)), c = eta (n-1)/n, for the dynamic ones,
 *
 * p_v being the share of nodes that have a partner at label difference v (1 for OD-EquiDyn), counted here from Alg. 2.
 */

import type { OuEquiDyn, Topology } from "equitopo";
import { mean } from "equitopo/internal/outcome";

type Step = (x: Float64Array) => Float64Array;
type Draws = { readonly basis: readonly number[] | "full"; readonly eta: number };

const wrap = (i: number, n: number) => ((i % n) + n) % n;
const drawsOf = (topology: Topology) => topology.spec as unknown as Draws;

/** The weights that node i gives, as printed, in round t. */
function stepAt(topology: Topology, t: number): Step {
  const { n } = topology;
  const { basis, eta } = drawsOf(topology);
  const shifts = basis as readonly number[];
  const far = (n - 1) / n;
  switch (topology.name) {
    case "d-equistatic":
      return (x) => x.map((own, i) => own / n + far * mean(shifts.map((u) => x[wrap(i - u, n)])));
    case "u-equistatic":
      return (x) =>
        x.map((own, i) => own / n + (far / 2) * mean(shifts.map((u) => x[wrap(i - u, n)] + x[wrap(i + u, n)])));
    case "od-equidyn": {
      const v = wrap(0 - topology.peers(t, 0).from[0].node, n);
      return (x) => x.map((own, i) => (1 - eta) * own + eta * (own / n + far * x[wrap(i - v, n)]));
    }
    case "ou-equidyn": {
      const { v, s } = (topology as OuEquiDyn).choice(t);
      const partner = pairs(n, v, s);
      return (x) =>
        x.map((own, i) => (partner[i] === i ? own : (1 - eta) * own + eta * (own / n + far * x[partner[i]])));
    }
    default:
      throw new Error(`${topology.name} is none of the paper's graphs`);
  }
}

/** Alg. 2: from s on, j is connected with j + v unless one of them is taken. */
function pairs(n: number, v: number, s: number): Int32Array {
  const partner = Int32Array.from({ length: n }, (_, i) => i);
  for (let step = 0; step < n; step++) {
    const j = (s + step) % n;
    const i = (j + v) % n;
    if (partner[i] !== i || partner[j] !== j) continue;
    partner[i] = j;
    partner[j] = i;
  }
  return partner;
}

export function isInPrint({ name }: Topology): boolean {
  return ["d-equistatic", "u-equistatic", "od-equidyn", "ou-equidyn"].includes(name);
}

/** ||x(t) - J x(0)|| at t = 0, 1, ..., rounds from the given start. O(rounds n M). */
export function printedErrors(topology: Topology, start: ArrayLike<number>, rounds: number): number[] {
  let x: Float64Array = Float64Array.from(start);
  const centre = mean([...x]);
  const error = () => Math.sqrt(x.reduce((sum, value) => sum + (value - centre) ** 2, 0));
  const errors = [error()];
  for (let t = 0; t < rounds; t++) {
    x = stepAt(topology, t)(x);
    errors.push(error());
  }
  return errors;
}

/** The smallest and the largest mean-square factor per round over all k != 0. O(n M), O(n^2) for the full basis. */
export function printedFactors(topology: Topology): { readonly least: number; readonly largest: number } {
  const { n } = topology;
  const { basis: given, eta } = drawsOf(topology);
  const basis = given === "full" ? Array.from({ length: n - 1 }, (_, k) => k + 1) : given;
  const indices = Int32Array.from(basis);
  const [cosine, sine] = [Math.cos, Math.sin].map((wave) =>
    Float64Array.from({ length: n }, (_, k) => wave((2 * Math.PI * k) / n)),
  );
  const dynamic = topology.name.endsWith("equidyn");
  const paired = Float64Array.from(basis, (v) => (topology.name === "ou-equidyn" ? pairedShare(n, v) : 1));
  const c = (eta * (n - 1)) / n;
  let [least, largest] = [Number.POSITIVE_INFINITY, 0];
  // The spectrum of a real matrix is symmetric: half of the modes are enough.
  for (let k = 1; 2 * k <= n; k++) {
    let [real, imaginary] = [0, 0];
    for (let j = 0; j < indices.length; j++) {
      const at = (k * indices[j]) % n;
      real += dynamic ? paired[j] * (1 - cosine[at]) : cosine[at];
      imaginary += sine[at];
    }
    const [a, b] = [real / basis.length, imaginary / basis.length];
    const along = 1 / n + ((n - 1) / n) * a;
    const across = topology.name === "u-equistatic" ? 0 : ((n - 1) / n) * b;
    const factor = dynamic ? 1 - 2 * c * (1 - c) * a : along ** 2 + across ** 2;
    least = Math.min(least, factor);
    largest = Math.max(largest, factor);
  }
  return { least, largest };
}

/** The share of nodes that Alg. 2 connects at label difference v: the same for every start. O(n). */
const pairedShare = (n: number, v: number) => pairs(n, v, 0).filter((partner, i) => partner !== i).length / n;
