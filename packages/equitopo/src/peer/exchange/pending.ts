/** An exchange under way: which peers it waits for, what has come, what is still being sent; and its outcome. */

import { InputError } from "../../input/input.ts";
import type { Historian, Vote } from "../history/history.ts";
import type { Lane } from "./lane.ts";
import type { ExchangeOutcome, Request, Vector } from "./transport.ts";

/** One peer of the receive list in the exchange under way. */
export interface Partner {
  readonly peer: number;
  /** Positions in the receive list, in order of sequence. */
  readonly entries: number[];
  missing: number;
  readonly mutual: boolean;
  /** What was voted to it, and what was heard of its vote. */
  voted: Vote | null;
  heard: Vote | null;
  open: boolean;
  /** Since the exchange's start. */
  readonly timeout: number;
}

export interface Pending {
  readonly request: Request;
  readonly start: number;
  readonly partners: Map<number, Partner>;
  readonly arrived: (Vector | undefined)[];
  /** Vectors that have not come. */
  missing: number;
  /** Vectors that came, of partners whose vote has not; undefined while there are none. */
  undecided: (Vector | undefined)[] | undefined;
  /** Partners still open, and whether the posts are still unfinished. */
  open: number;
  /** One entry for each message whose data is still read. */
  readonly unsent: Set<{ readonly data: Vector }>;
  posting: boolean;
  cancel: () => void;
  readonly settle: (outcome: ExchangeOutcome) => void;
  readonly fail: (reason: unknown) => void;
  readonly onAbort: () => void;
}

/** An exchange as it begins at that time; `timeout` holds if the request names none. */
type End = Pick<Pending, "settle" | "fail" | "onAbort">;

export function newPending(request: Request, timeout: number, start: number, end: End): Pending {
  const partners = new Map<number, Partner>();
  const { send, receive, mutual } = request;
  const sentTo = mutual ? new Set(send.map((message) => message.peer)) : undefined;
  for (let entry = 0; entry < receive.length; entry++) {
    const { peer, timeout: own } = receive[entry];
    let partner = partners.get(peer);
    if (partner === undefined) {
      partner = {
        peer,
        entries: [],
        missing: 0,
        mutual: sentTo?.has(peer) === true,
        voted: null,
        heard: null,
        open: true,
        timeout: own ?? request.timeout ?? timeout,
      };
      partners.set(peer, partner);
    }
    partner.entries.push(entry);
    partner.missing++;
  }
  return {
    request,
    start,
    partners,
    arrived: new Array(receive.length).fill(undefined),
    missing: receive.length,
    undecided: undefined,
    open: partners.size,
    unsent: new Set(),
    posting: true,
    cancel: () => {},
    settle: end.settle,
    fail: end.fail,
    onAbort: end.onAbort,
  };
}

/** Why a request cannot begin: another is under way, or its round is below the first that can still be exchanged. */
export function refusalOf({ round }: Request, busy: boolean, floor: number): InputError | undefined {
  if (busy) return new InputError("a peer makes one exchange at a time", round, "await the one before");
  return round < floor ? new InputError(`rounds go up (next: ${floor})`, round, "skip that round") : undefined;
}

/** What an exchange that is over hands to its caller, and what happens to its memory afterwards. */
export function outcomeOf(pending: Pending, lane: Lane, history?: Historian): ExchangeOutcome {
  const { arrived, undecided, request, unsent } = pending;
  const kept: Vector[] = [];
  for (const { data } of unsent) if (!kept.includes(data)) kept.push(data);
  for (const { data } of request.send) if (lane.keeps?.(data) && !kept.includes(data)) kept.push(data);
  let held = true;
  const release = (): readonly number[] => {
    if (!held) return [];
    held = false;
    const all = undecided === undefined ? arrived : arrived.map((data, entry) => data ?? undecided[entry]);
    const read = all.filter((data) => data !== undefined);
    const torn = lane.leave?.(request.round + 1, read) ?? [];
    for (const data of read) lane.recycle?.(data);
    if (torn.length === 0) return [];
    const changed = [...all.keys()].filter((entry) => torn.includes(all[entry] as Vector));
    const used = changed.filter((entry) => arrived[entry] !== undefined);
    for (const partner of new Set(used.map((entry) => request.receive[entry].peer))) {
      history?.({ kind: "amended", exchange: request.round, partner, to: "torn", received: [] });
    }
    return changed;
  };
  return undecided === undefined ? { arrived, kept, release } : { arrived, undecided, kept, release };
}
