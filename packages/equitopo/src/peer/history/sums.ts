/**
 * Sums in histories: mixing keeps the sum of all rows where every column of W sums to 1,
 *
 *     sum_i x_i(t + 1) = sum_j (sum_i w_ij) x_j(t),
 *
 * so the rows of W that peers in fact multiplied by (lines "mixed") are put together and their columns added up. A peer that
 * took no part keeps its row: 1 on its diagonal. In undirected rounds a column may be off only where an exchange was
 * excused (one dropped vote, a peer cut off); in directed ones where a vector was missed, and so the mean has shifted.
 */

import type { MixedLine } from "./history.ts";
import type { Life } from "./lives.ts";

export interface Violation {
  readonly rule: "order" | "votes" | "unsent" | "changed" | "round" | "one-sided" | "sum" | "spec";
  readonly exchange: number;
  readonly peers: readonly number[];
  readonly what: string;
}

/** What the check of the sums needs, and where it reports what it finds. */
export interface Checked {
  /** Exchanges with a one-sided pair that is excused, as "epoch exchange". */
  readonly excused: Set<string>;
  shifted: number;
  readonly refuse: (rule: Violation["rule"], exchange: number, peers: readonly number[], what: string) => void;
}

/** What rounding may leave of a column's sum, and of a sum of rows relative to their size. */
const tolerance = 1e-9;

interface Part {
  readonly life: Life;
  readonly mixed: MixedLine;
}

export function checkSums(lives: readonly Life[], found: Checked, averaging: boolean): void {
  const exchanges = new Map<string, Part[]>();
  for (const life of lives) {
    for (const mixed of life.mixed.values()) {
      const key = `${life.begun.epoch ?? 0} ${mixed.exchange}`;
      const parts = exchanges.get(key) ?? [];
      exchanges.set(key, parts);
      parts.push({ life, mixed });
    }
  }
  for (const [key, parts] of exchanges) checkColumns(key, parts, found);
  if (averaging) checkRows(lives, exchanges, found);
}

function checkColumns(key: string, parts: readonly Part[], found: Checked): void {
  const ranks = new Set(parts.map(({ life }) => life.begun.rank));
  // Done anew by a peer that came back from an older state: two rows of one W.
  if (ranks.size < parts.length) return;
  const { exchange } = parts[0].mixed;
  const columns = new Map<number, number>();
  const add = (column: number, weight: number) => columns.set(column, (columns.get(column) ?? 0) + weight);
  for (const { life, mixed } of parts) {
    const { rank } = life.begun;
    add(rank, mixed.self);
    for (const [node, weight] of mixed.used) {
      if (!ranks.has(node) && !columns.has(node)) add(node, 1);
      add(node, weight);
    }
    // Applied after all: the weight is the partner's, W being symmetric.
    for (const [partner, { amended }] of life.entries.get(exchange) ?? []) {
      const other = parts.find((part) => part.life.begun.rank === partner);
      const weight = other?.mixed.used.find(([node]) => node === rank)?.[1] ?? 0;
      if (amended?.to !== "mended" || mixed.used.some(([node]) => node === partner)) continue;
      add(rank, -weight);
      add(partner, weight);
    }
  }
  const off = [...columns].filter(([, sum]) => Math.abs(sum - 1) > tolerance);
  if (off.length === 0 || found.excused.has(key)) return;
  const missed = parts.some(({ life }) => [...(life.entries.get(exchange)?.values() ?? [])].some(isMissed));
  const absent = ranks.size < parts[0].life.begun.size;
  if (!parts[0].mixed.mutual && (missed || absent)) found.shifted += off.length;
  else {
    const [peers, sums] = [
      off.map(([column]) => column),
      off.map(([column, sum]) => `column ${column} sums to ${sum}`),
    ];
    found.refuse("sum", exchange, peers, sums.join(", "));
  }
}

const isMissed = ({ line }: { readonly line: { readonly ending: string } }) =>
  line.ending === "missed" || line.ending === "aborted" || line.ending === "void";

/** Rows at both ends of a run in which nothing but mixing happened, all of it in order. */
function checkRows(lives: readonly Life[], exchanges: ReadonlyMap<string, unknown>, found: Checked): void {
  const disturbed = found.shifted > 0 || [...exchanges.keys()].some((key) => found.excused.has(key));
  if (disturbed || lives.length !== lives[0]?.begun.size) return;
  for (const { run } of lives[0].rows.filter(({ updates }) => updates === 0)) {
    const first = lives.flatMap(({ rows }) => rows.filter((row) => row.run === run && row.updates === 0));
    const last = lives.flatMap(({ rows }) => rows.filter((row) => row.run === run && row.updates > 0));
    if (first.length !== lives.length || last.length !== lives.length) continue;
    first[0].x.forEach((_, k) => {
      const before = first.reduce((sum, { x }) => sum + x[k], 0);
      const after = last.reduce((sum, { x }) => sum + x[k], 0);
      const size = first.reduce((sum, { x }) => sum + Math.abs(x[k]), 1);
      if (Math.abs(after - before) <= tolerance * size) return;
      found.refuse("sum", -1, [], `run ${run}: coordinate ${k} summed to ${before}, in the end to ${after}`);
    });
  }
}
