/**
 * One real peer of asynchronous rounds: it computes, takes what has come, averages, sends, and goes on. It waits for
 * nobody. What it used of whom is told, so that the simulator can do its iterations again (run/async/replay.ts).
 */

import { InputError } from "../../input/input.ts";
import type { Rows } from "../../round/round.ts";
import type { Step } from "../../run/async/history.ts";
import type { AsyncNode } from "../../run/async/node.ts";
import { Pace } from "../../run/async/pace.ts";
import type { Topology } from "../../topology/topology.ts";
import type { RoundReport } from "../peer.ts";
import type { Transport } from "../transport.ts";
import { Arrivals } from "./arrivals.ts";

export interface AsyncPeerOptions {
  readonly transport: Transport;
  readonly topology: Topology;
  readonly node: AsyncNode;
  /** Rounds 0 .. rounds - 1, which are first, first + 1, ... on the transport, and were reserved there. */
  readonly rounds: number;
  readonly first: number;
  readonly signal?: AbortSignal | undefined;
  /** Before the next iteration begins, which waits for its promise. */
  readonly onStep?: (step: Step, report: RoundReport) => void | Promise<void>;
}

/** Runs the peer until its last round. Rejects when the signal aborts. */
export async function runAsyncPeer(options: AsyncPeerOptions): Promise<void> {
  const { transport, topology, node, rounds, first, signal, onStep } = options;
  const { streams, counts } = transport;
  if (streams === undefined) {
    throw new InputError(`${transport.name} must carry letters that nobody waits for`, "none", "leave out mode: async");
  }
  if (node.round + 1 >= rounds) return;
  const pace = new Pace(topology.n, rounds);
  let vectors = node.compute();
  const arrivals = new Arrivals(vectors, (peer, round, rows) => {
    pace.heard(peer, round);
    if (!node.inbox.put(peer, round, rows)) counts.late++;
  });
  streams.open({
    ...{ first, end: first + rounds, from: heardOf(options) },
    take: (peer, round, sequence, data) => arrivals.take(peer, round - first, sequence, data),
  });
  try {
    for (;;) {
      const { sentBytes, receivedBytes } = counts;
      await streams.look(first + node.round + 1);
      signal?.throwIfAborted();
      const next = pace.next(node.round, node.inbox.hears(node.round), transport.reached - first);
      const step = node.exchange(next, (peer) => streams.gone(peer));
      if (step.round !== undefined) send(options, step.round, vectors, step.kept);
      await onStep?.(step, {
        ...{
          round: node.round,
          partners: step.used.map(([peer]) => peer),
          missing: [],
          lost: [],
          mended: [],
          waited: 0,
        },
        ...{ sentBytes: counts.sentBytes - sentBytes, receivedBytes: counts.receivedBytes - receivedBytes },
        lag: pace.reached - node.round,
      });
      if (node.round + 1 >= rounds) return;
      vectors = node.compute();
    }
  } finally {
    streams.close();
  }
}

/** What was exchanged as this round goes to whom it concerns; its memory is free once all of it is out. */
function send(
  { transport, node, first }: AsyncPeerOptions,
  round: number,
  vectors: readonly Rows[],
  kept: readonly number[] = [],
): void {
  const unfinished: Promise<void>[] = [];
  for (const { node: peer } of node.inbox.to(round)) {
    if (kept.includes(peer)) continue;
    vectors.forEach((data, sequence) => {
      const busy = transport.streams?.post(peer, first + round, sequence, data);
      if (busy !== undefined) unfinished.push(busy);
    });
  }
  if (unfinished.length === 0) node.free(vectors);
  else void Promise.allSettled(unfinished).then(() => node.free(vectors));
}

/** Everybody that this peer hears in some round. O(rounds degree), over one period where there is one. */
function heardOf({ topology, rounds, node }: AsyncPeerOptions): number[] {
  const found = new Set<number>();
  const last = topology.kind === "random" ? rounds + 1 : Math.min(rounds + 1, topology.period ?? rounds + 1);
  for (let t = 0; t < last && found.size < topology.n - 1; t++) {
    for (const { node: peer } of topology.peers(t, node.rank).from) found.add(peer);
  }
  return [...found];
}
