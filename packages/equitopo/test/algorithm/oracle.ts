/**
 * Every algorithm a second time, as naively as its equations are written: X, W, G are full matrices, all former iterates
 * are kept, nothing is shared and nothing is fast.
 */

import { RandomStream } from "../../src/random/stream.ts";

export type Matrix = number[][];

export interface Case {
  readonly n: number;
  readonly d: number;
  readonly rounds: number;
  readonly X0: Matrix;
  W(t: number): Matrix;
  G(X: Matrix, t: number): Matrix;
  g(t: number): number;
  readonly seed: number;
  readonly options: Readonly<Record<string, unknown>>;
  /** Columns that are matrices. */
  readonly matrices: readonly (readonly [number, number])[];
  /** Whether the rounds are CECA's. */
  readonly pair: boolean;
}

type Oracle = (c: Case) => Matrix[];

const map = (f: (...entries: number[]) => number, ...ms: Matrix[]): Matrix =>
  ms[0].map((row, i) => row.map((_, j) => f(...ms.map((m) => m[i][j]))));
const times = (A: Matrix, B: Matrix): Matrix =>
  A.map((row) => B[0].map((_, j) => row.reduce((sum, a, k) => sum + a * B[k][j], 0)));
const add = (...ms: Matrix[]) => map((...entries) => entries.reduce((a, b) => a + b), ...ms);
const minus = (A: Matrix, B: Matrix) => map((a, b) => a - b, A, B);
const scale = (c: number, A: Matrix) => map((a) => c * a, A);
const zeros = ({ n, d }: Case): Matrix => Array.from({ length: n }, () => Array(d).fill(0));
const identity = (n: number): Matrix =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => +(i === j)));
const J = (n: number): Matrix => Array.from({ length: n }, () => Array(n).fill(1 / n));
const lazy = (W: Matrix) => scale(0.5, add(identity(W.length), W));
const num = (c: Case, name: string) => c.options[name] as number;

/** X_1, X_2, ... from X+ = update(X, t). */
function iterates(c: Case, update: (X: Matrix, t: number) => Matrix): Matrix[] {
  const all = [c.X0];
  for (let t = 0; t < c.rounds; t++) all.push(update(all[t], t));
  return all.slice(1);
}

/** Gradient tracking: how X+ and Y+ follow from X, Y and G+ - G. */
function tracking(
  c: Case,
  nextX: (W: Matrix, X: Matrix, gY: Matrix) => Matrix,
  nextY: (W: Matrix, Y: Matrix, dG: Matrix) => Matrix,
) {
  let G = c.G(c.X0, 0);
  let Y = G;
  return iterates(c, (X, t) => {
    const next = nextX(c.W(t), X, scale(c.g(t), Y));
    const nextG = c.G(next, t + 1);
    Y = nextY(c.W(t), Y, minus(nextG, G));
    G = nextG;
    return next;
  });
}

/** V (2X - X_prev - (g G - g_prev G_prev)) from the second iteration on. */
function corrected(c: Case, first: (X: Matrix, gG: Matrix) => Matrix, V: (t: number) => Matrix) {
  let last: { X: Matrix; gG: Matrix } | undefined;
  return iterates(c, (X, t) => {
    const gG = scale(c.g(t), c.G(X, t));
    const next =
      last === undefined
        ? first(X, gG)
        : times(V(t), add(scale(2, X), scale(-1, last.X), scale(-1, minus(gG, last.gG))));
    last = { X, gG };
    return next;
  });
}

/** m = b m + G; X+ = V(t) (X - g m). */
function momentum(c: Case, V: (t: number) => Matrix) {
  let m = zeros(c);
  return iterates(c, (X, t) => {
    m = add(scale(num(c, "momentum"), m), c.G(X, t));
    return times(V(t), minus(X, scale(c.g(t), m)));
  });
}

