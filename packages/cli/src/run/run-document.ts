/** The runs of a spec into a folder, with result.json beside what every folder gets. */

import type { RunResult, RunSpec, SpecDocument } from "equitopo";
import { specExperiment } from "equitopo/outcome";
import { plugins } from "../input/plugins.ts";
import { type FormatOptions, printParts } from "../terminal/answer.ts";
import { wrapped } from "../terminal/lines.ts";
import { print } from "../terminal/output.ts";
import { type Finished, type RunOptions, runToFolder } from "./run-experiments.ts";
import { resultText, seedsInWords, seedsTable, summaryTable } from "./summary.ts";

export interface DocumentRuns {
  readonly document: SpecDocument;
  readonly runs: readonly RunSpec[];
  readonly title: string;
  /** Real peers do them, whose seconds are measured. */
  readonly real: boolean;
  /** What is said where it is interrupted, unless the folder can be gone on with. */
  readonly farewell?: string | (() => string);
}

type Options = Omit<RunOptions, "scale" | "signal"> & {
  readonly json?: true | undefined;
  readonly format?: FormatOptions["format"] | undefined;
};

/** Does the runs and prints what they ended with: result.json, or a table for a person. */
export async function runDocument({ document, runs, title, real, farewell }: DocumentRuns, options: Options) {
  const experiment = specExperiment({
    ...{ name: "run", title, runs: () => runs, plugins: plugins() },
    ...(real ? { seconds: "seconds measured, gradients included" } : {}),
  });
  const listOf = ({ results }: Finished) => [...results.values()] as RunResult[];
  const extraFiles = (one: Finished) => ({ "result.json": resultText(document, listOf(one)) });
  const [finished] = await runToFolder([experiment], { scale: "full", extraFiles, ...options }, farewell);
  const list = listOf(finished);
  if (options.json) await print([resultText(document, list)]);
  else {
    const sentences = seedsInWords(list).map((text) => `\n${wrapped(text)}\n`);
    // A paper wants means with their errors; a terminal has room for every seed, too.
    const means = seedsTable(list, title);
    const tables = options.format !== undefined && means !== undefined ? [means] : [summaryTable(list, title)];
    await printParts([`\n${title}\n\n`, ...tables, ...sentences], options);
  }
  return list;
}
