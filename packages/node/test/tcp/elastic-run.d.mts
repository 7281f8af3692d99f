import type { RunSpec } from "equitopo";
import type { ElasticSummary, Epoch } from "equitopo/peer";

export interface ElasticRunOptions {
  readonly n: number;
  readonly seats: number;
  readonly d?: number;
  readonly rounds?: number;
  /** Milliseconds: of an exchange, and after which a silent member is missed. */
  readonly timeout: number;
  readonly silence: number;
  /** Where votes and models are kept; nowhere where left out. */
  readonly folder?: string;
  /** Milliseconds for every iteration; with it histories are kept in the folder, too. */
  readonly pace?: number;
  /** Whether bytes go over wires that can be cut. */
  readonly wires?: boolean;
}

export interface ElasticReport {
  readonly x: readonly number[];
  readonly updates: number;
  /** Vectors that did not come, in all. */
  readonly missing: number;
  /** Milliseconds: the longest time between two iterations since the last report. */
  readonly pause: number;
  /** Bytes that it holds after garbage collection. */
  readonly memory: number;
}

export class ElasticRun {
  static open(options: ElasticRunOptions): Promise<ElasticRun>;
  readonly run: RunSpec;
  /** `cut` says between whom bytes get through from now on. */
  readonly wires: { cut(joined: (from: number, to: number) => boolean): void } | undefined;
  /** Called when a seat has begun an epoch. */
  onEpoch: (begun: { readonly epoch: Epoch; readonly time: number }) => void;
  readonly epochs: Map<number, { readonly epoch: Epoch; readonly begun: number; readonly time: number }>;
  readonly summaries: Map<number, Omit<ElasticSummary, "counts">>;
  /** `back` is by how many milliseconds its clock has gone back. */
  start(seat: number, back?: number): void;
  kill(seat: number): void;
  stop(seat: number, signal?: "SIGSTOP" | "SIGCONT"): void;
  /** Whether the seat's process is running. */
  runs(seat: number): boolean;
  leave(seat: number): void;
  until(seats: readonly number[], limit?: number): Promise<{ readonly epoch: Epoch; readonly seconds: number }>;
  report(seat: number): Promise<ElasticReport>;
  gradientAt(x: readonly number[], seats: readonly number[]): number;
  end(): void;
}
