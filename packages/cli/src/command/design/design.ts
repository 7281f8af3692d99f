/** `equitopo design`: searches for the best circulant of a degree, or the best sequence of one-peer rounds. */

import { type Design, InputError, predictedRounds } from "equitopo";
import * as search from "equitopo/internal/design";
import { defined } from "equitopo/internal/input";
import { type FormatOptions, formatFlag, type Part, printAnswer } from "../../terminal/answer.ts";
import { type CommonOptions, type Given, number, on, preset, whole, word } from "../../terminal/flags.ts";
import { showCount, showRate } from "../../terminal/numbers.ts";
import { jsonText, note, writeAtomically } from "../../terminal/output.ts";
import { progressOf } from "../../terminal/progress.ts";
import { type Cell, numberCell, valueTable } from "../../terminal/table.ts";
import { requireN } from "../../topology/options.ts";

/** More does not fit into a timer. */
const MOST_SECONDS = 2_000_000;

export const flags = {
  n: whole("<N>", "number of nodes", 2, 300),
  degree: whole("<K>", "peers of a node", 1, 9),
  directed: on("edges may go one way (the default)"),
  undirected: on("every edge goes both ways"),
  onePeer: on("a sequence of rounds with one peer each, in place of a static graph"),
  period: whole("<T>", "rounds in the sequence, default ceil(log2 n)", 1, 9),
  evaluations: whole("<E>", "sets of shifts to consider", 1, 1e8),
  seconds: number("<S>", "search for so long", 10),
  seed: preset(0, whole("<S>", "of the search, default 0", 0, 1)),
  threads: whole("<P>", "default: as many as there are cores", 1, 2),
  certificate: word("<FILE>", "also write a certificate that `equitopo verify` re-derives"),
  ...formatFlag,
};

interface Options extends CommonOptions, FormatOptions, Given<typeof flags> {}

/** Chunks that are searched where nothing else is asked for. */
const CHUNKS = 8;
/** 128 + SIGINT, as shells expect. */
const INTERRUPTED = 130;

export const help = `
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
`;

export async function act(options: Options): Promise<number> {
  const asked = askedFor(options);
  const { found, proved, interrupted } = await searched(asked, options);
  const design: Design | search.OnePeerDesign =
    "period" in asked ? search.onePeerDesignOn(asked, found.shifts) : search.designOn(asked, found.shifts, proved);
  if (options.certificate !== undefined) {
    const [{ certify }, { designClaim, designedTopology, sequenceClaim }] = await Promise.all([
      import("../../certificate/certificate.ts"),
      import("../../certificate/design-claim.ts"),
    ]);
    const claim = "period" in design ? sequenceClaim(design) : designClaim(design, (asked as search.Question).degree);
    await writeAtomically(options.certificate, [jsonText(certify(designedTopology(design), claim))]);
  }
  await printAnswer(design, () => inWords(asked, design, found.evaluations, options), options);
  if (interrupted) note("interrupted: the best so far", options);
  if (options.certificate !== undefined) note(`certificate written to ${options.certificate}`, options);
  return interrupted ? INTERRUPTED : 0;
}

/** What is sought, checked; options that do not go together are refused. */
function askedFor(options: Options): search.Question | search.OnePeerQuestion {
  const { degree, directed, undirected, onePeer, period, evaluations, seconds } = options;
  const n = requireN(options);
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
    return search.onePeerQuestion({ n, ...defined({ period }) });
  }
  if (period !== undefined) throw new InputError("--period goes with --one-peer", period, "add --one-peer");
  if (degree === undefined)
    throw new InputError("--degree, the number of peers, must be given", degree, "try --degree 9");
  return search.question({ n, degree, directed: undirected !== true });
}

