/** A topology's rounds over a network that fails: what arrives of them, how old it is, and who is down. The meter counts what was sent. */

import { InputError, real } from "../input/input.ts";
import type { Round } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import { isAbsent, isDropped, isStale } from "./chance.ts";
import type { Latency } from "./latency.ts";
import { type Crash, type Cut, checkCrashes, checkCuts, crashedAt, cutAt } from "./outages.ts";
import { type SplitRound, splitStale } from "./stale.ts";
import { thinGroups, thinRound } from "./thin.ts";

export interface Faults {
  /** The probability that a message (in undirected rounds: an exchange) is dropped. */
  readonly drop?: number;
  /** The probability that a node misses an exchange: it neither sends nor receives, and its row stays as it was. */
  readonly absent?: number;
  /** The probability that a message which arrives is the one its sender would have sent one round earlier. */
  readonly stale?: number;
  readonly crash?: readonly Crash[];
  /** Pairs of nodes between which nothing passes. */
  readonly cut?: readonly Cut[];
  /** Simulate the time that the rounds take. */
  readonly latency?: Latency;
  /** Send push-sum weights along and report x / weight: the true mean also where directed messages are dropped. */
  readonly pushSum?: boolean;
}

/** One exchange of the network. */
export interface Passage {
  /** The round as it was planned: what is sent. */
  readonly planned: Round;
  /** The round without the messages that do not arrive: what is mixed. */
  readonly round: Round;
  /** Where messages are stale: `round` cut into what is of this round and what is of the one before. */
  readonly split: SplitRound | undefined;
  /** 1 for each node that is down; undefined if none is. */
  readonly down: Uint8Array | undefined;
}

/** A topology's rounds after their faults. */
export class Network {
  readonly #topology: Topology;
  readonly #faults: Required<Pick<Faults, "drop" | "absent" | "stale" | "crash" | "cut">>;
  readonly #keeper: "receiver" | "sender";
  readonly #seed: number;

  constructor(topology: Topology, faults: Faults, seed: number) {
    const probability = (kind: "drop" | "absent" | "stale") => real(kind, faults[kind] ?? 0, { min: 0, max: 1 }, 0.1);
    this.#topology = topology;
    const [drop, absent, stale] = [probability("drop"), probability("absent"), probability("stale")];
    const { name, hierarchy, pair } = topology;
    const rules = {
      pushSum: "push-sum must go without stale messages: they change its sums",
      groups: "stale messages are those between nodes: groups send means",
      pair: "push-sum is for topologies that mix one vector a node",
    };
    if (stale > 0 && faults.pushSum === true) throw new InputError(rules.pushSum, stale, "try stale = 0");
    if (stale > 0 && hierarchy !== undefined) {
      throw new InputError(rules.groups, name, "choose another topology, or stale = 0");
    }
    if (pair !== undefined && faults.pushSum === true) {
      throw new InputError(rules.pair, name, "leave it out: its rows sum to 1 whatever is lost");
    }
    const [crash, cut] = [checkCrashes(topology.n, faults.crash ?? []), checkCuts(topology.n, faults.cut ?? [])];
    this.#faults = { drop, absent, stale, crash, cut };
    this.#keeper = faults.pushSum === true ? "sender" : "receiver";
    this.#seed = seed;
  }

  /**
   * Round t in exchange number `exchange` of the run (the two differ where an iteration makes several): faults are drawn
   * anew in every exchange, losses once for each pair (for each direction, where the round is directed).
   */
  passage(t: number, exchange: number = t): Passage {
    const planned = this.#topology.round(t);
    const down = this.#downAt(exchange);
    const round = this.#thinned(planned, down, exchange);
    const { stale } = this.#faults;
    const isOld = (from: number, to: number) => isStale(stale, this.#seed, exchange, from, to);
    const split = stale === 0 ? undefined : splitStale(round, isOld);
    return { planned, round, split, down };
  }

  /** 1 for each node that is down, crashed or absent; undefined where nobody is. */
  #downAt(exchange: number): Uint8Array | undefined {
    const { n } = this.#topology;
    const { crash, absent } = this.#faults;
    let down = crashedAt(n, crash, exchange);
    if (absent === 0) return down;
    for (let i = 0; i < n; i++) {
      if (!isAbsent(absent, this.#seed, exchange, i)) continue;
      down ??= new Uint8Array(n);
      down[i] = 1;
    }
    return down;
  }

  #thinned(planned: Round, down: Uint8Array | undefined, exchange: number): Round {
    const { drop } = this.#faults;
    const cut = cutAt(planned.n, this.#faults.cut, exchange);
    if (drop === 0 && down === undefined && cut === undefined) return planned;
    const { symmetric } = this.#topology;
    const apart = (from: number, to: number) =>
      (down !== undefined && (down[from] === 1 || down[to] === 1)) || cut?.(from, to) === true;
    const dropped = (from: number, to: number) =>
      apart(from, to) || (drop > 0 && isDropped(drop, this.#seed, exchange, from, to, symmetric));
    return planned.kind === "grouped"
      ? thinGroups(planned, exchange, { inside: apart, between: dropped }, this.#keeper)
      : thinRound(planned, dropped, this.#keeper);
  }
}
