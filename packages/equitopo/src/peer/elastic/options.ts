/** The options of an elastic peer, and what it reports of itself at the end. */

import type { RunSpec } from "../../run/spec.ts";
import type { Store } from "../course/checkpoint.ts";
import type { SpecPeerOptions } from "../course/options.ts";
import type { Lane } from "../exchange/lane.ts";
import type { Counts } from "../exchange/transport.ts";
import type { Historian } from "../history/history.ts";
import type { RoundReport } from "../mixing/mixing.ts";
import type { Epoch } from "./epoch.ts";

/**
 * What it has in common with peers of a fixed network. `problemOf` must make data for every seat; `checkpoint` keeps the models,
 * for the case that all peers are started again; `onTrouble` also hears of votes that cannot be saved.
 */
type CommonOptions = Pick<
  SpecPeerOptions,
  "context" | "problemOf" | "timeout" | "signal" | "audit" | "checkpoint" | "onTrouble" | "onRecord"
>;

export interface ElasticOptions extends CommonOptions {
  /** Between all seats, with this peer in `seat`. Closed by the caller. */
  readonly lane: Lane;
  readonly seat: number;
  /** Places that peers can take, at least the spec's n; those from n on are for newcomers. */
  readonly seats: number;
  readonly run: RunSpec;
  /** A positive number that no other start of a program in this seat has. */
  readonly incarnation: number;
  /** When it aborts, the peer announces that it leaves, and ends with the first membership epoch without it. */
  readonly leave?: AbortSignal | undefined;
  readonly patience?: Partial<ElasticPatience>;
  /** Keeps its votes: without them a peer that is started again counts as a newcomer. */
  readonly memory?: Store | undefined;
  /** Keeps what it sent, voted and applied, every membership epoch as a network of its own. */
  readonly historian?: Historian | undefined;
  readonly onRound?: (report: RoundReport, epoch: Epoch) => void;
  /** This peer has begun an epoch, with so many updates behind it. */
  readonly onEpoch?: (epoch: Epoch, updates: number) => void;
}

/** All in milliseconds. */
export interface ElasticPatience {
  /** Between two beats. */
  readonly beat: number;
  /** Until a silent peer, or one whose connection is closed, counts as absent (roll.ts). */
  readonly silence: number;
  readonly absence: number;
  /** How long to wait for others: for all at the beginning (founders.ts), for a majority, for being admitted. */
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