/** The step of a spec's inner optimiser: X and G to X, from moments of its own. */
function innerStep(c: Case) {
  const { name, ...options } = c.options["inner"] as { name: string } & Record<string, number>;
  let m = zeros(c);
  let v = zeros(c);
  const decays = (j: number) => c.matrices.some(([from, to]) => j >= from && j < to);
  return (X: Matrix, t: number, gradient = c.G(X, t)): Matrix => {
    const G = gradient.map((row) => {
      const norm = Math.hypot(...row);
      const most = options["clip"];
      return most > 0 && norm > most ? row.map((g) => (g * most) / norm) : row;
    });
    const g = c.g(t);
    if (name === "sgd") return minus(X, scale(g, G));
    if (name === "momentum") {
      m = add(scale(options["momentum"], m), G);
      return minus(X, scale(g, m));
    }
    const { beta1, beta2, epsilon, weightDecay } = options;
    m = add(scale(beta1, m), scale(1 - beta1, G));
    v = map((old, one) => beta2 * old + (1 - beta2) * one * one, v, G);
    const step = map((a, b) => a / (1 - beta1 ** (t + 1)) / (Math.sqrt(b / (1 - beta2 ** (t + 1))) + epsilon), m, v);
    const decayed = X.map((row) => row.map((x, j) => (decays(j) ? x - g * weightDecay * x : x)));
    return minus(decayed, scale(g, step));
  };
}

/** Models after an outer step, from those before it, W, the inner rate, and what stands for W Z. */
type OuterRule = (X: Matrix, W: Matrix, g: number, mix: typeof times) => Matrix;

/** H inner steps, then the outer step of one part of the columns. `rule` begins one part's; late, the last step's is done now. */
function outerSteps(c: Case, rule: () => OuterRule): Matrix[] {
  const [H, R] = [num(c, "steps"), (c.options["rounds"] as number) ?? 1];
  const F = num(c, "fragments");
  const { compress, late } = c.options as { compress: "none" | { bits: number }; late: boolean };
  const inner = innerStep(c);
  const rules = Array.from({ length: F }, rule);
  const columns = (part: number) => [Math.floor((part * c.d) / F), Math.floor(((part + 1) * c.d) / F)];
  let E = zeros(c);
  const mix = (W: Matrix, Z: Matrix) => {
    if (compress === "none") return times(W, Z);
    const Q = add(Z, E).map((row) => rounded(row, compress.bits));
    E = minus(add(Z, E), Q);
    return add(Z, minus(times(W, Q), Q));
  };
  let held = c.X0;
  return iterates(c, (X, t) => {
    const next = inner(X, t);
    if ((t + 1) % (H / F) !== 0) return next;
    let W = c.pair ? J(c.n) : identity(c.n);
    const k = Math.floor(t / H);
    for (let r = R * k; r < R * (k + 1) && !c.pair; r++) W = times(c.W(r), W);
    const made = (t + 1) / (H / F) - 1;
    const part = (late ? made - 1 + F : made) % F;
    const [from, to] = columns(part);
    const isOf = (j: number) => j >= from && j < to;
    const before = late ? held : next;
    const g = c.g(late ? t - H / F : t);
    if (late && made === 0) {
      held = next;
      return next;
    }
    const after = add(rules[part](before, W, g, mix), minus(next, before));
    const stepped = next.map((row, i) => row.map((x, j) => (isOf(j) ? after[i][j] : x)));
    held = stepped;
    return stepped;
  });
}

/** To 2^bits - 1 levels between the largest number of every 256 and its negative. */
function rounded(row: readonly number[], bits: number): number[] {
  const levels = 2 ** (bits - 1) - 1;
  return row.map((v, j) => {
    const first = 256 * Math.floor(j / 256);
    const largest = Math.max(...row.slice(first, first + 256).map(Math.abs));
    return largest === 0 ? 0 : (Math.round((v / largest) * levels) / levels) * largest;
  });
}

/** torch's Nesterov from anchors: the momentum and the model after a step along the drift D. */
const nesterov = (c: Case, m: Matrix, D: Matrix, phi: Matrix) => {
  const next = add(scale(num(c, "outerMomentum"), m), D);
  return { m: next, to: add(phi, scale(num(c, "outerRate"), add(D, scale(num(c, "outerMomentum"), next)))) };
};

