/** What clicks and forms do to the list of things that go wrong; all of it begins at the round that is shown. */

import { type Cut, type Kill, nodesOf } from "../view/fields.ts";

/** Whether an entry holds in round t. */
export function holds({ from, until }: { readonly from: number; readonly until?: number }, t: number): boolean {
  return t >= from && (until === undefined || t < until);
}

/** The same for a fault of the same nodes, whichever end of a link is named first. */
const idOf = (fault: Kill | Cut) => [...nodesOf(fault)].sort((a, b) => a - b).join("-");

/** The fault begins; or, where it is in force already, it ends. */
export function turn<F extends Kill | Cut>(faults: readonly F[], fault: F): F[] {
  const { from: t } = fault;
  const isSame = (other: F) => idOf(other) === idOf(fault);
  if (!faults.some((other) => isSame(other) && holds(other, t))) {
    // It would begin again later anyway: once is enough.
    return [...faults.filter((other) => !isSame(other) || other.from < t), fault];
  }
  // What had begun just now never was.
  return faults.flatMap((other) => {
    if (!isSame(other) || !holds(other, t)) return [other];
    return other.from === t ? [] : [{ ...other, until: t }];
  });
}
