/**
 * What one peer ends with, in a folder (`worker --out`), where a person can read it:
 *
 *     result.json    what the runs came to at this peer; its `metrics` are those of its own model, as if every node held it
 *     metrics.csv    the same after every recorded update
 *     model.npy      its last model; in place of it what the problem writes of a model (model.safetensors)
 *
 * With several runs the last two begin with run-0-, run-1-, ... Each file is there whole or not at all.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkpointPath, type RecordEvent } from "@equitopo/node/internal";
import type { Problem, ProblemContext, RunSpec } from "equitopo";
import { createProblem, InputError, problems, stateHash } from "equitopo";
import { encodeNpy } from "equitopo/input";
import { csv, type Row } from "../terminal/csv-text.ts";
import { makeFolder, writeInOneGo } from "../terminal/output.ts";

export interface PeerFolderOptions {
  readonly path: string;
  readonly rank: number;
  readonly runs: readonly RunSpec[];
  readonly context: ProblemContext;
}

/** The format of result.json. */
const version = 1;

export type PeerFolder = ReturnType<typeof peerFolder>;

export function peerFolder({ path: pattern, rank, runs, context }: PeerFolderOptions) {
  const path = checkpointPath(pattern, rank);
  /** Of each run that has begun: the peer's own share of the problem, what measures a model, and what was recorded. */
  const begun: (ReturnType<typeof measured> & { rows: Row[]; last: RecordEvent })[] = [];
  requireNoResults(pattern, rank);
  makeFolder(path);

  function filesOf({ own, last: { x, state = {} } }: (typeof begun)[number]): Readonly<Record<string, Uint8Array>> {
    for (const [name, row] of Object.entries(state)) own.state?.[name]?.set(row);
    return own.files?.(x) ?? { "model.npy": encodeNpy({ shape: [x.length], values: x }) };
  }

  return {
    path,

    take(event: RecordEvent): void {
      const { run, updates, bytes, messages, seconds } = event;
      begun[run] ??= { ...measured(runs[run], rank, context), rows: [], last: event };
      begun[run].rows.push({ updates, bytes, messages, seconds, ...begun[run].measure(event) });
      begun[run].last = event;
    },

    /** Writes all that was recorded; `more` is what else is known of the peer. */
    write(more: object = {}): void {
      if (begun.length === 0) return;
      const found = runs.flatMap(({ label, seed }, run) => {
        if (begun[run] === undefined) return [];
        const { rows, last, own } = begun[run];
        const name = (file: string) => join(path, runs.length === 1 ? file : `run-${run}-${file}`);
        writeInOneGo(name("metrics.csv"), [csv(filled(rows))]);
        for (const [file, bytes] of Object.entries(filesOf(begun[run]))) writeInOneGo(name(file), [bytes]);
        const { updates, ...metrics } = rows.at(-1) as Row;
        own.close?.();
        return [{ label, seed, updates, metrics, faults: last.faults, rowHash: stateHash(last.x) }];
      });
      const result = { version, rank, runs: found, ...more };
      writeInOneGo(join(path, "result.json"), [`${JSON.stringify(result, null, 2)}\n`]);
    },
  };
}

/** A run as one peer sees it: its own share, and what measures a model. */
function measured(run: RunSpec, rank: number, context: ProblemContext) {
  const own = createProblem(run.problem, { ...context, first: rank, count: 1 });
  const whole = own.evaluation === undefined ? wholeProblem(run, context) : undefined;
  const measure = ({ x, tally }: RecordEvent): Readonly<Record<string, number>> => {
    if (own.evaluation !== undefined) return tally === undefined ? {} : own.evaluation.summarise([tally]);
    if (whole === undefined) return {};
    const { metric } = problems.get(run.problem.name);
    const all = new (x instanceof Float32Array ? Float32Array : Float64Array)(whole.n * x.length);
    for (let i = 0; i < whole.n; i++) all.set(x, i * x.length);
    return { [metric]: whole.metrics(all)[metric] };
  };
  return { own, measure };
}

/** Refuses a folder with results: what a reader finds in it is of one peer and one start of it. */
export function requireNoResults(path: string, rank: number): void {
  const folder = checkpointPath(path, rank);
  const file = join(folder, "result.json");
  // A peer that was interrupted may be started again by the same words.
  if (!existsSync(file) || JSON.parse(readFileSync(file, "utf8")).interrupted === true) return;
  const remedy = "name another folder, or one with %r for the rank";
  throw new InputError("the folder of a peer's results must not have any", folder, remedy);
}

/** Undefined where other nodes' data is not here. */
function wholeProblem({ problem }: RunSpec, context: ProblemContext): Problem | undefined {
  try {
    return createProblem(problem, context);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** A column for everything that any row has: evaluations come after some updates only. */
function filled(rows: readonly Row[]): Row[] {
  const none = Object.fromEntries(rows.flatMap((row) => Object.keys(row)).map((name) => [name, null]));
  return rows.map((row) => ({ ...none, ...row }));
}
