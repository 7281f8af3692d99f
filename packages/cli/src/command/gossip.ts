/** `equitopo gossip`: x(t+1) = W(t) x(t) over one topology, on a network that may fail. */

import type { Command } from "commander";
import {
  type Crash,
  type Cut,
  type GossipOptions,
  type GossipRecord,
  gossipAsync,
  InputError,
  type Start,
  stateHash,
  type Topology,
} from "equitopo";
import { oneOf } from "equitopo/input";
import { starts } from "equitopo/run";
import { integerOption, numberOption } from "../arguments.ts";
import { sayTime } from "../duration.ts";
import { addFigureOptions, type FigureFiles, requireFigureFiles, wantsFigure, writeFigure } from "../figure/files.ts";
import { foreseenGossip } from "../foresee.ts";
import { drawGossip, type GossipRun, gossipInWords } from "../gossip-report.ts";
import { untilInterrupted } from "../interrupt.ts";
import { sayMemory } from "../memory.ts";
import { note, print, printJson } from "../output.ts";
import { notConnected, partsOfGraph } from "../parts.ts";
import { progressBar } from "../progress.ts";
import type { CommonOptions } from "../session.ts";
import { noteJson } from "../topology-notes.ts";
import { addFileOption, addTopologyOptions, type TopologyValues, wholeTopology } from "../topology-options.ts";

interface Options extends CommonOptions, FigureFiles {
  readonly dim: number;
  readonly rounds: number;
  readonly start?: Start;
  readonly seed?: number;
  readonly every?: number;
  readonly float32?: true;
  readonly drop?: number;
  readonly absent?: number;
  readonly stale?: number;
  readonly crash?: readonly Crash[];
  readonly cut?: readonly Cut[];
  readonly alpha?: number;
  readonly beta?: number;
  readonly pushSum?: true;
  readonly threads?: number;
}

export function define(command: Command): void {
  command.argument("[topology]", "a name of `equitopo list`");
  addFileOption(addTopologyOptions(command))
    .option("--dim <D>", "numbers per node", integerOption("dim", 1, 100), 100)
    .option("--start <NAME>", `what nodes hold at first: ${starts.join(", ")} (default normal)`, startOption)
    .option("--rounds <T>", "rounds to run", integerOption("rounds", 0, 100), 100)
    .option("--every <K>", "record the error every K rounds, and at the end", integerOption("every", 1, 10))
    .option("--float32", "numbers of 4 bytes, not 8")
    .option("--drop <P>", "lose each message with probability P", numberOption("drop", 0.1))
    .option("--absent <P>", "each node misses each round with probability P", numberOption("absent", 0.1))
    .option("--stale <P>", "each message is with probability P one round old", numberOption("stale", 0.1))
    .option("--crash <node:from:to,...>", "nodes that miss the rounds from <= t < to (without :to, for good)", crashes)
    .option("--cut <i-j:from:to,...>", "pairs that hear nothing of each other in the rounds from <= t < to", cuts)
    .option("--push-sum", "send weights along: the true mean also where directed messages are lost")
    .option("--alpha <A>", "simulate the time: seconds per message", numberOption("alpha", 1e-4))
    .option("--beta <B>", "and seconds per byte", numberOption("beta", 1e-9))
    .option("--threads <W>", "threads that share every round (default 1): the same bytes", threadsOption);
  addFigureOptions(command, "the error against the rounds, with the predicted rate")
    .addHelpText(
      "after",
      `
Every node starts with D standard normal numbers; in the order of the labels (sorted) or as two halves of 1 and -1
(split), which a ring is slow to mend; or node 0 alone with n (one). The error is ||x(t) - J x(0)||, where J x(0) is the mean in every
row. The seed is that of the start, of the topology's draws and of the faults: the same command gives the same bytes
everywhere, and stateHash (SHA-256 of the final rows) tells. A lost message counts as sent. In --json, seconds are simulated
(by --alpha and --beta) and timing is measured.

In undirected rounds an exchange fails on both sides or on neither, and the mean stays exact. In directed rounds every
lost message moves it a little: meanDrift says how far, and --push-sum repairs it for one number more in each message.
Stale messages move it in every kind of round.

Examples:
  equitopo gossip od-equidyn --n 300 --rounds 60
  equitopo gossip d-equistatic --n 10000 --m 47 --dim 100 --rounds 40 --json
  equitopo gossip ring --n 1e5 --dim 100 --rounds 50 --threads 2
  equitopo gossip od-equidyn --n 300 --drop 0.1 --push-sum --svg loss.svg
  equitopo gossip ou-equidyn --n 300 --crash 7:10:20,8:0              node 7 comes back, node 8 never starts
  equitopo gossip ring --n 30 --cut 0-29:5                            from round 5 on a path
  equitopo gossip one-peer-exp --n 256 --rounds 8 --alpha 1e-4 --beta 1e-9
  equitopo gossip --file mine.csv --rounds 1000 --every 10
`,
    )
    .action(async (name: string | undefined, options: Options & TopologyValues) => {
      requireFigureFiles(options);
      // What nodes hold is known before any graph is made: the start, the rows before and after a round, and those handed out.
      const rowBytes = 4 * options.dim * (options.float32 ? 4 : 8);
      if (options["n"] !== undefined) sayMemory(Number(options["n"]) * rowBytes, options);
      const topology = await wholeTopology(name, options);
      const parts = partsOfGraph(topology);
      if (parts > 1) note(`${topology.name} is ${notConnected(parts)}`, options);
      if (options["n"] === undefined) sayMemory(topology.n * rowBytes, options);
      sayTime(() => foreseenGossip(topology, libraryOptions(options)), options);
      const run = await watchedRun(topology, options);
      if (options.json)
        await printJson({ ...asJson(topology, run), ...(parts > 1 ? { parts } : {}), ...noteJson(topology) });
      else await print([gossipInWords(topology, run)]);
      if (!wantsFigure(options)) return;
      note(`figure written to ${await writeFigure(drawGossip(topology, run), options)}`, options);
    });
}

