/**
 * W(t) at one peer: who its partners are (from (seed, t) alone), the exchange, and its row of W x.
 *
 * When a partner's vectors do not come:
 * - undirected rounds (w_ij = w_ji for every partner): void on both sides; the weight stays with x_i, what remains of W
 *   is symmetric and doubly stochastic, and the mean of those that go on is kept; so too in exact means, where every pair
 *   has the weight 1/n, and a peer that missed another then has nearly the mean; if only the partner's vote was late, the
 *   exchange is made good in a later one (corrections.ts);
 * - directed rounds, "self": the weight goes to x_i, rows of W still sum to 1, the mean shifts by w_ij (x_i - x_j) / n;
 * - directed rounds, "drop": the sum goes without it, as push-sum needs it, where a weight travels beside the value.
 *
 * Messages dropped on purpose (`lose`) are those that the simulator drops with the same seed. They are neither sent nor
 * awaited, since both sides know which they are. So a run in which nothing else is missed has the simulator's bits.
 *
 * A `defence` computes the row instead (robust/), from the same vectors; a vector that it leaves out whole counts as void.
 */

import type { Coded, Mix } from "../../algorithm/algorithm.ts";
import type { Turn } from "../../algorithm/drive.ts";
import { isDropped } from "../../faults/chance.ts";
import { InputError } from "../../input/input.ts";
import { hashOf } from "../../number/quick-hash.ts";
import type { Defence } from "../../robust/defence.ts";
import { combine, combineMean } from "../../round/combine.ts";
import type { Rows } from "../../round/round.ts";
import type { Neighbour, Peers, Topology } from "../../topology/topology.ts";
import { type Clock, runtimeClock } from "../exchange/runtime.ts";
import { type ExchangeOutcome, type Transport, typeOf, type Vector } from "../exchange/transport.ts";
import type { MixedLine } from "../history/history.ts";
import { type Correction, Corrections, correct, correctionOf } from "./corrections.ts";
import { byPartner, type Found, Patience } from "./partner-rows.ts";
import { rowMemory } from "./row-memory.ts";

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
  /** Drops this share of the messages, drawn from the seed; never those of a mean. */
  readonly lose?: { readonly share: number; readonly seed: number } | undefined;
  /** Exchanges that an iteration makes: every so many carry the same vectors. Default 1. */
  readonly yields?: number;
  /** How vectors are mixed that may be wrong on purpose; never those of a mean. */
  readonly defence?: Defence | undefined;
  /** What is sent in place of a vector in this exchange of the run, where this peer is to lie. */
  readonly lie?: ((own: Rows, exchange: number) => Rows) | undefined;
}

export interface MixReport {
  /** Partners whose vectors were awaited, and those of them whose vectors did not come, or were left out by a defence. */
  readonly partners: readonly number[];
  readonly missing: readonly number[];
  /** Those of the missing whose vectors were dropped on purpose. */
  readonly lost: readonly number[];
  /** Partners of earlier exchanges that were void, and that a late vote has made good in this one. */
  readonly mended: readonly number[];
  /** Milliseconds spent in the exchange, waiting included. */
  readonly waited: number;
}

export const noReport: MixReport = { partners: [], missing: [], lost: [], mended: [], waited: 0 };

export interface RoundReport extends MixReport {
  /** The iteration just done. */
  readonly round: number;
  /** Bytes of vectors sent and received in it. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Iterations that others are ahead of this peer; negative where it is itself ahead. */
  readonly lag: number;
}

/** Of an exchange that is just being started. */
const noOutcome = new Promise<never>(() => {});