/** Heavy ball on the drift of mixed models. */
function heavyBall(c: Case, V: (W: Matrix) => Matrix, unit: (g: number) => number = () => 1) {
  return outerSteps(c, () => {
    let phi = c.X0;
    let m = zeros(c);
    return (X, W, g, mix) => {
      m = add(scale(num(c, "outerMomentum"), m), scale(1 / unit(g), minus(mix(V(W), X), phi)));
      phi = add(phi, scale(num(c, "outerRate") * unit(g), m));
      return phi;
    };
  });
}

/** The smallest eigenvalue of a symmetric W, from the largest of I - W by power iteration. */
function smallestEigenvalue(W: Matrix): number {
  const A = minus(identity(W.length), W);
  let v = W.map((_, i) => [Math.sin(1 + 3 * i)]);
  let value = 0;
  for (let k = 0; k < 3000; k++) {
    const Av = times(A, v);
    value = Math.sqrt(Av.reduce((sum, [a]) => sum + a * a, 0));
    v = scale(1 / value, Av);
  }
  return 1 - value;
}

function compress(c: Case, row: number[], words: () => number): number[] {
  const { d } = c;
  const k = Math.ceil(num(c, "keep") * d);
  if (c.options["compressor"] === "quantise") {
    const largest = Math.max(...row.map(Math.abs));
    const levels = 2 ** (num(c, "bits") - 1) - 1;
    return row.map((v) => (largest === 0 ? 0 : (Math.round((v / largest) * levels) / levels) * largest));
  }
  let order = row.map((_, j) => j);
  if (c.options["compressor"] === "top-k") {
    order = order.sort((a, b) => Math.abs(row[b]) - Math.abs(row[a]));
  } else {
    for (let j = 0; j < k; j++) {
      const other = j + Math.floor((words() * (d - j)) / 2 ** 32);
      [order[j], order[other]] = [order[other], order[j]];
    }
  }
  return row.map((v, j) => (order.slice(0, k).includes(j) ? v : 0));
}

