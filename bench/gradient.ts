/**
 * The claim: the gradients of all n nodes cost no more than 1.5 x the time to stream the problem's data once.
 * Its limit, measured in the same run: a SIMD sum over the same n x K x d doubles in WebAssembly memory, the fastest
 * that wasm can read them. Best of many, interleaved.
 */

import { leastSquares, logistic, type Problem } from "equitopo";
import type { Options, Report } from "./bench.ts";
import { interleaved } from "./measure.ts";
import { streamer } from "./stream.ts";

export default async function main(_: Options, report: Report): Promise<void> {
  const streamOf = await streamer();
  const columns = [
    "problem",
    "n",
    "samples",
    "data MB",
    "stream ms",
    "gradient ms",
    "x stream",
    "no noise ms",
    "x stream",
  ];
  console.log(columns.map((title) => title.padStart(13)).join(""));
  const cases: readonly [name: string, samples: number, make: (sigmaN: number) => Problem][] = [
    ["least-squares", 50, (sigmaN) => leastSquares({ n: 300, sigmaN, seed: 1 })],
    ["least-squares", 50, (sigmaN) => leastSquares({ n: 10_000, sigmaN, seed: 1 })],
    ["logistic", 1000, (sigmaN) => logistic({ n: 300, sigmaN, seed: 1 })],
    ["logistic", 50, (sigmaN) => logistic({ n: 10_000, L: 50, sigmaN, seed: 1 })],
  ];
  for (const [name, samples, make] of cases) {
    const [noisy, clean] = [make(1), make(0)];
    const { n, d } = noisy;
    const bytes = 8 * n * samples * d;
    const x = new Float64Array(n * d).fill(0.1);
    const out = new Float64Array(n * d);
    let t = 0;
    const [stream, gradient, quiet] = interleaved([
      streamOf(bytes),
      () => noisy.gradient(x, t++, out, 0, n),
      () => clean.gradient(x, t++, out, 0, n),
    ]);
    report.figure({
      ...{ name: `gradients of ${name}, n = ${n}, ${samples} samples`, value: gradient, unit: "ms" },
      beside: { what: "reading the data once", value: stream },
    });
    const figures = [
      name,
      String(n),
      String(samples),
      (bytes / 1e6).toFixed(1),
      stream.toFixed(4),
      gradient.toFixed(4),
      (gradient / stream).toFixed(2),
      quiet.toFixed(4),
      (quiet / stream).toFixed(2),
    ];
    console.log(figures.map((figure) => figure.padStart(13)).join(""));
  }
}
