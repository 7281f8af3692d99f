/**
 * Sums in histories: mixing keeps the sum of all rows where every column of W sums to 1,
 *
 *     sum_i x_i(t + 1) = sum_j (sum_i w_ij) x_j(t),
 *
 * so the rows of W that peers in fact multiplied by (lines "mixed") are put together and their columns added up. A peer that
 * took no part keeps its row: 1 on its diagonal. A grouped round is a product of such matrices, one for each of its steps,
 * and 1' W_2 W_1 W_0 is computed from the left. In undirected rounds a column may be off only where an exchange was excused
 * (one dropped vote, a peer cut off); in directed ones, steps inside groups among them, where a vector was missed, and so the
 * mean has shifted. What a defence decides keeps no sums, and is not held to them.
 */

import type { MixedLine } from "./history.ts";
import { groupBy, type Life } from "./lives.ts";

export interface Violation {
  readonly rule: "order" | "votes" | "unsent" | "changed" | "round" | "twice" | "one-sided" | "mixed" | "sum" | "spec";
  readonly exchange: number;
  readonly peers: readonly number[];
  readonly what: string;
}

/** What the check of the sums needs, and where it reports what it finds. */
export interface Checked {
  /** Exchanges with a one-sided pair that is excused, as "epoch exchange". */
  readonly excused: Set<string>;
  shifted: number;
  /** Exchanges of which something was refused: what else is odd in them follows from it, mostly. */
  readonly blamed: ReadonlySet<number>;
  readonly refuse: (rule: Violation["rule"], exchange: number, peers: readonly number[], what: string) => void;
}

/** What rounding may leave of a column's sum, and of a sum of rows relative to their size. */
export const tolerance = 1e-9;

interface Part {
  readonly life: Life;
  readonly mixed: MixedLine;
}

export function checkSums(lives: readonly Life[], found: Checked, averaging: boolean): void {
  const parts = lives.flatMap((life) => [...life.mixed.values()].map((mixed): Part => ({ life, mixed })));
  const rounds = groupBy(parts, ({ life, mixed }) => `${life.begun.epoch ?? 0} ${firstOf(mixed)}`);
  for (const round of rounds.values()) checkRound(round, found);
  if (averaging) checkRows(lives, found);
}

/** The first number of the round that a line belongs to. */
const firstOf = ({ exchange, step = 0 }: MixedLine) => exchange - step;

function checkRound(parts: readonly Part[], found: Checked): void {
  const [{ life, mixed }] = parts;
  const { epoch = 0, size } = life.begun;
  const leaks = parts.filter((part) => part.mixed.leaks);
  if (leaks.length > 0) {
    const others = parts.filter((part) => !part.mixed.leaks).map((part) => part.life.begun.rank);
    if (others.length > 0) found.refuse("mixed", mixed.exchange, others, "a defence decided for others only");
    return;
  }
  const steps = groupBy(parts, (part) => part.mixed.exchange);
  const byStep = [...steps.values()];
  // Done anew by a peer that came back from an older state: two rows of one W.
  if (byStep.some((step) => new Set(step.map((part) => part.life.begun.rank)).size < step.length)) return;
  const sums = byStep
    .sort((a, b) => b[0].mixed.exchange - a[0].mixed.exchange)
    .reduce(throughStep, new Map<number, number>());
  const off = [...sums].filter(([, sum]) => !(Math.abs(sum - 1) <= tolerance));
  if (off.length === 0 || [...steps.keys()].some((exchange) => found.excused.has(`${epoch} ${exchange}`))) return;
  const ranks = new Set(parts.map((part) => part.life.begun.rank));
  if (parts.some((part) => !part.mixed.mutual) && (parts.some(isMissed) || ranks.size < size)) {
    found.shifted += off.length;
    return;
  }
  const what = off.map(([column, sum]) => `column ${column} sums to ${sum}`).join(", ");
  const columns = off.map(([column]) => column);
  found.refuse("sum", mixed.exchange, columns, what);
}

/** s' W from s', for the rows of W of one step; whoever has none has the unit matrix's. Sums that are not there yet are 1. */
function throughStep(sums: ReadonlyMap<number, number>, parts: readonly Part[]): Map<number, number> {
  const next = new Map(sums);
  const sumOf = (node: number) => sums.get(node) ?? 1;
  const add = (node: number, change: number) => next.set(node, (next.get(node) ?? 1) + change);
  for (const { life, mixed } of parts) {
    const { rank } = life.begun;
    add(rank, (mixed.self - 1) * sumOf(rank));
    for (const [node, weight] of mixed.used) add(node, weight * sumOf(rank));
    // Applied after all: the weight is the partner's, W being symmetric.
    for (const [partner, { amended }] of life.entries.get(mixed.exchange) ?? []) {
      if (amended?.to !== "mended" || mixed.used.some(([node]) => node === partner)) continue;
      const other = parts.find((part) => part.life.begun.rank === partner);
      const weight = other?.mixed.used.find(([node]) => node === rank)?.[1] ?? 0;
      add(rank, -weight * sumOf(rank));
      add(partner, weight * sumOf(rank));
    }
  }
  return next;
}

const isMissed = ({ life, mixed }: Part) =>
  (mixed.without?.length ?? 0) > 0 ||
  [...(life.entries.get(mixed.exchange)?.values() ?? [])].some(({ line }) =>
    ["missed", "aborted", "void"].includes(line.ending),
  );

/** Rows at both ends of a run in which nothing but mixing happened, all of it in order. */
function checkRows(lives: readonly Life[], found: Checked): void {
  if (found.shifted > 0 || found.excused.size > 0 || lives.length !== lives[0]?.begun.size) return;
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
