/**
 * What all peers of a run have given so far, in a file beside their checkpoints, so that a launch that goes on from these
 * has the records before. Entries are appended in batches, as many as came while the batch before was written; a batch
 * says after which updates it begins, and voids what an earlier launch had beyond them.
 */

import { rm } from "node:fs/promises";
import type { PeerFaults } from "@equitopo/node";
import type { Spent } from "equitopo/peer";
import { Journal } from "../report/journal.ts";

type Values = Readonly<Record<string, number>>;

export interface RecordEntry extends Spent {
  readonly updates: number;
  readonly metrics: Values;
  /** What the evaluation after these updates found, where there is one. */
  readonly evaluation?: Values;
  /** Of all peers together, so far. */
  readonly faults: PeerFaults;
}

interface Batch {
  /** The updates of the entry before; -1 where there is none. */
  readonly after: number;
  readonly entries: readonly RecordEntry[];
}

/** The log's format: lines of another are not believed. */
const version = 1;

export class RecordLog {
  readonly #path: string;
  readonly #salt: string;
  #journal: Journal | undefined;
  #after = -1;
  #waiting: RecordEntry[] = [];
  #writing: Promise<void> | undefined;

  /** `text` is what the run's checkpoints agree on, too. */
  constructor(path: string, text: string) {
    this.#path = path;
    this.#salt = `records ${version} ${text}`;
  }

  /** What was kept, in order. */
  async read(): Promise<RecordEntry[]> {
    const journal = await this.#open();
    const entries: RecordEntry[] = [];
    for (const key of journal.keys) {
      const batch = (await journal.load(key)) as Batch;
      while (entries.length > 0 && entries[entries.length - 1].updates > batch.after) entries.pop();
      entries.push(...batch.entries);
    }
    return entries;
  }

  /** Goes on after the entry of so many updates. */
  goOn(after: number): void {
    this.#after = after;
  }

  add(entry: RecordEntry): void {
    this.#waiting.push(entry);
    if (this.#writing !== undefined) return;
    this.#writing = this.#write();
    // A disk that is full is told of when the log is closed.
    this.#writing.catch(() => {});
  }

  /** Once all is on the disk. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#journal?.close();
    this.#journal = undefined;
  }

  /** Of a run that is finished. */
  async remove(): Promise<void> {
    await this.close();
    await rm(this.#path, { force: true });
  }

  async #open(): Promise<Journal> {
    this.#journal ??= await Journal.open(this.#path, this.#salt);
    return this.#journal;
  }

  async #write(): Promise<void> {
    const journal = await this.#open();
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0);
      await journal.store(String(journal.keys.length), { after: this.#after, entries } satisfies Batch);
      this.#after = entries[entries.length - 1].updates;
    }
    this.#writing = undefined;
  }
}
