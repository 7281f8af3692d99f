import type { Dataset, Normalisation } from "@equitopo/nn";
import type { ScheduleSpec } from "equitopo";

export interface ChaosOptions {
  /** Images of 28 x 28 bytes: dealt out over 17 peers, and what the models are tried on. */
  readonly train: Dataset;
  readonly test: Dataset;
  readonly model: string;
  readonly normalisation: Normalisation;
  readonly learningRate: ScheduleSpec;
  readonly batch: number;
  readonly rounds: number;
  /** Milliseconds: of an exchange, and for which a peer is stopped. */
  readonly timeout: number;
  readonly stop: number;
  readonly drop: number;
  /** Milliseconds after which peers that still run are counted as hanging, and killed. */
  readonly limit: number;
}

export interface ChaosOutcome {
  /** Of the averaged model: without any fault, and after all of them (on the test images of the peers that are left). */
  readonly undisturbed: number;
  readonly disturbed: number;
  /** The least of the peers' own. */
  readonly worst: number;
  readonly hanging: readonly number[];
  readonly ended: readonly number[];
  readonly rejoined: number | undefined;
  /** Iterations that the stopped peer skipped. */
  readonly skipped: number;
  readonly missed: number;
  readonly voided: number;
  readonly seconds: number;
}

export function chaos(options: ChaosOptions): Promise<ChaosOutcome>;
