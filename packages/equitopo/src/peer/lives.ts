/**
 * Histories cut into lives: a life is what one program did as one peer, from its first word to its last or to where it was
 * killed. A peer that was started again has several, and may have done an exchange anew that it had done before.
 */

import type { AmendedLine, ExchangeLine, HistoryLine, MixedLine, PeerLine, RowLine } from "./history.ts";

/** A partner's line in one exchange, with what was said of it later. */
export interface Told {
  readonly line: ExchangeLine;
  amended?: AmendedLine;
}

export interface Life {
  readonly begun: PeerLine;
  /** By exchange, then by partner. */
  readonly told: Map<number, Map<number, Told>>;
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
    if (line.kind === "peer") {
      lives.push({
        ...{ begun: line, told: new Map(), mixed: new Map(), rows: [] },
        ...{ last: -1, ended: false, disordered: [] },
      });
      continue;
    }
    const life = lives.at(-1);
    if (life !== undefined) live(life, line);
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
  const partners = life.told.get(exchange) ?? new Map<number, Told>();
  life.told.set(exchange, partners);
  if (partners.has(partner)) wrong("one partner twice in one exchange");
  else partners.set(partner, { line });
}

function takeAmendment(life: Life, amended: AmendedLine): void {
  const { exchange, partner, to } = amended;
  const told = life.told.get(exchange)?.get(partner);
  const wrong = (what: string) => life.disordered.push({ exchange, partner, what });
  if (told === undefined) wrong(`${to}, but no such exchange`);
  else if (told.amended !== undefined) wrong(`${to} after it was ${told.amended.to}`);
  else if (told.line.ending !== (to === "mended" ? "void" : "applied")) wrong(`${to} after it was ${told.line.ending}`);
  else told.amended = amended;
}

/** The hashes of what a life used of a partner in the end; undefined where it used nothing. */
export function usedBy({ line, amended }: Told): readonly string[] | undefined {
  if (amended !== undefined) return amended.to === "mended" ? amended.received : undefined;
  return line.ending === "applied" ? line.received : undefined;
}

/** Whether a life may have done something in that exchange that it did not live to write down. */
export const cutOffIn = ({ ended, last }: Life, exchange: number): boolean => !ended && last <= exchange;
