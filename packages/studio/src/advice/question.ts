/** The form as a question to the library's adviser, and as the command that asks it. */

import type { AdviseOptions } from "equitopo";
import type { View } from "../view.ts";

/**
 * Families whose numbers have closed forms, or nearly: asked first, so that there is something to read at once. The rest
 * (Lanczos, sampled gains) follows in a second worker, which answers with all of them.
 */
const quick = {
  average: [
    ...["d-equistatic", "u-equistatic", "od-equidyn", "ou-equidyn", "ring", "star", "complete", "torus", "hypercube"],
    ...["static-exp", "one-peer-exp", "hyper-hypercube", "base", "k-peer-exp", "random-matching"],
  ],
  learn: [
    "d-equistatic",
    "u-equistatic",
    "od-equidyn",
    "ring",
    "star",
    "complete",
    "hypercube",
    "static-exp",
    "random-matching",
  ],
} as const;

/** All families, or those that answer at once. */
export function questionOf(view: View, which: "quick" | "all"): AdviseOptions {
  const { n, goal, peers, undirected, lost, by, tolerance, bytes, latency, bandwidth, seed } = view;
  const { compute, alike, kappa, spread, sigma } = view;
  const learns = goal !== "average";
  return {
    ...{ n, undirected, by, loss: lost, modelBytes: bytes, latency, bandwidth, seed },
    ...(peers === undefined ? {} : { degree: peers }),
    ...(tolerance === undefined ? {} : { tolerance }),
    ...(learns ? { algorithm: goal, heterogeneous: alike, kappa, b: spread, sigma, compute } : {}),
    ...(which === "quick" ? { topologies: quick[learns ? "learn" : "average"] } : {}),
  };
}

/** The command line that asks the same. */
export function commandOf(view: View): string {
  const { n, degree, undirected, by, loss, modelBytes, latency, bandwidth, seed, tolerance, algorithm } = questionOf(
    view,
    "all",
  );
  const { heterogeneous, kappa, b, sigma, compute } = questionOf(view, "all");
  const flags: readonly (readonly [string, unknown])[] = [
    ["--n", n],
    ["--degree", degree],
    ["--undirected", undirected],
    ["--by", by === "bytes" ? by : undefined],
    ["--loss", loss === 0 ? undefined : loss],
    ["--model-bytes", modelBytes === 1e6 ? undefined : modelBytes],
    ["--latency", latency === 1e-4 ? undefined : `${latency}s`],
    ["--bandwidth", bandwidth === 1.25e8 ? undefined : `${bandwidth}B/s`],
    ["--tolerance", tolerance],
    ["--algorithm", algorithm],
    ["--heterogeneous", heterogeneous],
    ["--kappa", kappa === 2.5 ? undefined : kappa],
    ["--b", b === 1 ? undefined : b],
    ["--sigma", sigma === 0 ? undefined : sigma],
    ["--compute", compute === undefined || compute === 0 ? undefined : `${compute}s`],
    ["--seed", seed === 0 ? undefined : seed],
  ];
  const words = flags.flatMap(([flag, value]) =>
    value === undefined || value === false ? [] : value === true ? [flag] : [`${flag} ${value}`],
  );
  return ["equitopo advise", ...words].join(" ");
}
