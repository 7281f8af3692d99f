/**
 * The survivors of a death go on, where the engine can close ranks (MPI with ULFM): the topology is derived anew from the
 * same seed for the peers that are left, and all agree on the iteration that comes next. Each keeps its data.
 */

import { createTopology } from "../../topology/registry.ts";
import type { Topology, TopologySpec } from "../../topology/topology.ts";
import { usualLag } from "../exchange/claims.ts";
import type { Transport } from "../exchange/transport.ts";
import { gather } from "./meeting.ts";

/**
 * The same family with the same seed for n nodes; an explicit basis belongs to its n, and is redrawn with the same M. There
 * are as many groups as before, if the nodes suffice, of sizes as equal as can be: who was in which is not known here.
 */
export function topologyFor(spec: TopologySpec, n: number): Topology {
  if (spec.n === n) return createTopology(spec);
  if (Array.isArray(spec["groups"])) {
    const { groups, between, ...others } = spec;
    const size = Math.ceil(n / Math.min(n, groups.length));
    return createTopology({ ...others, n, groups: size, ...(isObject(between) ? { between: redrawn(between) } : {}) });
  }
  return createTopology({ ...redrawn(spec), n });
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Without an explicit basis, but with its M. */
function redrawn<T extends object>(spec: T): T {
  if (!("basis" in spec) || !Array.isArray(spec.basis)) return spec;
  const { basis, ...rest } = spec;
  return { ...rest, m: basis.length } as unknown as T;
}

/** Closes ranks; answers with the iteration that is next for all: those behind skip to it. */
export async function closeRanks(transport: Transport, next: number, rounds: number, timeout: number): Promise<number> {
  await transport.shrink?.();
  const word = new Uint8Array(8);
  new DataView(word.buffer).setFloat64(0, next, true);
  const { words } = await gather(transport, { first: 0, timeout, word });
  const named = words.map((bytes = new Uint8Array(8)) => new DataView(bytes.buffer).getFloat64(0, true));
  return nextForAll(named, next, rounds);
}

/**
 * The greatest of the iterations that survivors have named, of those that can be true: whole numbers, in the run, and no
 * further from this peer's own than peers may be apart.
 */
export function nextForAll(named: readonly number[], own: number, rounds: number): number {
  const most = Math.min(rounds, own + usualLag(named.length));
  return named.reduce((next, one) => (Number.isSafeInteger(one) && one <= most ? Math.max(next, one) : next), own);
}
