/** The histories in a folder (`run --history`, `worker --history`), read, compared with each other, and judged in words. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "equitopo";
import { inside } from "equitopo/input";
import { checkHistories, decodeHistory, type HistoryCounts, type HistoryLine, type Verdict } from "equitopo/peer";

/** Every .ndjson file of the folder is one peer's history. */
export function readHistories(folder: string): HistoryLine[][] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`the folder of histories must be readable (${code})`, folder, "check its name");
  }
  if (names.length === 0) {
    throw new InputError("a folder of histories holds .ndjson files", folder, "name the folder given to --history");
  }
  const paths = names.sort().map((name) => join(folder, name));
  return paths.map((path) => inside(path, () => decodeHistory(readFileSync(path, "utf8"))));
}

export function verdictOf(folder: string, averaging: boolean): Verdict {
  return checkHistories(readHistories(folder), { averaging });
}

const words: readonly (readonly [keyof HistoryCounts, string])[] = [
  ["applied", "exchanges with one partner that were applied"],
  ["void", "given up by both, or by this side"],
  ["missed", "whose vectors did not come (directed rounds)"],
  ["aborted", "called off by the peer itself"],
  ["mended", "void at first, applied when the vote came late"],
  ["torn", "unreadable after they were applied (threads)"],
  ["window", "applied by one side only, for one dropped vote"],
  ["cutOff", "applied by one side only, for a peer that was killed"],
  ["shifted", "columns of directed rounds that do not sum to 1"],
  ["vectors", "vectors that are what their sender wrote down"],
  ["unwitnessed", "vectors whose sender was killed before it could"],
];

/** Violations that are shown one by one. */
const shown = 20;

export function verdictText({ violations, counts }: Verdict): string {
  const { peers, lives, killed } = counts;
  const head = violations.length === 0 ? "accepted" : `refused: ${violations.length} violations`;
  const lines = words.map(([key, what]) => `  ${String(counts[key]).padStart(9)}  ${what}`);
  const wrong = violations
    .slice(0, shown)
    .map(({ rule, exchange, peers: who, what }) => `  ${rule}: exchange ${exchange}, peers ${who.join(", ")}: ${what}`);
  const more = violations.length > shown ? [`  and ${violations.length - shown} more`] : [];
  const summary = `${head}: ${peers} peers, ${lives} lives, ${killed} of them not ended in good order`;
  return `${[summary, ...wrong, ...more, ...lines].join("\n")}\n`;
}
