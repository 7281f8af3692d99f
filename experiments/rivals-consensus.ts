/**
 * Plain averaging: the paper's graphs beside every rival, from one start that any program can make (lcg.ts). Rounds until
 * the error stays below 1e-6 and 1e-12, and vectors sent, held to figures that were computed independently: deterministic
 * graphs to the round, random ones in the median of 21 draws.
 */

import { type Check, listed, type Panel, type Results, type Scale } from "equitopo/internal/outcome";
import { type AveragingUnit, firstCurve, roundsReached, sharesPanel } from "./averaging.ts";
import { showRounds } from "./curves.ts";
import * as graphs from "./graphs.ts";
import type { Study } from "./study.ts";
import { resultOf } from "./unit.ts";

const { drawn, fixed } = graphs;
const levels = (n: number) => Math.ceil(Math.log2(n));

/** Figures by size, computed in another program from the same start. */
type Figures = readonly number[];
type Entry = readonly [graph: graphs.Graph, rounds: Figures, other: Figures, unknownDraw?: readonly number[]];
/** A graph, and the figures that it is held to. */
type Line = ReturnType<typeof linesAt>[number];

/** `unknownDraw` are sizes at which the draws behind the figures are not known: the draws here are shown, and not checked. */
const linesAt = (sizes: readonly number[], entries: readonly Entry[]) =>
  entries.map(([graph, rounds, other, unknownDraw = []]) => {
    return { ...graph, figures: new Map(sizes.map((n, k) => [n, [rounds[k], other[k]]])), unknownDraw };
  });

const elLocal = drawn("EL-Local 1, spread", "el-local", () => ({ s: 1 }));

/** Rounds to 1e-6, and rounds to 1e-12. */
const onePeer = linesAt(
  [17, 25, 32, 300, 1000, 4900],
  [
    [graphs.ceca, [5, 5, 5, 9, 10, 13], [5, 5, 5, 9, 10, 13]],
    [graphs.base(1), [9, 9, 5, 15, 16, 23], [9, 9, 5, 15, 16, 23]],
    [graphs.exponential, [24, 40, 5, 53, 38, 77], [49, 82, 5, 124, 70, 180]],
    [graphs.od, [27, 29, 22, 33, 35, 36], [49, 54, 22, 60, 62, 65]],
    [graphs.ou, [36, 39, 14, 40, 39, 40], [72, 76, 14, 80, 77, 80]],
    [graphs.greedy, [39, 42, 41, 46, 47, 47], [78, 84, 83, 93, 94, 94]],
    [graphs.matching, [39, 39, 37, 40, 40, 40], [76, 77, 74, 80, 80, 80]],
    [elLocal, [51, 53, 56, 60, 60, 61], [98, 106, 109, 119, 120, 121]],
  ],
);

const kPeerExp = (k: number) => fixed(`${k}-peer exp.`, "k-peer-exp", () => ({ k }));
const oracle4 = drawn("EL-Oracle 4", "el-oracle", () => ({ s: 4 }));
const baseL = fixed("Base, k = L", "base", (n) => ({ k: levels(n) }));
const deBruijnL = fixed("De Bruijn L", "de-bruijn", (n) => ({ p: levels(n) }));
// An undirected graph of degree 5 on 25 nodes does not exist.
const oracleL = drawn("EL-Oracle L", "el-oracle", (n) => ({ s: n === 25 ? 4 : levels(n) }));
const permutations = drawn("Random permutations L", "random-permutations", (n) => ({ d: levels(n) }));
const equiStatic: graphs.Graph = {
  title: "D-EquiStatic",
  random: true,
  // At n = 300 the figures are of the authors' basis.
  spec: (n, seed) =>
    n === 300 ? { name: "d-equistatic", n, basis: graphs.basis } : { name: "d-equistatic", n, m: levels(n), seed },
};
const regular = drawn("Random regular", "random-regular", (n) => ({ d: 2 * Math.ceil(levels(n) / 2) }));
const undirected = drawn("U-EquiStatic", "u-equistatic", (n) => ({ m: Math.ceil(levels(n) / 2) }));

