/** The members of the registry with the options that change what they compute, for tests. */

import type { AlgorithmSpec } from "../../src/algorithm/registry.ts";

export const variants: readonly AlgorithmSpec[] = [
  { name: "dsgd", order: "combine-then-adapt" },
  { name: "momentum-tracking", initial: "mean" },
  { name: "choco", compressor: "random-k", keep: 0.5 },
  { name: "choco", compressor: "quantise" },
  { name: "choco", compressor: "quantise", bits: 8, consensusStep: 0.7 },
  { name: "local-steps", momentum: 0.5 },
  { name: "gossip-pga", momentum: 0.5, period: 3 },
  { name: "centralised", momentum: 0.9 },
];

export const title = ({ name, ...options }: AlgorithmSpec) =>
  [name, ...Object.entries(options).map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(" ");
