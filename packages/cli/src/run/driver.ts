/** Which driver does the runs of a command, and whether it can: asked before anything is written. */

import type { RunSpec } from "equitopo";
import { driverOf, type FeatureOptions, featuresOf, requireFeatures } from "equitopo/internal/run";

/** The options of a command that choose the driver, and those that ask more of it. */
type DriverOptions = FeatureOptions & {
  readonly device?: string;
  readonly transport?: string;
  readonly elastic?: true;
};

/** Refuses runs that their driver cannot do. */
export function requireDriver(runs: readonly RunSpec[], options: DriverOptions): void {
  const fixed = options.device !== undefined ? "gpu" : options.elastic ? "peer-elastic" : undefined;
  for (const run of runs) {
    const driver = fixed ?? driverOf(options.transport === undefined ? "simulator" : "peer", run);
    requireFeatures(driver, featuresOf(run, options));
  }
}
