/**
 * Histories cut into lives: a life is what one program did as one peer, from its first line to its last, or until it was
 * killed. A peer that was started again has several lives, and may have repeated an exchange of an earlier one.
 */

import type { AmendedLine, ExchangeLine, HistoryLine, MixedLine, PeerLine, RowLine } from "./history.ts";

/** A partner's line in one exchange, and the later line that amended it. */
export interface Entry {
  readonly line: ExchangeLine;
  amended?: AmendedLine;
}

export interface Life {
  readonly begun: PeerLine;
  /** By exchange, then by partner. */
  readonly entries: Map<number, Map<number, Entry>>;
  readonly mixed: Map<number, MixedLine>;
  readonly rows: RowLine[];
  /** The last exchange that was written down; -1 before any. */
  last: number;
  /** Whether it left in good order. */
  ended: boolean;
  /** Lines that no life in order can have: an exchange after a later one, a partner twice, an amendment of nothing. */
  readonly disordered: { readonly exchange: number; readonly partner: number; readonly what: string }[];
}

/** The lives in one peer's file, in order. O(lines). */
export function livesOf(lines: readonly HistoryLine[]): Life[] {
  const lives: Life[] = [];
  for (const line of lines) {
    const life = lives.at(-1);
    if (line.kind === "peer") {
      const nothing = { entries: new Map(), mixed: new Map(), rows: [], disordered: [] };
      lives.push({ begun: line, ...nothing, last: -1, ended: false });
    } else if (life !== undefined) live(life, line);
  }
  return lives;
}

function live(life: Life, line: Exclude<HistoryLine, PeerLine>): void {
  if (line.kind === "end") life.ended = true;
  else if (line.kind === "row") life.rows.push(line);
  else if (line.kind === "mixed") life.mixed.set(line.exchange, line);
  else if (line.kind === "exchange") takeExchange(life, line);
  else if (line.kind === "amended") takeAmendment(life, line);
}

function takeExchange(life: Life, line: ExchangeLine): void {
  const { exchange, partner } = line;
  const wrong = (what: string) => life.disordered.push({ exchange, partner, what });
  if (exchange < life.last) wrong(`exchange ${exchange} after exchange ${life.last}`);
  life.last = Math.max(life.last, exchange);
  const partners = life.entries.get(exchange) ?? new Map<number, Entry>();
  life.entries.set(exchange, partners);
  if (partners.has(partner)) wrong("one partner twice in one exchange");
  else partners.set(partner, { line });
}

function takeAmendment(life: Life, amended: AmendedLine): void {
  const { exchange, partner, to } = amended;
  const old = life.entries.get(exchange)?.get(partner);
  const wrong = (what: string) => life.disordered.push({ exchange, partner, what });
  if (old === undefined) wrong(`${to}, but no such exchange`);
  else if (old.amended !== undefined) wrong(`${to} after it was ${old.amended.to}`);
  else if (old.line.ending !== (to === "mended" ? "void" : "applied")) wrong(`${to} after it was ${old.line.ending}`);
  else old.amended = amended;
}

/** The hashes of the vectors of a partner that a life used in the end; undefined if it used none. */
export function usedBy({ line, amended }: Entry): readonly string[] | undefined {
  if (amended !== undefined) return amended.to === "mended" ? amended.received : undefined;
  return line.ending === "applied" ? line.received : undefined;
}

/** Whether a life may have done something in that exchange that it did not live to write down. */
export const cutOffIn = ({ ended, last }: Life, exchange: number): boolean => !ended && last <= exchange;
