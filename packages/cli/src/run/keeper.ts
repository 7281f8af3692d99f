/**
 * The checkpoint of a simulated run in a file, so that it goes on bit for bit: written now and then, when the run is asked
 * to stop, and at the end of a run over epochs, which may be lengthened. The number of updates need not be the same.
 */

import { existsSync, readFileSync } from "node:fs";
import type { RunOptions, RunSpec } from "equitopo";
import { InputError } from "equitopo";
import { decodeCheckpoint, driverOf, encodeCheckpoint, hasFeature, runIdentity } from "equitopo/internal/run";
import { writeInOneGo } from "../terminal/output.ts";

/** Milliseconds between two checkpoints. */
const interval = 10_000;

/** The saved state of the run, if it was begun, and how its state is saved from now on. */
export function keeperOf(path: string, run: RunSpec, every: number = interval): Pick<RunOptions, "saved" | "keep"> {
  if (!hasFeature(driverOf("simulator", run), "checkpoints")) return {};
  const identity = runIdentity(run);
  let last = performance.now();
  const saved = existsSync(path) ? read(path, identity, run.rounds) : undefined;
  return {
    ...(saved === undefined ? {} : { saved }),
    keep: {
      due: (updates) => performance.now() - last > every || (updates === run.rounds && run.evaluate !== undefined),
      save({ updates, vectors }) {
        writeInOneGo(path, [encodeCheckpoint({ kind: "run", header: { run: identity, updates }, vectors })]);
        last = performance.now();
      },
    },
  };
}

function read(path: string, identity: string, rounds: number): RunOptions["saved"] {
  const { header, vectors } = decodeCheckpoint(readFileSync(path), "run", path);
  const { run, updates } = header as { run: string; updates: number };
  if (run !== identity) throw new InputError(`${path} must be the checkpoint of this run`, run, "remove it");
  // A checkpoint beyond the last of the run's rounds is of no use: the run begins anew.
  return updates > rounds ? undefined : { updates, vectors };
}
