/** `equitopo gossip`: x(t+1) = W(t) x(t) over one topology, on a network that may fail. */

import { basename } from "node:path";
import type { Command } from "commander";
import { type GossipOptions, gossipAsync, InputError, stateHash, type Topology } from "equitopo";
import { defined, oneOf } from "equitopo/internal/input";
import { starts } from "equitopo/run";
import { figureFlags, plotted, requireFigureFiles } from "../../figure/files.ts";
import { type FormatOptions, formatFlag, printAnswer } from "../../terminal/answer.ts";
import { requireMemory, sayCost } from "../../terminal/cost.ts";
import * as flag from "../../terminal/flags.ts";
import { untilInterrupted } from "../../terminal/interrupt.ts";
import { progressBar } from "../../terminal/progress.ts";
import { noteJson, partsJson } from "../../topology/notes.ts";
import { addTopologyOptions, chosenTopology, fileFlag, type TopologyValues } from "../../topology/options.ts";
import { type SeededGossip, seedsInWords, seedsJson } from "./over-seeds.ts";
import { drawGossip, type GossipRun, gossipInWords } from "./summary.ts";

export const flags = {
  ...fileFlag,
  dim: flag.preset(100, flag.whole("<D>", "numbers per node", 1, 100)),
  start: flag.parsed("<NAME>", `what nodes hold at first: ${starts.join(", ")} (default normal)`, () => (text) => {
    return oneOf("start", text, starts);
  }),
  rounds: flag.preset(100, flag.whole("<T>", "rounds to run", 0, 100)),
  every: flag.whole("<K>", "record the error every K rounds, and at the end", 1, 10),
  seeds: flag.seedsFlag("gossip with each of these seeds: means, deviations, and bands in figures"),
  float32: flag.on("numbers of 4 bytes, not 8"),
  drop: flag.number("<P>", "drop each message with probability P", 0.1),
  absent: flag.number("<P>", "each node misses each round with probability P", 0.1),
  stale: flag.number("<P>", "each message is with probability P one round old", 0.1),
  crash: flag.parsed("<node:from:to,...>", "nodes that miss the rounds from <= t < to (without :to, for good)", () => {
    return spans("crash", "node", /^\d+$/, "3:10:20", ([node]) => ({ node }));
  }),
  cut: flag.parsed("<i-j:from:to,...>", "pairs that hear nothing of each other in the rounds from <= t < to", () => {
    return spans("cut", "i-j", /^\d+-\d+$/, "3-4:10:20", ([i, j]) => ({ pair: [i, j] as const }));
  }),
  pushSum: flag.on("send weights along: the true mean also where directed messages are dropped"),
  alpha: flag.number("<A>", "simulate the time: seconds per message", 1e-4),
  beta: flag.number("<B>", "and seconds per byte", 1e-9),
  threads: flag.whole("<W>", "threads that share every round (default 1): the same bytes", 1, 2),
  ...figureFlags("the error against the rounds, with the predicted rate"),
  ...formatFlag,
};

interface Options extends flag.CommonOptions, FormatOptions, flag.Given<typeof flags> {
  readonly seed?: number;
}

export const words = { "[topology]": "a name of `equitopo list`" };

export const define = (command: Command) => addTopologyOptions(command);

export const help = `
Every node starts with D standard normal numbers; in the order of the labels (sorted) or as two halves of 1 and -1
(split), which a ring is slow to mend; or node 0 alone with n (one). The error is ||x(t) - J x(0)||, where J x(0) is the mean in every
row. The seed is that of the start, of the topology's draws and of the faults: the same command gives the same bytes
everywhere, and stateHash (SHA-256 of the final rows) shows it. A dropped message counts as sent. In --json, seconds are
simulated (by --alpha and --beta) and timing is measured.

In undirected rounds an exchange fails on both sides or on neither, and the mean stays exact. In directed rounds every
dropped message moves it a little: meanDrift says how far, and --push-sum repairs it for one number more in each message.
Stale messages move it in every kind of round.

Examples:
  equitopo gossip od-equidyn --n 300 --rounds 60
  equitopo gossip d-equistatic --n 10000 --m 47 --dim 100 --rounds 40 --json
  equitopo gossip ring --n 1e5 --dim 100 --rounds 50 --threads 2
  equitopo gossip od-equidyn --n 300 --drop 0.1 --push-sum --svg loss.svg
  equitopo gossip ou-equidyn --n 300 --crash 7:10:20,8:0              node 7 comes back, node 8 never starts
  equitopo gossip ring --n 30 --cut 0-29:5                            from round 5 on a path
  equitopo gossip one-peer-exp --n 256 --rounds 8 --alpha 1e-4 --beta 1e-9
  equitopo gossip u-equistatic --n 60 --m 3 --seeds 1..8 --svg band.svg
  equitopo gossip od-equidyn --n 300 --plot fig1 --width 240          a folder: fig1/figure.pdf, its data and the spec behind it
  equitopo gossip --file mine.csv --rounds 1000 --every 10
`;

