/**
 * Rows of W (lines "mixed") against exchanges: whoever exchanged in order to mix wrote down a row of W, with a weight for each
 * partner whose vectors were applied and for no other. Vectors that came and have no weight were refused by a defence.
 */

import type { MixedLine } from "./history.ts";
import { type Life, usedBy } from "./lives.ts";
import { type Checked, tolerance } from "./sums.ts";

/** O(lines of the life). */
export function checkMixed(life: Life, { refuse, blamed }: Checked): void {
  const { rank } = life.begun;
  for (const [exchange, partners] of life.entries) {
    if (blamed.has(exchange)) continue;
    const due = [...partners.values()].some(({ line }) => line.mixes && line.ending !== "aborted");
    // Killed between these lines and that one.
    const cutOff = !life.ended && exchange === life.last;
    if (due && !cutOff && !life.mixed.has(exchange)) refuse("mixed", exchange, [rank], "no row of W was written down");
  }
  for (const mixed of life.mixed.values()) {
    if (blamed.has(mixed.exchange)) continue;
    for (const what of faultsOf(mixed, life)) refuse("mixed", mixed.exchange, [rank], what);
  }
}

function faultsOf({ exchange, mutual, self, used, without = [], leaks }: MixedLine, life: Life): string[] {
  const { rank } = life.begun;
  const entries = life.entries.get(exchange) ?? new Map<never, never>();
  const nodes = used.map(([node]) => node);
  const listed = [rank, ...nodes, ...without];
  const weights = [self, ...used.map(([, weight]) => weight)];
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const faults = nodes.flatMap((node) => {
    const entry = entries.get(node);
    if (entry === undefined) return [`peer ${node} was mixed without an exchange`];
    // What was mended afterwards is not in this row.
    if (entry.amended !== undefined || usedBy(entry) === undefined) {
      return [`peer ${node} was mixed, and its exchange was ${entry.amended?.to ?? entry.line.ending}`];
    }
    return entry.line.mutual === mutual ? [] : [`peer ${node} exchanged ${mutual ? "one way" : "mutually"} only`];
  });
  for (const [node, { line, amended }] of entries) {
    if (line.ending !== "applied" || amended !== undefined || listed.includes(node)) continue;
    faults.push(`the vectors of peer ${node} were applied and not mixed`);
  }
  if (new Set(listed).size < listed.length) faults.push("a peer is listed twice");
  if (!weights.every((weight) => weight >= -tolerance)) faults.push(`weights of ${weights.join(", ")}`);
  if (leaks && Math.abs(sum - 1) > tolerance) faults.push(`the row sums to ${sum}`);
  return faults;
}
