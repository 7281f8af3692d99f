/** Elastic peers on a memory network with a clock of its own, started, crashed, cut off and told to leave by a test. */

import { runElasticPeer } from "../../../src/peer/elastic/elastic-peer.ts";
import type { Epoch } from "../../../src/peer/elastic/epoch.ts";
import type { ElasticOptions, ElasticSummary } from "../../../src/peer/elastic/options.ts";
import type { Lane } from "../../../src/peer/exchange/lane.ts";
import { type MemoryFaults, MemoryNetwork } from "../../../src/peer/network/memory.ts";
import type { Rows } from "../../../src/round/round.ts";
import { expandSpec, parseSpec } from "../../../src/run/spec.ts";

export const patience = { beat: 20, silence: 200, absence: 80, start: 2000 };

interface Peer {
  readonly ended: Promise<ElasticSummary | Error>;
  readonly crash: () => void;
  readonly leave: () => void;
  x: Rows;
  updates: number;
  /** The number of the epoch that it is in. */
  epoch: number;
}

export class Elastic {
  readonly network: MemoryNetwork;
  readonly peers = new Map<number, Peer>();
  /** Every epoch that somebody has begun, in order. */
  readonly epochs = new Map<number, Epoch>();
  readonly run;
  readonly #seats: number;
  #incarnations = 0;
  onRound: (seat: number, round: number) => void = () => {};
  /** Whether letters get from one seat to another. */
  link: (from: number, to: number) => boolean = () => true;

  constructor(
    topology: string,
    algorithm: string,
    options: { n: number; seats: number; rounds: number },
    faults: MemoryFaults = { delay: [1, 3] },
  ) {
    const { n, seats, rounds } = options;
    [this.run] = expandSpec(
      parseSpec({
        topologies: [{ name: topology, n, seed: 3 }],
        algorithms: [{ name: algorithm, learningRate: 0.01 }],
        problem: { name: "least-squares", K: 20, d: 4, sigmaN: 0, sigmaH: 1 },
        rounds,
        seeds: [5],
      }),
    );
    this.#seats = seats;
    this.network = new MemoryNetwork(seats, faults);
  }

  start(seat: number, more: Partial<ElasticOptions> = {}): void {
    const [end, leave] = [new AbortController(), new AbortController()];
    const peer: Peer = {
      ended: runElasticPeer({
        ...{
          lane: this.#wired(seat),
          seat,
          seats: this.#seats,
          run: this.run,
          incarnation: ++this.#incarnations,
        },
        ...{ timeout: 100, patience, signal: end.signal, leave: leave.signal },
        onRound: ({ round }) => {
          peer.updates = round + 1;
          this.onRound(seat, round);
        },
        onRecord: ({ x }) => {
          peer.x = x.slice();
        },
        onEpoch: (epoch) => {
          peer.epoch = epoch.number;
          this.epochs.set(epoch.number, epoch);
        },
        ...more,
      }).catch((error: Error) => error),
      crash: () => {
        this.network.crash(seat);
        end.abort(new Error("crashed"));
      },
      leave: () => leave.abort(),
      x: new Float64Array(0),
      updates: 0,
      epoch: -1,
    };
    this.peers.set(seat, peer);
  }

  /** The network's lane, as far as there is a way. */
  #wired(seat: number): Lane {
    const lane = this.network.lane(seat);
    return {
      ...{ name: lane.name, ordered: lane.ordered, open: (ears) => lane.open(ears), now: () => lane.now() },
      send: (peer, letter) => (this.link(seat, peer) ? lane.send(peer, letter) : undefined),
      after: (milliseconds, run) => lane.after(milliseconds, run),
      close: () => lane.close(),
    };
  }

  peer(seat: number): Peer {
    return this.peers.get(seat) as Peer;
  }

  async end(): Promise<(ElasticSummary | Error)[]> {
    // Some may come meanwhile.
    for (let known = 0; known < this.peers.size; ) {
      known = this.peers.size;
      await Promise.all([...this.peers.values()].map(({ ended }) => ended));
    }
    const all = await Promise.all([...this.peers.values()].map(({ ended }) => ended));
    for (const seat of this.peers.keys()) this.network.crash(seat);
    return all;
  }

  get history(): Epoch[] {
    return [...this.epochs.values()].sort((a, b) => a.number - b.number);
  }

  get members(): number[] {
    return (this.history.at(-1) as Epoch).members.map(({ seat }) => seat);
  }
}