export async function act(name: string | undefined, options: Options & TopologyValues): Promise<void> {
  requireFigureFiles(options);
  // What nodes hold is known before any graph is made.
  if (options["n"] !== undefined) sayRows(Number(options["n"]), options);
  if (options.seeds !== undefined) return gossipOverSeeds(name, options.seeds, options);
  const { topology, run, parts } = await oneGossip(name, options);
  const answer = { ...asJson(topology, run), ...parts, ...noteJson(topology) };
  await printAnswer(answer, () => gossipInWords(topology, run), options);
  await plotted(() => drawGossip(topology, run), options, answer);
}

async function oneGossip(name: string | undefined, options: Options & TopologyValues) {
  const chosen = await chosenTopology(name, options);
  const file = options["file"] as string | undefined;
  // Words and figures call it by its file.
  const topology = file === undefined ? chosen : { ...chosen, name: file === "-" ? "stdin" : basename(file) };
  const parts = partsJson(topology, options);
  if (options["n"] === undefined) sayRows(topology.n, options);
  return { topology, parts, run: await watchedRun(topology, options) };
}

/** The start, the draws and the faults of every seed. */
async function gossipOverSeeds(name: string | undefined, seeds: readonly number[], options: Options & TopologyValues) {
  if (options.seed !== undefined) {
    throw new InputError("--seed and --seeds exclude each other", options.seed, "leave out one of them");
  }
  const runs: SeededGossip[] = [];
  for (const seed of seeds) runs.push({ seed, ...(await oneGossip(name, { ...options, seed })) });
  const answer = seedsJson(runs);
  await printAnswer(answer, () => seedsInWords(runs), options);
  const errors = runs.map((one) => one.run.record.errors);
  await plotted(() => drawGossip(runs[0].topology, runs[0].run, errors), options, answer);
}

/** The start, the rows before and after a round, and those handed out. */
function sayRows(n: number, options: Options): void {
  const bytes = 4 * n * options.dim * (options.float32 ? 4 : 8);
  requireMemory("the work", bytes, "try a smaller n or --dim, or --float32");
  sayCost({ bytes }, options);
}

async function watchedRun(topology: Topology, options: Options): Promise<GossipRun> {
  const gossipOptions = libraryOptions(options);
  const { rounds } = gossipOptions;
  const bar = progressBar({ label: topology.name, total: rounds, quiet: options.quiet ?? false });
  const { threads } = options;
  const pool = threads === undefined ? undefined : (await import("@equitopo/node")).threadPool(threads);
  const mixer = pool === undefined ? {} : { mixer: pool.mixer(topology.n, gossipOptions.type) };
  let reached = 0;
  const start = performance.now();
  let begun = start;
  const record = await untilInterrupted(
    (signal) =>
      gossipAsync(topology, {
        ...gossipOptions,
        ...mixer,
        signal,
        onProgress(done) {
          // The first report comes once the start is drawn: what follows is rounds.
          if (done === 0) begun = performance.now();
          reached = done;
          bar.update(done);
        },
      }).finally(() => {
        bar.end();
        return pool?.close();
      }),
    () => `interrupted after round ${reached} of ${rounds}; nothing was written`,
  );
  const end = performance.now();
  const timing = { milliseconds: end - start, perRound: rounds === 0 ? 0 : (end - begun) / rounds };
  return { record, options: gossipOptions, timing, ...(threads === undefined ? {} : { threads }) };
}

function libraryOptions(options: Options): GossipOptions {
  const { dim, rounds, start, seed = 0, every = 1, float32, alpha, beta, pushSum } = options;
  const { drop, absent, stale, crash, cut } = options;
  const latency = alpha === undefined && beta === undefined ? undefined : { alpha: alpha ?? 0, beta: beta ?? 0 };
  return {
    ...{ d: dim, rounds, seed, every, type: float32 ? "float32" : "float64" },
    ...defined({ x0: start, drop, absent, stale, crash, cut, latency, pushSum }),
  };
}

function asJson(topology: Topology, { record, options, timing, threads = 1 }: GossipRun): object {
  const { name, n, ...spec } = topology.spec;
  const { d: dim, rounds, ...given } = options;
  const { x, ...measured } = record;
  const hash = { stateHash: stateHash(x) };
  return { topology: name, n, dim, rounds, ...spec, ...given, ...measured, ...hash, timing: { ...timing, threads } };
}

/** Whom (`what`), and from when to when: 3:10:20,5:0 or 3-4:10:20,0-9:5. Without an end it is for good. */
const spans =
  <T>(name: string, what: string, whom: RegExp, example: string, of: (nodes: readonly number[]) => T) =>
  (text: string) =>
    text.split(",").map((word) => {
      const [, who = "", from, until] = /^\s*([\d-]+):(\d+)(?::(\d+))?\s*$/.exec(word) ?? [];
      const rule = `${name} must be a list of ${what}:from or ${what}:from:to`;
      if (!whom.test(who)) throw new InputError(rule, text, `try --${name} ${example}`);
      const span = until === undefined ? {} : { until: Number(until) };
      return { ...of(who.split("-").map(Number)), from: Number(from), ...span };
    });
