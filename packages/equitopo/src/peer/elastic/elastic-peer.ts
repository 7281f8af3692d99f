/**
 * One peer of a run whose membership changes. In every epoch (membership.ts) it is node k of the m members, k its place among
 * their seats, on the topology drawn from (seed, epoch), with the data of its seat (epoch-run.ts). Between two epochs:
 *
 * - all members change over in the same iteration, the epoch's first (one that hears of it later changes over then);
 * - models, and states that are a node's own, are kept; states that are shares of a sum over all nodes (trackers,
 *   corrections, push-sum weights) begin anew from the models, since the sum is now over other nodes. So gradient tracking
 *   converges to the minimum of the mean of the present members;
 * - a newcomer is given the models of its sponsor (`sponsorOf`) as they are when the epoch begins;
 * - a member that was removed while it could not be heard asks to be admitted again, as a newcomer.
 *
 * A member that hears no majority waits: the others may have gone on without it, and would give it other models. It ends with
 * an error after `start` milliseconds of waiting for a majority or for being admitted.
 */

import { createAlgorithm } from "../../algorithm/registry.ts";
import { InputError, integer } from "../../input/input.ts";
import type { Problem } from "../../problem/problem.ts";
import { createProblem } from "../../problem/registry.ts";
import { requireRounds } from "../../run/course/parts.ts";
import { requireFeatures } from "../../run/features/driver.ts";
import { featuresOf } from "../../run/features/feature.ts";
import type { Store } from "../course/checkpoint.ts";
import { specText } from "../course/options.ts";
import { usualLag } from "../exchange/claims.ts";
import { defaultTimeout } from "../exchange/transport.ts";
import { type Agent, startAgent } from "./agent.ts";
import { type Epoch, isIn } from "./epoch.ts";
import { EpochOver, type EpochRuns, epochRuns } from "./epoch-run.ts";
import { fitsMembers } from "./epoch-topology.ts";
import { encodeMessage } from "./message.ts";
import { type ElasticOptions, type ElasticPatience, type ElasticSummary, elasticPatience } from "./options.ts";
import { decodeHanded, encodeHanded, type Handed } from "./transfer.ts";

/**
 * The member that gives a newcomer its models: newcomers, by seat, are dealt one after the other to the members that stay.
 * Undefined if that seat has no newcomer. O(members).
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
 * Runs the peer to the end of the run, or until it has left. Rejects when the signal aborts, and when no majority is heard for
 * too long. Beside the exchanges it costs a beat to every member every `beat` milliseconds, about 5 messages per member for
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
  requireFeatures("peer-elastic", featuresOf(run, options));
  if (lane.lend !== undefined) {
    throw new InputError("elastic peers need a lane that lends no memory", lane.name, "use tcp");
  }
  const context = { ...options.context, first: seat, count: 1 };
  const problem = options.problemOf?.(run) ?? createProblem({ ...run.problem, n: seats }, context);
  const optimiser = createAlgorithm(run.algorithm, problem);
  const patience = { ...elasticPatience, ...options.patience };
  const agent = await startAgent({
    ...{ lane, seat, seats, n, incarnation: options.incarnation, seed: run.seed, store: options.memory },
    ...{ patience, d: problem.d },
    fits: (members) => fitsMembers(run, optimiser, members),
    spec: specText({ runs: [run], audit: options.audit }),
    onTrouble: options.onTrouble,
  });
  const leave = () => {
    agent.membership.leave(agent.now());
    agent.flush();
  };
  options.leave?.addEventListener("abort", leave, { once: true });
  if (options.leave?.aborted) leave();
  try {
    return await runEpochs(options, patience, agent, problem, epochRuns(options, agent, problem, optimiser));
  } finally {
    options.leave?.removeEventListener("abort", leave);
    await agent.close();
    problem.close?.();
  }
}

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

/** The end of a peer that waited in vain for the others: a matter for a person, who reads the message. */
export class AloneError extends Error {
  constructor(seat: number, what: string, milliseconds: number, { number, members }: Epoch) {
    const who = members.map((member) => member.seat).join(" ");
    super(`peer ${seat} ${what} for ${milliseconds} ms: membership epoch ${number} is ${who}`);
    this.name = "AloneError";
  }
}

