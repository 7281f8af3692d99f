import type { PeerOptions } from "../../src/peer/course/peer.ts";
import type { Transport } from "../../src/peer/exchange/transport.ts";
import type { Rows } from "../../src/round/round.ts";
import type { TopologySpec } from "../../src/topology/topology.ts";

export interface Spec {
  readonly topology: TopologySpec;
  readonly algorithm: string;
  readonly order?: string;
  readonly rounds: number;
  readonly d?: number;
  readonly type?: "float64" | "float32";
}
export const topologies: readonly TopologySpec[];
export const grouped: readonly (TopologySpec & { readonly between: string })[];
export const algorithms: readonly string[];
export const dimension: number;
export function simulateAll(spec: Spec): Rows;
export function runRank(spec: Spec, transport: Transport, options?: Partial<PeerOptions>): Promise<Rows>;
