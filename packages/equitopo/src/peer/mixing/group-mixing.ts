/**
 * A grouped round at one peer (round/grouped.ts), in steps that have a number each on the transport:
 *
 *   0 gather:   every member sends its row to the leader of this exchange, who takes the mean of those that came;
 *   1 between:  leaders exchange means as the topology between the groups says, one vector a link;
 *   2 spread:   the leader sends the result to the members it heard, and they take it over;
 *   3 pass:     the leader sends a number to those it did not hear, so that they wait no longer. No member awaits it, and
 *               if nothing is missed it is not sent.
 *
 * Members lead in turn (leaderOf), so no leader is elected: a peer knows from the number of an exchange who leads in it.
 *
 * When something is missed:
 * - a member that the leader does not hear in a quarter of the timeout keeps its row, and the others are the group: the
 *   mean of all is kept (faults/thin.ts has the weights);
 * - members that do not hear their leader keep their rows;
 * - a member whose row was counted and whom the result does not reach keeps its row as well, and the mean of all moves by
 *   (x_i - z) / n. Inside a machine this happens only if a peer dies or stops at just that moment;
 * - between leaders all is as in other rounds (mixing.ts), for means in the place of rows; they have half of the timeout.
 */

import type { Mix } from "../../algorithm/algorithm.ts";
import type { Turn } from "../../algorithm/drive.ts";
import { isDropped } from "../../faults/chance.ts";
import { InputError } from "../../input/input.ts";
import { combine } from "../../round/combine.ts";
import { groupShare, ownWeight } from "../../round/grouped.ts";
import { addRow, leaderOf, membersOf } from "../../round/groups.ts";
import type { Rows } from "../../round/round.ts";
import type { Neighbour, Topology } from "../../topology/topology.ts";
import { runtimeClock } from "../exchange/runtime.ts";
import { allocate, defaultTimeout, typeOf, type Vector } from "../exchange/transport.ts";
import type { MixedLine } from "../history/history.ts";
import { Mixing, type MixingOptions, type MixReport, type Mixture, noReport } from "./mixing.ts";
import { byPartner, type Found, Patience } from "./partner-rows.ts";

/** Numbers on the transport that one exchange takes. */
const steps = 4;

/** How many numbers of the transport one exchange over this topology takes. */
export function stepsOf({ hierarchy }: Pick<Topology, "hierarchy">): number {
  return hierarchy === undefined ? 1 : steps;
}

/** The mixture for the rounds of that topology. */
export function mixingOf(options: MixingOptions): Mixture {
  const { hierarchy } = options.topology;
  return hierarchy === undefined ? new Mixing(options) : groupMixing(options, hierarchy);
}

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

