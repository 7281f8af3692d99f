/** The options of the simulator, and the length of a run under either of its two names. */

import type { AlgorithmChoice, AlgorithmSpec, Optimiser } from "../algorithm/registry.ts";
import type { Latency } from "../faults/latency.ts";
import type { LiarFaults } from "../faults/liars.ts";
import type { Faults } from "../faults/network.ts";
import { InputError } from "../input/input.ts";
import type { Unwritten } from "../input/registry.ts";
import type { Problem } from "../problem/problem.ts";
import type { DefenceSpec } from "../robust/defence.ts";
import type { Mixer } from "../round/mixer.ts";
import type { Topology } from "../topology/topology.ts";
import type { AsyncSimulation } from "./async/mode.ts";
import type { Intervals } from "./course/cadence.ts";
import type { CourseHooks } from "./course/course.ts";

/** The length of a run. `rounds` is the older spelling of `updates`; if both are given, they must be equal. */
export interface Length {
  readonly updates?: number | undefined;
  readonly rounds?: number | undefined;
}

export function updatesOf({ updates, rounds }: Length): number | undefined {
  if (updates !== undefined && rounds !== undefined && updates !== rounds) {
    const both = `updates: ${updates}, rounds: ${rounds}`;
    throw new InputError("updates and rounds are two names of one number", both, "leave out rounds");
  }
  return updates ?? rounds;
}

/** The name under which it was given; `updates` if it was not. */
export const lengthName = ({ updates, rounds }: Length) =>
  updates === undefined && rounds !== undefined ? "rounds" : "updates";

/** `N` is the name of the algorithm where it is known at run time only. */
export interface SimulationOptions<N extends string = never> extends CourseHooks, Intervals, Length {
  readonly topology: Topology;
  /** The result or the argument of createAlgorithm. */
  readonly algorithm: Optimiser | AlgorithmChoice | Unwritten<AlgorithmSpec, N>;
  readonly problem: Problem;
  /** Of the algorithm's own random choices (compression) and of faults; topology and problem have their own seeds. */
  readonly seed?: number;
  readonly mixer?: Mixer;
  readonly latency?: Latency;
  /**
   * Messages dropped on purpose, the same ones as real peers with the same seed drop, and nodes that lie: metrics and
   * evaluations are then those of the honest nodes. If labels are flipped, the problem must have been made so
   * (ProblemContext).
   */
  readonly faults?: Pick<Faults, "drop"> & LiarFaults;
  /** Mixing that withstands liars. */
  readonly robust?: DefenceSpec;
  /** Rounds in which nobody waits, on the clock of `latency` (async/simulate.ts). */
  readonly async?: AsyncSimulation;
}