/** Rounds to 1e-6, and vectors sent until then. */
const morePeers = linesAt(
  [25, 300, 1000, 4900],
  [
    [graphs.base(2), [6, 9, 12, 15], [9.7, 13.7, 19.6, 26.8]],
    [graphs.deBruijn(2), [20, 22, 24, 25], [38, 44, 48, 50]],
    [kPeerExp(2), [15, 35, 34, 56], [30, 70, 68, 112]],
    [graphs.base(4), [2, 4, 5, 8], [8, 13, 16, 26.3]],
    [graphs.deBruijn(4), [10, 11, 12, 13], [38, 44, 48, 52]],
    [oracle4, [16, 18, 18, 18], [64, 72, 72, 72]],
    [kPeerExp(4), [2, 16, 20, 24], [8, 64, 80, 96]],
    [baseL, [2, 3, 3, 4], [8, 20, 27, 34]],
    [deBruijnL, [2, 8, 3, 7], [9.6, 72, 30, 91]],
    [oracleL, [16, 12, 12, 11], [64, 108, 120, 143]],
    [permutations, [22, 15, 14, 12], [94, 133, 139, 156]],
    [equiStatic, [38, 34, 43, 38], [152, 306, 387, 494], [25, 1000, 4900]],
    [graphs.staticExp, [19, 50, 53, 63], [95, 450, 530, 819]],
    [regular, [29, 24, 25, 19], [174, 240, 250, 266]],
    [undirected, [52, 69, 87, 77], [208, 690, 870, 1078], [25, 300, 1000, 4900]],
  ],
);

const REPEATS = 21;
/** Larger networks scatter less, and take longer. */
const repeats = (n: number) => (n > 1000 ? 7 : REPEATS);
/** Rounds that are run: a little more than the check allows; far enough for graphs that are drawn here anew. */
const roundsFor = (line: Line, n: number) => {
  if (line.unknownDraw.length > 0) return 200;
  const [rounds, other] = line.figures.get(n)!;
  return Math.min(200, Math.ceil(1.3 * (onePeer.includes(line) ? other : rounds)) + 12);
};
const TOLERANCES = [1e-6, 1e-12];
/** What a median of 21 runs may be off by. */
const ALLOWANCE = 3;
const sizes = ([{ figures }]: readonly Line[], scale: Scale) =>
  [...figures.keys()].filter((n) => scale === "full" || n <= 300);

function unitOf(line: Line, n: number): AveragingUnit {
  return {
    kind: "averaging",
    key: `${line.title} n=${n}`,
    topologies: graphs.repeatsOf(line, n, repeats(n)),
    rounds: roundsFor(line, n),
    tolerances: TOLERANCES,
    // EL-Local agrees on a mean that drifts: its error stays, only the spread falls.
    around: line.title === elLocal.title ? "now" : "start",
  };
}

