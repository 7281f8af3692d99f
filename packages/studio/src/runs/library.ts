/** The runs at hand: those that a studio serves, those that a person opened, and the one that is read. */

import { signal } from "@preact/signals";
import { change, view } from "../store.ts";
import { type ReadRun, readRun } from "./read.ts";
import { bytesOf, mostBytes, type Readable, type RunFiles, runsAmong } from "./run-files.ts";
import { servedBy, servedRuns } from "./served.ts";

export const library = signal<readonly RunFiles[]>([]);
export const shown = signal<ReadRun | undefined>(undefined);
/** Why nothing is shown, in words. */
export const trouble = signal<string | undefined>(undefined);

/** Files that came by hand, in place of what was open. */
export async function openFiles(files: readonly Readable[]): Promise<void> {
  const runs = runsAmong(files);
  if (runs.length === 0) {
    shown.value = undefined;
    trouble.value = `No run among these ${files.length} files: the folder of a run has a spec.json. Open what equitopo run wrote.`;
    return;
  }
  library.value = runs;
  await show(runs[0]);
}

/** What the studio serves, if one serves this page; shown is what the address names, else the first run. */
export async function openServed(): Promise<void> {
  if (servedBy() === undefined) return;
  try {
    const runs = await servedRuns();
    library.value = runs;
    const wanted = runs.find(({ name }) => name === view.value.run) ?? runs[0];
    if (wanted !== undefined && view.value.live === undefined) await show(wanted);
  } catch (error) {
    trouble.value = (error as Error).message;
  }
}

let latest = 0;

export async function show(run: RunFiles): Promise<void> {
  const mine = ++latest;
  try {
    const unread = [...run.files].filter(([, { bytes }]) => bytes > mostBytes).map(([name]) => name);
    const found = readRun(run.name, await bytesOf(run), unread);
    // Another may have been asked for meanwhile.
    if (mine !== latest) return;
    shown.value = found;
    trouble.value = undefined;
    change({ run: run.name, live: undefined });
  } catch (error) {
    if (mine !== latest) return;
    shown.value = undefined;
    trouble.value = `${run.name} cannot be shown: ${(error as Error).message}`;
  }
}
