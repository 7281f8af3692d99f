/**
 * Who takes part in rivals-consensus, and the figures that each is held against: computed independently, in another
 * program, from the same start. L = ceil(log2 n).
 */

import type { TopologySpec } from "equitopo";

export interface Line {
  readonly title: string;
  readonly random?: true;
  spec(n: number, seed: number): TopologySpec;
  /** By n: rounds to 1e-6 and, with one peer, to 1e-12; with more, vectors sent until then. */
  readonly figures: Readonly<Record<number, readonly [number, number]>>;
  /** The graphs that the figures are of were drawn and are not known: what is drawn here is shown, not held against them. */
  readonly unknownDraw?: readonly number[];
}

const levels = (n: number) => Math.ceil(Math.log2(n));
const drawn = (name: string, options: object = {}) => ({
  random: true as const,
  spec: (n: number, seed: number) => ({ name, n, ...options, seed }),
});
const fixed = (name: string, options: (n: number) => object = () => ({})) => ({
  spec: (n: number) => ({ name, n, ...options(n) }),
});

export const onePeer: readonly Line[] = [
  {
    title: "CECA-2P",
    ...fixed("ceca-2p"),
    figures: { 17: [5, 5], 25: [5, 5], 32: [5, 5], 300: [9, 9], 1000: [10, 10], 4900: [13, 13] },
  },
  {
    title: "Base-2",
    ...fixed("base", () => ({ k: 1 })),
    figures: { 17: [9, 9], 25: [9, 9], 32: [5, 5], 300: [15, 15], 1000: [16, 16], 4900: [23, 23] },
  },
  {
    title: "O.-P. Exp.",
    ...fixed("one-peer-exp"),
    figures: { 17: [24, 49], 25: [40, 82], 32: [5, 5], 300: [53, 124], 1000: [38, 70], 4900: [77, 180] },
  },
  {
    title: "OD-EquiDyn",
    ...drawn("od-equidyn"),
    figures: { 17: [27, 49], 25: [29, 54], 32: [22, 22], 300: [33, 60], 1000: [35, 62], 4900: [36, 65] },
  },
  {
    title: "OU-EquiDyn, Euclid",
    ...drawn("ou-equidyn", { construction: "euclid" }),
    figures: { 17: [36, 72], 25: [39, 76], 32: [14, 14], 300: [40, 80], 1000: [39, 77], 4900: [40, 80] },
  },
  {
    title: "OU-EquiDyn, greedy",
    ...drawn("ou-equidyn", { construction: "greedy" }),
    figures: { 17: [39, 78], 25: [42, 84], 32: [41, 83], 300: [46, 93], 1000: [47, 94], 4900: [47, 94] },
  },
  {
    title: "Random matching",
    ...drawn("random-matching"),
    figures: { 17: [39, 76], 25: [39, 77], 32: [37, 74], 300: [40, 80], 1000: [40, 80], 4900: [40, 80] },
  },
  {
    title: "EL-Local 1, spread",
    ...drawn("el-local", { s: 1 }),
    figures: { 17: [51, 98], 25: [53, 106], 32: [56, 109], 300: [60, 119], 1000: [60, 120], 4900: [61, 121] },
  },
];

/** A basis that the authors drew at n = 300; D-EquiStatic's row there is of it. */
export const published = [173, 48, 118, 193, 252, 196, 10, 212, 278];

export const morePeers: readonly Line[] = [
  {
    title: "Base-3",
    ...fixed("base", () => ({ k: 2 })),
    figures: { 25: [6, 9.7], 300: [9, 13.7], 1000: [12, 19.6], 4900: [15, 26.8] },
  },
  {
    title: "De Bruijn 2",
    ...fixed("de-bruijn", () => ({ p: 2 })),
    figures: { 25: [20, 38], 300: [22, 44], 1000: [24, 48], 4900: [25, 50] },
  },
  {
    title: "2-peer exp.",
    ...fixed("k-peer-exp", () => ({ k: 2 })),
    figures: { 25: [15, 30], 300: [35, 70], 1000: [34, 68], 4900: [56, 112] },
  },
  {
    title: "Base-5",
    ...fixed("base", () => ({ k: 4 })),
    figures: { 25: [2, 8], 300: [4, 13], 1000: [5, 16], 4900: [8, 26.3] },
  },
  {
    title: "De Bruijn 4",
    ...fixed("de-bruijn", () => ({ p: 4 })),
    figures: { 25: [10, 38], 300: [11, 44], 1000: [12, 48], 4900: [13, 52] },
  },
  {
    title: "EL-Oracle 4",
    ...drawn("el-oracle", { s: 4 }),
    figures: { 25: [16, 64], 300: [18, 72], 1000: [18, 72], 4900: [18, 72] },
  },
  {
    title: "4-peer exp.",
    ...fixed("k-peer-exp", () => ({ k: 4 })),
    figures: { 25: [2, 8], 300: [16, 64], 1000: [20, 80], 4900: [24, 96] },
  },
  {
    title: "Base, k = L",
    ...fixed("base", (n) => ({ k: levels(n) })),
    figures: { 25: [2, 8], 300: [3, 20], 1000: [3, 27], 4900: [4, 34] },
  },
  {
    title: "De Bruijn L",
    ...fixed("de-bruijn", (n) => ({ p: levels(n) })),
    figures: { 25: [2, 9.6], 300: [8, 72], 1000: [3, 30], 4900: [7, 91] },
  },
  {
    title: "EL-Oracle L",
    random: true,
    // An undirected graph of degree 5 on 25 nodes does not exist.
    spec: (n, seed) => ({ name: "el-oracle", n, s: n === 25 ? 4 : levels(n), seed }),
    figures: { 25: [16, 64], 300: [12, 108], 1000: [12, 120], 4900: [11, 143] },
  },
  {
    title: "Random permutations L",
    random: true,
    spec: (n, seed) => ({ name: "random-permutations", n, d: levels(n), seed }),
    figures: { 25: [22, 94], 300: [15, 133], 1000: [14, 139], 4900: [12, 156] },
  },
  {
    title: "D-EquiStatic",
    random: true,
    spec: (n, seed) =>
      n === 300 ? { name: "d-equistatic", n, basis: published } : { name: "d-equistatic", n, m: levels(n), seed },
    figures: { 25: [38, 152], 300: [34, 306], 1000: [43, 387], 4900: [38, 494] },
    unknownDraw: [25, 1000, 4900],
  },
  {
    title: "Static exp.",
    ...fixed("static-exp"),
    figures: { 25: [19, 95], 300: [50, 450], 1000: [53, 530], 4900: [63, 819] },
  },
  {
    title: "Random regular",
    random: true,
    spec: (n, seed) => ({ name: "random-regular", n, d: 2 * Math.ceil(levels(n) / 2), seed }),
    figures: { 25: [29, 174], 300: [24, 240], 1000: [25, 250], 4900: [19, 266] },
  },
  {
    title: "U-EquiStatic",
    random: true,
    spec: (n, seed) => ({ name: "u-equistatic", n, m: Math.ceil(levels(n) / 2), seed }),
    figures: { 25: [52, 208], 300: [69, 690], 1000: [87, 870], 4900: [77, 1078] },
    unknownDraw: [25, 300, 1000, 4900],
  },
];
