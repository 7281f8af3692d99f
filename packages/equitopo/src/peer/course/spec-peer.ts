/**
 * One peer of the runs that a spec describes. It meets the others, does run after run, keeps a checkpoint, and after a crash
 * comes back to the round of the network. The rounds of the transport are numbered through: a meeting, then for each run its
 * exchanges and another meeting, so that a round number alone says where the others are.
 */

import { createAlgorithm } from "../../algorithm/registry.ts";
import { InputError } from "../../input/input.ts";
import { createProblem } from "../../problem/registry.ts";
import { Cadence } from "../../run/course/cadence.ts";
import { requireRounds } from "../../run/course/parts.ts";
import { driverOf, requireFeatures } from "../../run/features/driver.ts";
import { featuresOf } from "../../run/features/feature.ts";
import { contextOf } from "../../run/run-spec.ts";
import { createTopology } from "../../topology/registry.ts";
import { defaultTimeout } from "../exchange/transport.ts";
import { Encounters } from "../mixing/encounters.ts";
import { evaluationLength } from "../mixing/evaluation.ts";
import { stepsOf } from "../mixing/group-mixing.ts";
import type { RoundReport } from "../mixing/mixing.ts";
import { oneAsyncRun } from "./async-run.ts";
import { loadCheckpoints } from "./checkpoint.ts";
import { peerWithHistory } from "./history.ts";
import { gather, gatherSteps, openingPasses } from "./meeting.ts";
import { Numbering } from "./numbering.ts";
import { oneRun } from "./one-run.ts";
import { agreedId } from "./opening.ts";
import { type PeerSummary, peersOf, runTexts, type SpecPeerOptions, type Stage } from "./options.ts";
import { writeRunId } from "./run-id.ts";
import { begin, startTrouble } from "./start.ts";
import { steadyStore } from "./steady-store.ts";

/** Runs the peer to the end of the last run. Rejects when the signal aborts. */
export async function runSpecPeer(options: SpecPeerOptions): Promise<PeerSummary> {
  for (const run of options.runs) requireFeatures(driverOf("peer", run), featuresOf(run, options));
  return options.history === undefined ? runStages(options) : peerWithHistory(options, options.history, runStages);
}

async function runStages(given: SpecPeerOptions): Promise<PeerSummary> {
  const { transport, runs, signal, timeout = defaultTimeout, onTrouble = () => {} } = given;
  const checkpoint = given.checkpoint && { ...given.checkpoint, store: steadyStore(given.checkpoint.store, onTrouble) };
  const options = { ...given, checkpoint };
  // This peer's node in the spec: ranks may change when others die.
  const { rank } = transport;
  const n = peersOf(runs);
  if (transport.size !== n) throw new InputError(`the spec is for ${n} peers`, transport.size, `start ${n}`);
  const saved =
    checkpoint === undefined ? [] : await loadCheckpoints(checkpoint.store, runTexts(options), rank, onTrouble);
  const stages = stagesOf(options, rank, n);
  for (const { spec, base } of stages) {
    if (spec.mode === "async") transport.streams?.reserve({ first: base, end: base + spec.rounds });
  }
  try {
    for (const { run, round, course } of saved) requireRounds(stages[run].exchanges, round, course);
    const { start, known } = await begin(options, stages, saved);
    const trouble = startTrouble(start);
    if (trouble !== undefined) onTrouble(trouble);
    options.onStart?.(start);
    let { id } = start;
    let done = 0;
    let skipped = 0;
    const encounters = new Encounters();
    const onRound = (run: number, report: RoundReport) => {
      encounters.note(report);
      options.onRound?.(run, report);
    };
    for (const stage of stages.slice(start.run)) {
      const [first, from] = stage.run === start.run ? [start.round, known] : [0, undefined];
      const work = stage.spec.mode === "async" ? oneAsyncRun : oneRun;
      const count = await work({ ...options, onRound }, { ...stage, rank, id, first, saved: from });
      done += count;
      skipped += stage.spec.rounds - first - count;
      const meeting = stage.base + stage.numbering.length;
      const { words } = await gather(transport, { first: meeting, timeout, word: writeRunId(id), signal });
      // A peer that came late learns here the id of the start that it takes part in.
      id = agreedId(words, id);
    }
    const { tally, neverHeard } = encounters;
    const rejoined = start.from === "anew" ? {} : { rejoined: start.round };
    return { done, skipped, ...rejoined, exchanges: tally, neverHeard, start };
  } finally {
    for (const { problem } of stages) problem.close?.();
  }
}

/** The runs one after the other, a meeting before each and after the last. */
function stagesOf({ runs, context, problemOf }: SpecPeerOptions, rank: number, n: number): Stage[] {
  let next = gatherSteps(n, openingPasses);
  return runs.map((spec, run) => {
    const problem =
      problemOf?.(spec) ?? createProblem(spec.problem, contextOf(spec, { ...context, first: rank, count: 1 }));
    const cadence = new Cadence({ ...spec, problem, async: spec.mode === "async" });
    const { exchanges } = createAlgorithm(spec.algorithm, problem);
    const numbering = new Numbering({
      yields: exchanges.yields,
      rounds: spec.rounds,
      steps: stepsOf(createTopology(spec.topology)),
      evaluation: cadence.evaluations(evaluationLength(problem, n)),
    });
    const base = next;
    next += numbering.length + gatherSteps(n);
    return { run, spec, problem, cadence, exchanges, numbering, base };
  });
}
