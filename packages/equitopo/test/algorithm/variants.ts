/** The members of the registry with the options that change what they compute, for tests. */

import type { AlgorithmSpec } from "../../src/algorithm/registry.ts";

/** Every outer rule, with few steps. */
const outerRules: readonly AlgorithmSpec[] = [
  { name: "local-adamw", steps: 3 },
  { name: "gossip-diloco", steps: 3, outerMomentum: 0.5, inner: { name: "sgd" } },
  { name: "diloco", steps: 3, outerMomentum: 0.5, inner: { name: "sgd" } },
  { name: "noloco", steps: 3, inner: { name: "sgd" } },
  { name: "slowmo", steps: 3, form: "published", by: "topology", outerMomentum: 0.3, inner: { name: "sgd" } },
  { name: "gasloc", steps: 3, outerMomentum: 0.3, inner: { name: "sgd" } },
];

export const variants: readonly AlgorithmSpec[] = [
  { name: "dsgd", order: "combine-then-adapt" },
  { name: "momentum-tracking", initial: "mean" },
  { name: "choco", compressor: "random-k", keep: 0.5 },
  { name: "choco", compressor: "quantise" },
  { name: "choco", compressor: "quantise", bits: 8, consensusStep: 0.7 },
  { name: "local-steps", momentum: 0.5 },
  { name: "gossip-pga", momentum: 0.5, period: 3 },
  { name: "centralised", momentum: 0.9 },
  { name: "centralised", inner: { name: "adamw", weightDecay: 1 } },
  { name: "local-adamw", steps: 4, rounds: 2, inner: { name: "adamw", weightDecay: 3, clip: 0.1 } },
  { name: "local-adamw", steps: 1, inner: { name: "momentum", clip: 0.5 } },
  { name: "diloco", steps: 3, inner: { name: "sgd" } },
  {
    name: "gossip-diloco",
    steps: 3,
    rounds: 4,
    outerRate: 0.5,
    outerMomentum: 0.3,
    inner: { name: "momentum", momentum: 0.5 },
  },
  { name: "gossip-diloco", steps: 5, mixMomentum: true, outerMomentum: 0.6, inner: { name: "sgd" } },
  { name: "noloco", steps: 3, pull: 0.3, inner: { name: "sgd" } },
  { name: "noloco", steps: 4, rounds: 2, form: "released", outerMomentum: 0.3, inner: { name: "sgd" } },
  { name: "slowmo", steps: 3, inner: { name: "sgd" } },
  {
    name: "slowmo",
    steps: 4,
    rounds: 2,
    by: "topology",
    outerMomentum: 0.3,
    inner: { name: "momentum", momentum: 0.5 },
  },
  { name: "slowmo", steps: 3, form: "published", inner: { name: "sgd" } },
  { name: "gasloc", steps: 3, outerMomentum: 0.3, pull: 0.8, inner: { name: "sgd" } },
  { name: "gasloc", steps: 2, rounds: 3, form: "mix-first", outerMomentum: 0.3, inner: { name: "sgd" } },
  ...outerRules.map((rule) => ({ ...rule, late: true })),
  ...outerRules.map((rule) => ({ ...rule, steps: 6, fragments: 3, late: rule.name === "slowmo" })),
  ...outerRules.map((rule, k) => ({ ...rule, compress: { name: "quantise", bits: k % 2 === 0 ? 8 : 4 } })),
  { ...outerRules[1], late: true, compress: { name: "quantise", bits: 4 } },
  { name: "gossip-diloco", steps: 4, fragments: 2, mixMomentum: true, late: true, inner: { name: "sgd" } },
  { name: "noloco", steps: 4, fragments: 2, pull: 0.3, inner: { name: "sgd" } },
];

export const title = ({ name, ...options }: AlgorithmSpec) =>
  [name, ...Object.entries(options).map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(" ");
