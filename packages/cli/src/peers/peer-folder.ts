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
import {
  createProblem,
  InputError,
  type Problem,
  type ProblemContext,
  problems,
  type RunSpec,
  stateHash,
} from "equitopo";
import { encodeNpy } from "equitopo/input";
import { csv, type Row } from "../folder/run-folder.ts";
import { makeFolder, writeInOneGo } from "../terminal/output.ts";

export interface PeerFolderOptions {
  /** %r is the rank. */
  readonly path: string;
  readonly rank: number;
  readonly runs: readonly RunSpec[];
  readonly context: ProblemContext;
}

/** The format of result.json. */
const version = 1;

type Metrics = Readonly<Record<string, number>>;

/** A run as this peer sees it: its own share, and what measures a model. */
interface Measured {
  readonly own: Problem;
  measure(event: RecordEvent): Metrics;
}

export class PeerFolder {
  readonly path: string;
  readonly #options: PeerFolderOptions;
  readonly #rows: Row[][];
  readonly #last: (RecordEvent | undefined)[];
  readonly #measured: (Measured | undefined)[] = [];

  constructor(options: PeerFolderOptions) {
    const { path, rank, runs } = options;
    this.path = checkpointPath(path, rank);
    this.#options = options;
    this.#rows = runs.map(() => []);
    this.#last = runs.map(() => undefined);
    requireNoResults(path, rank);
    makeFolder(this.path);
  }

  /** A record of this peer. */
  take(event: RecordEvent): void {
    const { run, updates, bytes, messages, seconds } = event;
    this.#measured[run] ??= this.#open(run);
    const metrics = this.#measured[run].measure(event);
    this.#rows[run].push({ updates, bytes, messages, seconds, ...metrics });
    this.#last[run] = event;
  }

  /** Writes all that was recorded; `more` is what else is known of the peer. */
  write(more: object = {}): void {
    const { runs, rank } = this.#options;
    if (this.#last.every((event) => event === undefined)) return;
    const found = runs.flatMap(({ label, seed }, run) => {
      const last = this.#last[run];
      if (last === undefined) return [];
      const name = (file: string) => join(this.path, runs.length === 1 ? file : `run-${run}-${file}`);
      writeInOneGo(name("metrics.csv"), [csv(filled(this.#rows[run]))]);
      for (const [file, bytes] of Object.entries(this.#files(run, last))) writeInOneGo(name(file), [bytes]);
      const { x, updates, faults } = last;
      const { updates: _, ...metrics } = this.#rows[run].at(-1) as Row;
      return [{ label, seed, updates, metrics, faults, rowHash: stateHash(x) }];
    });
    const result = { version, rank, runs: found, ...more };
    writeInOneGo(join(this.path, "result.json"), [`${JSON.stringify(result, null, 2)}\n`]);
    for (const measured of this.#measured) measured?.own.close?.();
  }

  #files(run: number, { x, state = {} }: RecordEvent): Readonly<Record<string, Uint8Array>> {
    const { own } = this.#measured[run] as Measured;
    for (const [name, row] of Object.entries(state)) own.state?.[name]?.set(row);
    return own.files?.(x) ?? { "model.npy": encodeNpy({ shape: [x.length], values: x }) };
  }

  #open(run: number): Measured {
    const { runs, rank, context } = this.#options;
    const { problem: spec } = runs[run];
    const own = createProblem(spec, { ...context, first: rank, count: 1 });
    const { evaluation } = own;
    if (evaluation !== undefined) {
      return { own, measure: ({ tally }) => (tally === undefined ? {} : evaluation.summarise([tally])) };
    }
    const { metric } = problems.get(spec.name);
    const whole = wholeProblem(runs[run], context);
    const measure = ({ x }: RecordEvent): Metrics => {
      if (whole === undefined) return {};
      const all = new (x instanceof Float32Array ? Float32Array : Float64Array)(whole.n * x.length);
      for (let i = 0; i < whole.n; i++) all.set(x, i * x.length);
      return { [metric]: whole.metrics(all)[metric] };
    };
    return { own, measure };
  }
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
