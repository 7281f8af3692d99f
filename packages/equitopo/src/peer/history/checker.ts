/**
 * The checker: do the histories of all peers (history.ts) fit together? Whatever the network did, the following must hold,
 * and the checker compares line with line:
 *
 * - in one life exchanges go up, and each partner appears in each of them once (rule "order");
 * - what was used was sent: by that partner, to this peer, in this exchange, bit for bit (rules "unsent", "changed",
 *   "round" where it was sent in another exchange), and a mutual exchange was applied on two votes of yes (rule "votes");
 * - a mutual exchange is applied by both or by neither (rule "one-sided"). The window, where one side has voted yes, holds
 *   everything and did not hear the other's yes, is counted, not refused: only a dropped vote leaves that trace;
 * - sums are kept: the columns of the W(t) that was in fact applied sum to 1 (rule "sum"; sums.ts).
 *
 * A peer that is killed may have done more than it lived to write down, but only in its last exchange or the next one it
 * takes part in: what depends on that is counted as cut off.
 */

import type { AmendedLine, Ending, HistoryLine } from "./history.ts";
import { cutOffIn, type Entry, type Life, livesOf, usedBy } from "./lives.ts";
import { type Checked, checkSums, type Violation } from "./sums.ts";

export type { Violation } from "./sums.ts";

/** What was found in the histories, beside what is wrong. */
export interface HistoryCounts {
  readonly peers: number;
  readonly lives: number;
  /** Lives that did not leave in good order: killed, or still running. */
  readonly killed: number;
  /** How exchanges with one partner ended. */
  readonly applied: number;
  readonly void: number;
  readonly missed: number;
  readonly aborted: number;
  /** Void at first and applied after all; applied at first and unreadable. */
  readonly mended: number;
  readonly torn: number;
  /** Mutual exchanges that one side applied: because just one vote was dropped; because a peer was killed or called it off. */
  readonly window: number;
  readonly cutOff: number;
  /** Vectors that were compared with what their sender wrote down, and those whose sender was killed before it wrote. */
  readonly vectors: number;
  readonly unwitnessed: number;
  /** Columns of directed rounds that do not sum to 1, each for a message that was missed: the mean has shifted. */
  readonly shifted: number;
}

export interface Verdict {
  readonly violations: readonly Violation[];
  readonly counts: HistoryCounts;
}

export interface CheckOptions {
  /** Nothing but mixing changed the rows, so the sum of all rows at the end must be that at the beginning. Default false. */
  readonly averaging?: boolean;
}

/**
 * Checks the histories of all peers of one network, a list of lines for each file. O(lines).
 *
 * @example
 * ```ts
 * import { checkHistories, type HistoryLine } from "equitopo/peer";
 * const peer = (rank: number, heard: "yes" | null): HistoryLine[] => [
 *   { kind: "peer", version: 1, rank, size: 2 },
 *   {
 *     ...{ kind: "exchange", exchange: 0, partner: 1 - rank, mutual: true, missing: 0, voted: "yes", heard },
 *     ...{ sent: [`x${rank}`], received: heard ? [`x${1 - rank}`] : [], ending: heard ? "applied" : "void" },
 *   },
 *   { kind: "end" },
 * ];
 * const { violations, counts } = checkHistories([peer(0, "yes"), peer(1, null)]);
 * `${violations.length} violations, ${counts.window} dropped vote` // => "0 violations, 1 dropped vote"
 * ```
 */
export function checkHistories(histories: readonly (readonly HistoryLine[])[], options: CheckOptions = {}): Verdict {
  const lives = histories.flatMap(livesOf);
  const violations: Violation[] = [];
  const tally = {
    ...{ applied: 0, void: 0, missed: 0, sent: 0, aborted: 0, mended: 0, torn: 0 },
    ...{ window: 0, cutOff: 0, vectors: 0, unwitnessed: 0 },
  };
  const found: Checked = {
    excused: new Set<string>(),
    shifted: 0,
    refuse: (rule, exchange, peers, what) => violations.push({ rule, exchange, peers, what }),
  };
  const byPeer = new Map<string, Life[]>();
  for (const life of lives) {
    const key = keyOf(life, life.begun.rank);
    byPeer.set(key, [...(byPeer.get(key) ?? []), life]);
  }
  for (const life of lives) {
    if (life.begun.spec !== lives[0].begun.spec || sizeDiffers(life, lives[0])) {
      found.refuse("spec", 0, [life.begun.rank], "the history of another spec");
    }
    checkLife(life, (partner) => byPeer.get(keyOf(life, partner)) ?? [], found, tally);
  }
  checkSums(lives, found, options.averaging === true);
  const { sent, ...counted } = tally;
  const peers = new Set(lives.map(({ begun }) => begun.rank)).size;
  const killed = lives.filter(({ ended }) => !ended).length;
  return { violations, counts: { peers, lives: lives.length, killed, ...counted, shifted: found.shifted } };
}

