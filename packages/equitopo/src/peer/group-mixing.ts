/**
 * A grouped round at one peer (round/grouped.ts), in steps that have a number each on the transport:
 *
 *   0 gather:   every member sends its row to the leader of this exchange, who takes the mean of those that came;
 *   1 between:  leaders exchange means as the topology between the groups says, one vector a link;
 *   2 spread:   the leader sends the result to the members it heard of, who take it over;
 *   3 pass:     the leader sends a number to those it did not hear of, so that they wait no longer. Nobody awaits it, and
 *               where nothing is missed it is not sent.
 *
 * Members lead in turn (leaderOf), so nobody is elected: a peer knows from the number of an exchange who speaks for whom.
 *
 * When something is missed:
 * - a member that the leader does not hear of in a quarter of the timeout keeps its row, and the others are the group: the
 *   mean of all is kept (faults/thin-groups.ts has the weights);
 * - where the leader is not heard of, its members keep their rows;
 * - a member whose row was counted and whom the result does not reach keeps its row as well, and the mean of all moves by
 *   (x_i - z) / n. Inside a machine that takes a peer that dies or stands still in just that moment;
 * - between leaders all is as in other rounds (mixing.ts), for means in the place of rows; they have half of the timeout.
 */

import type { Mix } from "../algorithm/algorithm.ts";
import type { Turn } from "../algorithm/drive.ts";
import { isLost } from "../faults/drop.ts";
import { InputError } from "../input/input.ts";
import { combine } from "../round/combine.ts";
import { groupShare, ownWeight } from "../round/grouped.ts";
import { addRow, leaderOf, membersOf } from "../round/groups.ts";
import type { Rows } from "../round/round.ts";
import type { Link, Topology } from "../topology/topology.ts";
import { Mixing, type MixingOptions, type MixReport, type Mixture } from "./mixing.ts";
import { allocate, defaultTimeout, typeOf } from "./transport.ts";

/** Numbers on the transport that one exchange takes. */
const steps = 4;

/** How many numbers of the transport one exchange over this topology takes. */
export function stepsOf({ hierarchy }: Pick<Topology, "hierarchy">): number {
  return hierarchy === undefined ? 1 : steps;
}

/** Whoever mixes by the rounds of that topology. */
export function mixingOf(options: MixingOptions): Mixture {
  return options.topology.hierarchy === undefined ? new Mixing(options) : new GroupMixing(options);
}

/** Whom a peer exchanges letters with in that round and exchange. O(its group and its links). */
export function partnersIn(topology: Topology, round: number, exchange: number, rank: number): number[] {
  const { hierarchy } = topology;
  if (hierarchy === undefined) {
    const { from, to } = topology.peers(round, rank);
    return [...new Set([...from, ...to].map(({ node }) => node))];
  }
  const { groups, between } = hierarchy;
  const g = groups.of[rank];
  const leader = leaderOf(groups, g, exchange);
  if (rank !== leader) return [leader];
  const { from, to } = between.peers(round, g);
  const far = [...from, ...to].map(({ node }) => leaderOf(groups, node, exchange));
  return [...new Set([...membersOf(groups, g), ...far])].filter((peer) => peer !== rank);
}

/** An exchange under way: what will come of it, and what to tell of it. */
interface Started {
  readonly outcome: Promise<readonly Rows[]>;
  readonly report: { current: MixReport };
}

/** What arrived of a peer, one row for each vector; undefined where they did not all come. */
type Found = readonly Rows[] | undefined;

/** A step: all vectors to some, as many from others, within this share of the timeout. */
interface Asked {
  readonly round: number;
  readonly vectors: readonly Rows[];
  readonly to: readonly number[];
  readonly from: readonly number[];
  readonly share: number;
  readonly mutual?: boolean;
}

type Hierarchy = NonNullable<Topology["hierarchy"]>;

class GroupMixing implements Mixture {
  readonly #options: MixingOptions;
  readonly #hierarchy: Hierarchy;
  readonly #timeout: number;
  /** For exact means over all peers, which know no groups. */
  readonly #flat: Mixing;
  readonly #misses = new Map<number, number>();
  report: MixReport = { partners: [], missing: [], lost: [], mended: [], waited: 0 };

  constructor(options: MixingOptions) {
    this.#options = options;
    this.#hierarchy = options.topology.hierarchy as Hierarchy;
    this.#timeout = options.timeout ?? defaultTimeout;
    this.#flat = new Mixing({ ...options, borrow: false });
  }

