/** What the spectrum is elsewhere: the command that computes the rate shown, and a spec that trains over the topology. */

import type { Exported } from "../page.ts";
import type { View } from "../view.ts";
import { flag } from "./gossip.ts";
import { trainable } from "./trainable.ts";

export function exportSpectrum({ graph, n, seed }: Pick<View, "graph" | "n" | "seed">): Exported {
  const { name, ...options } = graph;
  const { topologies, algorithm } = trainable([graph], n, "dsgd");
  // A basis is drawn from the view's seed: without it the command would show another topology.
  const drawn = "seed" in options ? [] : [`--seed ${seed}`];
  return {
    document: { topologies, algorithms: [{ name: algorithm }], problem: { name: "least-squares" }, seeds: [seed] },
    commands: [[`equitopo rate ${name} --n ${n}`, ...Object.entries(options).flatMap(flag), ...drawn].join(" ")],
    says: "The topology of the view, with a problem to run over it.",
  };
}
