/**
 * `--log FILE`: what went wrong, one JSON object a line (NDJSON), each written at once, so that the file is whole up to the
 * moment of a crash. Lines are appended: a peer that is started again goes on in its file. A file that is full is kept as
 * FILE.1, in place of the one before, so that no run fills a disk. docs/cluster.md has the fields.
 *
 *   { "version": 1, "time": "2026-01-31T12:00:00.000Z", "peer": 3, "what": "missed", "run": 0, "iteration": 17, "count": 1,
 *     "partners": [5] }
 */

import { appendFileSync, renameSync, statSync } from "node:fs";
import { InputError } from "equitopo";
import type { PeerEvent } from "equitopo/peer";

const version = 1;
/** Bytes of a full file: some hours of faults at the most that are reported. */
const most = 2 ** 25;

export interface FaultLog {
  /** Writes what an event says of faults, and how a peer ended; nothing else. */
  note(event: PeerEvent): void;
}

/** `say` hears once where the file cannot be written any more; the peers go on without it. */
export function openFaultLog(path: string, say: (text: string) => void, now = () => new Date()): FaultLog {
  try {
    appendFileSync(path, "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`--log must be a file that can be written (${code})`, path, "check its folder");
  }
  let failed = false;
  const write = (line: object) => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= most) renameSync(path, `${path}.1`);
      appendFileSync(path, `${JSON.stringify({ version, time: now().toISOString(), ...line })}\n`);
      failed = false;
    } catch (error) {
      if (!failed)
        say(`${path}: not written (${(error as NodeJS.ErrnoException).code}); tried again with the next line`);
      failed = true;
    }
  };
  return {
    note(event) {
      if (event.kind === "fault") {
        const { kind: _, rank: peer, what, ...fault } = event;
        write({ peer, what, ...fault });
      } else if (event.kind === "end") {
        const { rank: peer, summary } = event;
        write({ peer, what: "end", ...summary });
      }
    },
  };
}
