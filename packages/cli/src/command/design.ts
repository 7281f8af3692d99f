/** `equitopo design`: searches for the best circulant of a degree, or the best sequence of one-peer rounds. */

import type { Command } from "commander";
import { type Design, InputError, predictedRounds } from "equitopo";
import {
  chunkSize,
  designOn,
  exhaust,
  exhaustible,
  type Found,
  type OnePeerDesign,
  type OnePeerQuestion,
  onePeerChunkSize,
  onePeerDesignOn,
  onePeerQuestion,
  type Question,
  question,
} from "equitopo/design";
import { integerOption, numberOption } from "../arguments.ts";
import { showCount, showRate } from "../numbers.ts";
import { jsonText, note, print, printJson, writeAtomically } from "../output.ts";
import { progressOf } from "../progress.ts";
import type { CommonOptions, Session } from "../session.ts";

/** More does not fit into a timer. */
const MOST_SECONDS = 2_000_000;

interface Options extends CommonOptions {
  readonly n?: number;
  readonly degree?: number;
  readonly directed?: true;
  readonly undirected?: true;
  readonly onePeer?: true;
  readonly period?: number;
  readonly evaluations?: number;
  readonly seconds?: number;
  readonly seed: number;
  readonly threads?: number;
  readonly certificate?: string;
}

/** Chunks that are searched where nothing else is asked for. */
const CHUNKS = 8;
/** 128 + SIGINT, as shells expect. */
const INTERRUPTED = 130;

export function define(command: Command, session: Session): void {
  command
    .option("--n <N>", "number of nodes", integerOption("n", 2, 300))
    .option("--degree <K>", "peers of a node", integerOption("degree", 1, 9))
    .option("--directed", "edges may go one way (the default)")
    .option("--undirected", "every edge goes both ways")
    .option("--one-peer", "a sequence of rounds with one peer each, in place of a static graph")
    .option("--period <T>", "rounds in the sequence, default ceil(log2 n)", integerOption("period", 1, 9))
    .option("--evaluations <E>", "sets of shifts to consider", integerOption("evaluations", 1, 1e8))
    .option("--seconds <S>", "search for so long", numberOption("seconds", 10))
    .option("--seed <S>", "of the search, default 0", integerOption("seed", 0, 1), 0)
    .option("--threads <P>", "default: as many as there are cores", integerOption("threads", 1, 2))
    .option("--certificate <FILE>", "also write a certificate that `equitopo verify` re-derives")
    .addHelpText(
      "after",
      `
Searches shifts and weights of a circulant W = self I + sum_j w_j P^(u_j) for the lowest rate: local search from many
starts on all cores, best weights by cutting planes; where there are few sets of shifts, all of them, and the best is
proved. The result depends on the seed and on --evaluations, not on the threads. Ctrl-C prints the best so far.

The bound holds for every circulant with that many peers; the certificate shows that no weights on these shifts do better.
Print the spec into a spec file, or run it: equitopo rate designed-static --n ... --shifts ... --weights ...

Examples:
  equitopo design --n 300 --degree 9                          nine peers, directed
  equitopo design --n 300 --degree 9 --seconds 60 --seed 1    a minute's search
  equitopo design --n 64 --degree 5 --undirected --json       for programs
  equitopo design --n 300 --one-peer --period 9               one peer a round, nine rounds
  equitopo design --n 100 --degree 4 --certificate c.json && equitopo verify c.json
`,
    )
    .action(async (options: Options) => {
      const asked = askedFor(options);
      const { found, proved, interrupted } = await search(asked, options);
      if (interrupted) session.exitCode = INTERRUPTED;
      const design: Design | OnePeerDesign =
        "period" in asked ? onePeerDesignOn(asked, found.shifts) : designOn(asked, found.shifts, proved);
      if (options.certificate !== undefined) {
        const [{ certify }, { designClaim, designedTopology, sequenceClaim }] = await Promise.all([
          import("../certificate.ts"),
          import("../design-claim.ts"),
        ]);
        const claim = "period" in design ? sequenceClaim(design) : designClaim(design, (asked as Question).degree);
        await writeAtomically(options.certificate, [jsonText(certify(designedTopology(design), claim))]);
      }
      if (options.json) await printJson(design);
      else await print([`${await inWords(asked, design, found.evaluations, options)}\n`]);
      if (interrupted) note("interrupted: the best so far", options);
      if (options.certificate !== undefined) note(`certificate written to ${options.certificate}`, options);
    });
}

