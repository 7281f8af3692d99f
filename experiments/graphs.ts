/** The graphs that studies compare, by their titles in tables. L = ceil(log2 n). */

import type { TopologySpec } from "equitopo";

export interface Graph {
  readonly title: string;
  /** A part of it is drawn at random, so it is run several times. */
  readonly random?: true;
  spec(n: number, seed: number): TopologySpec;
}

type Options = (n: number) => object;

export const fixed = (title: string, name: string, options: Options = () => ({})): Graph => ({
  title,
  spec: (n) => ({ name, n, ...options(n) }),
});

export const drawn = (title: string, name: string, options: Options = () => ({})): Graph => ({
  title,
  random: true,
  spec: (n, seed) => ({ name, n, ...options(n), seed }),
});

/** The topologies of a graph, one for each repeat; only one if nothing is drawn. */
export const repeatsOf = ({ random, spec }: Graph, n: number, repeats: number): TopologySpec[] =>
  Array.from({ length: random ? repeats : 1 }, (_, seed) => spec(n, seed));

/** A basis that the authors drew at n = 300. */
export const basis = [173, 48, 118, 193, 252, 196, 10, 212, 278];

export const od = drawn("OD-EquiDyn", "od-equidyn");
export const ou = drawn("OU-EquiDyn, Euclid", "ou-equidyn", () => ({ construction: "euclid" }));
export const greedy = drawn("OU-EquiDyn, greedy", "ou-equidyn", () => ({ construction: "greedy" }));
export const matching = drawn("Random matching", "random-matching");
export const exponential = fixed("O.-P. Exp.", "one-peer-exp");
export const ceca = fixed("CECA-2P", "ceca-2p");
export const base = (k: number) => fixed(`Base-${k + 1}`, "base", () => ({ k }));
export const [base2, base5] = [base(1), base(4)];
export const deBruijn = (p: number) => fixed(`De Bruijn ${p}`, "de-bruijn", () => ({ p }));
export const staticExp = fixed("Static exp.", "static-exp");
export const equiStatic = fixed("D-EquiStatic 9", "d-equistatic", () => ({ basis }));
export const allReduce = fixed("All-reduce", "complete");
