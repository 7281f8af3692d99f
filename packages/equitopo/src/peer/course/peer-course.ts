/** The course of a run of a spec at one peer: records to its report, evaluations with the others, checkpoints to its store. */

import type { State } from "../../algorithm/algorithm.ts";
import type { Evaluation } from "../../problem/problem.ts";
import { roundPart } from "../../run/course/parts.ts";
import { type RowCourse, type RowDriver, rowCourse } from "../../run/course/row-course.ts";
import { savePoints } from "../../run/course/save-points.ts";
import { usualLag } from "../exchange/claims.ts";
import { Shifted } from "../exchange/offset.ts";
import { runtimeClock } from "../exchange/runtime.ts";
import { defaultTimeout } from "../exchange/transport.ts";
import { evaluateAtPeer } from "../mixing/evaluation.ts";
import { saveCheckpoint } from "./checkpoint.ts";
import type { FaultRepair } from "./fault-repair.ts";
import { runTexts, type SpecPeerOptions, type StageStart } from "./options.ts";

export interface PeerRow extends Pick<RowDriver, "sent"> {
  /** All that the peer must keep to go on, x among it, as it is between two updates. */
  state(): State;
  /** Whether its row counts in evaluations; default yes. */
  readonly honest?: boolean;
  readonly repair?: Pick<FaultRepair, "pending"> | undefined;
}

export function peerCourse(options: SpecPeerOptions, place: StageStart, row: PeerRow): RowCourse {
  const { state, sent, honest, repair } = row;
  const { transport, checkpoint, signal, timeout = defaultTimeout, onRecord } = options;
  const { run, problem, cadence, exchanges, numbering, base, rank, id, saved } = place;
  const { clock = runtimeClock } = transport;
  const now = () => clock.now();
  const saves = checkpoint && savePoints({ ...checkpoint, least: usualLag(transport.size), now });
  const driver: RowDriver = {
    x: () => state().x,
    sent,
    evaluate: (updates, last) =>
      evaluateAtPeer({
        ...{ evaluation: problem.evaluation as Evaluation, node: rank, x: state().x, updates, last, honest },
        ...{ first: numbering.evaluation(updates), transport: new Shifted(transport, base), timeout, signal },
      }),
    async save(round) {
      if (checkpoint === undefined) return;
      const where = { spec: runTexts(options)[run], rank, id, run, round };
      // Who goes on from here repairs anew: a repair under way is not saved.
      const repairs = repair?.pending ? { repairs: Float64Array.of(1) } : {};
      const next = { ...roundPart(exchanges, round), ...repairs };
      const parts = { state: state(), problem: problem.state ?? {}, course: next };
      await saveCheckpoint(checkpoint.store, { ...where, spent: course.spent, ...parts });
    },
  };
  const course = rowCourse({ cadence, driver, problem, run, spent: saved?.spent, saves, onRecord, now });
  return course;
}
