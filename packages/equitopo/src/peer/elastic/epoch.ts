/**
 * A membership epoch: who is in, and from which iteration on. Epoch 0 is the spec's: seats 0 .. n - 1 from iteration 0;
 * epoch e + 1 is what a majority of the members of epoch e has agreed on (membership.ts), and there is never a second one.
 *
 * A *seat* is a place that a peer can take: a line of the hosts file, and the node whose data it works on. There may be more
 * seats than members. An *incarnation* is one start of a program in a seat; one that was started again without its memory
 * is another, and comes as a newcomer. In this folder `epoch` always means a membership epoch.
 */

import { block } from "../../random/philox.ts";
import { streams } from "../../random/stream.ts";
import { topologies } from "../../topology/registry.ts";
import type { Topology, TopologySpec } from "../../topology/topology.ts";
import { topologyFor } from "../survivors.ts";

export interface Member {
  readonly seat: number;
  /** 0 in epoch 0: whoever was first heard of in that seat (opening.ts). */
  readonly incarnation: number;
}

export interface Epoch {
  readonly number: number;
  /** By ascending seat; the place in this list is the node of the topology. */
  readonly members: readonly Member[];
  /** The iteration that it begins with. */
  readonly first: number;
}

/** The members that a spec begins with. */
export function firstEpoch(n: number): Epoch {
  return { number: 0, members: Array.from({ length: n }, (_, seat) => ({ seat, incarnation: 0 })), first: 0 };
}

/** More than half of so many. */
export const majorityOf = (count: number): number => Math.floor(count / 2) + 1;

/** Whether that incarnation is in; in epoch 0 any is that sits in one of its seats. */
export function isIn({ members }: Epoch, seat: number, incarnation: number): boolean {
  const member = members.find((one) => one.seat === seat);
  return member !== undefined && (member.incarnation === 0 || member.incarnation === incarnation);
}

/** Whether two epochs have the same members. */
export function sameMembers(a: Epoch, b: Epoch): boolean {
  return a.members.length === b.members.length && a.members.every((one, k) => isSame(one, b.members[k]));
}

const isSame = (a: Member, b: Member) => a.seat === b.seat && a.incarnation === b.incarnation;

/**
 * The topology of an epoch: the spec's family for as many nodes as there are members, redrawn from (seed, epoch) where it is
 * drawn at all. That of epoch 0 is the spec's own.
 *
 * @example
 * ```ts
 * import { epochTopology } from "equitopo/peer";
 * const spec = { name: "ou-equidyn", n: 3, seed: 7 };
 * const members = [0, 2, 3, 5].map((seat) => ({ seat, incarnation: 1 }));
 * epochTopology(spec, { number: 1, members, first: 40 }).n // => 4
 * ```
 */
export function epochTopology(spec: TopologySpec, { number, members }: Epoch): Topology {
  const drawn = spec["relabel"] === true || "seed" in topologies.get(spec.name).options;
  if (number === 0 || !drawn) return topologyFor(spec, members.length);
  const words = new Uint32Array(4);
  block((spec["seed"] as number | undefined) ?? 0, streams.membership, number, 0, words);
  return topologyFor({ ...spec, seed: words[0] }, members.length);
}
