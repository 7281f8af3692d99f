/**
 * W(t) at one peer: who its partners are (from (seed, t) alone), the exchange, and its row of W x.
 *
 * When a partner's vectors do not come:
 * - undirected rounds (w_ij = w_ji for every partner): void on both sides; the weight stays with x_i, what remains of W
 *   is symmetric and doubly stochastic, and the mean of those that go on is kept; so too in exact means, where every pair
 *   has the weight 1/n, and whoever missed somebody then has nearly the mean; where only the partner's vote was late, the
 *   exchange is made good in a later one (corrections.ts);
 * - directed rounds, "self": the weight goes to x_i, rows of W still sum to 1, the mean shifts by w_ij (x_i - x_j) / n;
 * - directed rounds, "drop": the sum goes without it, as push-sum needs it, where a weight travels beside the value.
 *
 * Messages lost on purpose (`lose`) are those that the simulator loses with the same seed. They are not sent, and nobody
 * waits for them: both sides know. So a run in which nothing else is missed has the simulator's bits.
 *
 * With a `defence` the row comes out of that instead (robust/), from the same vectors; what it leaves out whole counts as void.
 */

import type { Coded, Mix } from "../algorithm/algorithm.ts";
import type { Turn } from "../algorithm/drive.ts";
import { isLost } from "../faults/drop.ts";
import { InputError } from "../input/input.ts";
import type { Defence } from "../robust/defence.ts";
import { combine, combineMean } from "../round/combine.ts";
import type { Rows } from "../round/round.ts";
import type { Link, Peers, Topology } from "../topology/topology.ts";
import { type Correction, Corrections, correct, correctionOf } from "./corrections.ts";
import { RowMemory } from "./row-memory.ts";
import { hashOf } from "./told.ts";
import { type Outcome, type Transport, typeOf, type Vector } from "./transport.ts";

export interface MixingOptions {
  readonly transport: Transport;
  readonly topology: Topology;
  /** Milliseconds for one exchange; the transport's own where it is left out. */
  readonly timeout?: number;
  readonly signal?: AbortSignal | undefined;
  /** What becomes of a missing partner's weight in a directed round. Default "self". */
  readonly missing?: "self" | "drop";
  /**
   * Whether rows may live in memory that the transport lends (default). Of several that mix over one transport at the
   * same time only one may borrow: the transport asks its last borrower what is still in use.
   */
  readonly borrow?: boolean;
  /** Loses this share of the messages, drawn from the seed; never those of a mean. */
  readonly lose?: { readonly share: number; readonly seed: number } | undefined;
  /** Exchanges that an iteration makes: every so many carry the same vectors. Default 1. */
  readonly yields?: number;
  /** How vectors are mixed that may be wrong on purpose; never those of a mean. */
  readonly defence?: Defence | undefined;
  /** What is sent in place of a vector in this exchange of the run, where this peer is to lie. */
  readonly lie?: ((own: Rows, exchange: number) => Rows) | undefined;
}

/** What one exchange was like. */
export interface MixReport {
  /** Partners whose vectors were awaited, and those of them whose did not come. */
  readonly partners: readonly number[];
  readonly missing: readonly number[];
  /** Those of the missing that were lost on purpose. */
  readonly lost: readonly number[];
  /** Partners of earlier exchanges that were void, and that a late vote has made good in this one. */
  readonly mended: readonly number[];
  /** Milliseconds spent in the exchange, waiting included. */
  readonly waited: number;
}

/** Whoever mixes a peer's rows by W(t): exchanges are started and finished, one at a time. */
export interface Mixture {
  /** What the last finished exchange was like. */
  readonly report: MixReport;
  /** Sends the vectors out as exchange `number` of the transport, to be mixed by W(turn.round). They must not change now. */
  start(mix: Mix, turn: Turn, number?: number): { readonly outcome: Promise<unknown> };
  /** Awaits what was started and answers with the mixed vectors; those given are given up. */
  finish(started: { readonly outcome: Promise<unknown> }): Promise<Rows[]>;
}

