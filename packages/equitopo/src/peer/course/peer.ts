/**
 * One real peer: it knows the topology, its number and how to reach others, finds its partners of round t by itself, and
 * runs the same algorithm file as the simulator on its one row. No coordinator. Over any transport, and as long as no
 * message is missed, its row is the simulator's to the last bit.
 */

import { type Exchanges, firstRound, type Mix, oneExchange, type Running } from "../../algorithm/algorithm.ts";
import { driveAsync, type Turn } from "../../algorithm/drive.ts";
import { InputError, integer } from "../../input/input.ts";
import type { Rows } from "../../round/round.ts";
import { usualLag } from "../exchange/claims.ts";
import { lonely } from "../exchange/lonely.ts";
import { loopTurn, runtimeClock } from "../exchange/runtime.ts";
import { defaultTimeout } from "../exchange/transport.ts";
import { mixingOf, stepsOf } from "../mixing/group-mixing.ts";
import { type MixingOptions, type MixReport, type Mixture, noReport, type RoundReport } from "../mixing/mixing.ts";
import { partnersIn, witnessesOf } from "../mixing/neighbours.ts";
import { Numbering } from "./numbering.ts";

export interface PeerOptions extends MixingOptions {
  /** The algorithm on this peer's row (a World with count = 1). */
  readonly running: Running;
  /** Runs iterations first, first + 1, ..., rounds - 1. */
  readonly rounds: number;
  readonly first?: number;
  /** What the algorithm declares; all peers must agree. Default: one exchange per iteration. */
  readonly exchanges?: Exchanges;
  /** The transport's round of each exchange; by default, exchanges are simply counted. */
  readonly numbering?: Numbering;
  /** Skips ahead to the network's iteration when it is further behind than this. Default: never. */
  readonly maxLag?: number;
  /**
   * Starts exchange t before the gradient of iteration t is computed. Only for algorithms that send their models as they
   * are at the start of the iteration (combine-then-adapt); others are found out and refused.
   */
  readonly overlap?: boolean;
  /** Goes on at full speed if nobody is heard. Default false: it rests, so that others that come back meet it (lonely.ts). */
  readonly alone?: boolean | undefined;
  /** After every iteration: metrics, checkpoints. The next one waits for its promise. */
  readonly onRound?: (report: RoundReport) => void | Promise<void>;
}

/**
 * Runs a peer to its last iteration and answers with the number it reached. Rejects when the signal aborts.
 *
 * @example
 * ```ts
 * import { type Rows, ring } from "equitopo";
 * import { MemoryNetwork, runPeer } from "equitopo/peer";
 * const network = new MemoryNetwork(3);
 * const peers = [0, 1, 2].map((rank) => network.join(rank));
 * const gossip = (value: number) => {
 *   const state = { x: Float64Array.of(value) as Rows };
 *   return {
 *     state,
 *     *iterate(): Generator<{ vectors: Rows[] }, void, readonly Rows[]> {
 *       [state.x] = yield { vectors: [state.x] };
 *     },
 *   };
 * };
 * const running = peers.map(({ rank }) => gossip(3 * rank));
 * await Promise.all(
 *   peers.map((transport, i) => runPeer({ transport, topology: ring({ n: 3 }), running: running[i], rounds: 1 })),
 * );
 * running.map(({ state }) => state.x[0].toFixed(6)).join(" ") // => "3.000000 3.000000 3.000000"
 * ```
 */
