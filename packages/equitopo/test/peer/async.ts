/** Asynchronous peers, done again by the simulator from what they wrote down: tests for any transport. */

import { describe, expect, it } from "vitest";
import type { PeerSummary } from "../../src/peer/course/options.ts";
import { runSpecPeer } from "../../src/peer/course/spec-peer.ts";
import type { Transport } from "../../src/peer/exchange/transport.ts";
import { asyncHistory } from "../../src/peer/history/async.ts";
import { decodeHistory, encodeLine } from "../../src/peer/history/history.ts";
import { replayRun } from "../../src/run/async/replay.ts";
import type { PeerRecord } from "../../src/run/course/row-course.ts";
import { expandSpec, type RunSpec } from "../../src/run/spec.ts";

export const size = 7;

const common = { problem: { name: "least-squares", K: 8 }, rounds: 60, every: 20, seeds: [4], mode: "async" } as const;

/** Directed, matched and static graphs; momentum, shares of a sum, halves of numbers, losses on purpose. */
export const asyncRuns: RunSpec[] = [
  ...expandSpec({
    topologies: [
      { name: "od-equidyn", n: size, seed: 3 },
      { name: "u-equistatic", n: size, m: 2, seed: 3 },
    ],
    algorithms: [
      { name: "dsgd", learningRate: 0.01 },
      { name: "push-sum", learningRate: 0.01 },
    ],
    ...common,
  }),
  ...expandSpec({
    topologies: [{ name: "ou-equidyn", n: size, seed: 3 }],
    algorithms: [{ name: "dmsgd", learningRate: 0.01 }],
    ...common,
    ...{ type: "float32", faults: { drop: 0.1 }, maxStale: 3, compensate: true },
  }),
];

/** A peer that takes so many turns of the event loop longer for an iteration. */
export function slowed(transport: Transport, turns: number): Transport {
  const { streams } = transport;
  if (streams === undefined) throw new Error("no streams");
  const look = streams.look.bind(streams);
  streams.look = async (round) => {
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    await look(round);
  };
  return transport;
}

export interface AsyncOutcome {
  readonly summaries: readonly PeerSummary[];
  /** Of each peer its last rows, and what it wrote down. */
  readonly rows: readonly (readonly number[][])[];
  readonly lines: readonly string[];
}

/** The runs by these peers. */
export async function runAll(peers: readonly Transport[], runs: readonly RunSpec[]): Promise<AsyncOutcome> {
  const rows = peers.map(() => [] as number[][]);
  const lines = peers.map(() => "");
  const summaries = await Promise.all(
    peers.map((transport, rank) =>
      runSpecPeer({
        ...{ transport, runs, timeout: 20_000 },
        history: (line) => {
          lines[rank] += encodeLine(line);
        },
        onRecord: ({ run, x }: PeerRecord) => {
          rows[rank][run] = [...x];
        },
      }),
    ),
  );
  return { summaries, rows, lines };
}

export function asyncPeers(name: string, open: (n: number) => Promise<Transport[]>): void {
  describe(`${name}: asynchronous peers`, () => {
    it("the simulator does their runs again to the last bit, sums kept; a slow one takes part in fewer rounds", async () => {
      const peers = await open(size);
      slowed(peers[2], 40);
      const { rows, lines, summaries } = await runAll(peers, asyncRuns);
      await Promise.all(peers.map((peer) => peer.close()));
      const files = lines.map(decodeHistory);
      asyncRuns.forEach((spec, run) => {
        const history = asyncHistory(files, run);
        const { x, sums } = replayRun(spec, history);
        expect([...x], spec.label).toEqual(rows.flatMap((last) => last[run]));
        if (sums === undefined) return;
        expect(sums.weights).toBeCloseTo(size, 10);
        expect(sums.error).toBeLessThan(1e-13);
      });
      const used = asyncRuns.flatMap((_, run) =>
        asyncHistory(files, run).flatMap((steps, rank) =>
          steps.flatMap((s) => s.used.map(([from]) => `${from} ${rank}`)),
        ),
      );
      expect(used.length).toBeGreaterThan(500);
      // Whatever the way between two is: but for a few that had no luck, all have used something of each other.
      expect(new Set(used).size).toBeGreaterThan(0.8 * size * (size - 1));
      expect(summaries[2].done).toBeLessThan(0.8 * summaries[0].done);
      expect(summaries[2].skipped).toBeGreaterThan(summaries[0].skipped);
    });
  });
}
