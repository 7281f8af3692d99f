/**
 * Whether peers did what they were started for: exchange. A run can end without an error and be worth nothing: a peer met
 * nobody, or never took part, or most exchanges were void. Pure: sentences for a person; if there is any, exit code 1.
 */

import type { PeerEvent, PeerSummary } from "equitopo/peer";

type Tally = PeerSummary["exchanges"];

const list = (peers: readonly number[]) =>
  `peer${peers.length === 1 ? "" : "s"} ${peers.slice(0, 20).join(", ")}${peers.length > 20 ? ", ..." : ""}`;

/** What is to be said of one peer's own exchanges. */
export function peerComplaints({ exchanges, neverHeard, start }: PeerSummary): string[] {
  const { planned, done } = exchanges;
  if (planned > 0 && done === 0) return [`met nobody: none of ${planned} exchanges took place`];
  // A peer that came to the opening meeting took part, even if its vectors were never needed or never in time.
  const absent = neverHeard.filter((peer) => start.absent.includes(peer));
  return [...neverThere(absent), ...mostlyVoid(exchanges)];
}

const neverThere = (absent: readonly number[]) => (absent.length === 0 ? [] : [`${list(absent)} never took part`]);

function mostlyVoid({ planned, done }: Tally): string[] {
  return 2 * done < planned ? [`${planned - done} of ${planned} exchanges were void`] : [];
}

/** What all peers of a launch have reported, as far as a verdict needs it. */
export type LaunchVerdict = ReturnType<typeof launchVerdict>;

export function launchVerdict(n: number) {
  const heard = new Set<number>();
  const ended = new Map<number, PeerSummary>();
  /** Never heard of, or itself without a single exchange. */
  const isAbsent = (rank: number) => {
    const tally = ended.get(rank)?.exchanges;
    return !heard.has(rank) || (tally !== undefined && tally.planned > 0 && tally.done === 0);
  };
  return {
    note(event: PeerEvent): void {
      heard.add(event.rank);
      if (event.kind === "end") ended.set(event.rank, event.summary);
    },
    get exchanges(): Tally {
      const sum = { planned: 0, done: 0, void: 0 };
      for (const { exchanges } of ended.values()) {
        for (const name of ["planned", "done", "void"] as const) sum[name] += exchanges[name];
      }
      return sum;
    },
    get complaints(): string[] {
      // Nothing was launched: all had been done before.
      if (heard.size === 0) return [];
      const absent = Array.from({ length: n }, (_, rank) => rank).filter(isAbsent);
      // All were there and none exchanged anything, as behind a guard whose radius is too small.
      const allCame = heard.size === n && absent.length === n;
      return [...(allCame ? [] : neverThere(absent)), ...mostlyVoid(this.exchanges)];
    },
  };
}
