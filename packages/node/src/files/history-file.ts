/**
 * A peer's history in a file, a line of JSON an event. Every line is in the system's hands before the peer goes on, so that
 * the history of a peer that is killed ends where the peer did. A peer that is started again writes after what is there.
 */

import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { InputError } from "equitopo";
import { encodeLine, type Historian, type HistoryLine } from "equitopo/peer";
import { checkpointPath, ownerOnly } from "./file-store.ts";

export interface HistoryFile {
  readonly write: Historian;
  close(): void;
}

/** Opens the file, which is made where it is not there; %r in the path stands for the rank. */
export function historyFile(pattern: string, rank: number): HistoryFile {
  const path = checkpointPath(pattern, rank);
  const attempt = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new InputError(`the history must be writable (${code})`, path, `check the folder ${dirname(path)}`);
    }
  };
  const file = attempt(() => openSync(path, "a+", ownerOnly));
  // Half a line is what a killed program leaves behind: the next one begins on a line of its own.
  const { size } = fstatSync(file);
  const last = new Uint8Array(1);
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 10) writeSync(file, "\n");
  const write = (line: HistoryLine) => {
    const text = Buffer.from(encodeLine(line));
    // A full disk takes a part of a line and refuses the rest, which is an error: a history with a gap is worthless.
    for (let at = 0; at < text.length; ) at += attempt(() => writeSync(file, text, at));
  };
  return { write, close: () => closeSync(file) };
}