/** Epoch after epoch, until the run is over or this peer has left. */
async function runEpochs(
  { run, seat, checkpoint, timeout = defaultTimeout, signal, onEpoch }: ElasticOptions,
  patience: ElasticPatience,
  agent: Agent,
  problem: Problem,
  runs: EpochRuns,
): Promise<ElasticSummary> {
  const { membership, hub, wants } = agent;
  const saved = await intact(checkpoint?.store, problem.d);

  const alone = (what: string) => new AloneError(seat, what, patience.start, membership.epoch);

  async function change(): Promise<void> {
    await agent.change();
    signal?.throwIfAborted();
  }

  /** Sends models to newcomers, and to others that ask for them. */
  function sponsor(epoch: Epoch): void {
    for (const member of epoch.members) {
      if (member.since === epoch.number && member.since > 0 && sponsorOf(epoch, member.seat) === seat) {
        wants.add(member.seat);
      }
    }
    answer();
  }

  function answer(): void {
    if (wants.size === 0 || !runs.hasModels) return;
    const { updates, x } = runs;
    const bytes = encodeHanded({ updates, x, problem: problem.state ?? {} });
    for (const other of wants) hub.say(other, bytes, "state");
    wants.clear();
  }

  /** After an iteration: goes on, waits for a vote that is under way, or ends the epoch. */
  async function between(epoch: Epoch): Promise<void> {
    const { updates } = runs;
    membership.progress(updates);
    answer();
    let since: number | undefined;
    for (;;) {
      const now = agent.now();
      const next = membership.after(epoch.number);
      // A member that leaves stays until its last epoch ends; one that was removed has no epoch to stay in.
      const out = next !== undefined && !isIn(next, seat, membership.incarnation);
      const missed = out && membership.stage === "joining";
      const gone = next === undefined && membership.stage === "left";
      if (missed || gone || updates >= (next?.first ?? Number.POSITIVE_INFINITY)) throw new EpochOver();
      if (membership.hasMajority(now)) {
        since = undefined;
        if (next !== undefined || updates < membership.haltAt(now)) return;
      } else {
        since ??= now;
        if (now - since > patience.start) throw alone("missed a majority");
      }
      await change();
    }
  }

  /**
   * Finds the models to begin an epoch with: the initial ones at the beginning of the run; its own saved ones if all peers are
   * started again and none has later ones; otherwise those of another member. False if the epoch is over before.
   */
  async function findModels(epoch: Epoch, since: number): Promise<boolean> {
    const begun = agent.now();
    const { start, beat } = patience;
    // A sponsor sends by itself.
    let asked = since === epoch.number && since > 0 ? begun : begun - timeout;
    for (let turn = 0; membership.epoch === epoch && membership.isMember; ) {
      const now = agent.now();
      if (now - begun > 2 * start) throw alone("was given no models");
      const others = membership.begun(now).filter(({ updates }) => updates >= epoch.first);
      const furthest = Math.max(0, ...others.map(({ updates }) => updates));
      const all = others.length === epoch.members.length - 1 || now - begun >= start;
      const fresh = epoch.number === 0 && saved === undefined && furthest <= usualLag(run.topology.n);
      const given = agent.models !== undefined && agent.models.updates >= epoch.first ? agent.models : undefined;
      const own = saved !== undefined && all && saved.updates >= Math.max(epoch.first, furthest) ? saved : undefined;
      if (fresh || given !== undefined || own !== undefined) {
        runs.begin(given ?? own);
        return true;
      }
      if (others.length > 0 && now - asked >= Math.max(2 * beat, timeout / 4)) {
        const { seat: other } = others[turn++ % others.length];
        hub.say(other, encodeMessage({ say: "want", incarnation: membership.incarnation, epoch: epoch.number }));
        asked = now;
      }
      await change();
    }
    return false;
  }

  /** Stays until all members have reached the end, or for the timeout of an exchange, so that its last messages arrive. */
  async function end(): Promise<void> {
    membership.finish(agent.now());
    agent.flush();
    for (const begun = agent.now(); !membership.allDone(agent.now()) && agent.now() - begun < timeout; ) {
      await change();
      answer();
    }
    agent.flush();
  }

  if (saved !== undefined) {
    requireRounds(createAlgorithm(run.algorithm, problem).exchanges, saved.updates, saved.course);
    membership.progress(saved.updates);
  }
  const epochs: number[] = [];
  let begun: number | undefined;
  let outside: number | undefined;
  for (;;) {
    const last = epochs.at(-1) ?? -1;
    const epoch = (runs.hasModels ? membership.after(last) : undefined) ?? membership.epoch;
    const me = epoch.members.find((member) => member.seat === seat && isIn(epoch, seat, membership.incarnation));
    const newest = epoch.number === membership.epoch.number;
    // It was removed, and as far as it knows not admitted again.
    if (me === undefined || me.since > Math.max(last, 0) || (newest && !membership.isMember)) runs.forget();
    if (newest && !membership.isMember) {
      if (membership.stage === "left") break;
      outside ??= agent.now();
      if (agent.now() - outside > patience.start) throw alone("was not let in");
      await change();
      continue;
    }
    outside = undefined;
    if (me === undefined) continue;
    if (!runs.hasModels && !(await findModels(epoch, me.since))) continue;
    begun ??= runs.updates;
    if (runs.updates >= run.rounds) break;
    epochs.push(epoch.number);
    onEpoch?.(epoch, runs.updates);
    try {
      const [onBegin, onIteration] = [() => sponsor(epoch), () => between(epoch)];
      await runs.run(epoch, onBegin, onIteration);
      break;
    } catch (error) {
      if (!(error instanceof EpochOver)) throw error;
    }
  }
  const left = membership.stage === "left";
  if (!left) await end();
  return {
    ...{ done: runs.done, skipped: Math.max(0, runs.updates - (begun ?? 0) - runs.done), epochs, left },
    members: membership.epoch.members.map((member) => member.seat),
    counts: runs.counts,
  };
}
