/** What a static design is compared with: random draws of the paper's graphs, and static graphs with as many peers. */

import { dEquiStatic, type Topology, topologies, uEquiStatic } from "equitopo";
import { buildTopology } from "equitopo/internal/topology";
import { attempt } from "../../input/attempt.ts";

/** Random draws; the median of their rates is shown. */
const DRAWS = 21;
/** Beyond this n the rates of irregular graphs take too long to be computed in passing. */
const MOST_NODES = 5000;

/** The median rate of random draws of as many peers, with the paper's weights. */
export function randomDraws(n: number, degree: number, directed: boolean) {
  const rates = Array.from({ length: DRAWS }, (_, seed) => {
    return directed
      ? dEquiStatic({ n, m: degree, seed }).rate().rate
      : uEquiStatic({ n, m: Math.max(1, Math.floor(degree / 2)), seed }).rate().rate;
  }).sort((a, b) => a - b);
  return { label: `random draw, median of ${DRAWS}`, rate: rates[(DRAWS - 1) / 2] };
}

/** Other static graphs with at most as many peers, undirected where that was asked for; the lowest rate first. */
export function staticRivals(n: number, degree: number, directed: boolean, self: Topology) {
  if (n > MOST_NODES) return [];
  const rivals = [...topologies].flatMap((family) => {
    if (family.name === self.name || family.group === "equitopo") return [];
    const variants = family.variants?.(n, degree) ?? [{}];
    return variants.flatMap((given) => {
      // Not every family takes every n and degree.
      const topology = attempt(() => buildTopology(family, { ...given, name: family.name, n }));
      const fits = topology?.kind === "static" && topology.maxDegree <= degree && (directed || topology.symmetric);
      if (topology === undefined || !fits) return [];
      const words = Object.entries(given).map(([key, value]) => ` ${key}=${value}`);
      return [{ label: `${family.name}${words.join("")}, ${topology.maxDegree} peers`, rate: topology.rate().rate }];
    });
  });
  return rivals.sort((a, b) => a.rate - b.rate);
}
