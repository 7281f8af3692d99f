/**
 * The checker: do the histories of all peers (history.ts) fit together? Whatever the network did, the following must hold,
 * and the checker compares line with line:
 *
 * - in one life exchanges go up, each partner appears in each of them once, and a row of W follows (rule "order");
 * - what was used was sent: by that partner, to this peer, in this exchange, bit for bit (rules "unsent", "changed",
 *   "round" where it was sent in another exchange), and by as many of its lives as have used it (rule "twice");
 * - a mutual exchange was applied on two votes of yes, and a vote that was heard was given (rule "votes");
 * - a mutual exchange is applied by both or by neither (rule "one-sided"). The window, where one side has voted yes, holds
 *   everything and did not hear the other's yes, is counted, not refused: only a dropped vote leaves that trace;
 * - the row of W has a weight for each vector that was applied, and for no other (rule "mixed"; rows.ts);
 * - sums are kept: the columns of the W(t) that was in fact applied sum to 1 (rule "sum"; sums.ts).
 *
 * A peer that is killed may have done more than it lived to write down, but only in its last exchange or the next one it
 * takes part in: what depends on that is counted as cut off, and anything later is refused.
 *
 * What no comparison of the files can show, because they would fit together just so if it had happened: the last lines of a
 * life or a line "amended" left out (a kill; a vote that never came); an exchange left out of all files, its rows of W too;
 * weights changed on both sides, or lines that say of all peers that a defence decides about W; rows of a run that did
 * more than average, but in asynchronous rounds, which can be repeated (async.ts); hashes of what was sent in vain.
 */

import type { AmendedLine, Ending, HistoryLine } from "./history.ts";
import { cutOffIn, type Entry, groupBy, type Life, livesOf, usedBy } from "./lives.ts";
import { checkMixed } from "./rows.ts";
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
  const blamed = new Set<number>();
  const found: Checked = {
    excused: new Set<string>(),
    shifted: 0,
    blamed,
    refuse(rule, exchange, peers, what) {
      blamed.add(exchange);
      violations.push({ rule, exchange, peers, what });
    },
  };
  const byPeer = groupBy(lives, (life) => keyOf(life, life.begun.rank));
  const livesOfPeer = (life: Life) => (peer: number) => byPeer.get(keyOf(life, peer)) ?? [];
  for (const life of lives) findNext(life, livesOfPeer(life));
  for (const life of lives) {
    const { spec, rank, size } = life.begun;
    if (spec !== lives[0].begun.spec || sizeDiffers(life, lives[0]) || rank >= size) {
      found.refuse("spec", 0, [rank], "the history of another spec");
    }
    checkLife(life, livesOfPeer(life), found, tally);
  }
  checkSums(lives, found, options.averaging === true);
  for (const life of lives) checkMixed(life, found);
  for (const life of lives) checkVotes(life, livesOfPeer(life), found);
  const { sent, ...counted } = tally;
  const peers = new Set(lives.map(({ begun }) => begun.rank)).size;
  const killed = lives.filter(({ ended }) => !ended).length;
  return { violations, counts: { peers, lives: lives.length, killed, ...counted, shifted: found.shifted } };
}

const keyOf = ({ begun }: Life, rank: number) => `${begun.epoch ?? 0} ${rank}`;

const sizeDiffers = ({ begun: a }: Life, { begun: b }: Life) => a.size !== b.size && a.epoch === b.epoch;

type Tally = Record<Ending | AmendedLine["to"] | "window" | "cutOff" | "vectors" | "unwitnessed", number>;

type LivesOf = (peer: number) => readonly Life[];

const entriesIn = (lives: readonly Life[], exchange: number, partner: number) =>
  lives.flatMap(({ entries }) => entries.get(exchange)?.get(partner) ?? []);

/** Whether the partner's lines account for what was used: it was sent, and a mutual exchange applied by both. */
function isWitnessed({ line }: Entry, used: readonly string[], theirs: readonly Entry[]): boolean {
  const sent = theirs.some((other) => other.line.sent.join() === used.join());
  return sent && (!line.mutual || theirs.some((other) => usedBy(other) !== undefined));
}

/**
 * What a life used of a killed partner first after the last exchange that this one wrote down: if no life of the partner
 * accounts for it, the killed one did that exchange, too. It cannot have done any later one, or it had written that line.
 */
function findNext(life: Life, livesOfPeer: LivesOf): void {
  const seen = new Set<Life>();
  for (const [exchange, partners] of life.entries) {
    for (const [partner, entry] of partners) {
      const used = usedBy(entry);
      const others = livesOfPeer(partner);
      if (used === undefined || others.every(({ ended }) => ended)) continue;
      const witnessed = isWitnessed(entry, used, entriesIn(others, exchange, life.begun.rank));
      for (const other of others) {
        if (other.ended || exchange <= other.last || seen.has(other)) continue;
        seen.add(other);
        if (!witnessed) other.next = Math.min(other.next, exchange);
      }
    }
  }
}

