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
  /** The last exchange that was written down, and the last that was mixed; -1 before any. */
  last: number;
  lastMixed: number;
  /** Of a life that was killed the next exchange that it took part in, as far as others' lines show one (checker.ts). */
  next: number;
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
      const none = { last: -1, lastMixed: -1, next: Number.POSITIVE_INFINITY, ended: false };
      lives.push({ begun: line, ...nothing, ...none });
    } else if (life !== undefined) live(life, line);
  }
  return lives;
}

function live(life: Life, line: Exclude<HistoryLine, PeerLine>): void {
  const { exchange, partner } = { exchange: life.last, partner: life.begun.rank, ...line };
  const wrong = life.ended && line.kind !== "row" ? "a line after the end" : take(life, line);
  if (wrong !== undefined) life.disordered.push({ exchange, partner, what: wrong });
}

/** Adds a line to a life; answers what is wrong with its place, if anything. */
function take(life: Life, line: Exclude<HistoryLine, PeerLine>): string | undefined {
  if (line.kind === "end") life.ended = true;
  else if (line.kind === "row") life.rows.push(line);
  else if (line.kind === "mixed") return takeMixed(life, line);
  else if (line.kind === "exchange") return takeExchange(life, line);
  else if (line.kind === "amended") return takeAmendment(life, line);
  return undefined;
}

function takeMixed(life: Life, line: MixedLine): string | undefined {
  const { exchange } = line;
  const before = Math.max(life.lastMixed, life.last - 1);
  life.lastMixed = Math.max(life.lastMixed, exchange);
  if (life.mixed.has(exchange)) return "mixed twice";
  life.mixed.set(exchange, line);
  return exchange > before ? undefined : `mixed after exchange ${before + 1}`;
}

function takeExchange(life: Life, line: ExchangeLine): string | undefined {
  const { exchange, partner } = line;
  const before = life.last;
  life.last = Math.max(before, exchange);
  const partners = life.entries.get(exchange) ?? new Map<number, Entry>();
  life.entries.set(exchange, partners);
  if (partners.has(partner)) return "one partner twice in one exchange";
  partners.set(partner, { line });
  if (exchange < before) return `exchange ${exchange} after exchange ${before}`;
  return exchange <= life.lastMixed ? "after it was mixed" : undefined;
}

function takeAmendment(life: Life, amended: AmendedLine): string | undefined {
  const { exchange, partner, to } = amended;
  const old = life.entries.get(exchange)?.get(partner);
  if (old === undefined) return `${to}, but no such exchange`;
  if (old.amended !== undefined) return `${to} after it was ${old.amended.to}`;
  if (old.line.ending !== (to === "mended" ? "void" : "applied")) return `${to} after it was ${old.line.ending}`;
  old.amended = amended;
  return undefined;
}

/** The hashes of the vectors of a partner that a life used in the end; undefined if it used none. */
export function usedBy({ line, amended }: Entry): readonly string[] | undefined {
  if (amended !== undefined) return amended.to === "mended" ? amended.received : undefined;
  return line.ending === "applied" ? line.received : undefined;
}

/** Whether a life may have done something in that exchange that it did not live to write down. */
export const cutOffIn = ({ ended, last, next }: Life, exchange: number): boolean =>
  !ended && (exchange === last || exchange === next);

/** The items by their keys, in order. */
export function groupBy<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
