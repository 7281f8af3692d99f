export interface ChaosOptions {
  readonly rounds: number;
  /** Milliseconds: of an exchange, and for which a peer is stopped. */
  readonly timeout: number;
  readonly stop: number;
  readonly drop: number;
  /** Milliseconds after which peers that still run are counted as hanging, and killed. */
  readonly limit: number;
}

export interface ChaosOutcome {
  /** Of the mean model: without any fault, and after all of them. */
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
