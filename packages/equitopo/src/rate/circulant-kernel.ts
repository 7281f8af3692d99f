/** The SIMD kernel behind rate/circulant.ts: lays out the tables of roots and leaves the products to wasm. */

import { scratchKernels } from "../kernel/instance.ts";
import { mulMod } from "../number/integers.ts";
import { RootTable } from "../number/roots.ts";
import type { Circulant } from "../round/circulant.ts";
import { extremesOf, type SpectralExtremes } from "./modes.ts";
import { worked } from "./watch.ts";

/** Columns a = 0 .. COLUMNS - 1 and their mirror images: the near table of 70 shifts takes 290 kB, within the L2 cache. */
const COLUMNS = 256;
const STRIDE = 2 * COLUMNS - 1;

/** Bytes of the far table that are laid out at a time: the whole of it up to n = 10^6, and never more than a cache holds. */
const FAR_BYTES = 4e6;

/** The extremes over k = 1 .. n - 1 for n >= 4 STRIDE; null where there is no wasm SIMD. */
export function circulantKernel(circulant: Circulant, part: "complex" | "real"): SpectralExtremes | null {
  const { n, self, shifts, weights } = circulant;
  const m = shifts.length;
  // Rows b = 0 .. until S b - COLUMNS + 1 > n / 2; the rest follows from lambda_(n-k) = conj lambda_k.
  const rowPairs = Math.ceil((Math.floor(n / 2) + COLUMNS) / STRIDE / 2);
  const most = Math.max(1, Math.min(rowPairs, Math.floor(FAR_BYTES / (32 * m))));
  const pairs = COLUMNS / 2;
  const far = 64;
  const near = far + 32 * m * most;
  const kernels = scratchKernels(near + 32 * m * pairs);
  if (kernels === null) return null;
  const memory = new Float64Array(kernels.memory.buffer);
  const roots = new RootTable(n);
  const root = new Float64Array(4);
  for (let a = 0, at = near / 8; a < pairs; a++) {
    for (let j = 0; j < m; j++, at += 4) {
      roots.writePower(2 * a, shifts[j], 1, root, 0);
      roots.writePower(2 * a + 1, shifts[j], 1, root, 2);
      memory.set([root[0], root[2], root[1], root[3]], at);
    }
  }
  const call = part === "real" ? kernels.call.circulantReal : kernels.call.circulantComplex;
  // What the kernel leaves out, summed plainly; k = 0 does not count.
  const plain = [0, 1, STRIDE, STRIDE + 1, STRIDE - 1].flatMap((k) => {
    const value = [self, 0];
    for (let j = 0; j < m; j++) {
      roots.writePower(k, shifts[j], weights[j], root, 0);
      value[0] += root[0];
      value[1] += root[1];
    }
    return value;
  });
  let found = extremesOf(Float64Array.from(plain), part);
  const run = (nearAt: number, pairCount: number, farAt: number, rows: number) => {
    call(nearAt, pairCount, farAt, rows, m, self, 0);
    const maxReal = Math.max(memory[2], memory[3]);
    const minReal = Math.min(memory[4], memory[5]);
    const square = part === "real" ? Math.max(maxReal ** 2, minReal ** 2) : Math.max(memory[0], memory[1]);
    const maxModulus = Math.max(found.maxModulus, Math.sqrt(square));
    found = { maxModulus, maxReal: Math.max(found.maxReal, maxReal), minReal: Math.min(found.minReal, minReal) };
  };
  // S b u mod n of every shift u, from row to row by addition: products of large n would need more than 53 bits.
  const powers = new Float64Array(m);
  const strides = Float64Array.from({ length: m }, (_, j) => mulMod(STRIDE, shifts[j], n));
  const writeNext = (j: number, at: number) => {
    roots.write(powers[j], weights[j], memory, at);
    const next = powers[j] + strides[j];
    powers[j] = next < n ? next : next - n;
  };
  for (let first = 0; first < rowPairs; first += most) {
    const rows = Math.min(most, rowPairs - first);
    for (let b = first, at = far / 8; b < first + rows; b++) {
      // A last row past n / 2 + S repeats values of the first half, never k = 0: S b + a < n.
      for (let j = 0; j < m; j++, at += 4) {
        writeNext(j, at);
        writeNext(j, at + 2);
      }
    }
    run(near + 32 * m, pairs - 1, far, rows);
    // k = 0 is in the first column of the first row; that column pair went through the plain sum above.
    const without = first === 0 ? 1 : 0;
    if (rows > without) run(near, 1, far + 32 * m * without, rows - without);
    worked((rows / rowPairs) * (n / 2) * m);
  }
  return found;
}