/** What is sought, checked; options that do not go together are refused. */
function askedFor(options: Options): Question | OnePeerQuestion {
  const { n, degree, directed, undirected, onePeer, period, evaluations, seconds } = options;
  if (n === undefined) throw new InputError("--n, the number of nodes, must be given", n, "try --n 300");
  if (directed && undirected)
    throw new InputError("edges go one way or both", "--directed --undirected", "leave out one");
  if (evaluations !== undefined && seconds !== undefined) {
    throw new InputError("a search ends by --evaluations or by --seconds", { evaluations, seconds }, "leave out one");
  }
  if (seconds !== undefined && !(seconds > 0 && seconds <= MOST_SECONDS)) {
    throw new InputError(`seconds must be above 0 and at most ${MOST_SECONDS}`, seconds, "try --seconds 10");
  }
  if (onePeer) {
    if (degree !== undefined)
      throw new InputError("--one-peer has degree 1", `--degree ${degree}`, "leave out --degree");
    if (undirected) throw new InputError("--one-peer sequences are directed", "--undirected", "leave it out");
    return onePeerQuestion({ n, ...(period === undefined ? {} : { period }) });
  }
  if (period !== undefined) throw new InputError("--period goes with --one-peer", period, "add --one-peer");
  if (degree === undefined)
    throw new InputError("--degree, the number of peers, must be given", degree, "try --degree 9");
  return question({ n, degree, directed: undirected !== true });
}

/** The search, until it is done, its time is up, or it is interrupted. */
async function search(
  asked: Question | OnePeerQuestion,
  options: Options,
): Promise<{ found: Found; proved: boolean; interrupted: boolean }> {
  const { seconds, seed, threads } = options;
  const sequence = "period" in asked;
  const chunk = sequence ? onePeerChunkSize(asked) : chunkSize(asked);
  const evaluations = options.evaluations ?? (seconds === undefined ? CHUNKS * chunk : Number.POSITIVE_INFINITY);
  if (!sequence && exhaustible(asked, evaluations)) {
    return { found: exhaust(asked), proved: true, interrupted: false };
  }
  const { searchOnThreads } = await import("../run/design-search.ts");
  const progress = progressOf(options);
  const stop = new AbortController();
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    stop.abort();
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const alarm = seconds === undefined ? undefined : setTimeout(() => stop.abort(), 1000 * seconds);
  try {
    const found = await searchOnThreads(asked, {
      seed,
      chunk,
      evaluations,
      signal: stop.signal,
      ...(threads === undefined ? {} : { threads }),
      onProgress: (best, spent) => progress.step(() => `best ${showRate(best)} after ${showCount(spent)} evaluations`),
    });
    return { found, proved: false, interrupted };
  } finally {
    clearTimeout(alarm);
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    progress.done();
  }
}

/** A block to read. */
async function inWords(
  asked: Question | OnePeerQuestion,
  design: Design | OnePeerDesign,
  evaluations: number,
  { seed }: Options,
): Promise<string> {
  const { designedTopology } = await import("../design-claim.ts");
  const topology = designedTopology(design);
  const lines = "period" in design ? sequenceLines(design) : await staticLines(asked as Question, design);
  const rounds = predictedRounds(topology, 1e-6);
  lines.push(["rounds", showCount(rounds), "to shrink disagreement by 1e-6, at worst"]);
  const width = Math.max(...lines.map(([, value]) => value.length));
  const title = "period" in design ? `one peer a round, ${design.period} rounds` : kindOf(asked as Question);
  return [
    `design for n = ${showCount(design.n)}, ${title}`,
    ...lines.map(([key, value, text]) => `  ${key.padEnd(10)}${value.padEnd(width)}  ${text}`),
    `  searched  ${showCount(evaluations)} sets of shifts, seed ${seed}`,
    `  spec      ${JSON.stringify(topology.spec)}`,
  ].join("\n");
}

const kindOf = ({ degree, directed }: Question) => `${degree} peers, ${directed ? "directed" : "undirected"}`;

type Line = [key: string, value: string, text: string];

async function staticLines(asked: Question, design: Design): Promise<Line[]> {
  const { randomDraws, staticRivals } = await import("../design-rivals.ts");
  const { designedTopology } = await import("../design-claim.ts");
  const { rate, bound, certificate } = design;
  const { n, degree, directed } = asked;
  const random = randomDraws(n, degree, directed);
  const above = bound === 0 ? "" : `; this one is ${((rate / bound - 1) * 100).toFixed(1)}% above`;
  const any = certificate.proved
    ? "all sets of shifts were weighed: no circulant of that degree is better"
    : `${certificate.boundName}: no circulant of that degree is below${above}`;
  return [
    ["rate", showRate(rate), `norm of Pi W, attained at frequency ${certificate.frequency}`],
    ["weights", showRate(certificate.supportBound), "no weights on these shifts have a rate below"],
    ["bound", showRate(bound), any],
    ["beside", showRate(random.rate), random.label],
    ...staticRivals(n, degree, directed, designedTopology(design)).map(
      ({ label, rate: theirs }): Line => ["", showRate(theirs), label],
    ),
  ];
}

function sequenceLines({ n, period, norm, rate, bound, certificate }: OnePeerDesign): Line[] {
  let square = 0;
  for (let k = 1; 2 * k <= n; k++) {
    let product = 1;
    for (let t = 0, u = 1; t < period; t++, u = (2 * u) % n) product *= Math.cos((Math.PI * k * u) / n) ** 2;
    square = Math.max(square, product);
  }
  return [
    ["norm", showRate(norm), `of one period, attained at frequency ${certificate.frequency}`],
    ["rate", showRate(rate), "geometric mean per round"],
    ["bound", showRate(bound), `no ${period} one-peer circulant rounds have a lower norm`],
    ["beside", showRate(Math.sqrt(square)), "doubling over as many rounds"],
  ];
}