/** Compares every line of one life with what the partners wrote down. */
function checkLife(life: Life, livesOfPeer: LivesOf, { excused, refuse }: Checked, tally: Tally): void {
  const { rank, epoch = 0 } = life.begun;
  const own = livesOfPeer(rank);
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
    const theirs = entriesIn(others, exchange, rank);
    const gone = others.filter((other) => isUnwritten(other, exchange));
    const mine = own.filter((other) => entriesIn([other], exchange, partner).some((one) => usedBy(one) !== undefined));
    if (mine.length > Math.max(1, theirs.length + gone.length) && mine[0] === life) {
      refuse("twice", exchange, [rank, partner], `used in ${mine.length} lives, sent in ${theirs.length}`);
    }
    checkVectors(exchange, partner, used, theirs, gone.length > 0);
    if (line.mutual) checkPair(exchange, partner, theirs, gone.length > 0);
  }

  /** Whether a life of the partner may have been killed in that exchange before it wrote it down. */
  function isUnwritten(other: Life, exchange: number): boolean {
    return cutOffIn(other, exchange) && !other.entries.get(exchange)?.has(rank);
  }

  /** What was used: the partner must have sent just that, here. */
  function checkVectors(
    exchange: number,
    partner: number,
    used: readonly string[],
    theirs: readonly Entry[],
    gone: boolean,
  ): void {
    if (theirs.some(({ line }) => line.sent.join() === used.join())) {
      tally.vectors += used.length;
      return;
    }
    if (gone) {
      tally.unwitnessed += used.length;
      return;
    }
    const sent = theirs[0]?.line.sent ?? [];
    const at = Math.max(
      0,
      used.findIndex((hash, k) => hash !== sent[k]),
    );
    const elsewhere = livesOfPeer(partner).flatMap((other) =>
      [...other.entries].filter(([, partners]) => partners.get(rank)?.line.sent.includes(used[at])).map(([e]) => e),
    );
    const what = `vector ${at} of peer ${partner}`;
    if (elsewhere.length > 0 && !elsewhere.includes(exchange)) {
      refuse("round", exchange, [rank, partner], `${what} is that of exchange ${elsewhere.join(", ")}`);
    } else if (at < sent.length) refuse("changed", exchange, [rank, partner], `${what} is not what was sent`);
    else refuse("unsent", exchange, [rank, partner], `${what} was never sent`);
  }

  /** A mutual exchange that this life applied: what did the other side do? */
  function checkPair(exchange: number, partner: number, theirs: readonly Entry[], gone: boolean): void {
    if (theirs.some((one) => usedBy(one) !== undefined)) return;
    const dropped = theirs.some(({ line }) => line.ending === "void" && voteDropped(line));
    const called = theirs.some(({ line, amended }) => line.ending === "aborted" || amended?.to === "torn");
    if (dropped || called || gone) {
      tally[dropped ? "window" : "cutOff"]++;
      excused.add(`${epoch} ${exchange}`);
      return;
    }
    const line = theirs[0]?.line;
    const other = line === undefined ? "took no part" : `${line.ending}, voted ${line.voted}, heard ${line.heard}`;
    refuse("one-sided", exchange, [rank, partner], `peer ${rank} applied it, peer ${partner}: ${other}`);
  }
}

/** Whether the line is the trace of one dropped vote, and of nothing else. */
function voteDropped({ voted, heard, missing }: Entry["line"]): boolean {
  return voted === "yes" && heard === null && missing === 0;
}

/** Lines that contradict themselves, or the partner's: reported where nothing else of that exchange is. */
function checkVotes(life: Life, livesOfPeer: LivesOf, { refuse, blamed }: Checked): void {
  const { rank } = life.begun;
  for (const [exchange, partners] of life.entries) {
    if (blamed.has(exchange)) continue;
    for (const [partner, { line }] of partners) {
      const others = livesOfPeer(partner);
      const theirs = entriesIn(others, exchange, rank).map((other) => other.line);
      const differs = (holds: (other: Entry["line"]) => boolean) =>
        theirs.length > 0 && !theirs.some(holds) && !others.some((other) => cutOffIn(other, exchange));
      const what = contradictionIn(line);
      if (what !== undefined) refuse("votes", exchange, [rank, partner], what);
      else if (differs((other) => other.mutual === line.mutual || other.ending === "sent" || line.ending === "sent")) {
        refuse("votes", exchange, [rank, partner], "mutual for one side only");
      } else if (line.mutual && line.heard !== null && differs(({ voted }) => voted === line.heard)) {
        refuse("votes", exchange, [rank, partner], `a vote of ${line.heard} was heard, and not given`);
      }
    }
  }
}

/** What a line cannot say together. */
function contradictionIn({ ending, mutual, received, missing, voted, heard }: Entry["line"]): string | undefined {
  const awaited = missing > 0 || voted !== null || heard !== null;
  if (ending === "applied" && received.length === 0) return "applied, and nothing was handed over";
  if (ending === "applied" && missing > 0) return "applied, and vectors are missing";
  if (ending !== "applied" && received.length > 0) return `${ending}, and vectors were handed over`;
  if (ending === "sent" && (awaited || mutual)) return "sent, and something was awaited";
  if (ending === (mutual ? "missed" : "void")) return `${ending} in ${mutual ? "a mutual" : "a directed"} exchange`;
  if (ending === "void" && voted === "yes" && heard === "yes") return "void on two votes of yes";
  return mutual && voted === "yes" && missing > 0 ? "a vote of yes, and vectors are missing" : undefined;
}