/** An exchange that has been started: its outcome, and what it was asked. */
interface Started {
  readonly vectors: readonly Rows[];
  readonly coded: Coded | undefined;
  /** Where the algorithm wants to know whether anybody was heard. */
  readonly told: Uint8Array | undefined;
  /** Those whose rows go into the sum, and the ones among them that were not lost on purpose. */
  readonly links: readonly Link[];
  readonly heard: readonly Link[];
  /** Undefined for an exact mean, `keep` for a round that is defined by one. */
  readonly view: Peers | undefined;
  readonly keep: number | undefined;
  readonly outcome: Promise<Outcome>;
  readonly since: number;
  /** Its number on the transport. */
  readonly number: number;
  /** What a correction is held against (corrections.ts). */
  readonly kind: string;
}

/** The weights that a defence left to those that came, in the order of the links; undefined where they have none. */
type Shares = readonly number[] | undefined;

/** A partner's rows, one for each vector; undefined where they did not all come. */
type Found = readonly Rows[] | undefined;

export class Mixing implements Mixture {
  readonly #options: MixingOptions;
  readonly #everyone: readonly Link[];
  readonly #memory: RowMemory;
  /** Encounters in a row that a partner missed. */
  readonly #misses = new Map<number, number>();
  readonly #corrections = new Corrections();
  report: MixReport = { partners: [], missing: [], lost: [], mended: [], waited: 0 };

