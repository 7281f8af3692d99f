/** An exchange under way: whom it waits for, what has come, what is still being sent. */

import { InputError } from "../input/input.ts";
import type { Outcome, Request, Vector } from "./transport.ts";

/** One peer of the receive list in the exchange under way. */
export interface Partner {
  readonly peer: number;
  /** Positions in the receive list, in order of sequence. */
  readonly entries: number[];
  missing: number;
  readonly mutual: boolean;
  yes: boolean;
  /** What was voted to it, and whether it voted no: for the history. */
  voted: "yes" | "no" | undefined;
  no: boolean;
  open: boolean;
  /** Since the exchange's start. */
  readonly timeout: number;
}

export interface Pending {
  readonly request: Request;
  readonly start: number;
  readonly partners: Map<number, Partner>;
  readonly arrived: (Vector | undefined)[];
  /** Vectors that came, of partners whose vote has not; undefined while there are none. */
  undecided: (Vector | undefined)[] | undefined;
  /** Partners still open, and whether the posts are still unfinished. */
  open: number;
  /** One entry for each message whose data is still read. */
  readonly unsent: Set<{ readonly data: Vector }>;
  posting: boolean;
  cancel: () => void;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (reason: unknown) => void;
  readonly onAbort: () => void;
}

/** Those whom a request receives from, in the order of its list. */
export function partnersOf({ send, receive, mutual, timeout }: Request, usual: number): Map<number, Partner> {
  const partners = new Map<number, Partner>();
  receive.forEach((incoming, entry) => {
    const { peer } = incoming;
    const known = partners.get(peer);
    if (known === undefined) {
      partners.set(peer, {
        peer,
        entries: [entry],
        missing: 1,
        mutual: mutual === true && send.some((message) => message.peer === peer),
        yes: false,
        voted: undefined,
        no: false,
        open: true,
        timeout: incoming.timeout ?? timeout ?? usual,
      });
    } else {
      known.entries.push(entry);
      known.missing++;
    }
  });
  return partners;
}

/** Why a request cannot be begun while another is under way, or below the first round that is still worth something. */
export function refusalOf({ round }: Request, busy: boolean, floor: number): InputError | undefined {
  if (busy) return new InputError("a peer makes one exchange at a time", round, "await the one before");
  return round < floor ? new InputError(`rounds go up (next: ${floor})`, round, "skip that round") : undefined;
}