/** Mixes a peer's rows by W(t): exchanges are started and finished, one at a time. */
export interface Mixture {
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
  /** Where the algorithm learns whether any partner was heard; undefined if it does not ask. */
  readonly anyHeard: Uint8Array | undefined;
  /** Those whose rows go into the sum, and the ones among them whose rows are not dropped on purpose. */
  readonly links: readonly Neighbour[];
  readonly heard: readonly Neighbour[];
  readonly partners: readonly number[];
  readonly senders: readonly number[];
  /** Undefined for an exact mean, `keep` for a round that is defined by one. */
  readonly view: Peers | undefined;
  readonly keep: number | undefined;
  readonly since: number;
  readonly number: number;
  /** What a correction is held against (corrections.ts). */
  readonly kind: string;
  outcome: Promise<ExchangeOutcome>;
  /** What was mixed as soon as the last vector had come, and how: it holds if all of them are used. */
  mixed: Rows[] | undefined;
  row: WeightRow | undefined;
}

/** The row of W that a peer has multiplied by; `finite` where all the numbers that came of it were seen to be. */
type WeightRow = Pick<MixedLine, "self" | "used"> & { readonly finite?: boolean };

export class Mixing implements Mixture {
  readonly #options: MixingOptions;
  #others: readonly Neighbour[] | undefined;
  readonly #memory: ReturnType<typeof rowMemory>;
  readonly #clock: Clock;
  readonly #patience = new Patience();
  readonly #corrections = new Corrections();
  report = noReport;

  constructor(options: MixingOptions) {
    const { transport, topology } = options;
    const { n } = topology;
    if (transport.size !== n) {
      throw new InputError(`the transport must have the topology's n = ${n} peers`, transport.size, "give both one n");
    }
    this.#options = options;
    this.#clock = transport.clock ?? runtimeClock;
    this.#memory = rowMemory(transport, options.borrow ?? true);
  }