  constructor(options: MixingOptions) {
    const { transport, topology } = options;
    if (transport.size !== topology.n) {
      throw new InputError(
        `the transport must have the topology's n = ${topology.n} peers`,
        transport.size,
        "give both one n",
      );
    }
    this.#options = options;
    this.#memory = new RowMemory(transport, options.borrow ?? true);
    this.#everyone = Array.from({ length: topology.n }, (_, node) => ({ node, weight: 1 / topology.n })).filter(
      ({ node }) => node !== transport.rank,
    );
  }

  /** Sends the vectors out as exchange `number` of the transport, to be mixed by W(turn.round). They must not change now. */
  start({ vectors, by, coded, heard: told }: Mix, turn: Turn, number = turn.exchange): Started {
    const { transport, topology, timeout, signal, lose, lie, defence, yields = 1 } = this.#options;
    const { rank, counts } = transport;
    const view = by === "mean" ? undefined : topology.peers(turn.round, rank);
    const lost = (from: number, to: number) =>
      lose !== undefined &&
      view !== undefined &&
      isLost(lose.share, lose.seed, turn.exchange, from, to, topology.symmetric);
    const links = view?.from ?? this.#everyone;
    const heard = links.filter(({ node }) => !lost(node, rank));
    const said = lie === undefined ? vectors : vectors.map((vector) => lie(vector, turn.exchange));
    const sent: readonly Vector[] = coded === undefined ? said : [coded.bytes];
    const send = (view?.to ?? this.#everyone)
      .filter(({ node }) => !lost(rank, node))
      .flatMap(({ node }) => sent.map((data) => ({ peer: node, data })));
    const kinds = sent.map((data) => ({ length: data.length, type: typeOf(data) }));
    const receive = heard.flatMap(({ node }) => {
      const patience = this.#patience(node);
      const wait = patience === undefined ? {} : { timeout: patience };
      return kinds.map((kind) => ({ peer: node, ...kind, ...wait }));
    });
    const mutual = view === undefined || topology.symmetric;
    counts.missed += (links.length - heard.length) * sent.length;
    if (mutual) counts.voided += links.length - heard.length;
    const since = performance.now();
    const wait = timeout === undefined ? {} : { timeout };
    // What a code or a pair of vectors stands for depends on the round, and a defence is not linear: these stay void.
    const mendable = mutual && coded === undefined && topology.pair === undefined && defence === undefined;
    const late = mendable ? { late: (peer: number) => this.#corrections.vote(number, peer) } : {};
    const kind = `${by ?? "topology"} ${turn.exchange % yields}`;
    const outcome = transport.exchange({ round: number, send, receive, mutual, signal, ...late, ...wait });
    return { vectors, coded, told, links, heard, view, keep: this.#keep(view, turn), outcome, since, number, kind };
  }

  /** Only the complete graph is defined by a mean rather than by a sum over neighbours; the order of additions differs. */
  #keep(view: Peers | undefined, { round }: Turn): number | undefined {
    const { topology, lose } = this.#options;
    if (view === undefined) return 0;
    if (view.from.length < topology.n - 1 || lose !== undefined) return undefined;
    const whole = topology.round(round);
    return whole.kind === "mean" ? whole.keep : undefined;
  }

  /** Awaits what was started and answers with the mixed vectors; those given are given up. */
  async finish(started: Started): Promise<Rows[]> {
    const { vectors, coded, links, heard, since } = started;
    const outcome = await started.outcome;
    const waited = performance.now() - since;
    const mixed = this.#memory.instead(vectors);
    let found = this.#found(started, outcome.arrived);
    let shares = this.#mix(started, found, mixed);
    const undecided = this.#undecided(started, outcome);
    const torn = outcome.release();
    for (const correction of undecided) {
      const { partner } = correction;
      if (!torn.some((entry) => this.#partnerAt(started, entry) === partner)) this.#corrections.keep(correction);
    }
    if (torn.length > 0) {
      const intact = outcome.arrived.map((data, entry) => (torn.includes(entry) ? undefined : data));
      found = this.#found(started, intact);
      shares = this.#mix(started, found, mixed);
    }
    if (shares !== undefined) this.#refuse(shares);
    this.#tell(started, found, shares);
    const mended = this.#mend(started, mixed);
    if (coded !== undefined) for (const rows of found.values()) for (const row of rows ?? []) this.#memory.recycle(row);
    for (const vector of vectors) if (!outcome.kept.includes(vector)) this.#memory.recycle(vector);
    if (started.told !== undefined && links.every(({ node }) => found.get(node) === undefined)) started.told[0] = 0;
    const missing = links.map(({ node }) => node).filter((node) => found.get(node) === undefined);
    for (const { node } of heard)
      this.#misses.set(node, found.get(node) === undefined ? (this.#misses.get(node) ?? 0) + 1 : 0);
    const lost = links.filter((link) => !heard.includes(link)).map(({ node }) => node);
    this.report = { partners: links.map(({ node }) => node), missing, lost, mended, waited };
    return mixed;
  }

  /** Whose vector stands at that place of the receive list. */
  #partnerAt({ vectors, coded, heard }: Started, entry: number): number {
    return heard[Math.floor(entry / (coded === undefined ? vectors.length : 1))].node;
  }

  /** What it would take to make good exchanges whose vectors came and whose votes did not. */
  #undecided(started: Started, { undecided = [] }: Outcome): Correction[] {
    const { vectors, heard, number, kind } = started;
    const count = vectors.length;
    // A defence would have had to see the vectors beside the others of their round.
    if (this.#options.defence !== undefined) return [];
    return heard.flatMap(({ node, weight }, j): Correction[] => {
      const theirs = undecided.slice(j * count, (j + 1) * count) as Rows[];
      if (theirs.length < count || theirs.includes(undefined as unknown as Rows)) return [];
      const received = this.#options.transport.history === undefined ? [] : theirs.map(hashOf);
      const changes = vectors.map((own, v) => correctionOf(weight, own, theirs[v]));
      return [{ number, partner: node, kind, vectors: changes, received }];
    });
  }

  /** Takes up what late votes have made good; answers whose. */
  #mend({ kind }: Started, mixed: readonly Rows[]): number[] {
    const { transport } = this.#options;
    return this.#corrections.take(kind).map((correction) => {
      const { number: exchange, partner, received } = correction;
      transport.history?.({ kind: "amended", exchange, partner, to: "mended", received });
      correct(mixed, correction);
      transport.counts.mended++;
      return partner;
    });
  }

  /** What came of each partner, decoded where it came in code. */
  #found({ vectors, coded, heard }: Started, arrived: readonly (Vector | undefined)[]): Map<number, Found> {
    const count = coded === undefined ? vectors.length : 1;
    return new Map(
      heard.map(({ node }, j): [number, Found] => {
        const all = arrived.slice(j * count, (j + 1) * count);
        if (all.includes(undefined)) return [node, undefined];
        if (coded === undefined) return [node, all as Rows[]];
        const row = this.#memory.ordinary(typeOf(vectors[0]), vectors[0].length);
        coded.decode(all[0] as Uint8Array, node, row);
        return [node, [row]];
      }),
    );
  }

  /** y_v of every vector v; answers the weights that a defence left each partner that came, where there is one. */
  #mix(started: Started, found: ReadonlyMap<number, Found>, mixed: readonly Rows[]): Shares {
    const { defence } = this.#options;
    if (defence === undefined || started.view === undefined) {
      this.#combine(started, found, mixed);
      return undefined;
    }
    const came = started.links.filter(({ node }) => found.get(node) !== undefined);
    const weights = came.map(({ weight }) => weight);
    let shares: Shares;
    started.vectors.forEach((x, v) => {
      const rows = came.map(({ node }) => found.get(node)?.[v] as Rows);
      shares = defence.row(mixed[v], x, weights, rows);
    });
    return shares;
  }

  /** Counts the exchanges that the defence left out. */
  #refuse(shares: readonly number[]): void {
    const count = shares.filter((share) => share === 0).length;
    if (count === 0) return;
    const { counts } = this.#options.transport;
    if (this.#options.topology.symmetric) counts.voided += count;
    counts.refused.set("defence", (counts.refused.get("defence") ?? 0) + count);
  }

  /** y_v of every vector v, from what arrived; x is left as it is. */
  #combine({ vectors, links, view, keep }: Started, found: ReadonlyMap<number, Found>, mixed: readonly Rows[]): void {
    const { transport, topology } = this.#options;
    const whole = links.every(({ node }) => found.get(node) !== undefined);
    const home = view === undefined || topology.symmetric || this.#options.missing !== "drop";
    vectors.forEach((x, v) => {
      const rowOf = ({ node }: Link) => found.get(node)?.[v];
      if (keep !== undefined && whole) {
        const rows = this.#everyone.map(rowOf) as Rows[];
        rows.splice(transport.rank, 0, x);
        combineMean(mixed[v], keep, x, rows);
        return;
      }
      let self = view?.self ?? 1 / topology.n;
      const rows: Rows[] = [];
      const weights: number[] = [];
      for (const link of links) {
        const row = rowOf(link);
        if (row !== undefined) {
          rows.push(row);
          weights.push(link.weight);
        } else if (home) self += link.weight;
      }
      // Nobody came: the row stays as it is, to the last bit, whatever the weights' sum rounds to.
      combine(mixed[v], links.length > 0 && rows.length === 0 && home ? 1 : self, x, weights, rows);
    });
  }

  /** The row of W that #combine went by, for the history. */
  #tell({ links, view, keep, number }: Started, found: ReadonlyMap<number, Found>, shares: Shares): void {
    const { transport, topology, defence } = this.#options;
    const { history } = transport;
    if (history === undefined) return;
    const came = links.filter(({ node }) => found.get(node) !== undefined);
    if (defence !== undefined && view !== undefined) {
      // Where each number has weights of its own there is no row of W to tell of.
      if (shares === undefined) return;
      const used = came.map(({ node }, j) => [node, shares[j]] as const).filter(([, share]) => share !== 0);
      const self = used.reduce((rest, [, share]) => rest - share, 1);
      history({ kind: "mixed", exchange: number, mutual: topology.symmetric, self, used });
      return;
    }
    const mean = keep !== undefined && came.length === links.length;
    const share = (1 - (keep ?? 0)) / topology.n;
    const lost = links.filter((link) => !came.includes(link)).reduce((sum, { weight }) => sum + weight, 0);
    const home = view === undefined || topology.symmetric || this.#options.missing !== "drop" ? lost : 0;
    history({
      kind: "mixed",
      exchange: number,
      mutual: view === undefined || topology.symmetric,
      self: mean ? (keep ?? 0) + share : (view?.self ?? 1 / topology.n) + home,
      used: came.map(({ node, weight }) => [node, mean ? share : weight]),
    });
  }

  /**
   * Milliseconds to wait for a partner: all of the timeout at its 1st, 2nd, 4th, 8th, ... encounter since it was last
   * heard of, an eighth at the others. A dead peer so costs little, and one that comes back is met with full patience.
   */
  #patience(node: number): number | undefined {
    const misses = this.#misses.get(node) ?? 0;
    const { timeout } = this.#options;
    if (timeout === undefined || misses === 0 || (misses & (misses - 1)) === 0) return undefined;
    return timeout / 8;
  }
}
