/**
 * The checker: do the histories of all peers (history.ts) fit together? Whatever the network did, the following must hold,
 * and is held line against line:
 *
 * - in one life exchanges go up, and each partner stands in each of them once (rule "order");
 * - what was used was sent: by that partner, to this peer, in this exchange, bit for bit (rules "unsent", "changed",
 *   "round" where it was sent in another exchange), and a mutual exchange was applied on two votes of yes (rule "votes");
 * - a mutual exchange is applied by both or by neither (rule "one-sided"). The window, where one side has voted yes, holds
 *   everything and did not hear the other's yes, is counted, not refused: only the lost vote itself leaves that trace;
 * - sums are kept: the columns of what W(t) was in fact sum to 1 (rule "sum"; check-sums.ts).
 *
 * A peer that is killed may have done more than it lived to write down, but only in its last exchange or the next one it
 * takes part in: what depends on that is counted as cut off.
 */

import type { Checked, Violation } from "./check-sums.ts";
import { checkSums } from "./check-sums.ts";
import type { HistoryLine } from "./history.ts";
import { cutOffIn, type Life, livesOf, type Told, usedBy } from "./lives.ts";

export type { Violation } from "./check-sums.ts";

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
  /** Mutual exchanges that one side applied: because of exactly one lost vote; because a peer was killed or called off. */
  readonly window: number;
  readonly cutOff: number;
  /** Vectors that were held against what their sender wrote down, and those whose sender did not live to. */
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
 * `${violations.length} violations, ${counts.window} lost vote` // => "0 violations, 1 lost vote"
 * ```
 */
export function checkHistories(histories: readonly (readonly HistoryLine[])[], options: CheckOptions = {}): Verdict {
  const lives = histories.flatMap(livesOf);
  const found = new Check(lives);
  for (const life of lives) found.check(life);
  checkSums(lives, found, options.averaging === true);
  return { violations: found.violations, counts: found.counts() };
}

class Check implements Checked {
  readonly violations: Violation[] = [];
  readonly excused = new Set<string>();
  shifted = 0;
  readonly #lives: readonly Life[];
  /** Those of one rank in one epoch. */
  readonly #byPeer = new Map<string, Life[]>();
  readonly #tally = {
    ...{ applied: 0, void: 0, missed: 0, sent: 0, aborted: 0, mended: 0, torn: 0 },
    ...{ window: 0, cutOff: 0, vectors: 0, unwitnessed: 0 },
  };

  constructor(lives: readonly Life[]) {
    this.#lives = lives;
    for (const life of lives) {
      const key = keyOf(life, life.begun.rank);
      this.#byPeer.set(key, [...(this.#byPeer.get(key) ?? []), life]);
    }
  }

  counts(): HistoryCounts {
    const { sent, ...tally } = this.#tally;
    const peers = new Set(this.#lives.map(({ begun }) => begun.rank)).size;
    const killed = this.#lives.filter(({ ended }) => !ended).length;
    return { peers, lives: this.#lives.length, killed, ...tally, shifted: this.shifted };
  }

  refuse(rule: Violation["rule"], exchange: number, peers: readonly number[], what: string): void {
    this.violations.push({ rule, exchange, peers, what });
  }

  check(life: Life): void {
    const { rank, spec, size } = life.begun;
    const first = this.#lives[0].begun;
    if (spec !== first.spec || (size !== first.size && life.begun.epoch === first.epoch)) {
      this.refuse("spec", 0, [rank], "the history of another spec");
    }
    for (const { exchange, partner, what } of life.disordered) this.refuse("order", exchange, [rank, partner], what);
    for (const [exchange, partners] of life.told) {
      for (const told of partners.values()) this.#partner(life, exchange, told);
    }
  }

  #partner(life: Life, exchange: number, told: Told): void {
    const { line, amended } = told;
    const { partner, ending, voted, heard, missing } = line;
    this.#tally[ending]++;
    if (amended !== undefined) this.#tally[amended.to]++;
    const used = usedBy(told);
    if (used === undefined) return;
    const pair = [life.begun.rank, partner];
    if (line.mutual) {
      const mended = amended?.to === "mended";
      if (voted !== "yes" || missing > 0 || (heard !== "yes" && !mended)) {
        this.refuse("votes", exchange, pair, `applied on votes of ${voted} and ${heard}, ${missing} vectors missing`);
      }
    }
    const others = this.#byPeer.get(keyOf(life, partner)) ?? [];
    used.forEach((hash, sequence) => {
      this.#vector(life, exchange, partner, others, hash, sequence);
    });
    if (line.mutual) this.#pair(life, exchange, partner, others);
  }

  /** One vector that was used: the partner must have sent it, here. */
  #vector(life: Life, exchange: number, partner: number, others: readonly Life[], hash: string, sequence: number) {
    const { rank } = life.begun;
    const sent = others.flatMap((other) => other.told.get(exchange)?.get(rank)?.line.sent[sequence] ?? []);
    if (sent.includes(hash)) {
      this.#tally.vectors++;
      return;
    }
    if (this.#unwritten(life, exchange, partner, others, sent.length === 0)) {
      this.#tally.unwitnessed++;
      return;
    }
    const elsewhere = others.flatMap((other) =>
      [...other.told].filter(([, partners]) => partners.get(rank)?.line.sent.includes(hash)).map(([number]) => number),
    );
    const what = `vector ${sequence} of peer ${partner}`;
    if (elsewhere.length > 0) {
      this.refuse("round", exchange, [rank, partner], `${what} is that of exchange ${elsewhere.join(", ")}`);
    } else if (sent.length > 0) this.refuse("changed", exchange, [rank, partner], `${what} is not what was sent`);
    else this.refuse("unsent", exchange, [rank, partner], `${what} was never sent`);
  }

  /**
   * Whether the partner may have been killed in that exchange before it wrote of it. Where it then came back and did the
   * exchange again, only the first one after its former life's last word counts.
   */
  #unwritten(life: Life, exchange: number, partner: number, others: readonly Life[], silent: boolean): boolean {
    const { rank } = life.begun;
    return others.some((other) => {
      if (!cutOffIn(other, exchange) || other.told.get(exchange)?.has(rank)) return false;
      if (silent) return true;
      const between = [...life.told].some(([e, told]) => e > other.last && e < exchange && told.has(partner));
      return !between;
    });
  }

  /** A mutual exchange that this life applied: what did the other side do? */
  #pair(life: Life, exchange: number, partner: number, others: readonly Life[]): void {
    const { rank } = life.begun;
    const told = others.flatMap((other) => other.told.get(exchange)?.get(rank) ?? []);
    if (told.some((one) => usedBy(one) !== undefined)) return;
    const excuse = () => this.excused.add(`${life.begun.epoch ?? 0} ${exchange}`);
    if (told.some(({ line }) => line.ending === "void" && voteLost(line))) {
      this.#tally.window++;
      excuse();
      return;
    }
    const called = told.some(({ line, amended }) => line.ending === "aborted" || amended?.to === "torn");
    if (called || this.#unwritten(life, exchange, partner, others, told.length === 0)) {
      this.#tally.cutOff++;
      excuse();
      return;
    }
    const line = told[0]?.line;
    const other = line === undefined ? "took no part" : `${line.ending}, voted ${line.voted}, heard ${line.heard}`;
    this.refuse("one-sided", exchange, [rank, partner], `peer ${rank} applied it, peer ${partner}: ${other}`);
  }
}

const keyOf = ({ begun }: Life, rank: number) => `${begun.epoch ?? 0} ${rank}`;

/** The trace of one lost vote, and of nothing else. */
function voteLost({ voted, heard, missing }: Told["line"]): boolean {
  return voted === "yes" && heard === null && missing === 0;
}