const startOption = (text: string) => oneOf("start", text, starts);

/** More than a machine has is allowed, and slow. */
const threadsOption = integerOption("threads", 1, 2);

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
  const record: GossipRecord = await untilInterrupted(
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

/** The options by the library's names. */
function libraryOptions(options: Options): GossipOptions {
  const {
    dim,
    rounds,
    start,
    seed = 0,
    every = 1,
    float32,
    drop,
    crash,
    cut,
    alpha,
    beta,
    pushSum,
    absent,
    stale,
  } = options;
  return {
    d: dim,
    rounds,
    seed,
    every,
    type: float32 ? "float32" : "float64",
    ...(start === undefined ? {} : { x0: start }),
    ...(drop === undefined ? {} : { drop }),
    ...(absent === undefined ? {} : { absent }),
    ...(stale === undefined ? {} : { stale }),
    ...(crash === undefined ? {} : { crash }),
    ...(cut === undefined ? {} : { cut }),
    ...(alpha === undefined && beta === undefined ? {} : { latency: { alpha: alpha ?? 0, beta: beta ?? 0 } }),
    ...(pushSum ? { pushSum } : {}),
  };
}

function asJson(topology: Topology, { record, options, timing, threads = 1 }: GossipRun): object {
  const { name, n, ...spec } = topology.spec;
  const { d: dim, rounds, ...given } = options;
  const { x, ...measured } = record;
  const hash = { stateHash: stateHash(x) };
  return { topology: name, n, dim, rounds, ...spec, ...given, ...measured, ...hash, timing: { ...timing, threads } };
}

/** 3:10:20,5:0 */
function crashes(text: string): readonly Crash[] {
  return text.split(",").map((word) => {
    const found = /^\s*(\d+):(\d+)(?::(\d+))?\s*$/.exec(word);
    if (found === null) {
      throw new InputError("crash must be a list of node:from or node:from:to", text, "try --crash 3:10:20");
    }
    const [node, from] = [Number(found[1]), Number(found[2])];
    return found[3] === undefined ? { node, from } : { node, from, until: Number(found[3]) };
  });
}

/** 3-4:10:20,0-9:5 */
function cuts(text: string): readonly Cut[] {
  return text.split(",").map((word) => {
    const found = /^\s*(\d+)-(\d+):(\d+)(?::(\d+))?\s*$/.exec(word);
    if (found === null) {
      throw new InputError("cut must be a list of i-j:from or i-j:from:to", text, "try --cut 3-4:10:20");
    }
    const [i, j, from] = found.slice(1, 4).map(Number);
    return found[4] === undefined ? { pair: [i, j], from } : { pair: [i, j], from, until: Number(found[4]) };
  });
}