export const rivalsConsensus: Study = {
  name: "rivals-consensus",
  title: "Averaging: the paper's graphs and their rivals",
  paper: "Not in the paper",
  shows:
    "In plain averaging EquiDyn loses to graphs that are exact after finitely many rounds (CECA, Base), and the static EquiTopo graphs lose to de Bruijn and random regular graphs of the same degree. In bytes alone, all-reduce wins.",
  parameters: (scale) => ({
    n: sizes(onePeer, scale).join(", "),
    start: "ten numbers a node from the common generator, seed 1",
    eta: "n/(2(n − 1)), the best",
    repeats: `${REPEATS} where something is drawn${sizes(onePeer, scale).includes(4900) ? ` (${repeats(4900)} at n = 4900)` : ""}, once elsewhere`,
  }),
  units: (scale) =>
    [onePeer, morePeers].flatMap((lines) => lines.flatMap((line) => sizes(lines, scale).map((n) => unitOf(line, n)))),
  outcome(results, scale) {
    const curveAt = (n: number) => (line: Line) => curveOf(results, line, n);
    const [few, many] = [sizes(onePeer, scale), sizes(morePeers, scale)];
    return {
      figures: [
        {
          name: "rivals-consensus-one-peer",
          title: "Averaging with one peer a round",
          caption: "The first draw of each graph. Error as a share of the first one.",
          panels: [25, 300].map((n) => sharesPanel(`n = ${n}`, "error", onePeer.map(curveAt(n)))),
        },
        {
          name: "rivals-consensus-more-peers",
          title: "Averaging with more peers: error against vectors sent",
          caption: "The first draw of each graph. A vector is one message of a model.",
          panels: [25, 300].map((n) => morePeersPanel(results, n)),
        },
      ],
      tables: [
        {
          name: "one-peer",
          title: "One peer a round: rounds to 1e-6 / 1e-12",
          columns: ["graph", ...few.map((n) => `n = ${n}`)],
          rows: onePeer.map((line) => [line.title, ...few.map((n) => text(line, n, bothRounds(results, line, n)))]),
          caption: "The round from which on the error stays below; medians over repeats where something is drawn.",
        },
        {
          name: "more-peers",
          title: "More peers: rounds to 1e-6 (vectors sent by a node)",
          columns: ["graph", ...many.map((n) => `n = ${n}`)],
          rows: [
            ...morePeers.map((line) => [line.title, ...many.map((n) => sentAt(results, line, n, 3).words)]),
            ["All-reduce, exact", ...many.map((n) => `1 (${((2 * (n - 1)) / n).toFixed(2)})`)],
          ],
          caption: "L = ceil(log2 n). All-reduce needs a collective over all nodes; everything above does without.",
        },
      ],
      checks: [
        ...onePeer.flatMap((line) => few.map((n) => onePeerCheck(results, line, n))),
        ...morePeers.flatMap((line) => {
          return many.filter((n) => !line.unknownDraw.includes(n)).map((n) => morePeersCheck(results, line, n));
        }),
        ...many.flatMap((n) => [
          sooner(results, "De Bruijn L", "D-EquiStatic", n),
          sooner(results, "Random regular", "U-EquiStatic", n),
        ]),
      ],
      findings: [fewestRounds(results, scale)],
      notes: [
        "At powers of two OD- and OU-EquiDyn (Euclid) are exact once shifts of every 2-adic order have come up: a coupon collector, whose median over 21 runs scatters by half its size. The figures there are 22 / 22 and 14 / 14, and were missed by more than 3: OD-EquiDyn at n = 32 is therefore held against the exact law, whose median is 29, and OU-EquiDyn allowed 7.",
        "The bases behind the figures of D-EquiStatic (but for n = 300) and U-EquiStatic are not known; their rows are medians over 21 draws, and only who is sooner is checked.",
      ],
    };
  },
};

/** At the largest n: which graph with one peer a round needs the fewest rounds, and how many the paper's own need. */
function fewestRounds(results: Results, scale: Scale): string {
  const n = Math.max(...sizes(onePeer, scale));
  const rounds = onePeer.map((line) => ({ title: line.title, needed: bothRounds(results, line, n)[0] }));
  const [first] = [...rounds].sort((a, b) => a.needed - b.needed);
  const own = rounds.filter(({ title }) => /EquiDyn/.test(title)).map(({ title, needed }) => `${title} ${needed}`);
  return `At n = ${n} ${first.title} is first at 1e-6 of the graphs with one peer a round, after ${first.needed} rounds; ${listed(own)}.`;
}

const curveOf = (results: Results, line: Line, n: number) =>
  firstCurve(line, n, resultOf(results, unitOf(line, n)), 1e-14);

function morePeersPanel(results: Results, n: number): Panel {
  const series = morePeers.map((line) => {
    const { mean, ...curve } = curveOf(results, line, n);
    // Nothing is sent before the first round, and a logarithmic axis has no zero.
    return { ...curve, x: resultOf(results, unitOf(line, n)).vectors.slice(1, mean.length), mean: mean.slice(1) };
  });
  return { ...sharesPanel(`n = ${n}`, "error", series), xLabel: "vectors sent by a node", xLog: true };
}

const bothRounds = (results: Results, line: Line, n: number) =>
  TOLERANCES.map((_, k) => roundsReached(resultOf(results, unitOf(line, n)), k));

