/**
 * A membership epoch: a list of members, and the iteration from which it holds. Epoch 0 is the spec's: seats 0 .. n - 1 from
 * iteration 0. Epoch e + 1 is what a majority of the members of epoch e has agreed on (membership.ts); there is only one.
 *
 * A *seat* is a place that a peer can take: a line of the hosts file, and the node whose data it works on. There may be more
 * seats than members. An *incarnation* is one start of a program in a seat. A program that is started again without its memory
 * is another incarnation, and joins as a newcomer. In this folder `epoch` always means a membership epoch.
 */

export interface EpochMember {
  readonly seat: number;
  /** 0 in epoch 0, which means the incarnation that was first heard in that seat (founders.ts). */
  readonly incarnation: number;
  /** The epoch with which it became a member: before that it had no models. */
  readonly since: number;
}

export interface Epoch {
  readonly number: number;
  /** By ascending seat; the place in this list is the node of the topology. */
  readonly members: readonly EpochMember[];
  readonly first: number;
}

export function firstEpoch(n: number): Epoch {
  return { number: 0, members: Array.from({ length: n }, (_, seat) => ({ seat, incarnation: 0, since: 0 })), first: 0 };
}

/** Whether that incarnation is a member; in epoch 0 any incarnation in one of its seats is. */
export function isIn({ members }: Epoch, seat: number, incarnation: number): boolean {
  const member = members.find((one) => one.seat === seat);
  return member !== undefined && (member.incarnation === 0 || member.incarnation === incarnation);
}
