/**
 * A peer's history: what it sent, what it held, how it voted, what it applied, one line of JSON for each event, written
 * before anything is done with the outcome. The histories of all peers together show whether a run kept its promises
 * (checker.ts), whatever happened to it.
 *
 *     peer      a program begins to be peer `rank`; what follows is its, until the next such line or the file's end
 *     exchange  one exchange with one partner is over
 *     amended   what that line said of a partner holds no longer: applied after all, or unreadable
 *     mixed     the row of W that the peer in fact multiplied by
 *     iterated  an iteration of asynchronous rounds: as which round it exchanged, and what it used of whom
 *     row       its row at the beginning or the end of a run, where it is short
 *     end       the program left in good order
 *
 * Exchanges are numbered through on the transport (spec-peer.ts), so a number names one act of all peers.
 */

import { InputError } from "../../input/input.ts";
import * as shape from "../../input/shape.ts";
import type { Used } from "../../run/async/history.ts";

/** The format of the lines below. */
export const historyVersion = 1;

const { fields, oneOf, optional, when } = shape;
const most = Number.MAX_SAFE_INTEGER;
const whole = shape.whole(0, most);
const isPair = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length === 2;
const wholes = shape.list(whole, most);
const hash = shape.text(1000);
const hashes = shape.list(hash, most);
/** A number; null where JSON had no word for it, as for infinity. */
const number = when<number>((value: unknown) => value === null || typeof value === "number");

const vote = oneOf("yes", "no");
export type Vote = shape.Of<typeof vote>;

const peer = fields({
  version: whole,
  rank: whole,
  size: whole,
  /** Whoever numbers peers or exchanges anew says so: lines are held against lines of the same epoch only. Default 0. */
  epoch: optional(whole),
  /** A hash of what all peers must agree on. */
  spec: optional(hash),
});

/**
 * How an exchange with one partner ended.
 *
 *     applied  its vectors were handed over, and in a mutual exchange its yes had come
 *     void     a mutual exchange was given up: nothing of the partner's was used
 *     missed   the vectors of a directed exchange did not all come
 *     sent     nothing was awaited of that partner
 *     aborted  the whole exchange was called off by the peer itself: nothing was used
 */
const ending = oneOf("applied", "void", "missed", "sent", "aborted");
export type Ending = shape.Of<typeof ending>;

const exchange = fields({
  exchange: whole,
  partner: whole,
  mutual: shape.flag,
  /** Hashes of the vectors sent to the partner and of those handed over from it, in order of sequence. */
  sent: hashes,
  received: hashes,
  /** Vectors of the partner that did not come. */
  missing: whole,
  /** What was voted to the partner, and what was heard of its vote; null for nothing. */
  voted: oneOf("yes", "no", null),
  heard: oneOf("yes", "no", null),
  ending,
  /** Whether the vectors are for a row of W x: a line "mixed" of this exchange follows, unless it is called off. */
  mixes: optional(shape.flag),
});

const amended = fields({
  exchange: whole,
  partner: whole,
  /**
   * mended: void at first; then the partner's yes came late, and its vectors were applied after all.
   * torn: applied at first; then its vectors turned out to have changed while they were read, and were not used.
   */
  to: oneOf("mended", "torn"),
  /** Hashes of what was applied after all. */
  received: hashes,
});

const mixed = fields({
  exchange: whole,
  /** Whether W(t) is symmetric: then a column that does not sum to 1 needs an excuse. */
  mutual: shape.flag,
  /** The weight of the own row in the end, and of each row that was used. */
  self: number,
  used: shape.list(
    when<readonly [node: number, weight: number]>((value: unknown) => isPair(value) && value.every(Number.isFinite)),
    most,
  ),
  /** Partners whose rows were left out: dropped on purpose, or refused by a defence. */
  without: optional(wholes),
  /** Whether W does not keep sums: a defence decides about it, or only its rows sum to 1. */
  leaks: optional(shape.flag),
  /** Of a grouped round (mixing/group-mixing.ts) the step; the round is the product of its steps' matrices. */
  step: optional(whole),
});

const row = fields({
  run: whole,
  updates: whole,
  /** The row where it is short, else nothing; and a hash of it in any case. */
  x: shape.list(number, most),
  hash: optional(hash),
});

/** An iteration of asynchronous rounds (run/async/history.ts). */
const iterated = fields({
  run: whole,
  round: optional(whole),
  used: shape.list(
    when<Used>((value: unknown) => {
      if (!Array.isArray(value) || value.length < 2 || value.length > 3) return false;
      return value.every((one, k) => (k < 2 ? Number.isInteger(one) : typeof one === "string"));
    }),
    most,
  ),
  kept: optional(wholes),
  /** A hash of what was to be exchanged. */
  hash: optional(hash),
  /** The first that a program does: after how many iterations, and which round; with a hash of its models. */
  begins: optional(fields({ iterations: whole, round: shape.whole(-1, most), hash })),
});

const line = shape.byWord("kind", { peer, exchange, amended, mixed, row, iterated, end: fields({}) });

export type HistoryLine = shape.Of<typeof line>;
type LineOf<K extends HistoryLine["kind"]> = Extract<HistoryLine, { readonly kind: K }>;
export type PeerLine = LineOf<"peer">;
export type ExchangeLine = LineOf<"exchange">;
export type AmendedLine = LineOf<"amended">;
export type MixedLine = LineOf<"mixed">;
export type RowLine = LineOf<"row">;
export type IteratedLine = LineOf<"iterated">;
export type EndLine = LineOf<"end">;

/** Whoever keeps a history. A line that tells of an outcome is handed over before the outcome is used. */
export type Historian = (line: HistoryLine) => void;

export function encodeLine(line: HistoryLine): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * The lines of a file. Half a line is left out where a program was killed while it wrote: at the end, and before the next
 * program's first line. O(text).
 *
 * @example
 * ```ts
 * import { decodeHistory, encodeLine } from "equitopo/peer";
 * const text = encodeLine({ kind: "peer", version: 1, rank: 0, size: 2 }) + '{"kind":"exch';
 * decodeHistory(text).length // => 1
 * ```
 */
export function decodeHistory(text: string): HistoryLine[] {
  const written = text.split("\n").filter((one) => one !== "");
  const found = written.map(parsed);
  return found.flatMap((one, at): HistoryLine[] => {
    const next = found[at + 1];
    const cut = one === undefined && (at + 1 === found.length || isPeer(next));
    if (cut) return [];
    if (isPeer(one) && one.version !== historyVersion) {
      throw new InputError(
        `a history must be of version ${historyVersion}`,
        one.version,
        "check it with the version of equitopo that wrote it",
      );
    }
    try {
      if (at === 0 && !isPeer(one)) throw new shape.Malformed(one);
      return [line(one)];
    } catch (error) {
      if (!(error instanceof shape.Malformed)) throw error;
      const rule = "a history is lines of JSON, a line of kind peer first";
      throw new InputError(rule, `line ${at + 1}`, "give a file that --history has written");
    }
  });
}

const isPeer = (one: unknown): one is PeerLine => (one as PeerLine | undefined)?.kind === "peer";

/** What a line says; undefined if it is not whole. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? "null";
  } catch {
    return undefined;
  }
}
