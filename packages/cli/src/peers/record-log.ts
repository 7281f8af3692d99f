/**
 * What all peers of a run have given so far, in a file beside their checkpoints, so that a launch that goes on from these
 * has the records before. Entries are appended in batches, as many as came while the batch before was written; a batch
 * says after which updates it begins, and voids what an earlier launch had beyond them.
 */

import { rm } from "node:fs/promises";
import type { PeerFaults } from "@equitopo/node/internal";
import type { Spent } from "equitopo/peer";
import { type Journal, openJournal } from "../folder/journal.ts";

type Values = Readonly<Record<string, number>>;

export interface RecordEntry extends Spent {
  readonly updates: number;
  readonly metrics: Values;
  /** What the evaluation after these updates found, where there is one. */
  readonly evaluation?: Values;
  /** Of all peers together, so far. */
  readonly faults: PeerFaults;
}

/** `after` is the updates of the entry before; -1 where there is none. */
type Batch = { readonly after: number; readonly entries: readonly RecordEntry[] };

/** The log's format: lines of another are not believed. */
const version = 1;

/** `text` is what the run's checkpoints agree on, too. */
export function recordLog(path: string, text: string) {
  let journal: Promise<Journal> | undefined;
  const opened = () => {
    journal ??= openJournal(path, `records ${version} ${text}`);
    return journal;
  };
  let last = -1;
  let waiting: RecordEntry[] = [];
  let writing: Promise<void> | undefined;
  const write = async () => {
    const { store, keys } = await opened();
    for (let count = keys.length; waiting.length > 0; count++) {
      const [after, entries] = [last, waiting];
      waiting = [];
      last = entries[entries.length - 1].updates;
      await store(String(count), { after, entries } satisfies Batch);
    }
    writing = undefined;
  };
  const close = async () => {
    await writing;
    await (await journal)?.close();
    journal = undefined;
  };
  return {
    async read(): Promise<RecordEntry[]> {
      const { keys, load } = await opened();
      const entries: RecordEntry[] = [];
      for (const key of keys) {
        const batch = (await load(key)) as Batch;
        while (entries.length > 0 && entries[entries.length - 1].updates > batch.after) entries.pop();
        entries.push(...batch.entries);
      }
      return entries;
    },

    /** Goes on after the entry of so many updates. */
    goOn(after: number): void {
      last = after;
    },

    add(entry: RecordEntry): void {
      waiting.push(entry);
      if (writing !== undefined) return;
      writing = write();
      // A full disk is reported when the log is closed.
      writing.catch(() => {});
    },

    close,

    async remove(): Promise<void> {
      await close();
      await rm(path, { force: true });
    },
  };
}