function groupMixing(options: MixingOptions, { groups, least, between }: Hierarchy): Mixture {
  const { transport, topology, lose, signal, timeout: whole = defaultTimeout } = options;
  const { rank, counts, clock = runtimeClock } = transport;
  const own = groups.of[rank];
  const others = Array.from(membersOf(groups, own)).filter((peer) => peer !== rank);
  /** For exact means over all peers, which know no groups. */
  const flat = new Mixing({ ...options, borrow: false });
  const patience = new Patience();

  async function mean(mix: Mix, turn: Turn, number: number) {
    const far = transport.size - 1 - others.length;
    counts.sentBetween += far * bytesOf(mix.vectors);
    const rows = await flat.finish(flat.start(mix, turn, number));
    return { rows, report: flat.report };
  }

  async function mixGroup({ vectors }: Mix, turn: Turn, number: number) {
    const since = clock.now();
    const leader = leaderOf(groups, own, turn.exchange);
    const report = (parts: Partial<MixReport>) => ({ ...noReport, ...parts, waited: clock.now() - since });
    if (rank !== leader) {
      const { rows, came } = await follow(vectors, leader, number);
      return { rows, report: report({ partners: [leader], missing: came ? [] : [leader] }) };
    }
    const { means, came } = await gather(vectors, number);
    const { partners, missing, lost } = await mixBetween(means, vectors, came.length + 1, turn, number + 1);
    const absent = others.filter((peer) => !came.includes(peer));
    const rows = await spread(vectors, came, absent, number + 2);
    return { rows, report: report({ partners: [...others, ...partners], missing: [...absent, ...missing], lost }) };
  }

  /** Writes the row of one step's matrix into the history. */
  const tell = (row: Omit<MixedLine, "kind" | "mutual"> & { readonly mutual?: boolean }) =>
    transport.history?.({ kind: "mixed", mutual: false, ...row });

  /** A member's part: the result, or its rows as they are where that does not come. */
  async function follow(vectors: readonly Rows[], leader: number, number: number) {
    const { kept } = await exchange({ round: number, vectors, to: [leader], from: [], share: 1 / 4 }, () => {});
    const rows = ownRows(vectors, kept);
    const asked = { round: number + 2, vectors, to: [], from: [leader], share: 1 };
    // Torn rows are noticed only afterwards, so what may be taken over is copied first.
    const { result: came } = await exchange(asked, (found) => found.get(leader)?.map((row) => row.slice()));
    tell({ exchange: asked.round, step: 2, self: came ? 0 : 1, used: came ? [[leader, 1]] : [] });
    came?.forEach((row, v) => {
      rows[v].set(row);
    });
    return { rows, came: came !== undefined };
  }

  /** The means of this peer's rows and those that come of the others. */
  async function gather(vectors: readonly Rows[], number: number) {
    const take = (found: ReadonlyMap<number, Found>) => {
      const came = others.filter((peer) => found.get(peer) !== undefined);
      const order = [...came, rank].sort((a, b) => a - b);
      const means = vectors.map((row, v) => meanOf(order.map((peer) => found.get(peer)?.[v] ?? row)));
      return { means, came };
    };
    if (others.length === 0) return take(new Map());
    const { result } = await exchange({ round: number, vectors, to: [], from: others, share: 1 / 4 }, take);
    const self = 1 / (result.came.length + 1);
    tell({ exchange: number, step: 0, self, used: result.came.map((peer) => [peer, self]) });
    return result;
  }

  /** The means of `present` members through the round between the groups, into `out`. */
  async function mixBetween(means: readonly Rows[], out: readonly Rows[], present: number, turn: Turn, number: number) {
    const { symmetric } = topology;
    const { self, from, to } = between.peers(turn.round, own);
    const far = ({ node, weight }: Neighbour): Neighbour => ({ node: leaderOf(groups, node, turn.exchange), weight });
    const isGone = (sender: number, receiver: number) =>
      lose !== undefined && isDropped(lose.share, lose.seed, turn.exchange, sender, receiver, symmetric);
    const links = from.map(far);
    const partners = links.map(({ node }) => node);
    const heard = partners.filter((node) => !isGone(node, rank));
    const targets = to.map((link) => far(link).node).filter((node) => !isGone(rank, node));
    const lost = partners.filter((node) => !heard.includes(node));
    counts.missed += lost.length * means.length;
    if (symmetric) counts.voided += lost.length;
    const share = groupShare(least, present);
    const home = symmetric || options.missing !== "drop";
    // Too few members to give what the whole group would: the group keeps its mean.
    const mute = present < least * (1 - self);
    const take = (found: ReadonlyMap<number, Found>) => {
      const came = links.filter(({ node }) => found.get(node) !== undefined);
      const missed = links.filter((link) => !came.includes(link));
      const kept = (home ? missed : []).reduce((sum, { weight }) => sum + weight, self);
      const weights = came.map(({ weight }) => share * weight);
      // Nobody came: the mean stays as it is, to the last bit, whatever the weights' sum rounds to.
      const keeps = mute || (home && came.length === 0) ? 1 : ownWeight(share, kept);
      means.forEach((row, v) => {
        const rows = came.map(({ node }) => (found.get(node) as readonly Rows[])[v]);
        combine(out[v], keeps, row, weights, rows);
      });
      const used = came.map(({ node }, j) => [node, weights[j]] as const);
      return { missing: missed.map(({ node }) => node), self: keeps, used };
    };
    const done = ({ missing, ...row }: ReturnType<typeof take>) => {
      tell({ exchange: number, step: 1, mutual: symmetric, ...row, ...(lost.length > 0 ? { without: lost } : {}) });
      return { missing, partners, lost };
    };
    if (mute || heard.length + targets.length === 0) return done(take(new Map()));
    counts.sentBetween += targets.length * bytesOf(means);
    const asked = { round: number, vectors: means, to: targets, from: heard, share: 1 / 2, mutual: symmetric };
    return done((await exchange(asked, take)).result);
  }

  /** Hands the result to those that came, and a word to those that did not; answers with rows of this peer's own. */
  async function spread(mixed: readonly Rows[], came: readonly number[], absent: readonly number[], number: number) {
    const nothing = () => {};
    const { kept } = await exchange({ round: number, vectors: mixed, to: came, from: [], share: 1 / 4 }, nothing);
    if (absent.length > 0) {
      const word = [new Float64Array(1)];
      await exchange({ round: number + 1, vectors: word, to: absent, from: [], share: 1 / 4 }, nothing);
    }
    return ownRows(mixed, kept);
  }

  /** Sends all vectors to some and awaits as many of others; `use` is called with what came, again where that was torn. */
  async function exchange<R>(asked: Asked, use: (found: ReadonlyMap<number, Found>) => R) {
    const { round, vectors, to, from, mutual = false } = asked;
    const timeout = asked.share * whole;
    const outcome = await transport.exchange({
      ...{ round, mutual, timeout, signal, mixes: from.length > 0 },
      send: to.flatMap((peer) => vectors.map((data) => ({ peer, data }))),
      receive: from.flatMap((peer) => {
        const wait = { timeout: patience.share(peer) * timeout };
        return vectors.map((like) => ({ peer, length: like.length, type: typeOf(like), ...wait }));
      }),
    });
    const found = (torn?: readonly number[]) => byPartner<Rows>(from, vectors.length, outcome.arrived, torn);
    const first = use(found());
    const torn = outcome.release();
    const result = torn.length > 0 ? use(found(torn)) : first;
    patience.note(found(torn));
    return { result, kept: outcome.kept };
  }

  const mixture = {
    report: noReport,
    start(mix: Mix, turn: Turn, number = steps * turn.exchange) {
      if (mix.coded !== undefined) {
        const remedy = "leave out the compressor, or choose another topology";
        throw new InputError("inside groups rows are averaged, so that they cannot go in code", topology.name, remedy);
      }
      return { outcome: mix.by === "mean" ? mean(mix, turn, number) : mixGroup(mix, turn, number) };
    },
    async finish({ outcome }: ReturnType<Mixture["start"]>): Promise<Rows[]> {
      const { rows, report } = (await outcome) as Awaited<ReturnType<typeof mixGroup>>;
      mixture.report = report;
      return [...rows];
    },
  };
  return mixture;
}

const bytesOf = (vectors: readonly Rows[]) => vectors.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** Rows that the transport may still read belong to it from now on: copies take their place. */
const ownRows = (rows: readonly Rows[], kept: readonly Vector[]) =>
  rows.map((row) => (kept.includes(row) ? (row.slice() as Rows) : row));

/** The mean of rows in the order of their labels, to the last bit as groupMeans takes it. */
function meanOf(rows: readonly Rows[]): Rows {
  const sum = new Float64Array(rows[0].length);
  for (const row of rows) addRow(sum, row);
  const mean = allocate(typeOf(rows[0]), sum.length);
  for (let k = 0; k < sum.length; k++) mean[k] = sum[k] / rows.length;
  return mean;
}
