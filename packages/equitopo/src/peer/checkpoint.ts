/**
 * A peer's checkpoint: everything its algorithm and its problem need to go on (run/checkpoint.ts has the bytes), and the
 * place where it is kept, which is the runtime's business: a file, a browser's storage.
 */

import type { State } from "../algorithm/algorithm.ts";
import { InputError } from "../input/input.ts";
import { sha256 } from "../number/hash.ts";
import type { Rows } from "../round/round.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../run/checkpoint.ts";
import { prefixed, within } from "../run/record.ts";

export interface Checkpoint {
  /** What all peers agreed on; a checkpoint of another spec is refused. */
  readonly spec: string;
  readonly rank: number;
  /** Which of the spec's runs, and the iteration that comes next in it. */
  readonly run: number;
  readonly round: number;
  readonly state: Readonly<State>;
  /** What the problem keeps (Problem.state). */
  readonly problem?: Readonly<Record<string, Rows>>;
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
  const { spec, rank, run, round, state, problem = {} } = checkpoint;
  const header = { spec: digest(spec), rank, run, round };
  const vectors = { ...prefixed("state.", state), ...prefixed("problem.", problem) };
  await store.save(encodeCheckpoint({ kind: "peer", header, vectors }));
}

/** All that a peer has saved, the newest first. A damaged one, or one of another spec or peer, is refused. */
export async function loadCheckpoints(store: Store, spec: string, rank: number): Promise<Checkpoint[]> {
  return (await store.load()).map((bytes) => {
    const { header, vectors } = decodeCheckpoint(bytes, "peer", store.name);
    const saved = header as { spec: string; rank: number; run: number; round: number };
    const refuse = (what: string): never => {
      throw new InputError(`${store.name} must be ${what}`, "another", "remove it to begin without a checkpoint");
    };
    if (saved.spec !== digest(spec)) refuse("a checkpoint of this very spec");
    if (saved.rank !== rank) refuse(`the checkpoint of peer ${rank}, not of peer ${saved.rank}`);
    const problem = within("problem.", vectors);
    return {
      ...saved,
      spec,
      state: within("state.", vectors) as State,
      ...(Object.keys(problem).length === 0 ? {} : { problem }),
    };
  });
}

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

function digest(text: string): string {
  return sha256(new TextEncoder().encode(text));
}
