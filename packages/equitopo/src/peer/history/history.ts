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
import type { Step } from "../../run/async/history.ts";

/** The format of the lines below. */
export const historyVersion = 1;

export interface PeerLine {
  readonly kind: "peer";
  readonly version: number;
  readonly rank: number;
  readonly size: number;
  /** Whoever numbers peers or exchanges anew says so: lines are held against lines of the same epoch only. Default 0. */
  readonly epoch?: number;
  /** A hash of what all peers must agree on. */
  readonly spec?: string;
}

/**
 * How an exchange with one partner ended.
 *
 *     applied  its vectors were handed over, and in a mutual exchange its yes had come
 *     void     a mutual exchange was given up: nothing of the partner's was used
 *     missed   the vectors of a directed exchange did not all come
 *     sent     nothing was awaited of that partner
 *     aborted  the whole exchange was called off by the peer itself: nothing was used
 */
export type Ending = "applied" | "void" | "missed" | "sent" | "aborted";

export type Vote = "yes" | "no";

export interface ExchangeLine {
  readonly kind: "exchange";
  readonly exchange: number;
  readonly partner: number;
  readonly mutual: boolean;
  /** Hashes of the vectors sent to the partner and of those handed over from it, in order of sequence. */
  readonly sent: readonly string[];
  readonly received: readonly string[];
  /** Vectors of the partner that did not come. */
  readonly missing: number;
  /** What was voted to the partner, and what was heard of its vote; null for nothing. */
  readonly voted: Vote | null;
  readonly heard: Vote | null;
  readonly ending: Ending;
}

export interface AmendedLine {
  readonly kind: "amended";
  readonly exchange: number;
  readonly partner: number;
  /**
   * mended: void at first; then the partner's yes came late, and its vectors were applied after all.
   * torn: applied at first; then its vectors turned out to have changed while they were read, and were not used.
   */
  readonly to: "mended" | "torn";
  /** Hashes of what was applied after all. */
  readonly received: readonly string[];
}

export interface MixedLine {
  readonly kind: "mixed";
  readonly exchange: number;
  /** Whether W(t) is symmetric: then a column that does not sum to 1 needs an excuse. */
  readonly mutual: boolean;
  /** The weight of the own row in the end, and of each row that was used. */
  readonly self: number;
  readonly used: readonly (readonly [node: number, weight: number])[];
}

export interface RowLine {
  readonly kind: "row";
  readonly run: number;
  readonly updates: number;
  readonly x: readonly number[];
}

/** An iteration of asynchronous rounds (run/async/history.ts). */
export interface IteratedLine extends Step {
  readonly kind: "iterated";
  readonly run: number;
}

export interface EndLine {
  readonly kind: "end";
}

export type HistoryLine = PeerLine | ExchangeLine | AmendedLine | MixedLine | RowLine | IteratedLine | EndLine;

/** Whoever keeps a history. A line that tells of an outcome is handed over before the outcome is used. */
export type Historian = (line: HistoryLine) => void;

export function encodeLine(line: HistoryLine): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * The lines of a file. A line that is not whole is left out where a program was killed while it wrote: at the end, and
 * before the next program's first line. O(text).
 *
 * @example
 * ```ts
 * import { decodeHistory, encodeLine } from "equitopo/peer";
 * const text = encodeLine({ kind: "peer", version: 1, rank: 0, size: 2 }) + '{"kind":"exch';
 * decodeHistory(text).length // => 1
 * ```
 */
export function decodeHistory(text: string): HistoryLine[] {
  const written = text.split("\n").filter((line) => line !== "");
  return written.flatMap((line, at): HistoryLine[] => {
    const found = parsed(line);
    if (found !== undefined) {
      if (found.kind === "peer" && found.version !== historyVersion) {
        throw new InputError(
          `a history must be of version ${historyVersion}`,
          found.version,
          "check it with the version of equitopo that wrote it",
        );
      }
      return [found];
    }
    const next = written[at + 1];
    if (next === undefined || parsed(next)?.kind === "peer") return [];
    throw new InputError("a history is lines of JSON", `line ${at + 1}`, "give a file that --history has written");
  });
}

function parsed(line: string): HistoryLine | undefined {
  try {
    const found = JSON.parse(line) as HistoryLine | null;
    return typeof found === "object" && typeof found?.kind === "string" ? found : undefined;
  } catch {
    return undefined;
  }
}
