/**
 * Whether peers did what they were there for: exchange. A run can end well in itself and be worth nothing: nobody was met,
 * somebody never took part, most exchanges were void. Pure: sentences for a person; where there is one, the exit code is 1.
 */

import type { PeerEvent, PeerSummary } from "equitopo/peer";

type Tally = PeerSummary["exchanges"];

const list = (peers: readonly number[]) =>
  `peer${peers.length === 1 ? "" : "s"} ${peers.slice(0, 20).join(", ")}${peers.length > 20 ? ", ..." : ""}`;

/** What is to be said of one peer's own exchanges. */
export function peerComplaints({ exchanges, neverHeard, start }: PeerSummary): string[] {
  const { planned, done } = exchanges;
  if (planned > 0 && done === 0) return [`met nobody: none of ${planned} exchanges took place`];
  // Whoever came to the opening meeting took part, even where its vectors were never needed or never in time.
  const absent = neverHeard.filter((peer) => start.absent.includes(peer));
  return [...(absent.length === 0 ? [] : [`${list(absent)} never took part`]), ...mostlyVoid(exchanges)];
}

function mostlyVoid({ planned, done }: Tally): string[] {
  return 2 * done < planned ? [`${planned - done} of ${planned} exchanges were void`] : [];
}

/** What all peers of a launch have told, as far as a verdict needs it. */
export class LaunchVerdict {
  readonly #n: number;
  readonly #heard = new Set<number>();
  readonly #ended = new Map<number, PeerSummary>();

  constructor(n: number) {
    this.#n = n;
  }

  note(event: PeerEvent): void {
    this.#heard.add(event.rank);
    if (event.kind === "end") this.#ended.set(event.rank, event.summary);
  }

  /** Of all peers that told how they ended. */
  get exchanges(): Tally {
    const sum = { planned: 0, done: 0, void: 0 };
    for (const { exchanges } of this.#ended.values()) {
      for (const name of ["planned", "done", "void"] as const) sum[name] += exchanges[name];
    }
    return sum;
  }

  get complaints(): string[] {
    // Nothing was launched: all had been done before.
    if (this.#heard.size === 0) return [];
    const absent = Array.from({ length: this.#n }, (_, rank) => rank).filter((rank) => this.#isAbsent(rank));
    return [...(absent.length === 0 ? [] : [`${list(absent)} never took part`]), ...mostlyVoid(this.exchanges)];
  }

  /** Never heard of, or itself without a single exchange. */
  #isAbsent(rank: number): boolean {
    const tally = this.#ended.get(rank)?.exchanges;
    return !this.#heard.has(rank) || (tally !== undefined && tally.planned > 0 && tally.done === 0);
  }
}
