/**
 * One peer of a run whose members come and go. In every epoch (membership.ts) it is node k of the m that are in, k its place
 * among their seats, on the topology drawn from (seed, epoch), with its seat's data (epoch-run.ts). Between two epochs:
 *
 * - all change in the same iteration, the epoch's first (who hears of it later changes then);
 * - models and states of a node's own go on; states that are shares of a sum over all nodes (trackers, corrections,
 *   push-sum weights) begin anew from the models, since the sum is over others now: gradient tracking so converges to the
 *   minimum of the mean of those that are in;
 * - a newcomer is given the models of its sponsor (`sponsorOf`) as they are when the epoch begins;
 * - one that was taken out while it could not be heard asks to be let in again, as a newcomer.
 *
 * A member that misses a majority waits: others may have gone on without it, and would give it other models. It ends with an
 * error after `start` milliseconds of that, or of not being let in.
 */

import { createAlgorithm } from "../../algorithm/registry.ts";
import { InputError, integer } from "../../input/input.ts";
import type { Problem } from "../../problem/problem.ts";
import { createProblem } from "../../problem/registry.ts";
import type { Store } from "../checkpoint.ts";
import { usualLag } from "../gather.ts";
import { specText } from "../spec-peer.ts";
import { defaultTimeout } from "../transport.ts";
import { Agent } from "./agent.ts";
import { type Epoch, isIn } from "./epoch.ts";
import { EpochOver, EpochRuns } from "./epoch-run.ts";
import { fitsMembers, requireElastic } from "./fit.ts";
import { encodeMessage } from "./message.ts";
import { type ElasticOptions, type ElasticPatience, type ElasticSummary, elasticPatience } from "./options.ts";
import { decodeHanded, encodeHanded, type Handed } from "./transfer.ts";

/**
 * The member that gives a newcomer its models: newcomers by seat, one after the other to those that stay, by seat. Undefined
 * for one that is none. O(members).
 *
 * @example
 * ```ts
 * import { sponsorOf } from "equitopo/peer";
 * const members = [0, 2, 3].map((seat) => ({ seat, incarnation: 1, since: seat === 3 ? 1 : 0 }));
 * sponsorOf({ number: 1, members, first: 40 }, 3) // => 0
 * ```
 */
export function sponsorOf({ number, members }: Epoch, newcomer: number): number | undefined {
  const stayers = members.filter(({ since }) => since < number);
  const place = members.filter(({ since }) => since === number).findIndex(({ seat }) => seat === newcomer);
  return place < 0 ? undefined : stayers[place % stayers.length]?.seat;
}

/**
 * Runs the peer to the end of the run, or until it is out. Rejects when the signal aborts, and where no majority is heard of
 * for too long. Beside the exchanges it costs a beat to every member every `beat` milliseconds, about 5 messages a member for
 * a change, and the models once for each newcomer.
 *
 * @example
 * ```ts
 * import { expandSpec } from "equitopo";
 * import { MemoryNetwork, runElasticPeer } from "equitopo/peer";
 * const [run] = expandSpec({
 *   topologies: [{ name: "ou-equidyn", n: 3 }],
 *   algorithms: [{ name: "dsgd", learningRate: 0.01 }],
 *   problem: { name: "least-squares", K: 5 },
 *   rounds: 100,
 * });
 * // Three begin; a fourth, in the seat beyond the spec's n, comes to them.
 * const network = new MemoryNetwork(4, { delay: [1, 2] });
 * const peers = [0, 1, 2, 3].map((seat) =>
 *   runElasticPeer({ lane: network.lane(seat), seat, seats: 4, run, incarnation: 1, patience: { beat: 10 } }),
 * );
 * const [first] = await Promise.all(peers);
 * first.members.join(" ") // => "0 1 2 3"
 * ```
 */