  start(mix: Mix, turn: Turn, number = steps * turn.exchange): Started {
    if (mix.coded !== undefined) {
      throw new InputError(
        "inside groups rows are averaged, so that they cannot go in code",
        this.#options.topology.name,
        "leave out the compressor, or choose another topology",
      );
    }
    const report = { current: this.report };
    return {
      outcome: mix.by === "mean" ? this.#mean(mix, turn, number, report) : this.#mix(mix, turn, number, report),
      report,
    };
  }

  async finish({ outcome, report }: Started): Promise<Rows[]> {
    const mixed = await outcome;
    this.report = report.current;
    return [...mixed];
  }

  async #mean(mix: Mix, turn: Turn, number: number, report: Started["report"]): Promise<Rows[]> {
    const { transport } = this.#options;
    const { groups } = this.#hierarchy;
    const far = transport.size - membersOf(groups, groups.of[transport.rank]).length;
    transport.counts.sentBetween += far * mix.vectors.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const mixed = await this.#flat.finish(this.#flat.start(mix, turn, number));
    report.current = this.#flat.report;
    return mixed;
  }

  async #mix({ vectors }: Mix, turn: Turn, number: number, report: Started["report"]): Promise<readonly Rows[]> {
    const { rank } = this.#options.transport;
    const { groups } = this.#hierarchy;
    const since = performance.now();
    const members = Array.from(membersOf(groups, groups.of[rank]));
    const leader = leaderOf(groups, groups.of[rank], turn.exchange);
    const tell = (parts: Omit<MixReport, "waited">) => {
      report.current = { ...parts, waited: performance.now() - since };
    };
    if (rank !== leader) {
      const { mixed, came } = await this.#follow(vectors, leader, number);
      tell({ partners: [leader], missing: came ? [] : [leader], lost: [], mended: [] });
      return mixed;
    }
    const others = members.filter((peer) => peer !== rank);
    const { means, came } = await this.#gather(vectors, others, number);
    const { partners, missing, lost } = await this.#between(means, vectors, came.length + 1, turn, number + 1);
    const absent = others.filter((peer) => !came.includes(peer));
    const mixed = await this.#spread(vectors, came, absent, number + 2);
    tell({ partners: [...others, ...partners], missing: [...absent, ...missing], lost, mended: [] });
    return mixed;
  }

  /** A member's part: the result, or its rows as they are where that does not come. */
  async #follow(vectors: readonly Rows[], leader: number, number: number) {
    const { kept } = await this.#exchange({ round: number, vectors, to: [leader], from: [], share: 1 / 4 }, () => {});
    // Rows that the transport may still read are its own for ever.
    const mixed = vectors.map((row) => (kept.includes(row) ? (row.slice() as Rows) : row));
    const { result: came } = await this.#exchange(
      { round: number + 2, vectors, to: [], from: [leader], share: 1 },
      (found) => {
        const rows = found.get(leader);
        // Torn rows are seen only afterwards: what is taken over must be looked at before.
        return rows?.map((row) => row.slice() as Rows);
      },
    );
    came?.forEach((row, v) => {
      mixed[v].set(row);
    });
    return { mixed, came: came !== undefined };
  }

  /** The means of this peer's rows and those that come of the others. */
  async #gather(vectors: readonly Rows[], others: readonly number[], number: number) {
    const { rank } = this.#options.transport;
    const take = (found: ReadonlyMap<number, Found>) => {
      const came = others.filter((peer) => found.get(peer) !== undefined);
      const order = [...came, rank].sort((a, b) => a - b);
      const means = vectors.map((own, v) => meanOf(order.map((peer) => found.get(peer)?.[v] ?? own)));
      return { means, came };
    };
    if (others.length === 0) return take(new Map());
    const { result } = await this.#exchange({ round: number, vectors, to: [], from: others, share: 1 / 4 }, take);
    return result;
  }

  /** The means of `present` members through the round between the groups, into `out`. */
  async #between(means: readonly Rows[], out: readonly Rows[], present: number, turn: Turn, number: number) {
    const { transport, lose, topology, missing: rule } = this.#options;
    const { groups, least, between } = this.#hierarchy;
    const { rank, counts } = transport;
    const { symmetric } = topology;
    const { self, from, to } = between.peers(turn.round, groups.of[rank]);
    const far = ({ node, weight }: Link): Link => ({ node: leaderOf(groups, node, turn.exchange), weight });
    const isGone = (sender: number, receiver: number) =>
      lose !== undefined && isLost(lose.share, lose.seed, turn.exchange, sender, receiver, symmetric);
    const links = from.map(far);
    const heard = links.filter(({ node }) => !isGone(node, rank)).map(({ node }) => node);
    const targets = to.map((link) => far(link).node).filter((node) => !isGone(rank, node));
    const lost = links.map(({ node }) => node).filter((node) => !heard.includes(node));
    counts.missed += lost.length * means.length;
    if (symmetric) counts.voided += lost.length;
    const share = groupShare(least, present);
    const home = symmetric || rule !== "drop";
    // Too few to give what the whole group would: they keep to themselves.
    const mute = present < least * (1 - self);
    const take = (found: ReadonlyMap<number, Found>) => {
      const came = links.filter(({ node }) => found.get(node) !== undefined);
      const kept = home ? links.filter((link) => !came.includes(link)) : [];
      const own = kept.reduce((sum, { weight }) => sum + weight, self);
      const weights = came.map(({ weight }) => share * weight);
      // Nobody came: the mean stays as it is, to the last bit, whatever the weights' sum rounds to.
      const keeps = mute || (home && came.length === 0) ? 1 : ownWeight(share, own);
      means.forEach((mean, v) => {
        const rows = came.map(({ node }) => (found.get(node) as readonly Rows[])[v]);
        combine(out[v], keeps, mean, weights, rows);
      });
      return links.filter((link) => !came.includes(link)).map(({ node }) => node);
    };
    const partners = links.map(({ node }) => node);
    if (mute || heard.length + targets.length === 0) return { missing: take(new Map()), partners, lost };
    counts.sentBetween += targets.length * means.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const asked = { round: number, vectors: means, to: targets, from: heard, share: 1 / 2, mutual: symmetric };
    const { result: missing } = await this.#exchange(asked, take);
    return { missing, partners, lost };
  }

  /** Hands the result to those that came, and a word to those that did not; answers with rows of this peer's own. */
  async #spread(mixed: readonly Rows[], came: readonly number[], absent: readonly number[], number: number) {
    const nothing = () => {};
    const { kept } = await this.#exchange({ round: number, vectors: mixed, to: came, from: [], share: 1 / 4 }, nothing);
    if (absent.length > 0) {
      const word = [new Float64Array(1)];
      await this.#exchange({ round: number + 1, vectors: word, to: absent, from: [], share: 1 / 4 }, nothing);
    }
    return mixed.map((row) => (kept.includes(row) ? (row.slice() as Rows) : row));
  }

  /** Sends all vectors to some and awaits as many of others; `use` is called with what came, again where that was torn. */
  async #exchange<R>(asked: Asked, use: (found: ReadonlyMap<number, Found>) => R) {
    const { transport, signal } = this.#options;
    const { round, vectors, to, from, mutual = false } = asked;
    const timeout = asked.share * this.#timeout;
    const outcome = await transport.exchange({
      ...{ round, mutual, timeout, signal },
      send: to.flatMap((peer) => vectors.map((data) => ({ peer, data }))),
      receive: from.flatMap((peer) => {
        const wait = { timeout: this.#patience(peer) * timeout };
        return vectors.map((like) => ({ peer, length: like.length, type: typeOf(like), ...wait }));
      }),
    });
    const sorted = (torn: readonly number[]): ReadonlyMap<number, Found> => {
      const intact = outcome.arrived.map((data, entry) => (torn.includes(entry) ? undefined : data));
      return new Map(
        from.map((peer, j): [number, Found] => {
          const all = intact.slice(j * vectors.length, (j + 1) * vectors.length);
          return [peer, all.includes(undefined) ? undefined : (all as Rows[])];
        }),
      );
    };
    let found = sorted([]);
    let result = use(found);
    const torn = outcome.release();
    if (torn.length > 0) {
      found = sorted(torn);
      result = use(found);
    }
    for (const [peer, rows] of found) {
      this.#misses.set(peer, rows === undefined ? (this.#misses.get(peer) ?? 0) + 1 : 0);
    }
    return { result, kept: outcome.kept };
  }

  /** All of a timeout at the 1st, 2nd, 4th, 8th, ... encounter since a peer was last heard of, an eighth at the others. */
  #patience(peer: number): number {
    const misses = this.#misses.get(peer) ?? 0;
    return (misses & (misses - 1)) === 0 ? 1 : 1 / 8;
  }
}

/** The mean of rows in the order of their labels, to the last bit as groupMeans takes it. */
function meanOf(rows: readonly Rows[]): Rows {
  const sum = new Float64Array(rows[0].length);
  for (const row of rows) addRow(sum, row);
  const mean = allocate(typeOf(rows[0]), sum.length);
  for (let k = 0; k < sum.length; k++) mean[k] = sum[k] / rows.length;
  return mean;
}
