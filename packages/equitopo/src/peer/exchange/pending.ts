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
  receive.forEach(({ peer, timeout: own }, entry) => {
    const both = () => mutual === true && send.some((message) => message.peer === peer);
    const partner = partners.get(peer) ?? {
      ...{ peer, entries: [], missing: 0, mutual: both(), voted: null, heard: null, open: true },
      timeout: own ?? request.timeout ?? timeout,
    };
    partners.set(peer, partner);
    partner.entries.push(entry);
    partner.missing++;
  });
  const arrived = new Array(receive.length).fill(undefined);
  const nothing = { undecided: undefined, unsent: new Set<never>(), cancel: () => {} };
  const missing = receive.length;
  return { request, start, partners, arrived, missing, open: partners.size, posting: true, ...nothing, ...end };
}

/** Why a request cannot begin: another is under way, or its round is below the first that can still be exchanged. */
export function refusalOf({ round }: Request, busy: boolean, floor: number): InputError | undefined {
  if (busy) return new InputError("a peer makes one exchange at a time", round, "await the one before");
  return round < floor ? new InputError(`rounds go up (next: ${floor})`, round, "skip that round") : undefined;
}

/** What an exchange that is over hands to its caller, and what happens to its memory afterwards. */
export function outcomeOf(pending: Pending, lane: Lane, history?: Historian): ExchangeOutcome {
  const { arrived, undecided, request, unsent } = pending;
  const kept = new Set(Array.from(unsent, ({ data }) => data));
  for (const { data } of request.send) if (lane.keeps?.(data)) kept.add(data);
  let held = true;
  return {
    arrived,
    ...(undecided === undefined ? {} : { undecided }),
    kept: [...kept],
    release: () => {
      if (!held) return [];
      held = false;
      const all = arrived.map((data, entry) => data ?? undecided?.[entry]);
      const read = all.filter((data) => data !== undefined);
      const torn = lane.leave?.(request.round + 1, read) ?? [];
      for (const data of read) lane.recycle?.(data);
      const changed = [...all.keys()].filter((entry) => torn.includes(all[entry] as Vector));
      const used = changed.filter((entry) => arrived[entry] !== undefined);
      for (const partner of new Set(used.map((entry) => request.receive[entry].peer))) {
        history?.({ kind: "amended", exchange: request.round, partner, to: "torn", received: [] });
      }
      return changed;
    },
  };
}