export async function runElasticPeer(options: ElasticOptions): Promise<ElasticSummary> {
  const { run, lane } = options;
  const n = run.topology.n;
  const seats = integer("seats", options.seats, n);
  const seat = integer("seat", options.seat, 0, seats - 1);
  requireElastic(run);
  if (lane.lend !== undefined) {
    throw new InputError("elastic peers need a lane that lends no memory", lane.name, "use tcp");
  }
  const context = { ...options.context, first: seat, count: 1 };
  const problem = options.problemOf?.(run) ?? createProblem({ ...run.problem, n: seats }, context);
  const optimiser = createAlgorithm(run.algorithm, problem);
  const handed = { now: undefined as Handed | undefined };
  const wants = new Set<number>();
  const agent = await Agent.start({
    ...{ lane, seat, seats, n, incarnation: options.incarnation, seed: run.seed, store: options.memory },
    patience: { ...elasticPatience, ...options.patience },
    fits: (members) => fitsMembers(run, optimiser, members),
    spec: specText({ runs: [run], audit: options.audit }),
    onTrouble: options.onTrouble,
    onWant: (other) => wants.add(other),
    onState: (_, bytes) => {
      try {
        handed.now = decodeHanded(bytes, problem.d);
      } catch {
        agent.hub.refuse("state");
      }
    },
  });
  const leave = () => {
    agent.membership.leave(agent.now());
    agent.flush();
  };
  options.leave?.addEventListener("abort", leave, { once: true });
  if (options.leave?.aborted) leave();
  try {
    return await new ElasticPeer(
      options,
      { agent, problem, handed, wants },
      new EpochRuns({ ...options, agent, problem, optimiser }),
    ).run();
  } finally {
    options.leave?.removeEventListener("abort", leave);
    await agent.close();
    problem.close?.();
  }
}

interface Parts {
  readonly agent: Agent;
  readonly problem: Problem;
  /** The last models that came. */
  readonly handed: { now: Handed | undefined };
  /** Seats that have asked for models. */
  readonly wants: Set<number>;
}

/** The newest models that were kept whole. */
async function intact(store: Store | undefined, d: number): Promise<Handed | undefined> {
  let damaged: unknown;
  for (const bytes of (await store?.load()) ?? []) {
    try {
      return decodeHanded(bytes, d);
    } catch (error) {
      damaged ??= error;
    }
  }
  if (damaged !== undefined) throw damaged;
  return undefined;
}

class ElasticPeer {
  readonly #options: ElasticOptions;
  readonly #parts: Parts;
  readonly #runs: EpochRuns;
  /** What an earlier start of this peer had saved. */
  #saved: Handed | undefined;

  constructor(options: ElasticOptions, parts: Parts, runs: EpochRuns) {
    this.#options = options;
    this.#parts = parts;
    this.#runs = runs;
  }

