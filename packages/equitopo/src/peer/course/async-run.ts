/** One asynchronous run of a spec at one peer: from where it begins to its last round, recorded, evaluated and saved on the way. */

import type { State } from "../../algorithm/algorithm.ts";
import { createAlgorithm } from "../../algorithm/registry.ts";
import { hashOf } from "../../number/quick-hash.ts";
import type { Rows } from "../../round/round.ts";
import { type Begin, hashesOf, type Step } from "../../run/async/history.ts";
import { type AsyncMode, asyncMode } from "../../run/async/mode.ts";
import { type AsyncNode, asyncNode, type NodeOptions } from "../../run/async/node.ts";
import { restoreProblem } from "../../run/course/parts.ts";
import { createTopology } from "../../topology/registry.ts";
import { runAsyncPeer } from "../async/peer.ts";
import type { RoundReport } from "../mixing/mixing.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { SpecPeerOptions, StageStart } from "./options.ts";
import { peerCourse } from "./peer-course.ts";

/** The run from round `first` on, or from this peer's last round if that is later; answers how many rounds it took part in. */
export async function oneAsyncRun(options: SpecPeerOptions, place: StageStart): Promise<number> {
  const { transport, onRound, onTrouble, history, signal } = options;
  const { run, spec, base } = place;
  const topology = createTopology(spec.topology);
  const node = nodeOf(place, topology);
  let last = node.round + 1;
  let [done, messages] = [0, 0];
  const course = peerCourse(options, place, {
    state: () => ({ ...node.state, iterations: Float64Array.of(node.iterations) }),
    sent: () => ({ bytes: transport.counts.sentBytes, messages }),
  });
  let begins: Begin | undefined = { iterations: node.iterations, round: node.round, hash: hashOf(node.state.x) };
  const write = ({ after: _, ...step }: Step, vectors: readonly Rows[]) => {
    history?.({ kind: "iterated", run, ...step, hash: hashesOf(vectors), ...(begins && { begins }) });
    begins = undefined;
  };
  const onStep = async (step: Step, report: RoundReport): Promise<void> => {
    if (step.round === undefined) return;
    done++;
    messages += node.inbox.to(step.round).length - (step.kept?.length ?? 0);
    onRound?.(run, report);
    const updates = step.round + 1;
    // The end waits until nothing more is sent: an evaluation is a meeting of all.
    if (updates < spec.rounds) await course.done(updates, last);
    last = updates;
  };
  course.begin(last);
  const rest = { first: base, write: history && write, onStep, onTrouble, signal };
  await runAsyncPeer({ transport, topology, node, rounds: spec.rounds, ...rest });
  await course.end();
  return done;
}

/** This peer's node: at the beginning, or where it was saved. Shares of a sum are void after an absence, and begin anew from x. */
function nodeOf({ spec, problem, rank, first, saved }: StageStart, topology: NodeOptions["topology"]): AsyncNode {
  const optimiser = createAlgorithm(spec.algorithm, problem);
  const mode = asyncMode(spec) as AsyncMode;
  const { seed, type, faults } = spec;
  restoreProblem(problem, saved?.problem);
  const setting = { topology, problem, optimiser, seed, type, mode, rank, drop: faults?.drop };
  return asyncNode({ ...setting, saved: savedNode(saved, first, optimiser.algorithm.async === "models") });
}

function savedNode(saved: Checkpoint | undefined, first: number, whole: boolean): NodeOptions["saved"] {
  if (saved === undefined) return first === 0 ? undefined : { iterations: first, round: first - 1 };
  const { iterations, ...state } = saved.state;
  const kept = whole ? { state: state as State } : { x0: saved.state.x };
  return { iterations: iterations[0], round: Math.max(first, saved.round) - 1, ...kept };
}
