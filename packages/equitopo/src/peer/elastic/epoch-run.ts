/**
 * The run of one peer, epoch by epoch: each has a topology, an exchange machine and an algorithm of its own over the same
 * models, and the loop of any peer (peer.ts) until the epoch is over. Exchanges are numbered as in any run, from the epoch's
 * first iteration on.
 */

import type { Running, World } from "../../algorithm/algorithm.ts";
import type { Optimiser } from "../../algorithm/registry.ts";
import { createWorld } from "../../algorithm/world.ts";
import type { Evaluation, Problem } from "../../problem/problem.ts";
import type { Rows } from "../../round/round.ts";
import { Cadence } from "../../run/course/cadence.ts";
import { restoreProblem, roundPart } from "../../run/course/parts.ts";
import { type RowDriver, rowCourse } from "../../run/course/row-course.ts";
import { savePoints } from "../../run/course/save-points.ts";
import { robustFor } from "../../run/robust.ts";
import type { Topology } from "../../topology/topology.ts";
import { Numbering } from "../course/numbering.ts";
import { comeBack } from "../course/one-run.ts";
import { runPeer } from "../course/peer.ts";
import { audited } from "../course/repair.ts";
import { steadyStore } from "../course/steady-store.ts";
import { usualLag } from "../exchange/claims.ts";
import { Exchange } from "../exchange/exchange.ts";
import { Shifted } from "../exchange/offset.ts";
import { allocate, type Counts, defaultTimeout, newCounts } from "../exchange/transport.ts";
import { historyVersion } from "../history/history.ts";
import { evaluateAtPeer, evaluationLength } from "../mixing/evaluation.ts";
import type { RoundReport } from "../mixing/mixing.ts";
import type { Agent } from "./agent.ts";
import type { Epoch } from "./epoch.ts";
import { epochTopology } from "./epoch-topology.ts";
import type { ElasticOptions } from "./options.ts";
import { encodeHanded, type Handed } from "./transfer.ts";

/** Thrown between two iterations when the epoch is over for this peer. */
export class EpochOver extends Error {}

export type EpochRuns = ReturnType<typeof epochRuns>;

export function epochRuns(options: ElasticOptions, agent: Agent, problem: Problem, optimiser: Optimiser) {
  const { run, seat, timeout = defaultTimeout, signal, checkpoint, historian } = options;
  const { exchanges, learningRate, algorithm } = optimiser;
  const store = checkpoint && steadyStore(checkpoint.store, options.onTrouble ?? (() => {}));
  const cadence = new Cadence({ ...run, problem });
  let running: Running | undefined;
  /** Models that were handed over, before the first iteration with them. */
  let start: Handed | undefined;
  /** What the present epoch has sent, beside `counts` and `messages` of those before. */
  let transport: Shifted | undefined;
  let messages = 0;
  /** An evaluation is a meeting of an epoch's members. */
  let evaluate: RowDriver["evaluate"] | undefined;

  async function save(): Promise<void> {
    const { updates, x } = runs;
    const course = roundPart(exchanges, updates);
    await store?.save(encodeHanded({ updates, x, problem: problem.state ?? {}, course }));
  }

  const runs = {
    counts: newCounts(),
    updates: 0,
    done: 0,

    get hasModels(): boolean {
      return running !== undefined || start !== undefined;
    },

    get x(): Rows {
      return running?.state.x ?? (start as Handed).x;
    },

    /** From these models on; the initial ones where there are none. */
    begin(handed: Handed | undefined): void {
      running = undefined;
      const x = allocate(run.type, problem.d);
      if (problem.start !== undefined) x.set(problem.start);
      start = handed ?? { updates: 0, x, problem: {} };
      runs.updates = start.updates;
      restoreProblem(problem, start.problem);
    },

    /** This peer was removed: the network goes on without its models. */
    forget(): void {
      running = undefined;
      start = undefined;
    },

    /**
     * The epoch to the last iteration of the run; throws EpochOver if the epoch ends before. `onBegin` is called when it begins,
     * `onIteration`, which may throw EpochOver, when an iteration is over.
     */
    async run(epoch: Epoch, onBegin: () => void, onIteration: () => Promise<void>): Promise<void> {
      const { members, first } = epoch;
      const topology = epochTopology(run.topology, epoch);
      const rank = members.findIndex((member) => member.seat === seat);
      const numbering = new Numbering({
        yields: exchanges.yields,
        rounds: run.rounds,
        evaluation: cadence.evaluations(evaluationLength(problem, members.length)),
      });
      const size = members.length;
      const exchange = new Exchange(agent.hub.open(epoch), { rank, size, timeout });
      historian?.({ kind: "peer", version: historyVersion, rank, size, epoch: epoch.number });
      exchange.history = historian;
      const shifted = () => new Shifted(exchange, -numbering.of(first));
      const present = shifted();
      transport = present;
      evaluate = (updates, last) =>
        evaluateAtPeer({
          ...{ evaluation: problem.evaluation as Evaluation, node: seat, x: runs.x, updates, last },
          ...{ first: numbering.evaluation(updates), transport: shifted(), timeout, signal },
        });
      running = startEpoch(topology, epoch);
      const lose = run.faults?.drop === undefined ? undefined : { share: run.faults.drop, seed: run.seed };
      const onRound = async (report: RoundReport): Promise<void> => {
        runs.done++;
        runs.updates = report.round + 1;
        options.onRound?.(report, epoch);
        await course.done(runs.updates);
        if (runs.updates < run.rounds) await onIteration();
      };
      try {
        await save();
        onBegin();
        course.begin(runs.updates);
        await runPeer({
          ...{ transport: present, topology, running, rounds: run.rounds, first: runs.updates },
          ...{ exchanges, numbering, timeout, signal, lose, onRound, maxLag: usualLag(members.length) },
          defence: run.robust && robustFor(run.robust, optimiser, topology),
        });
        runs.updates = run.rounds;
        await course.end();
      } finally {
        messages += present.messages;
        addCounts(runs.counts, exchange.counts);
        transport = undefined;
        await exchange.close();
      }
    },
  };

  const course = rowCourse({
    ...{ cadence, problem, run: 0, onRecord: options.onRecord, now: agent.now },
    saves: checkpoint && savePoints({ ...checkpoint, least: usualLag(run.topology.n), now: agent.now }),
    driver: {
      x: () => runs.x,
      sent: () => ({
        bytes: runs.counts.sentBytes + (transport?.counts.sentBytes ?? 0),
        messages: messages + (transport?.messages ?? 0),
      }),
      evaluate: (updates, last) => (evaluate as RowDriver["evaluate"])(updates, last),
      save,
    },
  });

  /** The algorithm on this peer's row in an epoch: from handed models, or from where it was in the epoch before. */
  function startEpoch(topology: Topology, { members }: Epoch): Running {
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
    const begun =
      running !== undefined
        ? comeBack(optimiser, world, { ...running.state, x: running.state.x.slice() })
        : optimiser.start(start === undefined ? world : { ...world, x0: start.x.slice() as Rows });
    start = undefined;
    return audited(begun, algorithm, topology, options.audit);
  }

  return runs;
}

function addCounts(sum: Counts, more: Counts): void {
  const { refused, refusals, ...numbers } = more;
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) sum[name] += numbers[name];
  for (const [reason, refusal] of refusals) sum.refusals.set(reason, refusal);
  for (const [reason, count] of refused) sum.refused.set(reason, (sum.refused.get(reason) ?? 0) + count);
}
