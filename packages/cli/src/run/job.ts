/** What the pool and its worker threads say to each other. */

import type { Unit, UnitResult } from "@equitopo/experiments";

/** What all units of a worker have in common. */
export interface WorkerSetting {
  readonly threads: number;
  readonly data?: string;
}

/** A unit, with the file of its checkpoints; or a call to stop and save where it stands. */
export type Job = { readonly unit: Unit; readonly checkpoint?: string } | "stop";

export interface Reply {
  readonly progress?: number;
  readonly evaluation?: { readonly updates: number; readonly metrics: Readonly<Record<string, number>> };
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
  readonly result?: UnitResult;
  readonly error?: {
    readonly message: string;
    readonly stack?: string;
    /** Where it is about input. */
    readonly input?: { readonly rule: string; readonly value: string; readonly remedy: string };
  };
}
