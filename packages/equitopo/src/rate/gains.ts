/**
 * Gains: what an algorithm with a constant step feels of a topology. With fixed gradients of heterogeneity h the
 * disagreement of DSGD settles at g S(t) h, and with gradient noise of size sigma at g sigma N:
 *
 *   S(t) = W(t) (S(t-1) + Pi),   N^2 = mean over t of sum over tau of ||Pi W(t) ... W(t-tau+1)||_F^2 / (n - 1).
 *
 * rms is the root of the mean over t of ||S(t)||_F^2 / (n - 1), worst the root of the largest eigenvalue of the mean of
 * S^T S: the direction that is served worst. A consensus rate does not imply them: an exact graph may have the worst gain.
 *
 * Exact: one W, S = (W - J)(I - W + J)^-1, and periods, dense up to n = 512, for any n where all rounds are circulant
 * (each Fourier mode alone); random rounds with the same moments in every direction, of one shift or of pairs at one label
 * difference (n <= 512); relabelled blocks (n <= 1024, any n if circulant). Elsewhere sampled, with an error.
 */

import { InputError } from "../input/input.ts";
import { DENSE_NODES, denseGains, GainSquares } from "./gains-dense.ts";
import { sampledGains } from "./gains-sampled.ts";
import { labelledGains } from "./labelled.ts";
import { drawnMoments, Modes } from "./modes.ts";
import { TURNED_NODES, turnedGains } from "./pairings.ts";
import { allModal, type RoundSequence, repeatsInOrder, type ShiftDraws } from "./sequence.ts";

export interface Gains {
  /** Over all directions, in the root of the mean square. */
  readonly rms: number;
  /** In the worst direction. */
  readonly worst: number;
  /** Of fresh gradient noise. */
  readonly noise: number;
  readonly method: "exact" | "sampled";
  /** sampled only: each is within that much of the true one in 19 cases of 20. */
  readonly error?: { readonly rms: number; readonly worst: number; readonly noise: number };
}

/**
 * The gains of a topology. O(n M) a round for circulants, O(n^3 log) dense, a second or so where they are sampled.
 *
 * @example
 * ```ts
 * import { odEquiDyn, onePeerExp } from "equitopo";
 * import { gains } from "equitopo/rate";
 * gains(odEquiDyn({ n: 300 })).worst.toFixed(4) // => "1.7224"
 * const { rms, worst } = gains(onePeerExp({ n: 300 }));
 * `${rms.toFixed(3)} ${worst.toFixed(3)}` // => "1.659 4.761"
 * ```
 */
export function gains(topology: RoundSequence): Gains {
  const { moments, draws, turned, labelled, kind, n } = topology;
  if (topology.stochastic === "columns") {
    const rule = "gains need rounds that keep agreement (rows that sum to 1)";
    throw new InputError(rule, "columns", "choose another topology");
  }
  if (moments !== undefined) return isotropicGains(moments.mean, moments.square);
  if (draws !== undefined) return drawnGains(n, draws);
  if (kind !== "random" && repeatsInOrder(topology)) {
    if (allModal(topology)) return modalGains(topology);
    if (n <= DENSE_NODES) return denseGains(topology);
  }
  const found = labelled ? labelledGains(topology) : turned && n <= TURNED_NODES ? turnedGains(n, turned) : undefined;
  if (found !== undefined) return found;
  if (topology.pair === undefined) return sampledGains(topology);
  const rule = `gains over two vectors a node need rounds that repeat and n <= ${DENSE_NODES}`;
  throw new InputError(rule, { kind, n }, kind === "random" ? "leave out relabel" : "try a smaller n");
}

/** i.i.d. rounds with E W = mu and E W^T W = b in every direction. */
function isotropicGains(mu: number, b: number): Gains {
  const gain = Math.sqrt((b / (1 - b)) * ((1 + mu) / (1 - mu)));
  return { rms: gain, worst: gain, noise: Math.sqrt(b / (1 - b)), method: "exact" };
}

/** One random shift a round: mode k has its own mu and b, and E|s|^2 = b/(1-b) Re (1+mu)/(1-mu). */
function drawnGains(n: number, draws: ShiftDraws): Gains {
  const modes = new Modes(n);
  const { mean, square } = drawnMoments(modes, draws);
  const squares = new GainSquares();
  for (let k = 1; k < modes.count; k++) {
    const [re, im, b] = [mean[2 * k], mean[2 * k + 1], square[k]];
    if (b > 1 - 1e-13) {
      squares.add(Infinity, Infinity, 1);
      continue;
    }
    const tilt = (1 - re * re - im * im) / ((1 - re) ** 2 + im * im);
    squares.add((b / (1 - b)) * tilt, b / (1 - b), modes.multiplicity(k));
  }
  return squares.gains(n);
}

/** Circulant rounds: s <- lambda (s + 1) and c <- |lambda|^2 (c + 1) for every mode, in the limit over periods. */
function modalGains(topology: RoundSequence): Gains {
  const modes = new Modes(topology.n);
  const period = topology.period!;
  const values = Array.from({ length: period }, (_, t) => modes.values(topology.round(t)));
  const squares = new GainSquares();
  for (let k = 1; k < modes.count; k++) {
    // s after a period is p s + q, and c is |p|^2 c + d.
    let [pr, pi, qr, qi, pp, d] = [1, 0, 0, 0, 1, 0];
    for (const lambda of values) {
      const [a, b] = [lambda[2 * k], lambda[2 * k + 1]];
      [pr, pi] = [a * pr - b * pi, a * pi + b * pr];
      [qr, qi] = [a * (qr + 1) - b * qi, a * qi + b * (qr + 1)];
      pp *= a * a + b * b;
      d = (a * a + b * b) * (d + 1);
    }
    const size = (1 - pr) ** 2 + pi * pi;
    // A mode that a period leaves as it is: what is put in there piles up.
    if (size < 1e-26 || pp > 1 - 1e-13) {
      squares.add(Infinity, Infinity, 1);
      continue;
    }
    let [sr, si] = [(qr * (1 - pr) - qi * pi) / size, (qi * (1 - pr) + qr * pi) / size];
    let c = d / (1 - pp);
    let [square, noise] = [0, 0];
    for (const lambda of values) {
      const [a, b] = [lambda[2 * k], lambda[2 * k + 1]];
      [sr, si] = [a * (sr + 1) - b * si, a * si + b * (sr + 1)];
      c = (a * a + b * b) * (c + 1);
      square += (sr * sr + si * si) / period;
      noise += c / period;
    }
    squares.add(square, noise, modes.multiplicity(k));
  }
  return squares.gains(topology.n);
}
