/**
 * Claim: an iteration of DSGD on the paper's least squares costs little more than reading the data once. Beside it, in
 * the same run, that limit: a SIMD sum over the same n x K x d doubles. The shares are measured one by one: gradients
 * without noise, what the noise adds, and mixing. --n 10000 takes that size only.
 */

import { dEquiStatic, kernelMixer, leastSquares, odEquiDyn, simulate, type Topology } from "equitopo";
import type { Options, Report } from "./bench.ts";
import { interleaved } from "./measure.ts";
import { streamer } from "./stream.ts";

const D = 10;
const K = 50;

export default async function main(options: Options, report: Report): Promise<void> {
  const streamOf = await streamer();
  const titles = ["topology", "n", "stream", "iteration", "x stream", "gradient", "noise", "mixing", "the rest"];
  console.log(`DSGD on least squares, d = ${D}, K = ${K}, one thread: milliseconds per iteration, best of many\n`);
  console.log(titles.map((title) => title.padStart(13)).join(""));
  for (const n of [300, 10_000]) {
    if (options["n"] !== undefined && Number(options["n"]) !== n) continue;
    const noisy = leastSquares({ n, d: D, K, seed: 1 });
    const quiet = leastSquares({ n, d: D, K, sigmaN: 0, seed: 1 });
    const stream = streamOf(8 * n * K * D);
    for (const topology of [dEquiStatic({ n, m: Math.ceil(Math.log2(n)) }), odEquiDyn({ n })]) {
      console.log(row(topology, stream, noisy, quiet, report));
    }
  }
  console.log("\nwhere K >= d a node keeps A'A and A'b, so a gradient reads less than the data it comes from.");
}

type Squares = ReturnType<typeof leastSquares>;

function row(topology: Topology, stream: () => void, noisy: Squares, quiet: Squares, report: Report): string {
  const { n } = topology;
  const mixer = kernelMixer(n);
  let x = mixer.rows(D);
  const out = mixer.rows(D);
  let t = 0;
  // As often as an iteration is repeated, so that each part finds the caches as its own repetition leaves them.
  const rounds = n < 1000 ? 500 : 50;
  const repeat = (work: () => void) => () => {
    for (let k = 0; k < rounds; k++) work();
  };
  const algorithm = { name: "dsgd", learningRate: 0.01 } as const;
  const [limit, iteration, clean, withNoise, mixing] = interleaved([
    repeat(stream),
    () => simulate({ topology, algorithm, problem: noisy, rounds, every: rounds }),
    repeat(() => quiet.gradient(x, t++, out, 0, n)),
    repeat(() => noisy.gradient(x, t++, out, 0, n)),
    repeat(() => {
      x = mixer.mix(topology.round(t++), x);
    }),
  ]).map((time) => time / rounds);
  report.figure({
    ...{ name: `an iteration of DSGD on least squares, ${topology.name}, n = ${n}`, value: iteration, unit: "ms" },
    beside: { what: "reading the data once", value: limit },
  });
  const figures = [
    topology.name,
    String(n),
    limit.toFixed(4),
    iteration.toFixed(4),
    (iteration / limit).toFixed(2),
    ...[clean, withNoise - clean, mixing, iteration - withNoise - mixing].map(
      (part) => `${part.toFixed(4)} ${((100 * part) / iteration).toFixed(0).padStart(2)}%`,
    ),
  ];
  return figures.map((figure) => figure.padStart(13)).join("");
}