export const oracles: Readonly<Record<string, Oracle>> = {
  dsgd: (c) =>
    iterates(c, (X, t) => {
      const gG = scale(c.g(t), c.G(X, t));
      return c.options["order"] === "combine-then-adapt" ? minus(times(c.W(t), X), gG) : times(c.W(t), minus(X, gG));
    }),
  dmsgd: (c) => momentum(c, c.W),
  dsgt: (c) =>
    tracking(
      c,
      (W, X, gY) => times(W, minus(X, gY)),
      (W, Y, dG) => add(times(W, Y), dG),
    ),
  diging: (c) =>
    tracking(
      c,
      (W, X, gY) => minus(times(W, X), gY),
      (W, Y, dG) => add(times(W, Y), dG),
    ),
  "atc-gt": (c) =>
    tracking(
      c,
      (W, X, gY) => times(W, minus(X, gY)),
      (W, Y, dG) => times(W, add(Y, dG)),
    ),
  "exact-diffusion": (c) => {
    let psi = c.X0;
    return iterates(c, (X, t) => {
      const next = minus(X, scale(c.g(t), c.G(X, t)));
      const phi = minus(add(next, X), psi);
      psi = next;
      return times(lazy(c.W(t)), phi);
    });
  },
  d2: (c) => {
    // W itself is for one symmetric W only; rounds that change are taken lazily.
    const W = c.W(0);
    const same = (A: Matrix, B: (i: number, j: number) => number) =>
      A.every((row, i) => row.every((v, j) => v === B(i, j)));
    const symmetric = same(W, (i, j) => W[j][i]);
    const fixed = Array.from({ length: c.rounds }, (_, t) => same(c.W(t), (i, j) => W[i][j])).every((one) => one);
    const plainly = symmetric && fixed && smallestEigenvalue(W) > -1 / 3;
    const V = (t: number) => (plainly ? W : lazy(c.W(t)));
    return corrected(c, (X, gG) => times(V(0), minus(X, gG)), V);
  },
  nids: (c) => corrected(c, minus, (t) => lazy(c.W(t))),
  extra: (c) => {
    let last: { X: Matrix; gG: Matrix } | undefined;
    return iterates(c, (X, t) => {
      const W = c.W(t);
      const gG = scale(c.g(t), c.G(X, t));
      const next =
        last === undefined
          ? minus(times(W, X), gG)
          : minus(minus(times(add(identity(c.n), W), X), times(lazy(W), last.X)), minus(gG, last.gG));
      last = { X, gG };
      return next;
    });
  },
  "qg-dsgdm": (c) => {
    const [b, mu] = [num(c, "momentum"), num(c, "mu")];
    let q = zeros(c);
    return iterates(c, (X, t) => {
      const next = times(c.W(t), minus(X, scale(c.g(t), add(scale(b, q), c.G(X, t)))));
      q = add(scale(mu, q), scale((1 - mu) / c.g(t), minus(X, next)));
      return next;
    });
  },
  decentlam: (c) => {
    let m = zeros(c);
    return iterates(c, (X, t) => {
      const g = c.g(t);
      const gt = scale(1 / g, minus(X, times(c.W(t), minus(X, scale(g, c.G(X, t))))));
      m = add(scale(num(c, "momentum"), m), gt);
      return minus(X, scale(g, m));
    });
  },
  "momentum-tracking": (c) => {
    const b = num(c, "momentum");
    const G0 = c.G(c.X0, 0);
    let m = c.options["initial"] === "mean" ? scale(1 / (1 - b), minus(G0, times(J(c.n), G0))) : zeros(c);
    let correction = m;
    return iterates(c, (X, t) => {
      m = add(scale(b, m), c.G(X, t));
      const next = minus(times(c.W(t), X), scale(c.g(t), minus(m, correction)));
      correction = add(times(c.W(t), minus(correction, m)), m);
      return next;
    });
  },
  "push-sum": (c) => {
    let U = c.X0;
    let w: Matrix = c.X0.map(() => [1]);
    return iterates(c, (Z, t) => {
      U = times(c.W(t), minus(U, scale(c.g(t), c.G(Z, t))));
      w = times(c.W(t), w);
      return U.map((row, i) => row.map((u) => u / w[i][0]));
    });
  },
  epidemic: (c) => iterates(c, (X, t) => times(c.W(t), minus(X, scale(c.g(t), c.G(X, t))))),
  "dsgd-ceca": (c) => {
    // W(t) says who hears whom; the bits of n - 1 say what.
    const bits = [...(c.n - 1).toString(2)].map(Number);
    let Z = c.X0;
    let e = 0;
    return iterates(c, (X, t) => {
      const b = bits[t % bits.length];
      if (t % bits.length === 0) e = 0;
      const step = scale(c.g(t), c.G(b === 1 ? X : Z, t));
      const [x, z] = [minus(X, step), minus(Z, step)];
      const r = times(c.W(t), b === 1 ? x : z);
      const whole = 2 * e + 1;
      Z = b === 1 ? scale(1 / whole, add(scale(e, z), scale(e + 1, r))) : scale(0.5, add(z, r));
      const next = b === 1 ? scale(0.5, add(x, r)) : scale(1 / whole, add(scale(e + 1, x), scale(e, r)));
      e = 2 * e + b;
      return next;
    });
  },
  choco: (c) => {
    const auto = c.options["compressor"] === "quantise" ? 0.2 : 0.8 * num(c, "keep");
    const consensusStep = c.options["consensusStep"] === "auto" ? auto : num(c, "consensusStep");
    let H = zeros(c);
    let S = zeros(c);
    return iterates(c, (X, t) => {
      const random = new RandomStream(c.seed, 40, t);
      const half = minus(X, scale(c.g(t), c.G(X, t)));
      const q = minus(half, H).map((row) => compress(c, row, () => random.word()));
      H = add(H, q);
      S = add(S, times(c.W(t), q));
      return add(half, scale(consensusStep, minus(S, H)));
    });
  },
  "d-adam": (c) => {
    const [b1, b2, eps] = [num(c, "beta1"), num(c, "beta2"), num(c, "epsilon")];
    let m = zeros(c);
    let v = zeros(c);
    return iterates(c, (X, t) => {
      const G = c.G(X, t);
      m = add(scale(b1, m), scale(1 - b1, G));
      v = map((old, g) => b2 * old + (1 - b2) * g * g, v, G);
      const step = map((a, b) => a / (1 - b1 ** (t + 1)) / (Math.sqrt(b / (1 - b2 ** (t + 1))) + eps), m, v);
      return times(c.W(t), minus(X, scale(c.g(t), step)));
    });
  },
  "local-steps": (c) => {
    const H = num(c, "steps");
    return momentum(c, (t) => ((t + 1) % H === 0 ? c.W((t + 1) / H - 1) : identity(c.n)));
  },
  "gossip-pga": (c) => momentum(c, (t) => ((t + 1) % num(c, "period") === 0 ? J(c.n) : c.W(t))),
  centralised: (c) => {
    if (c.options["inner"] === undefined) return momentum(c, () => J(c.n));
    const inner = innerStep(c);
    return iterates(c, (X, t) => inner(X, t, times(J(c.n), c.G(X, t))));
  },
  "local-adamw": (c) => outerSteps(c, () => (X, W, _g, mix) => mix(W, X)),
  diloco: (c) =>
    outerSteps(c, () => {
      let phi = c.X0;
      let m = zeros(c);
      return (X, _W, _g, mix) => {
        ({ m, to: phi } = nesterov(c, m, minus(mix(J(c.n), X), phi), phi));
        return phi;
      };
    }),
  "gossip-diloco": (c) =>
    outerSteps(c, () => {
      let phi = c.X0;
      let m = zeros(c);
      return (X, W, _g, mix) => {
        const stepped = nesterov(c, m, minus(X, phi), phi);
        m = c.options["mixMomentum"] ? times(W, stepped.m) : stepped.m;
        phi = mix(W, stepped.to);
        return phi;
      };
    }),
  noloco: (c) => {
    const [alpha, beta] = [num(c, "outerMomentum"), num(c, "outerRate")];
    const gamma = c.options["pull"] === "auto" ? beta : num(c, "pull");
    // The heavy ball of the released code, where one vector is sent.
    if (gamma === beta && c.options["compress"] !== "none") return heavyBall(c, (W) => W);
    return outerSteps(c, () => {
      let phi = c.X0;
      let delta = zeros(c);
      return (X, W) => {
        // As printed, with the sign of its middle term put right.
        const pull = minus(phi, times(W, phi));
        delta = add(scale(alpha, delta), scale(beta, times(W, minus(X, phi))), scale(-gamma, pull));
        phi = add(phi, delta);
        return phi;
      };
    });
  },
  slowmo: (c) => {
    const over = (W: Matrix) => (c.options["by"] === "mean" ? J(c.n) : W);
    return heavyBall(c, over, c.options["form"] === "published" ? (g) => g : undefined);
  },
  gasloc: (c) => {
    const [eta, gamma, alpha] = [num(c, "outerRate"), num(c, "outerMomentum"), num(c, "pull")];
    return outerSteps(c, () => {
      let theta = c.X0;
      let last = c.X0;
      return (X, W, _g, mix) => {
        const ahead = add(theta, scale(eta, minus(X, theta)));
        // (I - alpha (I - W)) of it.
        const mixed = add(scale(1 - alpha, ahead), scale(alpha, mix(W, ahead)));
        const y = c.options["form"] === "mix-first" ? mixed : ahead;
        theta = add(mixed, scale(gamma, minus(y, last)));
        last = y;
        return theta;
      };
    });
  },
};
