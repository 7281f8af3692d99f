/**
 * A peer's checkpoint: everything its algorithm and its problem need to go on (run/checkpoint.ts has the bytes), and the
 * place where it is kept, which is the runtime's business: a file, a browser's storage.
 */

import type { State } from "../../algorithm/algorithm.ts";
import { InputError } from "../../input/input.ts";
import type { Rows } from "../../round/round.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../../run/checkpoint.ts";
import { joinParts, splitParts } from "../../run/course/parts.ts";
import type { Spent } from "../../run/course/row-course.ts";
import { textHash } from "../../run/folder.ts";
import type { RunId } from "./run-id.ts";

export interface Checkpoint {
  /** What all peers agreed on of the run (runTexts); a checkpoint of another spec is refused. */
  readonly spec: string;
  readonly rank: number;
  /** Which start of the runs it belongs to; "" where it was saved before there were run ids. */
  readonly id: RunId;
  /** Which of the spec's runs, and the iteration that comes next in it. */
  readonly run: number;
  readonly round: number;
  /** What the peer has spent on the run so far. */
  readonly spent?: Spent;
  readonly state: Readonly<State>;
  /** What the problem keeps (Problem.state). */
  readonly problem?: Readonly<Record<string, Rows>>;
  /** Which round of the topology is next (run/course/parts.ts), where that has to be known. */
  readonly course?: Readonly<Record<string, Rows>> | undefined;
}

/**
 * Keeps a peer's last checkpoint and the one before: peers that all stop have saved the same iteration, or one interval
 * apart, and so share one. What is saved is there whole or not at all.
 */
export interface Store {
  readonly name: string;
  /** None, one or two, the newest first. */
  load(): Promise<readonly Uint8Array[]>;
  save(bytes: Uint8Array): Promise<void>;
}

export async function saveCheckpoint(store: Store, checkpoint: Checkpoint): Promise<void> {
  const { spec, rank, id, run, round, spent, state, problem = {}, course } = checkpoint;
  const header = { spec: textHash(spec), rank, id, run, round, ...(spent && { spent: { ...spent } }) };
  await store.save(encodeCheckpoint({ kind: "peer", header, vectors: joinParts({ state, problem, course }) }));
}

/**
 * All that a peer has saved and that can be gone on from, the newest first. Of the two that a store keeps one may be damaged:
 * then the other serves, and `tell` hears of it. Where none is left, why that is so is the error.
 */
export async function loadCheckpoints(
  store: Store,
  specs: readonly string[],
  rank: number,
  tell: (text: string) => void = () => {},
): Promise<Checkpoint[]> {
  const refusals: InputError[] = [];
  const found = (await store.load()).flatMap((bytes) => {
    try {
      return [readCheckpoint(bytes, store.name, specs, rank)];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      refusals.push(error);
      return [];
    }
  });
  if (refusals.length > 0 && found.length === 0) throw refusals[0];
  for (const { message } of refusals) tell(`${message}; the other of the last two checkpoints serves`);
  return found;
}

/**
 * A peer's checkpoint of one of the runs that `specs` are the texts of; `run` is its place among them, which may have
 * changed since it was saved: runs that are done are left out of a list. A damaged one, or one of another spec or peer, is
 * refused.
 */
export function readCheckpoint(bytes: Uint8Array, name: string, specs: readonly string[], rank: number): Checkpoint {
  const { header, vectors } = decodeCheckpoint(bytes, "peer", name);
  const saved = header as unknown as Omit<Checkpoint, "state" | "problem" | "course">;
  const refuse = (what: string): never => {
    throw new InputError(`${name} must be ${what}`, "another", "remove it to begin without a checkpoint");
  };
  const sums = specs.map(textHash);
  const run = sums[saved.run] === saved.spec ? saved.run : sums.indexOf(saved.spec);
  if (run < 0) refuse("a checkpoint of this very spec");
  if (saved.rank !== rank) refuse(`the checkpoint of peer ${rank}, not of peer ${saved.rank}`);
  const { state, problem, course } = splitParts(vectors);
  const parts = Object.entries({ problem, course }).filter(([, part]) => Object.keys(part).length > 0);
  return { ...saved, id: saved.id ?? "", run, spec: specs[run], state: state as State, ...Object.fromEntries(parts) };
}
