/** One asynchronous run of a spec at one peer: from where it begins to its last round, recorded, evaluated and saved on the way. */

import type { State } from "../../algorithm/algorithm.ts";
import { createAlgorithm } from "../../algorithm/registry.ts";
import type { Tally } from "../../problem/problem.ts";
import type { Step } from "../../run/async/history.ts";
import { type AsyncMode, asyncMode } from "../../run/async/mode.ts";
import { AsyncNode, type NodeOptions } from "../../run/async/node.ts";
import { createTopology } from "../../topology/registry.ts";
import { type Checkpoint, saveCheckpoint } from "../checkpoint.ts";
import { evaluateAtPeer } from "../evaluate.ts";
import type { Place } from "../one-run.ts";
import type { RoundReport } from "../peer.ts";
import { savePoints } from "../save-points.ts";
import { Shifted } from "../shifted.ts";
import { runTexts, type SpecPeerOptions } from "../spec-peer.ts";
import { defaultTimeout } from "../transport.ts";
import { runAsyncPeer } from "./peer.ts";

/** The run from round `first` on, or from its own last one where that is later; answers how many rounds it took part in. */
export async function oneAsyncRun(options: SpecPeerOptions, place: Place): Promise<number> {
  const { transport, checkpoint, onRound, onRecord, history } = options;
  const { run, spec, problem, numbering, base, rank, saved } = place;
  const topology = createTopology(spec.topology);
  const node = nodeOf(place, topology);
  const before = saved?.spent ?? { bytes: 0, messages: 0, seconds: 0 };
  const begun = performance.now() - 1000 * before.seconds;
  const bytesBefore = transport.counts.sentBytes - before.bytes;
  let { messages } = before;
  const due = savePoints(transport.size, checkpoint?.every);
  const record = (updates: number, tally?: Tally) => {
    const seconds = (performance.now() - begun) / 1000;
    onRecord?.({
      ...{ run, updates, x: node.state.x },
      ...(problem.state === undefined ? {} : { state: problem.state }),
      ...(tally === undefined ? {} : { tally }),
      ...{ bytes: transport.counts.sentBytes - bytesBefore, messages, seconds },
    });
  };
  let last = node.round + 1;
  let done = 0;
  const onStep = async (step: Step, report: RoundReport): Promise<void> => {
    history?.({ kind: "iterated", run, ...step });
    if (step.round === undefined) return;
    done++;
    messages += node.inbox.to(step.round).length - (step.kept?.length ?? 0);
    onRound?.(run, report);
    const updates = step.round + 1;
    // A round that it skipped may have been one to record or to save at: the next one is as good.
    const passed = (every: number) => Math.floor(updates / every) > Math.floor(last / every);
    if (passed(spec.every) && updates < spec.rounds) record(updates);
    if (checkpoint !== undefined && (anyOf(last + 1, updates, due) || updates === spec.rounds)) {
      const state = { ...node.state, iterations: Float64Array.of(node.iterations) };
      const where = { spec: runTexts(options)[run], rank, id: place.id, run, round: updates };
      const spent = {
        bytes: transport.counts.sentBytes - bytesBefore,
        messages,
        seconds: (performance.now() - begun) / 1000,
      };
      await saveCheckpoint(checkpoint.store, { ...where, spent, state, problem: problem.state ?? {} });
    }
    last = updates;
  };
  if (last === 0) record(0);
  await runAsyncPeer({
    ...{ transport, topology, node, rounds: spec.rounds, first: base, onStep },
    signal: options.signal,
  });
  const evaluate = async () =>
    problem.evaluation &&
    evaluateAtPeer({
      ...{ evaluation: problem.evaluation, node: rank, x: node.state.x, updates: spec.rounds, last: true },
      ...{ first: numbering.evaluation(spec.rounds), transport: new Shifted(transport, base) },
      ...{ timeout: options.timeout ?? defaultTimeout, signal: options.signal },
    });
  record(spec.rounds, spec.rounds === 0 ? undefined : await evaluate());
  return done;
}

/** Whether any of these is one to save at. */
function anyOf(first: number, last: number, due: (updates: number) => boolean): boolean {
  let found = false;
  for (let updates = first; updates <= last; updates++) found = due(updates) || found;
  return found;
}

/** This peer's node: at the beginning, or where it was saved. Shares of a sum are void after an absence, and begin anew from x. */
function nodeOf({ spec, problem, rank, first, saved }: Place, topology: NodeOptions["topology"]): AsyncNode {
  const optimiser = createAlgorithm(spec.algorithm, problem);
  const mode = asyncMode(spec) as AsyncMode;
  const { seed, type, faults } = spec;
  for (const [name, values] of Object.entries(saved?.problem ?? {})) problem.state?.[name]?.set(values);
  const setting = { topology, problem, optimiser, seed, type, mode, rank, drop: faults?.drop };
  return new AsyncNode({ ...setting, saved: savedNode(saved, first, optimiser.algorithm.async === "models") });
}

function savedNode(saved: Checkpoint | undefined, first: number, whole: boolean): NodeOptions["saved"] {
  if (saved === undefined) return first === 0 ? undefined : { iterations: first, round: first - 1 };
  const { iterations, ...state } = saved.state;
  const kept = whole ? { state: state as State } : { x0: saved.state.x };
  return { iterations: iterations[0], round: Math.max(first, saved.round) - 1, ...kept };
}