const text = (line: Line, n: number, rounds: readonly number[]) =>
  rounds.map((value) => showRounds(value, roundsFor(line, n))).join(" / ");

/** Rounds to 1e-6, and vectors up to the median round; degrees are the same in every draw, or nearly so. */
function sentAt(results: Results, line: Line, n: number, digits: number) {
  const [rounds] = bothRounds(results, line, n);
  const sent = resultOf(results, unitOf(line, n)).vectors[Math.min(roundsFor(line, n), Math.round(rounds))];
  return { rounds, sent, words: `${text(line, n, [rounds])} (${Number(sent.toPrecision(digits))})` };
}

function onePeerCheck(results: Results, line: Line, n: number): Check {
  const measured = bothRounds(results, line, n);
  const figures = line.figures.get(n)!;
  if (line.title === "OD-EquiDyn" && n === 32) return coupons(measured[1], text(line, n, measured));
  // Exact after a handful of luckily drawn rounds: a coupon collector, too, with no closed form at hand.
  const lucky = line.title === "OU-EquiDyn, Euclid" && n === 32;
  const allowance = line.random ? (lucky ? 7 : ALLOWANCE) : 0;
  return {
    name: `${line.title}, n = ${n}: rounds to 1e-6 / 1e-12`,
    expected: `${figures.join(" / ")}${allowance > 0 ? `, ± ${allowance}` : ""}`,
    measured: text(line, n, measured),
    pass: measured.every((value, k) => Math.abs(value - figures[k]) <= allowance),
  };
}

/**
 * OD-EquiDyn at n = 32, weight 1/2: a shift of 2-adic order 2^j (odd multiples of it) averages away the Fourier modes
 * that are odd multiples of 16 / 2^j. All modes are gone once all five orders have come up. The median of 21 runs lies
 * between the 22nd and the 78th percentile of that law in 99 of 100 cases.
 */
function coupons(measured: number, shown: string): Check {
  const share = (t: number) => {
    let sum = 0;
    for (let missing = 0; missing < 32; missing++) {
      let [chance, sign] = [0, 1];
      for (let j = 0; j < 5; j++) if ((missing >> j) & 1) [chance, sign] = [chance + 16 / 2 ** j / 31, -sign];
      sum += sign * (1 - chance) ** t;
    }
    return sum;
  };
  const first = (level: number, t = 0): number => (share(t) < level ? first(level, t + 1) : t);
  const [low, middle, high] = [0.22, 0.5, 0.78].map((level) => first(level));
  return {
    name: "OD-EquiDyn, n = 32: exact once shifts of all five orders have come up",
    expected: `median ${middle}; between ${low} and ${high} in 99 of 100 medians of ${REPEATS}`,
    measured: shown,
    pass: measured >= low && measured <= high,
  };
}

function morePeersCheck(results: Results, line: Line, n: number): Check {
  const { rounds, sent, words } = sentAt(results, line, n, 4);
  const [figure, vectors] = line.figures.get(n)!;
  const allowance = line.random && !(line.title === "D-EquiStatic" && n === 300) ? ALLOWANCE : 0;
  // Figures are printed to a tenth, or whole.
  const printed = Number.isInteger(vectors) ? 0.5 : 0.05;
  return {
    name: `${line.title}, n = ${n}: rounds to 1e-6 (vectors)`,
    expected: allowance > 0 ? `${figure} ± ${allowance}` : `${figure} (${vectors})`,
    measured: words,
    pass: Math.abs(rounds - figure) <= allowance && (allowance > 0 || Math.abs(sent - vectors) <= printed + 1e-9),
  };
}

function sooner(results: Results, fast: string, slow: string, n: number): Check {
  const [a, b] = [fast, slow].map((title) => bothRounds(results, morePeers.find((one) => one.title === title)!, n)[0]);
  return {
    name: `n = ${n}: ${fast} before ${slow} at the same degree`,
    expected: "fewer rounds to 1e-6",
    measured: `${showRounds(a, 200)} against ${showRounds(b, 200)}`,
    pass: a < b,
  };
}
