/**
 * The elementwise work of all algorithms, in place over rows: one pass each, fused if an update allows it, so that memory is
 * touched once. An algorithm calls the passes through its world (World.passes): on the CPU these functions do the work; on a
 * device, kernels derived from the text of these functions do it (packages/gpu/scripts/build-passes.mjs). So a pass that does
 * the same at every index is one loop over k, and uses nothing but its rows at k, numbers, + - * / and Math.sqrt. s is a step
 * size, b and mu are shares.
 */

import type { Rows } from "../round/round.ts";
import type { PairRound } from "../topology/topology.ts";
import type { Columns } from "./algorithm.ts";

/** x <- y. */
export function copy(x: Rows, y: Rows): void {
  x.set(y);
}

/** x <- x - s g. */
export function descend(x: Rows, s: number, g: Rows): void {
  for (let k = 0; k < x.length; k++) x[k] -= s * g[k];
}

/** g <- x - s g. */
export function descendInto(g: Rows, x: Rows, s: number): void {
  for (let k = 0; k < x.length; k++) g[k] = x[k] - s * g[k];
}

/** x <- x + y. */
export function add(x: Rows, y: Rows): void {
  for (let k = 0; k < x.length; k++) x[k] += y[k];
}

/** x <- x - y. */
export function subtract(x: Rows, y: Rows): void {
  for (let k = 0; k < x.length; k++) x[k] -= y[k];
}

/** x <- (x + y) / 2. */
export function halfway(x: Rows, y: Rows): void {
  for (let k = 0; k < x.length; k++) x[k] = 0.5 * (x[k] + y[k]);
}

/** m <- b m + g; x <- x - s m. */
export function momentumDescend(x: Rows, m: Rows, g: Rows, b: number, s: number): void {
  for (let k = 0; k < x.length; k++) {
    const momentum = b * m[k] + g[k];
    m[k] = momentum;
    x[k] -= s * momentum;
  }
}

/** y <- y + g - p. */
export function track(y: Rows, g: Rows, p: Rows): void {
  for (let k = 0; k < y.length; k++) y[k] += g[k] - p[k];
}

/** y <- y + g - p; x <- x - s y. */
export function trackDescend(x: Rows, y: Rows, g: Rows, p: Rows, s: number): void {
  for (let k = 0; k < x.length; k++) {
    const tracker = y[k] + (g[k] - p[k]);
    y[k] = tracker;
    x[k] -= s * tracker;
  }
}

/** y <- y + g - p; p <- s y. */
export function trackStep(y: Rows, g: Rows, p: Rows, s: number): void {
  for (let k = 0; k < y.length; k++) {
    const tracker = y[k] + (g[k] - p[k]);
    y[k] = tracker;
    p[k] = s * tracker;
  }
}

/** psi+ = x - s g; x <- psi+ + x - psi; g <- the same; psi <- psi+. */
export function diffuse(x: Rows, psi: Rows, g: Rows, s: number): void {
  for (let k = 0; k < x.length; k++) {
    const next = x[k] - s * g[k];
    const phi = next + x[k] - psi[k];
    psi[k] = next;
    x[k] = phi;
    g[k] = phi;
  }
}

/** g <- x - s g - c; c <- x / 2 - s g (with the old g). */
export function extraLocal(g: Rows, c: Rows, x: Rows, s: number): void {
  for (let k = 0; k < x.length; k++) {
    const change = s * g[k];
    g[k] = x[k] - change - c[k];
    c[k] = 0.5 * x[k] - change;
  }
}

/** c <- c + x / 2; x <- x + g. */
export function extraMixed(x: Rows, c: Rows, g: Rows): void {
  for (let k = 0; k < x.length; k++) {
    c[k] += 0.5 * x[k];
    x[k] += g[k];
  }
}

/** g <- x - s (b q + g). */
export function quasiGlobalDescend(g: Rows, x: Rows, q: Rows, b: number, s: number): void {
  for (let k = 0; k < x.length; k++) g[k] = x[k] - s * (b * q[k] + g[k]);
}

/** q <- mu q + (1 - mu) (x - y) / s. */
export function quasiGlobalMomentum(q: Rows, x: Rows, y: Rows, mu: number, s: number): void {
  const share = (1 - mu) / s;
  for (let k = 0; k < q.length; k++) q[k] = mu * q[k] + share * (x[k] - y[k]);
}

/** m <- b m + (x - y) / s; x <- x - s m. */
export function gossipMomentumDescend(x: Rows, m: Rows, y: Rows, b: number, s: number): void {
  for (let k = 0; k < x.length; k++) {
    const momentum = b * m[k] + (x[k] - y[k]) / s;
    m[k] = momentum;
    x[k] -= s * momentum;
  }
}

/** m <- b m + g; c <- c - m; g <- s c. */
export function momentumGap(m: Rows, c: Rows, g: Rows, b: number, s: number): void {
  for (let k = 0; k < m.length; k++) {
    m[k] = b * m[k] + g[k];
    c[k] -= m[k];
    g[k] = s * c[k];
  }
}

/** c <- (g - c) / s. */
export function gap(c: Rows, g: Rows, s: number): void {
  for (let k = 0; k < c.length; k++) c[k] = (g[k] - c[k]) / s;
}

/** x <- x - s g; g <- x - h. */
export function descendGap(x: Rows, g: Rows, h: Rows, s: number): void {
  for (let k = 0; k < x.length; k++) {
    x[k] -= s * g[k];
    g[k] = x[k] - h[k];
  }
}

