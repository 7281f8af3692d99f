/**
 * The course of a run in a program that sees all rows: its cadence (cadence.ts), its record, its meter, and what is saved of
 * it (parts.ts). A driver only advances the rows. After each update it asks what is due:
 *
 *     const due = course.due(updates);
 *     if (due.record) course.take(updates, metrics);
 *     if (due.evaluate) course.evaluated(updates, found);
 *     if (course.saves(updates)) course.save(updates, { state, problem });
 *     course.progress(updates);
 *
 * A peer has one row only, and uses rowCourse (row-course.ts).
 */

import type { Exchanges } from "../../algorithm/algorithm.ts";
import { type Counted, Meter } from "../../algorithm/meter.ts";
import type { Latency } from "../../faults/latency.ts";
import type { Problem } from "../../problem/problem.ts";
import type { Topology } from "../../topology/topology.ts";
import { type Drift, driftOf } from "../drift.ts";
import type { Signal } from "../gossip.ts";
import { Recorder, type SavedRun } from "../record.ts";
import { Cadence, type CadenceOptions } from "./cadence.ts";
import { joinParts, type Parts, requireRounds, restoreProblem, roundPart, splitParts } from "./parts.ts";

/** How the caller of a run can follow and steer it. */
export interface CourseHooks {
  /** Ends the run with its reason. A synchronous run sees it only if onProgress or the problem aborts. */
  readonly signal?: Signal | undefined;
  readonly onProgress?: ((done: number, rounds: number) => void) | undefined;
  readonly onEvaluation?: ((updates: number, metrics: Readonly<Record<string, number>>) => void) | undefined;
  /** A saved run to continue. Everything but `rounds` must be as it was then. */
  readonly saved?: SavedRun | undefined;
  /**
   * Saves the run whenever `due` says so, which is asked after every update, and before the signal ends the run. The vectors
   * are live memory: encode them at once.
   */
  readonly keep?: { due(updates: number): boolean; save(run: SavedRun): void } | undefined;
}

export interface CourseOptions extends CadenceOptions, CourseHooks {
  readonly topology: Pick<Topology, "n" | "hierarchy" | "stochastic">;
  readonly problem: CadenceOptions["problem"] & Pick<Problem, "d" | "state">;
  /** What the algorithm declares; needed only by a driver that saves its runs. */
  readonly exchanges?: Exchanges;
  readonly seed?: number | undefined;
  readonly latency?: Latency | undefined;
  /** Whether the driver measures how far mixing moves the mean of the models (drift.ts). */
  readonly measuresDrift?: boolean;
}

export class Course extends Cadence {
  /** Updates done when this program begins: 0, or those of the saved run. */
  readonly first: number;
  /** The saved run that it continues, by parts. */
  readonly saved: ReturnType<typeof splitParts> | undefined;
  readonly meter: Meter;
  /** How far mixing has moved the mean, if it can and the driver measures it. */
  readonly drift: Drift | undefined;
  readonly #record = new Recorder();
  readonly #options: CourseOptions;
  /** Updates at which it was last saved. */
  #kept = -1;

  constructor(options: CourseOptions) {
    super(options);
    const { topology, problem, saved, latency, seed } = options;
    this.#options = options;
    this.meter = new Meter(topology.n, latency, seed, topology.hierarchy?.groups);
    const drifts = options.measuresDrift === true && topology.stochastic === "rows";
    this.drift = drifts ? driftOf(topology.n, problem.d) : undefined;
    this.first = saved?.updates ?? 0;
    if (saved === undefined) return;
    this.saved = splitParts(saved.vectors);
    requireRounds(options.exchanges, saved.updates, this.saved.course);
    const { meter, record, drift, problem: kept } = this.saved as Record<string, Record<string, Float64Array>>;
    this.meter.restore(meter);
    this.#record.restore(record);
    this.drift?.restore(drift);
    restoreProblem(problem, kept);
  }

  /** Records the metrics, and what was sent up to these updates. */
  take(updates: number, metrics: Readonly<Record<string, number>>, sent: Counted = this.meter): void {
    this.#record.take(updates, metrics, sent);
  }

  evaluated(updates: number, found: Readonly<Record<string, number>>): void {
    this.#record.evaluate(updates, found);
    this.#options.onEvaluation?.(updates, found);
  }

  progress(updates: number): void {
    this.#options.onProgress?.(updates, this.rounds);
  }

  /** Whether the caller wants the run to end now. */
  get stopped(): boolean {
    return this.#options.signal?.aborted ?? false;
  }

  stop(): never {
    throw this.#options.signal?.reason;
  }

  /** Whether the run is to be saved after so many updates: when that is due, and before it stops. */
  saves(updates: number): boolean {
    const { keep } = this.#options;
    return keep !== undefined && this.#kept !== updates && (this.stopped || keep.due(updates));
  }

  save(updates: number, { state, problem }: Pick<Parts, "state" | "problem">): void {
    this.#kept = updates;
    const course = roundPart(this.#options.exchanges, updates);
    const own = { meter: this.meter.state(), record: this.#record.state(), drift: this.drift?.state(), course };
    this.#options.keep?.save({ updates, vectors: joinParts({ state, problem, ...own }) });
  }

  /** All that was recorded so far. */
  get lists() {
    return { ...this.#record.lists, ...(this.drift === undefined ? {} : { meanDrift: this.drift.distance }) };
  }

  /** The updates of the last record; undefined before the first. */
  get recorded(): number | undefined {
    return this.#record.lists.updates.at(-1);
  }
}
