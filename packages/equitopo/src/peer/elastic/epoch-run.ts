/**
 * The run as one peer goes through it, epoch by epoch: in each a topology, an exchange machine and an algorithm of its own
 * over the same models, and the loop of any peer (peer.ts) until the epoch is over. Exchanges are numbered as in any run, from
 * the epoch's first iteration on.
 */

import type { Running, World } from "../../algorithm/algorithm.ts";
import type { Optimiser } from "../../algorithm/registry.ts";
import { createWorld } from "../../algorithm/world.ts";
import type { Problem, Tally } from "../../problem/problem.ts";
import { predictedRounds } from "../../rate/prediction.ts";
import type { Rows } from "../../round/round.ts";
import { robustFor } from "../../run/robust.ts";
import type { Topology } from "../../topology/topology.ts";
import type { Store } from "../checkpoint.ts";
import { evaluateAtPeer, evaluationLength } from "../evaluate.ts";
import { Exchange } from "../exchange.ts";
import { usualLag } from "../gather.ts";
import { Numbering } from "../numbering.ts";
import { comeBack } from "../one-run.ts";
import { type RoundReport, runPeer } from "../peer.ts";
import { repairing } from "../repair.ts";
import { savePoints } from "../save-points.ts";
import { Shifted } from "../shifted.ts";
import { steadyStore } from "../steady-store.ts";
import { allocate, type Counts, defaultTimeout, newCounts } from "../transport.ts";
import type { Agent } from "./agent.ts";
import type { Epoch } from "./epoch.ts";
import { epochTopology } from "./epoch-topology.ts";
import type { ElasticOptions } from "./options.ts";
import { encodeHanded, type Handed } from "./transfer.ts";

/** Thrown between two iterations where the epoch is over for this peer. */
export class EpochOver extends Error {}

export interface EpochRunsOptions extends ElasticOptions {
  readonly agent: Agent;
  readonly problem: Problem;
  readonly optimiser: Optimiser;
}

export interface Between {
  /** The epoch begins; an iteration is over. May throw EpochOver. */
  readonly onBegin: () => void;
  readonly onIteration: () => Promise<void>;
}

export class EpochRuns {
  readonly counts: Counts = newCounts();
  readonly #options: EpochRunsOptions;
  readonly #due: (updates: number) => boolean;
  readonly #store: Store | undefined;
  #running: Running | undefined;
  /** Models that were handed over, before the first iteration with them. */
  #start: Handed | undefined;
  #recorded = -1;
  #messages = 0;
  #uncounted = 0;
  readonly #begun = performance.now();
  updates = 0;
  done = 0;

  constructor(options: EpochRunsOptions) {
    this.#options = options;
    const { run, checkpoint, onTrouble = () => {} } = options;
    this.#due = savePoints(run.topology.n, checkpoint?.every);
    this.#store = checkpoint && steadyStore(checkpoint.store, onTrouble);
  }

  get hasModels(): boolean {
    return this.#running !== undefined || this.#start !== undefined;
  }

  /** The models as they are between two iterations. */
  get x(): Rows {
    return this.#running?.state.x ?? (this.#start as Handed).x;
  }

