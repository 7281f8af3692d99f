/**
 * One line for each peer on a terminal's error stream, redrawn five times a second: round, metric, partner, bytes, lag.
 * Where there are more peers than room, those furthest behind and one line for the rest. Silent where stderr is no
 * terminal, and with --quiet or --json.
 */

import type { RoundEvent } from "@equitopo/node/internal";
import { harmless } from "../terminal/colour.ts";
import { showBytes } from "../terminal/numbers.ts";
import type { ProgressStream } from "../terminal/progress.ts";

export interface LiveOptions {
  readonly peers: number;
  readonly rounds: (run: number) => number;
  /** The metric at that peer's model, for the lines that are drawn. */
  readonly metric: (rank: number, run: number) => number;
  readonly quiet: boolean;
  readonly stream?: ProgressStream & { readonly rows?: number };
}

const interval = 200;

export function livePeers({ peers, rounds, metric, quiet, stream = process.stderr }: LiveOptions) {
  const silent = quiet || stream.isTTY !== true;
  const last = new Map<number, RoundEvent>();
  const ended = new Set<number>();
  let drawn = 0;
  const line = (event: RoundEvent) => {
    const { rank, round, run, partners, bytes, lag } = event;
    const place = `${round + 1}/${rounds(run)}`;
    const with_ = partners.length === 0 ? "nobody" : partners.slice(0, 4).join(" ");
    const state = ended.has(rank) ? "ended" : `lag ${lag}`;
    return `peer ${rank}  round ${place}  ${metric(rank, run).toExponential(2)}  with ${with_}  ${showBytes(bytes)}  ${state}`;
  };
  const wipe = () => {
    if (drawn > 0) stream.write(`\x1b[${drawn}A\x1b[0J`);
    drawn = 0;
  };
  const draw = () => {
    const shown = foldedRanks([...last.values()], Math.max(3, Math.min(20, (stream.rows ?? 24) - 3)));
    const lines = shown.map(line);
    const rest = [...last.keys()].filter((rank) => !shown.some((event) => event.rank === rank));
    if (rest.length > 0) {
      const least = Math.min(...rest.map((rank) => (last.get(rank) as RoundEvent).round)) + 1;
      lines.push(`${rest.length} more peers  round ${least} or later`);
    }
    const waiting = peers - last.size;
    if (waiting > 0) lines.push(`${waiting} peers not heard of yet`);
    wipe();
    const width = Math.max(20, (stream.columns ?? 80) - 1);
    stream.write(lines.map((text) => `${text.slice(0, width)}\n`).join(""));
    drawn = lines.length;
  };
  const timer = silent ? undefined : setInterval(draw, interval);
  return {
    show: (event: RoundEvent) => {
      ended.delete(event.rank);
      last.set(event.rank, event);
    },
    /** A line that stays, above the others; also where stderr is no terminal. */
    say: (line: string) => {
      if (quiet) return;
      if (!silent) wipe();
      stream.write(`${harmless(line, stream)}\n`);
    },
    gone: (rank: number) => ended.add(rank),
    end: () => {
      clearInterval(timer);
      if (!silent) wipe();
    },
  };
}

/** All in order where there is room; else those furthest behind, in order. */
export function foldedRanks(events: readonly RoundEvent[], room: number): RoundEvent[] {
  const byRank = (a: RoundEvent, b: RoundEvent) => a.rank - b.rank;
  const behind = events.toSorted((a, b) => a.run - b.run || a.round - b.round || byRank(a, b));
  return behind.slice(0, events.length <= room ? room : room - 1).sort(byRank);
}
