import type { TopologySpec } from "equitopo";

export function specs(): Generator<TopologySpec>;
/** Undefined where the options of the spec do not go together. */
export function vectorOf(spec: TopologySpec): object | undefined;