  /** From these models on; the initial ones where there are none. */
  begin(handed: Handed | undefined): void {
    const { problem, run } = this.#options;
    this.#running = undefined;
    const x = allocate(run.type, problem.d);
    if (problem.start !== undefined) x.set(problem.start);
    this.#start = handed ?? { updates: 0, x, problem: {} };
    this.updates = this.#start.updates;
    for (const [name, rows] of Object.entries(this.#start.problem)) problem.state?.[name]?.set(rows);
  }

  /** Taken out: the models are those of a network that goes on without them. */
  forget(): void {
    this.#running = undefined;
    this.#start = undefined;
  }

  /** The epoch to the last iteration of the run; throws EpochOver where it ends before. */
  async run(epoch: Epoch, { onBegin, onIteration }: Between): Promise<void> {
    const { agent, run, seat, problem, optimiser, timeout = defaultTimeout, signal } = this.#options;
    const { members, first } = epoch;
    const topology = epochTopology(run.topology, epoch);
    const rank = members.findIndex((member) => member.seat === seat);
    const { evaluation } = problem;
    const evaluate = run.evaluate ?? problem.epoch ?? run.rounds;
    const { exchanges } = optimiser;
    const numbering = new Numbering({
      yields: exchanges.yields,
      rounds: run.rounds,
      evaluation: evaluation && { every: evaluate, length: evaluationLength(evaluation, members.length) },
    });
    const exchange = new Exchange(agent.hub.open(epoch), { rank, size: members.length, timeout });
    const shifted = () => new Shifted(exchange, -numbering.of(first));
    const transport = shifted();
    this.#running = this.#startEpoch(topology, epoch);
    const lose = run.faults?.drop === undefined ? undefined : { share: run.faults.drop, seed: run.seed };
    const look = async (): Promise<void> => {
      const { updates } = this;
      const last = updates === run.rounds;
      let tally: Tally | undefined;
      if (evaluation !== undefined && updates > 0 && (updates % evaluate === 0 || last)) {
        const { sentBytes } = exchange.counts;
        tally = await evaluateAtPeer({
          ...{ evaluation, node: seat, x: this.x, updates, last, first: numbering.evaluation(updates) },
          ...{ transport: shifted(), timeout, signal },
        });
        this.#uncounted += exchange.counts.sentBytes - sentBytes;
      }
      if (updates % run.every === 0 || last || tally !== undefined) this.#record(transport, tally);
    };
    const onRound = async (report: RoundReport): Promise<void> => {
      this.done++;
      this.updates = report.round + 1;
      this.#options.onRound?.(report, epoch);
      await look();
      if (this.#due(this.updates)) await this.#save();
      if (this.updates < run.rounds) await onIteration();
    };
    try {
      await this.#save();
      onBegin();
      if (this.updates === 0 && this.#recorded < 0) this.#record(transport);
      await runPeer({
        ...{
          transport,
          topology,
          running: this.#running,
          rounds: run.rounds,
          first: this.updates,
          exchanges,
          numbering,
        },
        ...{ timeout, signal, lose, onRound, maxLag: usualLag(members.length) },
        defence: run.robust && robustFor(run.robust, optimiser, topology),
      });
      this.updates = run.rounds;
      if (this.#recorded < run.rounds) await look();
      await this.#save();
    } finally {
      this.#messages += transport.messages;
      addCounts(this.counts, exchange.counts);
      await exchange.close();
    }
  }

  /** The algorithm on this peer's row in an epoch: from handed models, or from where it was in the epoch before. */
  #startEpoch(topology: Topology, { members }: Epoch): Running {
    const { run, seat, problem, optimiser, audit = 0 } = this.#options;
    const { learningRate, algorithm } = optimiser;
    const rows = (width: number) => allocate(run.type, width);
    const made = createWorld({ topology, problem, learningRate, seed: run.seed, rows, first: seat, count: 1 });
    // Nodes are places among the members; what is drawn for a row is drawn for its seat.
    const world: World = {
      ...made,
      n: members.length,
      encode(codec, t, x) {
        const { bytes, decode } = made.encode(codec, t, x);
        return { bytes, decode: (packet, node, row) => decode(packet, members[node].seat, row) };
      },
    };
    const before = this.#running;
    const handed = this.#start;
    this.#start = undefined;
    const running =
      before !== undefined
        ? comeBack(optimiser, world, { ...before.state, x: before.state.x.slice() })
        : optimiser.start(handed === undefined ? world : { ...world, x0: handed.x.slice() as Rows });
    if (audit === 0) return running;
    const rounds = Math.min(audit - 1, predictedRounds(topology, 1e-3, "any"));
    return repairing(running, algorithm, { every: audit, rounds });
  }

  #record({ messages, counts }: Shifted, tally?: Tally): void {
    const { onRecord, problem } = this.#options;
    this.#recorded = this.updates;
    onRecord?.({
      ...{ run: 0, updates: this.updates, x: this.x },
      ...(problem.state === undefined ? {} : { state: problem.state }),
      ...(tally === undefined ? {} : { tally }),
      bytes: this.counts.sentBytes + counts.sentBytes - this.#uncounted,
      messages: this.#messages + messages,
      seconds: (performance.now() - this.#begun) / 1000,
    });
  }

  async #save(): Promise<void> {
    const { problem } = this.#options;
    const { updates, x } = this;
    await this.#store?.save(encodeHanded({ updates, x, problem: problem.state ?? {} }));
  }
}

function addCounts(sum: Counts, more: Counts): void {
  const { refused, ...numbers } = more;
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) sum[name] += numbers[name];
  for (const [reason, count] of refused) sum.refused.set(reason, (sum.refused.get(reason) ?? 0) + count);
}
