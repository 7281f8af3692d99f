/**
 * Claim: the exact consensus rate of D-EquiStatic with M = ceil(5 ln n) at n = 10^6 and at the prime 999,983, and one
 * basis index swapped and the rate re-evaluated in O(n). Beside it, in the same run, numpy's real FFT of the first
 * column, where python3 with numpy is installed: the usual way to the same numbers.
 */

import { spawnSync } from "node:child_process";
import { dEquiStatic } from "equitopo";
import { BasisSpectrum } from "equitopo/rate";
import type { Options, Report } from "./bench.ts";
import { best, milliseconds } from "./measure.ts";

const python = `
import sys, time, numpy as np
n = int(sys.argv[1]); m = int(sys.argv[2])
u = np.random.default_rng(0).integers(1, n, m)
times = []
for _ in range(7):
    start = time.perf_counter()
    c = np.bincount(u, minlength=n) * ((n - 1) / (n * m)); c[0] += 1 / n
    np.abs(np.fft.rfft(c)[1:]).max()
    times.append(time.perf_counter() - start)
print(1000 * min(times))
`;

/** Milliseconds; undefined where there is no numpy. */
function numpy(n: number, m: number): number | undefined {
  const run = spawnSync("python3", ["-", String(n), String(m)], { input: python, encoding: "utf8" });
  return run.status === 0 ? Number(run.stdout) : undefined;
}

export default function main(_: Options, report: Report): void {
  for (const n of [1_000_000, 999_983]) {
    const m = Math.ceil(5 * Math.log(n));
    const graph = dEquiStatic({ n, m, seed: 1 });
    let rate = 0;
    const exact = best(9, () => {
      rate = graph.rate().rate;
    });
    const spectrum = new BasisSpectrum(n, graph.spec["basis"] as number[]);
    let u = 1;
    let swapped = 0;
    const swap = best(9, () => {
      spectrum.swap(0, u++);
      swapped = spectrum.rate();
    });
    const fresh = dEquiStatic({ n, basis: spectrum.basis }).rate().rate;
    const theirs = numpy(n, m);
    if (theirs === undefined) report.missing("numpy's FFT", "python3 has no numpy");
    report.figure({
      ...{ name: `exact rate, D-EquiStatic, n = ${n}, M = ${m}`, value: exact, unit: "ms" },
      ...(theirs === undefined ? {} : { beside: { what: "numpy's FFT", value: theirs } }),
    });
    report.figure({ name: `one basis index swapped, rate again, n = ${n}`, value: swap, unit: "ms" });
    console.log(`n = ${n}, M = ${m}: rate ${rate.toFixed(12)}`);
    console.log(`  exact rate            ${milliseconds(exact)}`);
    console.log(`  numpy rfft            ${theirs === undefined ? "not installed" : milliseconds(theirs)}`);
    console.log(`  swap one index + rate ${milliseconds(swap)}   (differs from fresh by ${Math.abs(swapped - fresh)})`);
  }
}