const keyOf = ({ begun }: Life, rank: number) => `${begun.epoch ?? 0} ${rank}`;

const sizeDiffers = ({ begun: a }: Life, { begun: b }: Life) => a.size !== b.size && a.epoch === b.epoch;

type Tally = Record<Ending | AmendedLine["to"] | "window" | "cutOff" | "vectors" | "unwitnessed", number>;

/** Compares every line of one life with what the partners wrote down. */
function checkLife(
  life: Life,
  livesOfPeer: (peer: number) => readonly Life[],
  { excused, refuse }: Checked,
  tally: Tally,
): void {
  const { rank, epoch = 0 } = life.begun;
  for (const { exchange, partner, what } of life.disordered) refuse("order", exchange, [rank, partner], what);
  for (const [exchange, partners] of life.entries) {
    for (const entry of partners.values()) checkPartner(exchange, entry);
  }

  function checkPartner(exchange: number, entry: Entry): void {
    const { line, amended } = entry;
    const { partner, ending, voted, heard, missing } = line;
    tally[ending]++;
    if (amended !== undefined) tally[amended.to]++;
    const used = usedBy(entry);
    if (used === undefined) return;
    if (line.mutual && (voted !== "yes" || missing > 0 || (heard !== "yes" && amended?.to !== "mended"))) {
      const what = `applied on votes of ${voted} and ${heard}, ${missing} vectors missing`;
      refuse("votes", exchange, [rank, partner], what);
    }
    const others = livesOfPeer(partner);
    used.forEach((hash, sequence) => {
      checkVector(exchange, partner, others, hash, sequence);
    });
    if (line.mutual) checkPair(exchange, partner, others);
  }

  /** One vector that was used: the partner must have sent it, here. */
  function checkVector(exchange: number, partner: number, others: readonly Life[], hash: string, sequence: number) {
    const sent = others.flatMap((other) => other.entries.get(exchange)?.get(rank)?.line.sent[sequence] ?? []);
    if (sent.includes(hash)) {
      tally.vectors++;
      return;
    }
    if (unwritten(exchange, partner, others, sent.length === 0)) {
      tally.unwitnessed++;
      return;
    }
    const elsewhere = others.flatMap((other) =>
      [...other.entries].filter(([, partners]) => partners.get(rank)?.line.sent.includes(hash)).map(([e]) => e),
    );
    const what = `vector ${sequence} of peer ${partner}`;
    if (elsewhere.length > 0) {
      refuse("round", exchange, [rank, partner], `${what} is that of exchange ${elsewhere.join(", ")}`);
    } else if (sent.length > 0) refuse("changed", exchange, [rank, partner], `${what} is not what was sent`);
    else refuse("unsent", exchange, [rank, partner], `${what} was never sent`);
  }

  /**
   * Whether the partner may have been killed in that exchange before it wrote it down. If it then came back and did the
   * exchange again, only its first exchange after its former life's last line counts.
   */
  function unwritten(exchange: number, partner: number, others: readonly Life[], silent: boolean): boolean {
    return others.some((other) => {
      if (!cutOffIn(other, exchange) || other.entries.get(exchange)?.has(rank)) return false;
      return silent || ![...life.entries].some(([e, by]) => e > other.last && e < exchange && by.has(partner));
    });
  }

  /** A mutual exchange that this life applied: what did the other side do? */
  function checkPair(exchange: number, partner: number, others: readonly Life[]): void {
    const entries = others.flatMap((other) => other.entries.get(exchange)?.get(rank) ?? []);
    if (entries.some((one) => usedBy(one) !== undefined)) return;
    const dropped = entries.some(({ line }) => line.ending === "void" && voteDropped(line));
    const called = entries.some(({ line, amended }) => line.ending === "aborted" || amended?.to === "torn");
    if (dropped || called || unwritten(exchange, partner, others, entries.length === 0)) {
      tally[dropped ? "window" : "cutOff"]++;
      excused.add(`${epoch} ${exchange}`);
      return;
    }
    const line = entries[0]?.line;
    const other = line === undefined ? "took no part" : `${line.ending}, voted ${line.voted}, heard ${line.heard}`;
    refuse("one-sided", exchange, [rank, partner], `peer ${rank} applied it, peer ${partner}: ${other}`);
  }
}

/** Whether the line is the trace of one dropped vote, and of nothing else. */
function voteDropped({ voted, heard, missing }: Entry["line"]): boolean {
  return voted === "yes" && heard === null && missing === 0;
}