/** The search, until it is done, its time is up, or it is interrupted. */
async function searched(asked: search.Question | search.OnePeerQuestion, options: Options) {
  const { seconds, seed, threads } = options;
  const sequence = "period" in asked;
  const chunk = sequence ? search.onePeerChunkSize(asked) : search.chunkSize(asked);
  const evaluations = options.evaluations ?? (seconds === undefined ? CHUNKS * chunk : Number.POSITIVE_INFINITY);
  if (!sequence && search.exhaustible(asked, evaluations)) {
    return { found: search.exhaust(asked), proved: true, interrupted: false };
  }
  const { searchOnThreads } = await import("./search.ts");
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
    const onProgress = (best: number, spent: number) =>
      progress.step(() => `best ${showRate(best)} after ${showCount(spent)} evaluations`);
    const how = { seed, chunk, evaluations, signal: stop.signal, onProgress, ...defined({ threads }) };
    const found = await searchOnThreads(asked, how);
    return { found, proved: false, interrupted };
  } finally {
    clearTimeout(alarm);
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    progress.done();
  }
}

async function inWords(
  asked: search.Question | search.OnePeerQuestion,
  design: Design | search.OnePeerDesign,
  evaluations: number,
  { seed }: Options,
): Promise<Part[]> {
  const { designedTopology } = await import("../../certificate/design-claim.ts");
  const topology = designedTopology(design);
  const lines = "period" in design ? sequenceLines(design) : await staticLines(asked as search.Question, design);
  const rounds = predictedRounds(topology, 1e-6);
  lines.push(["rounds", numberCell(rounds, showCount), "to shrink disagreement by 1e-6, at worst"]);
  const title = "period" in design ? `one peer a round, ${design.period} rounds` : kindOf(asked as search.Question);
  const head = `design for n = ${showCount(design.n)}, ${title}`;
  return [
    `${head}\n`,
    valueTable(lines, head, 10),
    `  searched  ${showCount(evaluations)} sets of shifts, seed ${seed}\n`,
    `  spec      ${JSON.stringify(topology.spec)}\n`,
  ];
}

const kindOf = ({ degree, directed }: search.Question) => `${degree} peers, ${directed ? "directed" : "undirected"}`;

type Line = [key: string, value: Cell, text: string];

const rateCell = (rate: number) => numberCell(rate, showRate);

async function staticLines(asked: search.Question, design: Design): Promise<Line[]> {
  const { randomDraws, staticRivals } = await import("./rivals.ts");
  const { designedTopology } = await import("../../certificate/design-claim.ts");
  const { rate, bound, certificate } = design;
  const { n, degree, directed } = asked;
  const random = randomDraws(n, degree, directed);
  const above = bound === 0 ? "" : `; this one is ${((rate / bound - 1) * 100).toFixed(1)}% above`;
  const any = certificate.proved
    ? "all sets of shifts were weighed: no circulant of that degree is better"
    : `${certificate.boundName}: no circulant of that degree is below${above}`;
  return [
    ["rate", rateCell(rate), `norm of Pi W, attained at frequency ${certificate.frequency}`],
    ["weights", rateCell(certificate.supportBound), "no weights on these shifts have a rate below"],
    ["bound", rateCell(bound), any],
    ["beside", rateCell(random.rate), random.label],
    ...staticRivals(n, degree, directed, designedTopology(design)).map(
      ({ label, rate: theirs }): Line => ["", rateCell(theirs), label],
    ),
  ];
}

function sequenceLines({ n, period, norm, rate, bound, certificate }: search.OnePeerDesign): Line[] {
  const doubling = Array.from({ length: period }, (_, t) => 2 ** t % n);
  const doubled = search.onePeerDesignOn({ n, period }, doubling).norm;
  return [
    ["norm", rateCell(norm), `of one period, attained at frequency ${certificate.frequency}`],
    ["rate", rateCell(rate), "geometric mean per round"],
    ["bound", rateCell(bound), `no ${period} one-peer circulant rounds have a lower norm`],
    ["beside", rateCell(doubled), "doubling over as many rounds"],
  ];
}