/** a <- a + q; x <- x + c (a - h). */
export function towardsMixed(x: Rows, a: Rows, h: Rows, q: Rows, c: number): void {
  for (let k = 0; k < x.length; k++) {
    a[k] += q[k];
    x[k] += c * (a[k] - h[k]);
  }
}

/** m <- b1 m + (1 - b1) g; v <- b2 v + (1 - b2) g^2; x <- x - s (m / c1) / (sqrt(v / c2) + eps). */
export function adamDescend(
  x: Rows,
  m: Rows,
  v: Rows,
  g: Rows,
  { b1, b2, c1, c2, s, eps }: Readonly<Record<"b1" | "b2" | "c1" | "c2" | "s" | "eps", number>>,
): void {
  for (let k = 0; k < x.length; k++) {
    m[k] = b1 * m[k] + (1 - b1) * g[k];
    v[k] = b2 * v[k] + (1 - b2) * g[k] * g[k];
    x[k] -= (s * (m[k] / c1)) / (Math.sqrt(v[k] / c2) + eps);
  }
}

/** m <- b m + (x - a);  x <- a + s (x - a + b m): Nesterov's step from the anchor a. */
export function nesterovFrom(x: Rows, a: Rows, m: Rows, b: number, s: number): void {
  for (let k = 0; k < x.length; k++) {
    const drift = x[k] - a[k];
    const momentum = b * m[k] + drift;
    m[k] = momentum;
    x[k] = a[k] + s * (drift + b * momentum);
  }
}

/** m <- b m + (x - a) / c;  x <- a + s m: the heavy ball's step from the anchor a. */
export function heavyBallFrom(x: Rows, a: Rows, m: Rows, b: number, c: number, s: number): void {
  for (let k = 0; k < x.length; k++) {
    const momentum = b * m[k] + (x[k] - a[k]) / c;
    m[k] = momentum;
    x[k] = a[k] + s * momentum;
  }
}

/** m <- b m + s x - p (a - y);  a <- a + m;  x <- a: a step along drifts x, pulled towards the mixed anchors y. */
export function pulledStep(x: Rows, y: Rows, a: Rows, m: Rows, b: number, s: number, p: number): void {
  for (let k = 0; k < x.length; k++) {
    const momentum = b * m[k] + s * x[k] - p * (a[k] - y[k]);
    m[k] = momentum;
    a[k] += momentum;
    x[k] = a[k];
  }
}

/** x <- y + s (x - y). */
export function towards(x: Rows, y: Rows, s: number): void {
  for (let k = 0; k < x.length; k++) x[k] = y[k] + s * (x[k] - y[k]);
}

/** x <- x + b (y - p);  p <- y. */
export function accelerate(x: Rows, y: Rows, p: Rows, b: number): void {
  for (let k = 0; k < x.length; k++) {
    x[k] += b * (y[k] - p[k]);
    p[k] = y[k];
  }
}

/** x <- h;  h <- x - h: x goes back, and h is how far ahead it was. */
export function setBack(x: Rows, h: Rows): void {
  for (let k = 0; k < x.length; k++) {
    const ahead = x[k] - h[k];
    x[k] = h[k];
    h[k] = ahead;
  }
}

/** Each of `count` rows of x, from a column on as far as p is wide, to p. */
export function takeColumns(p: Rows, x: Rows, from: number, count: number): void {
  const [width, d] = [p.length / count, x.length / count];
  for (let i = 0; i < count; i++) p.set(x.subarray(i * d + from, i * d + from + width), i * width);
}

/** And back from p. */
export function putColumns(x: Rows, p: Rows, from: number, count: number): void {
  const [width, d] = [p.length / count, x.length / count];
  for (let i = 0; i < count; i++) x.set(p.subarray(i * width, (i + 1) * width), i * d + from);
}

/** x <- keep x in the columns that are matrices. */
export function shrinkMatrices(x: Rows, keep: number, { d, ranges }: Columns): void {
  for (let row = 0; row < x.length; row += d) {
    for (const [from, to] of ranges) for (let k = row + from; k < row + to; k++) x[k] *= keep;
  }
}

/** Each of `count` rows whose norm is above `most` is shortened to it. */
export function clipRows(x: Rows, most: number, count: number): void {
  const d = x.length / count;
  for (let row = 0; row < x.length; row += d) {
    let squares = 0;
    for (let k = row; k < row + d; k++) squares += x[k] * x[k];
    const norm = Math.sqrt(squares);
    if (norm > most) for (let k = row; k < row + d; k++) x[k] *= most / norm;
  }
}

/**
 * If row i heard a vector:  x <- x.own x + x.heard r,  z <- z.own z + z.heard r.  Otherwise x stays, and so does z, unless
 * its own weight is 0: then it becomes x.
 */
export function mixPair(x: Rows, z: Rows, r: Rows, heard: Uint8Array, { x: onX, z: onZ }: PairRound): void {
  const d = x.length / heard.length;
  for (let i = 0; i < heard.length; i++) {
    if (heard[i] === 1) {
      for (let k = i * d; k < (i + 1) * d; k++) {
        x[k] = onX.own * x[k] + onX.heard * r[k];
        z[k] = onZ.own * z[k] + onZ.heard * r[k];
      }
    } else if (onZ.own === 0) for (let k = i * d; k < (i + 1) * d; k++) z[k] = x[k];
  }
}

/** x_i <- u_i / w_i, row by row; x_i stays as it is where all of its weight is on its way to others. */
export function divideRows(x: Rows, u: Rows, w: Rows): void {
  const d = x.length / w.length;
  for (let i = 0; i < w.length; i++) if (w[i] !== 0) for (let k = i * d; k < (i + 1) * d; k++) x[k] = u[k] / w[i];
}