  async run(): Promise<ElasticSummary> {
    const { run, seat, checkpoint } = this.#options;
    const { agent, problem } = this.#parts;
    const { membership } = agent;
    const runs = this.#runs;
    this.#saved = await intact(checkpoint?.store, problem.d);
    if (this.#saved !== undefined) membership.progress(this.#saved.updates);
    const epochs: number[] = [];
    let begun: number | undefined;
    let outside: number | undefined;
    for (;;) {
      const last = epochs.at(-1) ?? -1;
      const epoch = (runs.hasModels ? membership.after(last) : undefined) ?? membership.epoch;
      const me = epoch.members.find((member) => member.seat === seat && isIn(epoch, seat, membership.incarnation));
      const newest = epoch.number === membership.epoch.number;
      // Taken out and, where that is all that it has heard of so far, not let in again.
      if (me === undefined || me.since > Math.max(last, 0) || (newest && !membership.isMember)) runs.forget();
      if (newest && !membership.isMember) {
        if (membership.stage === "left") break;
        outside ??= agent.now();
        if (agent.now() - outside > this.#patience.start) throw this.#alone("was not let in");
        await this.#change();
        continue;
      }
      outside = undefined;
      if (me === undefined) continue;
      if (!runs.hasModels && !(await this.#findModels(epoch, me.since))) continue;
      begun ??= runs.updates;
      if (runs.updates >= run.rounds) break;
      epochs.push(epoch.number);
      this.#options.onEpoch?.(epoch, runs.updates);
      try {
        await runs.run(epoch, { onBegin: () => this.#sponsor(epoch), onIteration: () => this.#between(epoch) });
        break;
      } catch (error) {
        if (!(error instanceof EpochOver)) throw error;
      }
    }
    const left = membership.stage === "left";
    if (!left) await this.#end();
    return {
      ...{ done: runs.done, skipped: Math.max(0, runs.updates - (begun ?? 0) - runs.done), epochs, left },
      members: membership.epoch.members.map((member) => member.seat),
      counts: runs.counts,
    };
  }

  get #patience(): ElasticPatience {
    return { ...elasticPatience, ...this.#options.patience };
  }

  /** Why it ends: what it was not, and who would have had to be there. */
  #alone(what: string): Error {
    const { number, members } = this.#parts.agent.membership.epoch;
    const who = members.map(({ seat }) => seat).join(" ");
    return new Error(
      `peer ${this.#options.seat} ${what} for ${this.#patience.start} ms: membership epoch ${number} is ${who}`,
    );
  }

  async #change(): Promise<void> {
    await this.#parts.agent.change();
    this.#options.signal?.throwIfAborted();
  }

  /** Gives newcomers their models, and others that ask for some. */
  #sponsor(epoch: Epoch): void {
    const { seat } = this.#options;
    const { wants } = this.#parts;
    for (const member of epoch.members) {
      if (member.since === epoch.number && member.since > 0 && sponsorOf(epoch, member.seat) === seat) {
        wants.add(member.seat);
      }
    }
    this.#answer();
  }

  #answer(): void {
    const { agent, wants, problem } = this.#parts;
    if (wants.size === 0 || !this.#runs.hasModels) return;
    const { updates, x } = this.#runs;
    const bytes = encodeHanded({ updates, x, problem: problem.state ?? {} });
    for (const seat of wants) agent.hub.say(seat, bytes, "state");
    wants.clear();
  }

  /** After an iteration: goes on, waits for a vote that is under way, or ends the epoch. */
  async #between(epoch: Epoch): Promise<void> {
    const { membership } = this.#parts.agent;
    const { updates } = this.#runs;
    membership.progress(updates);
    this.#answer();
    let since: number | undefined;
    for (;;) {
      const now = this.#parts.agent.now();
      const next = membership.after(epoch.number);
      // One that leaves stays to the last; one that was missed has nobody to stay with.
      const out = next !== undefined && !isIn(next, this.#options.seat, membership.incarnation);
      const missed = out && membership.stage === "joining";
      const alone = next === undefined && membership.stage === "left";
      if (missed || alone || updates >= (next?.first ?? Number.POSITIVE_INFINITY)) throw new EpochOver();
      if (membership.hasMajority(now)) {
        since = undefined;
        if (next !== undefined || updates < membership.haltAt(now)) return;
      } else {
        since ??= now;
        if (now - since > this.#patience.start) throw this.#alone("missed a majority");
      }
      await this.#change();
    }
  }

  /**
   * The models to begin an epoch with: the initial ones where the run begins, its own where all are started again and nobody
   * has later ones, a member's otherwise. False where the epoch is over before.
   */
  async #findModels(epoch: Epoch, since: number): Promise<boolean> {
    const { run, timeout = defaultTimeout } = this.#options;
    const { agent, handed } = this.#parts;
    const { membership, hub } = agent;
    const begun = agent.now();
    const { start, beat } = this.#patience;
    // A sponsor sends by itself.
    let asked = since === epoch.number && since > 0 ? begun : begun - timeout;
    for (let turn = 0; membership.epoch === epoch && membership.isMember; ) {
      if (agent.now() - begun > 2 * start) throw this.#alone("was given no models");
      if (handed.now !== undefined && handed.now.updates >= epoch.first) {
        this.#runs.begin(handed.now);
        return true;
      }
      const now = agent.now();
      const standing = membership.standing(now).filter(({ updates }) => updates >= epoch.first);
      const furthest = Math.max(0, ...standing.map(({ updates }) => updates));
      if (epoch.number === 0 && this.#saved === undefined && furthest <= usualLag(run.topology.n)) {
        this.#runs.begin(undefined);
        return true;
      }
      const all = standing.length === epoch.members.length - 1 || now - begun >= start;
      if (this.#saved !== undefined && all && this.#saved.updates >= Math.max(epoch.first, furthest)) {
        this.#runs.begin(this.#saved);
        return true;
      }
      if (standing.length > 0 && now - asked >= Math.max(2 * beat, timeout / 4)) {
        const { seat: other } = standing[turn++ % standing.length];
        hub.say(other, encodeMessage({ say: "want", incarnation: membership.incarnation, epoch: epoch.number }));
        asked = now;
      }
      await this.#change();
    }
    return false;
  }

  /** Nobody goes before its last words are heard: until all are at the end, or an exchange's time is over. */
  async #end(): Promise<void> {
    const { agent } = this.#parts;
    const { timeout = defaultTimeout } = this.#options;
    agent.membership.finish(agent.now());
    agent.flush();
    for (const begun = agent.now(); !agent.membership.allDone(agent.now()) && agent.now() - begun < timeout; ) {
      await this.#change();
      this.#answer();
    }
    agent.flush();
  }
}
