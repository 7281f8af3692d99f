/**
 * What a node holds of others between its asynchronous rounds, and how it mixes that in round T.
 *
 * Models ("newest"): the vectors of each sender's latest round r_j are kept, and
 *
 *   y_i = (w_ii + sum over the others of w_ij) x_i + sum over j with T - r_j <= maxStale of w_ij x_j(r_j),   W = W(T).
 *
 * Vectors exchanged in round T go to the nodes that hear the sender in W(T + 1). A node that sends while it computes thus
 * finds them one round later, and nobody waits. Between nodes in step all messages are therefore one round old.
 *
 * Shares (push-sum): what is sent in round r is a share w_ij(r) x_j(r) of a sum, and is counted exactly once. All shares
 * that have arrived since the last round are added up, and
 *
 *   y_i = w_ii(T) x_i + sum over these of w_ij(r) x_j(r),
 *
 * so that the sum over all nodes, and over the shares on their way, never changes, in whatever order they arrive. A node
 * sends by W(T), T being its own round; when a share arrives plays no part. A share for a node that is known to be gone is
 * not sent, because it would drain the sum round by round until no weight is left; it is added to w_ii(T) instead. The same
 * holds when next to no weight is left (node.ts).
 */

import { combine } from "../../round/combine.ts";
import type { Rows } from "../../round/round.ts";
import type { Neighbour, Topology } from "../../topology/topology.ts";
import type { Used } from "./history.ts";

interface InboxOptions {
  readonly topology: Topology;
  readonly rank: number;
  readonly maxStale: number;
  /** Whether a message of that round is dropped on purpose; none is if left out. */
  readonly dropped?: ((round: number, from: number, to: number) => boolean) | undefined;
}

/** What has come, and how it is mixed. */
interface Store {
  /** Takes the vectors of a sender's round, which stay as they are; false if they are of no use (any more). */
  put(from: number, round: number, vectors: readonly Rows[], hash?: string): boolean;
  /** Mixes x into y in this round; returns what was used, in the order of additions. `kept` lists nodes not sent to. */
  mix(round: number, x: readonly Rows[], y: readonly Rows[], kept?: readonly number[]): readonly Used[];
}

export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(kind: "models" | "shares", options: InboxOptions) {
  const { topology, rank, dropped } = options;
  const store: Store = kind === "models" ? newest(options) : shares(options);
  /** Vectors exchanged in round T go along the links of W(T + delay). */
  const delay = kind === "models" ? 1 : 0;
  const to = (round: number): readonly Neighbour[] =>
    topology.peers(round + delay, rank).to.filter(({ node }) => !dropped?.(round, rank, node));
  return {
    ...store,

    /** Whether what is exchanged are shares of a sum. */
    shares: kind === "shares",

    /** The receivers of this round's vectors, except those to which messages are dropped. */
    to,

    /** The receivers of this round whose shares stay here because `why` holds; none of models, which nobody misses. */
    kept: (round: number, why: (node: number) => boolean): readonly number[] =>
      kind === "models" ? [] : to(round).flatMap(({ node }) => (why(node) ? [node] : [])),

    /** Whether any node sends vectors of this round to this node. */
    hears: (round: number) => round >= 0 && topology.peers(round + delay, rank).from.length > 0,
  };
}

const usedOf = (from: number, round: number, hash?: string): Used =>
  hash === undefined ? [from, round] : [from, round, hash];

function newest({ topology, rank, maxStale }: InboxOptions): Store {
  const newest = new Map<number, { readonly used: Used; readonly vectors: readonly Rows[] }>();
  return {
    put(from, round, vectors, hash) {
      if ((newest.get(from)?.used[1] ?? -1) >= round) return false;
      newest.set(from, { used: usedOf(from, round, hash), vectors });
      return true;
    },

    mix(round, x, y) {
      const { self, from } = topology.peers(round, rank);
      // What is too old now will never be used.
      for (const [node, { used }] of newest) if (round - used[1] > maxStale) newest.delete(node);
      const heard = from.flatMap(({ node, weight }) => {
        const kept = newest.get(node);
        return kept === undefined ? [] : [{ ...kept, node, weight }];
      });
      const silent = from.filter(({ node }) => !newest.has(node));
      // A node that heard nobody keeps its row to the last bit, whatever the sum of the weights rounds to.
      const own = heard.length === 0 ? 1 : silent.reduce((sum, { weight }) => sum + weight, self);
      const weights = heard.map(({ weight }) => weight);
      x.forEach((row, v) => {
        const rows = heard.map(({ vectors }) => vectors[v]);
        combine(y[v], own, row, weights, rows);
      });
      return heard.map(({ used }) => used);
    },
  };
}

/** Rounds of a sender that are remembered beyond n: a share is overtaken by fewer later ones than its sender has receivers. */
const MEMORY = 1024;

/**
 * Says of a sender's round whether it is new, in any order: only the last rounds that came are remembered, and what is older
 * than one of those forgotten is taken for known, because to count a share twice is worse than not to count it.
 */
function eachOnce(memory: number) {
  const known = new Map<number, { readonly rounds: Set<number>; forgotten: number }>();
  return (from: number, round: number): boolean => {
    const of = known.get(from) ?? { rounds: new Set(), forgotten: -1 };
    if (round <= of.forgotten || of.rounds.has(round)) return false;
    known.set(from, of);
    of.rounds.add(round);
    if (of.rounds.size > memory) {
      const [first] = of.rounds;
      of.rounds.delete(first);
      of.forgotten = Math.max(of.forgotten, first);
    }
    return true;
  };
}

function shares({ topology, rank, dropped }: InboxOptions): Store {
  const isNew = eachOnce(MEMORY + topology.n);
  /** The sum of all shares since the last round, in double, and their senders and rounds. */
  let sums: readonly Float64Array[] | undefined;
  let came: Used[] = [];
  return {
    put(from, round, vectors, hash) {
      const weight = topology.peers(round, rank).from.find(({ node }) => node === from)?.weight;
      if (weight === undefined || !isNew(from, round)) return false;
      sums ??= vectors.map((row) => new Float64Array(row.length));
      for (const [v, sum] of sums.entries()) for (let k = 0; k < sum.length; k++) sum[k] += weight * vectors[v][k];
      came.push(usedOf(from, round, hash));
      return true;
    },

    mix(round, x, y, kept = []) {
      const { self: own, to } = topology.peers(round, rank);
      // The sender knows which messages are dropped, and keeps those shares.
      const stays = (node: number) => dropped?.(round, rank, node) || kept.includes(node);
      const self = to.reduce((sum, { node, weight }) => (stays(node) ? sum + weight : sum), own);
      x.forEach((row, v) => {
        for (let k = 0; k < row.length; k++) y[v][k] = self * row[k] + (sums?.[v][k] ?? 0);
      });
      const used = came;
      sums = undefined;
      came = [];
      return used;
    },
  };
}
