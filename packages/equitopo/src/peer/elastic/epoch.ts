/**
 * A membership epoch: who is in, and from which iteration on. Epoch 0 is the spec's: seats 0 .. n - 1 from iteration 0;
 * epoch e + 1 is what a majority of the members of epoch e has agreed on (membership.ts), and there is never a second one.
 *
 * A *seat* is a place that a peer can take: a line of the hosts file, and the node whose data it works on. There may be more
 * seats than members. An *incarnation* is one start of a program in a seat; one that was started again without its memory
 * is another, and comes as a newcomer. In this folder `epoch` always means a membership epoch.
 */

export interface Member {
  readonly seat: number;
  /** 0 in epoch 0: whoever was first heard of in that seat (opening.ts). */
  readonly incarnation: number;
  /** The epoch that it came in with: before that it knew no models. */
  readonly since: number;
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
  return { number: 0, members: Array.from({ length: n }, (_, seat) => ({ seat, incarnation: 0, since: 0 })), first: 0 };
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