  /** All others, as an exact mean weighs them; made when one is first asked for. */
  get #everyone(): readonly Neighbour[] {
    if (this.#others === undefined) {
      const { n } = this.#options.topology;
      const all = Array.from({ length: n }, (_, node) => ({ node, weight: 1 / n }));
      this.#others = all.filter(({ node }) => node !== this.#options.transport.rank);
    }
    return this.#others;
  }

  start({ vectors, by, coded, heard: anyHeard, part = 0 }: Mix, turn: Turn, number = turn.exchange): Started {
    const { transport, topology, timeout, signal, lose, lie, defence, yields = 1 } = this.#options;
    const { rank, counts } = transport;
    const view = by === "mean" ? undefined : topology.peers(turn.round, rank);
    const chance = view && lose;
    const dropped = (from: number, to: number) =>
      chance !== undefined && isDropped(chance.share, chance.seed, turn.exchange, from, to, topology.symmetric);
    const links = view?.from ?? this.#everyone;
    const heard = links.filter(({ node }) => !dropped(node, rank));
    const said = lie === undefined ? vectors : vectors.map((vector) => lie(vector, turn.exchange));
    const sent: readonly Vector[] = coded === undefined ? said : [coded.bytes];
    const send = (view?.to ?? this.#everyone)
      .filter(({ node }) => !dropped(rank, node))
      .flatMap(({ node }) => sent.map((data) => ({ peer: node, data })));
    const kinds = sent.map((data) => ({ length: data.length, type: typeOf(data) }));
    const receive = heard.flatMap(({ node }) => {
      const share = this.#patience.share(node);
      const plain = timeout === undefined || share === 1;
      return kinds.map(({ length, type }) =>
        plain ? { peer: node, length, type } : { peer: node, length, type, timeout: share * timeout },
      );
    });
    const mutual = view === undefined || topology.symmetric;
    counts.missed += (links.length - heard.length) * sent.length;
    if (mutual) counts.voided += links.length - heard.length;
    const since = this.#clock.now();
    // What a pair of vectors means depends on the round, and a defence is not linear: these stay void.
    const mendable = mutual && topology.pair === undefined && defence === undefined;
    const late = mendable ? (peer: number) => this.#corrections.vote(number, peer) : undefined;
    const kind = `${by ?? "topology"} ${turn.exchange % yields} ${part}`;
    // Where a defence weighs each number by itself there is no row of W.
    const mixes = view === undefined || defence === undefined;
    const partners = links.map(({ node }) => node);
    const senders = heard.map(({ node }) => node);
    const keep = this.#keep(view, turn);
    // biome-ignore format: one literal, without spreads
    const started: Started = {
      vectors, coded, anyHeard, links, heard, partners, senders, view, keep, since, number, kind,
      outcome: noOutcome, mixed: undefined, row: undefined,
    };
    const ready = (arrived: ExchangeOutcome["arrived"]) => this.#mixEarly(started, arrived);
    started.outcome = transport.exchange({
      round: number,
      send,
      receive,
      mutual,
      mixes,
      signal,
      ready,
      late,
      timeout,
    });
    return started;
  }

  /** Mixes what has come, while it is in the cache; answers whether it is known to be finite. */
  #mixEarly(started: Started, arrived: ExchangeOutcome["arrived"]): boolean {
    if (started.coded !== undefined || this.#options.defence !== undefined) return false;
    started.mixed = this.#memory.instead(started.vectors);
    started.row = this.#mix(started, this.#found(started, { arrived }), started.mixed);
    return started.row?.finite === true;
  }

  /** Only the complete graph is defined by a mean rather than by a sum over neighbours; the order of additions differs. */
  #keep(view: Peers | undefined, { round }: Turn): number | undefined {
    const { topology, lose } = this.#options;
    if (view === undefined) return 0;
    if (view.from.length < topology.n - 1 || lose !== undefined) return undefined;
    const whole = topology.round(round);
    return whole.kind === "mean" ? whole.keep : undefined;
  }

  async finish(started: Started): Promise<Rows[]> {
    const { vectors, coded, partners, senders, since } = started;
    const outcome = await started.outcome;
    const waited = this.#clock.now() - since;
    const mixed = started.mixed ?? this.#memory.instead(vectors);
    let found = this.#found(started, outcome);
    const holds = started.row !== undefined && outcome.arrived.every((data) => data !== undefined);
    let row = holds ? started.row : this.#mix(started, found, mixed);
    const undecided = this.#undecided(started, outcome);
    const torn = outcome.release();
    for (const correction of undecided) {
      const isTheirs = (entry: number) =>
        senders[Math.floor(entry / (coded ? 1 : vectors.length))] === correction.partner;
      if (!torn.some(isTheirs)) this.#corrections.keep(correction);
    }
    if (torn.length > 0) {
      found = this.#found(started, outcome, torn);
      row = this.#mix(started, found, mixed);
    }
    const refused = row === undefined ? [] : this.#account(started, row);
    const mended = this.#mend(started, mixed);
    if (coded !== undefined) for (const rows of found.values()) for (const row of rows ?? []) this.#memory.recycle(row);
    for (const vector of vectors) if (!outcome.kept.includes(vector)) this.#memory.recycle(vector);
    const missing = partners.filter((node) => found.get(node) === undefined || refused.includes(node));
    if (started.anyHeard !== undefined && missing.length === partners.length) started.anyHeard[0] = 0;
    this.#patience.note(found);
    const lost = partners.filter((node) => !senders.includes(node));
    this.report = { partners, missing, lost, mended, waited };
    return mixed;
  }

  /** The corrections for exchanges whose vectors came and whose votes have not: a late vote applies them. */
  #undecided(started: Started, { undecided }: ExchangeOutcome): Correction[] {
    const { vectors, coded, heard, senders, number, kind } = started;
    if (undecided === undefined) return [];
    const came = byPartner<Vector>(senders, coded === undefined ? vectors.length : 1, undecided);
    const rows = this.#found(started, { arrived: undecided });
    return heard.flatMap(({ node, weight }): Correction[] => {
      const theirs = rows.get(node);
      if (theirs === undefined) return [];
      const received = this.#options.transport.history === undefined ? [] : (came.get(node) ?? []).map(hashOf);
      const changes = vectors.map((own, v) => correctionOf(weight, own, theirs[v]));
      return [{ number, partner: node, kind, vectors: changes, received }];
    });
  }

  /** Applies the corrections that late votes allow; answers with the partners. */
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

  /** What came from each partner, decoded if it came in code. */
  #found(
    { vectors, coded, senders }: Started,
    { arrived }: Pick<ExchangeOutcome, "arrived">,
    torn: readonly number[] = [],
  ) {
    if (coded === undefined) return byPartner(senders, vectors.length, arrived, torn);
    const decode = (packet: Uint8Array, node: number) => {
      const row = this.#memory.ordinary(typeOf(vectors[0]), vectors[0].length);
      coded.decode(packet, node, row);
      return [row];
    };
    const packets = byPartner<Uint8Array>(senders, 1, arrived, torn);
    return new Map(Array.from(packets, ([node, came]) => [node, (came && decode(came[0], node)) as Found]));
  }

  /** y_v of every vector v, from what came; answers with the row of W, unless a defence gave each number weights of its own. */
  #mix(started: Started, found: ReadonlyMap<number, Found>, mixed: readonly Rows[]): WeightRow | undefined {
    const { vectors, links, view, keep } = started;
    const { transport, topology, defence, missing } = this.#options;
    const came = links.filter(({ node }) => found.get(node) !== undefined);
    const rowsOf = (from: readonly Neighbour[], v: number) =>
      from.map(({ node }) => (found.get(node) as readonly Rows[])[v]);
    const weights = came.map(({ weight }) => weight);
    const using = (shares: readonly number[]) => came.map(({ node }, j) => [node, shares[j]] as const);
    if (defence !== undefined && view !== undefined) {
      const shares = vectors.map((x, v) => defence.row(mixed[v], x, weights, rowsOf(came, v))).at(-1);
      return shares && { self: shares.reduce((rest, share) => rest - share, 1), used: using(shares) };
    }
    if (keep !== undefined && came.length === links.length) {
      vectors.forEach((x, v) => {
        combineMean(mixed[v], keep, x, rowsOf(this.#everyone, v).toSpliced(transport.rank, 0, x));
      });
      const share = (1 - keep) / topology.n;
      return { self: keep + share, used: using(came.map(() => share)) };
    }
    const home = view === undefined || topology.symmetric || missing !== "drop";
    let self = view?.self ?? 1 / topology.n;
    if (home) for (const { node, weight } of links) if (found.get(node) === undefined) self += weight;
    // Nobody came: the row stays as it is, to the last bit, whatever the weights' sum rounds to.
    if (home && links.length > 0 && came.length === 0) self = 1;
    const finite = vectors.filter((x, v) => combine(mixed[v], self, x, weights, rowsOf(came, v)));
    return { self, used: using(weights), finite: finite.length === vectors.length };
  }

  /** Writes the row of W into the history; answers whom a defence has left out of it, and counts these exchanges. */
  #account({ view, number, partners, senders }: Started, { self, used }: WeightRow): readonly number[] {
    const { transport, topology, defence } = this.#options;
    const mutual = view === undefined || topology.symmetric;
    const defended = defence !== undefined && view !== undefined;
    if (!defended && transport.history === undefined) return [];
    const refused = used.filter(([, share]) => defended && share === 0).map(([node]) => node);
    const kept = used.filter(([node]) => !refused.includes(node));
    const without = [...partners.filter((node) => !senders.includes(node)), ...refused];
    transport.history?.({
      ...{ kind: "mixed", exchange: number, mutual, self, used: kept },
      ...(without.length > 0 ? { without } : {}),
      ...(defended || topology.stochastic === "rows" ? { leaks: true } : {}),
    });
    if (refused.length === 0) return refused;
    const { counts } = transport;
    if (mutual) counts.voided += refused.length;
    counts.refused.set("defence", (counts.refused.get("defence") ?? 0) + refused.length);
    return refused;
  }
}
