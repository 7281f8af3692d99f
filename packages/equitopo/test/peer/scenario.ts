/**
 * Peers that average over a network with connections while a schedule of faults is played, each with a history; what the
 * checker says of it. A peer that is killed comes back with the row it saved last, at the round that the others have reached.
 */

import { checkHistories, type Verdict } from "../../src/peer/history/checker.ts";
import { type HistoryLine, historyVersion } from "../../src/peer/history/history.ts";
import { Mixing } from "../../src/peer/mixing/mixing.ts";
import { ConnectedNetwork, type ConnectedNetworkOptions } from "../../src/peer/network/connections.ts";
import type { Rows } from "../../src/round/round.ts";
import { type Fault, playSchedule } from "../../src/testing/schedule.ts";
import type { Topology } from "../../src/topology/topology.ts";

export interface Scenario {
  readonly topology: Topology;
  readonly rounds: number;
  readonly timeout: number;
  readonly connections: ConnectedNetworkOptions;
  readonly faults: readonly Fault[];
  /** The network, where it is not the one with connections as it is. */
  readonly open?: (size: number, options: ConnectedNetworkOptions) => ConnectedNetwork;
}

export interface Played extends Verdict {
  readonly histories: readonly (readonly HistoryLine[])[];
  /** The last round of each life, in the order in which they ended. */
  readonly reached: readonly { readonly rank: number; readonly round: number }[];
  /** Milliseconds on the network's clock. */
  readonly time: number;
}

/** Rounds behind the others from which a peer skips ahead. */
const maxLag = 6;

export async function play(scenario: Scenario): Promise<Played> {
  const { topology, rounds, timeout, connections, faults } = scenario;
  const { n } = topology;
  const network = scenario.open?.(n, connections) ?? new ConnectedNetwork(n, connections);
  const histories: HistoryLine[][] = Array.from({ length: n }, () => []);
  const saved = Array.from({ length: n }, (_, rank) => Float64Array.of(rank * rank, 1));
  const reached: { rank: number; round: number }[] = [];
  const lives: Promise<void>[] = [];

  const live = async (rank: number, returns: boolean, open = () => network.join(rank, { timeout })): Promise<void> => {
    const transport = open();
    const kept = histories[rank];
    let row: Rows = saved[rank].slice();
    kept.push({ kind: "peer", version: historyVersion, rank, size: n });
    transport.history = (line) => void kept.push(line);
    const mixing = new Mixing({ transport, topology, timeout });
    let t = 0;
    try {
      if (returns) {
        for (let wait = 0; wait < 20 && transport.reached < 0; wait++) await network.sleep(5);
        if (transport.reached < 0) return;
      } else kept.push({ kind: "row", run: 0, updates: 0, x: [...row] });
      for (t = transport.reached + 1; t < rounds; t = Math.max(t + 1, transport.reached - maxLag)) {
        [row] = await mixing.finish(mixing.start({ vectors: [row] }, { round: t, exchange: t }));
        if (t % 3 === 0) saved[rank].set(row);
      }
      kept.push({ kind: "row", run: 0, updates: rounds, x: [...row] });
      kept.push({ kind: "end" });
      // Others may still wait for what is under way.
      await network.sleep(4 * timeout);
      await transport.close();
    } catch {
      // Killed: its history ends here.
    } finally {
      reached.push({ rank, round: t });
    }
  };
  playSchedule(network, faults, (rank) => lives.push(live(rank, true)));
  const first = Array.from({ length: n }, (_, rank) => network.join(rank, { timeout }));
  for (const transport of first) lives.push(live(transport.rank, false, () => transport));
  for (let done = 0; done < lives.length; ) {
    done = lives.length;
    await Promise.all(lives);
    // A peer that is still to come back.
    if (lives.length === done) await network.sleep(10 * timeout);
  }
  return { ...checkHistories(histories, { averaging: true }), histories, reached, time: network.time };
}
