/** A topology's rounds over a network that fails: what arrives of them, and who is down. The meter counts what was sent. */

import { real } from "../input/input.ts";
import type { Round } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import { withAbsent } from "./absent.ts";
import { type Crash, checkCrashes, crashedAt } from "./crash.ts";
import { isLost } from "./drop.ts";
import type { Latency } from "./latency.ts";
import { thinRound } from "./thin.ts";

export interface Faults {
  /** The probability that a message (in undirected rounds: an exchange) is lost. */
  readonly drop?: number;
  readonly crash?: readonly Crash[];
  /** The probability that a node is away for one round: it neither sends nor receives, and keeps its row. */
  readonly absent?: number;
  /** Simulate the time that the rounds take. */
  readonly latency?: Latency;
  /** Send push-sum weights along and report x / weight: the true mean also where directed messages are lost. */
  readonly pushSum?: boolean;
}

/** One exchange of the network. */
export interface Passage {
  /** The round as it was planned: what is sent. */
  readonly planned: Round;
  /** The round without the messages that do not arrive: what is mixed. */
  readonly round: Round;
  /** 1 for each node that is down; undefined where nobody is. */
  readonly down: Uint8Array | undefined;
}

/** The rounds as they come out after faults. */
export class Network {
  readonly #topology: Topology;
  readonly #drop: number;
  readonly #crash: readonly Crash[];
  readonly #absent: number;
  readonly #keeper: "receiver" | "sender";
  readonly #seed: number;

  constructor(topology: Topology, faults: Faults, seed: number) {
    this.#topology = topology;
    this.#drop = faults.drop === undefined ? 0 : real("drop", faults.drop, { min: 0, max: 1 }, 0.1);
    this.#crash = checkCrashes(topology.n, faults.crash ?? []);
    this.#absent = faults.absent === undefined ? 0 : real("absent", faults.absent, { min: 0, max: 1 }, 0.1);
    this.#keeper = faults.pushSum === true ? "sender" : "receiver";
    this.#seed = seed;
  }

  /**
   * Round t in exchange number `exchange` of the run (the two differ where an iteration makes several): losses are drawn
   * anew in every exchange, once for each pair (for each direction, where the round is directed).
   */
  passage(t: number, exchange: number = t): Passage {
    const { n, symmetric } = this.#topology;
    const planned = this.#topology.round(t);
    const down = withAbsent(n, crashedAt(n, this.#crash, exchange), this.#absent, this.#seed, exchange);
    if (this.#drop === 0 && down === undefined) return { planned, round: planned, down };
    const lost = (from: number, to: number) =>
      (down !== undefined && (down[from] === 1 || down[to] === 1)) ||
      (this.#drop > 0 && isLost(this.#drop, this.#seed, exchange, from, to, symmetric));
    return { planned, round: thinRound(planned, lost, this.#keeper), down };
  }
}