export async function runPeer(options: PeerOptions): Promise<number> {
  const { transport, running, maxLag = Number.POSITIVE_INFINITY, overlap = false, onRound } = options;
  const { timeout = defaultTimeout, topology, signal } = options;
  const rounds = integer("rounds", options.rounds, 0);
  const exchanges = options.exchanges ?? oneExchange();
  const numbering =
    options.numbering ?? new Numbering({ yields: exchanges.yields, rounds, steps: stepsOf(options.topology) });
  const mixing = mixingOf({ ...options, yields: exchanges.yields });
  const clock = transport.clock ?? runtimeClock;
  const resting = lonely(clock, usualLag(topology.n), timeout / 8, signal);
  /** What an iteration has asked to begin, and what was begun then and is not wanted yet (Mix.begin). */
  let asked: { readonly mix: Mix; readonly turn: Turn } | undefined;
  let begun: Begun | undefined;
  let t = integer("first", options.first ?? 0, 0);
  transport.believe?.({ witnesses: witnessesOf(options.topology, transport.rank) });
  transport.prepare?.(soon(options, exchanges, t, rounds));

  try {
    while (t < rounds) {
      const { sentBytes, receivedBytes, receivedMessages } = transport.counts;
      let early = overlap ? startEarly(mixing, t, exchanges, numbering, running.state.x) : undefined;
      let report = noReport;
      // As an exchange of this iteration, which has none of its own, or is to make this very one.
      if (asked !== undefined) begun = begin(mixing, asked, numbering.of(t, exchanges.yields * t));
      asked = undefined;
      await driveAsync(
        running,
        t,
        async (mix, turn) => {
          if (begun !== undefined) {
            const since = clock.now();
            const { exchange, finished } = begun;
            const answer = await finished;
            begun = undefined;
            if (exchange === turn.exchange) {
              report = merge(report, { ...answer.report, waited: clock.now() - since });
              return answer.mixed;
            }
          }
          const started = early?.(mix) ?? mixing.start(mix, turn, numbering.of(t, turn.exchange));
          early = undefined;
          const mixed = await mixing.finish(started);
          report = merge(report, mixing.report);
          return mixed;
        },
        exchanges,
        (mix, turn) => {
          if (turn.exchange < exchanges.yields * rounds) asked = { mix, turn };
        },
      );
      if (begun !== undefined) await (numbering.evaluates(t + 1) ? begun.finished : loopTurn());
      const { partners, lost } = report;
      if (options.alone !== true && partners.length > lost.length) {
        await resting(transport.counts.receivedMessages > receivedMessages);
      }
      const reached = numbering.iteration(transport.reached);
      await onRound?.({
        ...report,
        round: t,
        sentBytes: transport.counts.sentBytes - sentBytes,
        receivedBytes: transport.counts.receivedBytes - receivedBytes,
        lag: reached - t,
      });
      t++;
      if (reached - t > maxLag) {
        t = Math.min(rounds, reached);
        asked = undefined;
      }
    }
  } finally {
    await begun?.finished.catch(() => {});
  }
  return t;
}

/** An exchange under way whose result is wanted in a later iteration. */
interface Begun {
  /** Its number in the run. */
  readonly exchange: number;
  readonly finished: Promise<{ readonly mixed: readonly Rows[]; readonly report: MixReport }>;
}

/** Partners' rows may be read in place, so they are mixed as soon as they are there. */
function begin(mixing: Mixture, { mix, turn }: { readonly mix: Mix; readonly turn: Turn }, number: number): Begun {
  const started = mixing.start(mix, turn, number);
  const finished = mixing.finish(started).then((mixed) => ({ mixed, report: mixing.report }));
  // Who awaits it hears of its failure.
  finished.catch(() => {});
  return { exchange: turn.exchange, finished };
}

/** Partners of the next rounds, for connections to be opened beforehand. */
function soon({ transport, topology }: PeerOptions, exchanges: Exchanges, first: number, rounds: number): number[] {
  const { hops, yields, every = 1 } = exchanges;
  const found = new Set<number>();
  const from = firstRound(exchanges, first);
  const last = Math.min(firstRound(exchanges, rounds), from + Math.min(topology.period ?? 256, 256));
  for (let round = from; round < last; round++) {
    const t = every * (Math.floor(round / hops) + 1) - 1;
    const exchange = yields * t + (round % hops);
    for (const peer of partnersIn(topology, round, exchange, transport.rank)) found.add(peer);
  }
  return [...found];
}

/** Starts the exchange of the models as they are; what the iteration then yields must be just that, unchanged. */
function startEarly(mixing: Mixture, t: number, exchanges: Exchanges, numbering: Numbering, x: Rows) {
  const turn = { round: firstRound(exchanges, t), exchange: exchanges.yields * t };
  const started = mixing.start({ vectors: [x] }, turn, numbering.of(t));
  const stride = Math.max(1, Math.floor(x.length / 64));
  const sample = x.filter((_, k) => k % stride === 0);
  return ({ vectors, by, coded, heard }: Mix) => {
    const plain = by !== "mean" && coded === undefined && heard === undefined;
    const same = vectors.length === 1 && vectors[0] === x && plain;
    if (!same || sample.some((value, k) => !Object.is(value, x[k * stride]))) {
      started.outcome.catch(() => {});
      throw new InputError(
        "overlap needs an algorithm that sends its models as they were at the start of the iteration",
        same ? "changed models" : "other vectors",
        "use a combine-then-adapt order, or leave overlap out",
      );
    }
    return started;
  };
}

function merge(a: MixReport, b: MixReport): MixReport {
  const both = (list: "partners" | "missing" | "lost" | "mended") => [...a[list], ...b[list]];
  const [partners, missing, lost, mended] = [both("partners"), both("missing"), both("lost"), both("mended")];
  return { partners, missing, lost, mended, waited: a.waited + b.waited };
}
