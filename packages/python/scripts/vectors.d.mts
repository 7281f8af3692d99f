import type { TopologySpec } from "equitopo";
import type { FileSpec } from "equitopo/topology";

export const ownGraphs: readonly FileSpec[];
export function specs(): Generator<TopologySpec>;
/** Undefined where the options of the spec do not go together. */
export function vectorOf(spec: TopologySpec | FileSpec): object | undefined;
