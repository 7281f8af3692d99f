/** What an elastic peer is told, and what it says of itself at the end. */

import type { Problem, ProblemContext } from "../../problem/problem.ts";
import type { RunSpec } from "../../run/spec.ts";
import type { Store } from "../checkpoint.ts";
import type { Lane } from "../lane.ts";
import type { RoundReport } from "../peer.ts";
import type { PeerRecord } from "../spec-peer.ts";
import type { Counts } from "../transport.ts";
import type { Epoch } from "./epoch.ts";

export interface ElasticOptions {
  /** Between all seats, this peer in `seat`. Closed by whoever made it. */
  readonly lane: Lane;
  readonly seat: number;
  /** Places that peers can take, at least the spec's n; those from n on are for newcomers. */
  readonly seats: number;
  readonly run: RunSpec;
  readonly context?: ProblemContext;
  /** Problems that no spec can name, made here; they must have data for every seat. */
  readonly problemOf?: (run: RunSpec) => Problem;
  /** A positive number that no other start of a program in this seat has. */
  readonly incarnation: number;
  /** Milliseconds for one exchange. Default 10 s. */
  readonly timeout?: number;
  readonly signal?: AbortSignal | undefined;
  /** When it aborts, the peer says that it leaves, and ends once it is out. */
  readonly leave?: AbortSignal | undefined;
  /** Audit gradient tracking every so many iterations (repair.ts). */
  readonly audit?: number | undefined;
  readonly patience?: Partial<ElasticPatience>;
  /** Keeps what it must remember of its votes: without it a peer that is started again is somebody new. */
  readonly memory?: Store | undefined;
  /** Keeps its models, for the case that all are started again. */
  readonly checkpoint?: { readonly store: Store; readonly every?: number | undefined } | undefined;
  /** What a person should know of this peer and its rows do not tell: models or votes that cannot be kept. */
  readonly onTrouble?: (text: string) => void;
  readonly onRound?: (report: RoundReport, epoch: Epoch) => void;
  readonly onRecord?: (record: PeerRecord) => void;
  /** This peer has begun an epoch, with so many updates behind it. */
  readonly onEpoch?: (epoch: Epoch, updates: number) => void;
}

/**
 * Milliseconds: between beats, until silence and a closed way count as absence (watch.ts), to wait for others: for all at the
 * beginning (opening.ts), for a majority, to be let in.
 */
export interface ElasticPatience {
  readonly beat: number;
  readonly silence: number;
  readonly absence: number;
  readonly start: number;
}

export const elasticPatience: ElasticPatience = { beat: 250, silence: 10_000, absence: 1000, start: 60_000 };

export interface ElasticSummary {
  readonly done: number;
  /** Iterations that the others did without it since it began. */
  readonly skipped: number;
  /** Numbers of the epochs that it took part in, and the seats of the last one's members. */
  readonly epochs: readonly number[];
  readonly members: readonly number[];
  /** Whether it left before the end. */
  readonly left: boolean;
  readonly counts: Counts;
}
