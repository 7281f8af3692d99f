/**
 * One real peer of asynchronous rounds: it computes, takes what has come, averages, sends, and goes on. It waits for
 * nobody. It reports which rows of which peers it has used, so that the simulator can repeat its iterations
 * (run/async/replay.ts).
 */

import { InputError } from "../../input/input.ts";
import type { Rows } from "../../round/round.ts";
import { hashesOf, type Step } from "../../run/async/history.ts";
import type { AsyncNode } from "../../run/async/node.ts";
import { paceOf } from "../../run/async/pace.ts";
import type { Topology } from "../../topology/topology.ts";
import { lonely } from "../exchange/lonely.ts";
import { runtimeClock } from "../exchange/runtime.ts";
import { fits, type Transport, typeOf, type Vector } from "../exchange/transport.ts";
import { noReport, type RoundReport } from "../mixing/mixing.ts";
import { neighbours } from "../mixing/neighbours.ts";
import { openShares } from "./open-shares.ts";

export interface AsyncPeerOptions {
  readonly transport: Transport;
  readonly topology: Topology;
  readonly node: AsyncNode;
  /** Rounds 0 .. rounds - 1, which are first, first + 1, ... on the transport, and were reserved there. */
  readonly rounds: number;
  readonly first: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with every iteration and what it exchanges, before anything of it is sent. */
  readonly write?: ((step: Step, vectors: readonly Rows[]) => void) | undefined;
  /** Before the next iteration begins, which waits for its promise. */
  readonly onStep?: (step: Step, report: RoundReport) => void | Promise<void>;
  /** What a person should know: what went with a peer that is gone. */
  readonly onTrouble?: ((text: string) => void) | undefined;
}

/** Iterations in which nothing has to come, and milliseconds that a peer rests at most that hears nobody. */
const [silence, rest] = [128, 1000];

/** Runs the peer until its last round. Rejects when the signal aborts. */
export async function runAsyncPeer(options: AsyncPeerOptions): Promise<void> {
  const { transport, topology, node, rounds, first, signal, write, onStep, onTrouble } = options;
  const { streams, counts, clock = runtimeClock } = transport;
  if (streams === undefined) {
    throw new InputError(`${transport.name} must carry letters that nobody waits for`, "none", "leave out mode: async");
  }
  if (node.round + 1 >= rounds) return;
  const pace = paceOf(topology.n, rounds);
  const resting = lonely(clock, silence + topology.n, rest);
  const shares = node.inbox.shares ? openShares() : undefined;
  /** The last rounds that came since they were last acknowledged. */
  const came = new Map<number, number>();
  let vectors = node.compute();
  const take = arrivals(vectors, (peer, round, rows) => {
    pace.heard(peer, round);
    came.set(peer, Math.max(round, came.get(peer) ?? 0));
    if (!node.inbox.put(peer, round, rows, write && hashesOf(rows))) counts.late++;
  });
  streams.open({
    // Receivers of shares have something to say, too.
    ...{
      first,
      end: first + rounds,
      from: [...neighbours(topology, node.rank, rounds + 1, shares ? undefined : "heard")],
    },
    take: (peer, round, sequence, data) => take(peer, round - first, sequence, data),
    acknowledged: (peer, round) => shares?.taken(peer, round - first),
  });
  try {
    for (;;) {
      const { sentBytes, receivedBytes } = counts;
      await streams.look(first + node.round + 1);
      signal?.throwIfAborted();
      await resting(came.size > 0);
      // Before a part of them is passed on: who has got that part knows that they were counted.
      if (shares) for (const [peer, round] of came) if (!streams.gone(peer)) streams.acknowledge(peer, first + round);
      came.clear();
      for (const peer of shares?.peers() ?? []) {
        const weight = streams.gone(peer) ? shares?.writeOff(peer) : 0;
        if (weight)
          onTrouble?.(
            `peer ${peer} is gone, and with it at most ${weight.toPrecision(2)} of a weight of ${topology.n}`,
          );
      }
      const next = pace.next(node.round, node.inbox.hears(node.round), transport.reached - first);
      const step = node.exchange(next, (peer) => streams.gone(peer) || shares?.isFull(peer, next ?? 0) === true);
      write?.(step, vectors);
      if (step.round !== undefined) {
        send(options, step.round, vectors, step.kept, (peer, weight) => {
          shares?.sent(peer, step.round as number, weight * (vectors.at(-1)?.[0] ?? 0));
        });
      }
      await onStep?.(step, {
        ...{ ...noReport, round: node.round, partners: step.used.map(([peer]) => peer) },
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

/** Sends the vectors of this round to its receivers, and says to whom; their memory is free once all are sent. */
function send(
  { transport, node, first }: AsyncPeerOptions,
  round: number,
  vectors: readonly Rows[],
  kept: readonly number[] = [],
  sent: (peer: number, weight: number) => void,
): void {
  const unfinished: Promise<void>[] = [];
  for (const { node: peer, weight } of node.inbox.to(round)) {
    if (kept.includes(peer)) continue;
    sent(peer, weight);
    vectors.forEach((data, sequence) => {
      const busy = transport.streams?.post(peer, first + round, sequence, data);
      if (busy !== undefined) unfinished.push(busy);
    });
  }
  if (unfinished.length === 0) node.free(vectors);
  else void Promise.allSettled(unfinished).then(() => node.free(vectors));
}

/**
 * Puts the vectors of one round of a peer together as they come one by one: all peers send vectors like these, and `found` is
 * called with those of a whole round. Answers with what takes a vector, and names the reason if it is refused.
 */
function arrivals(like: readonly Rows[], found: (peer: number, round: number, vectors: readonly Rows[]) => void) {
  const kinds = like.map((row) => ({ length: row.length, type: typeOf(row) }));
  /** For each peer the vectors of a round that is not complete. */
  const parts = new Map<number, { readonly round: number; readonly vectors: Rows[] }>();
  return (peer: number, round: number, sequence: number, data: Vector): string | undefined => {
    const kind = kinds[sequence];
    if (kind === undefined) return "unexpected";
    if (!fits({ peer, ...kind }, data)) return "length";
    const before = parts.get(peer);
    const part = before?.round === round ? before : { round, vectors: [] };
    // They are sent in order: a missing one was dropped, and the others cannot be used without it.
    if (part.vectors.length !== sequence) return "unexpected";
    part.vectors.push(data as Rows);
    parts.set(peer, part);
    if (part.vectors.length < kinds.length) return undefined;
    parts.delete(peer);
    found(peer, round, part.vectors);
    return undefined;
  };
}
