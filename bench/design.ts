/**
 * Claim: the search for designs considers tens of millions of sets of shifts a second on one thread, and finds in a second
 * what plain random restarts (draw a set, weigh it, keep the best) do not find in a minute. Evaluations a second, and the
 * best rate after 1, 10 and 60 seconds, of both in the same run. `npm run bench -- design`; --n 1000 takes that case only,
 * --seconds 20 ends there.
 */

import { RandomStream } from "equitopo";
import { chunkSize, columnsOf, type Question, Search, Waves, WeightOptimiser } from "equitopo/internal/design";
import type { Options, Report } from "./bench.ts";

const cases: readonly (readonly [n: number, degree: number])[] = [
  [300, 9],
  [1000, 10],
  [10_000, 14],
];
const marks = [1, 10];

/** The best rate at each mark, and the evaluations by the last. */
interface Course {
  readonly rates: readonly number[];
  readonly perSecond: number;
}

/** Goes on until the last mark; `step` does some work and returns the best rate so far and the evaluations in all. */
function course(
  ends: readonly number[],
  step: (over: () => boolean) => readonly [rate: number, count: number],
): Course {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  const rates: number[] = [];
  let count = 0;
  while (rates.length < ends.length) {
    const [rate, done] = step(() => seconds() >= ends[rates.length]);
    count = done;
    while (rates.length < ends.length && seconds() >= ends[rates.length]) rates.push(rate);
  }
  return { rates, perSecond: count / seconds() };
}

function searched(asked: Question, ends: readonly number[]): Course {
  const search = new Search(asked);
  let best = 1;
  let count = 0;
  let c = 0;
  return course(ends, (over) => {
    // A chunk that runs past a mark hands in what it has, and the next begins.
    const found = search.chunk(0, c++, chunkSize(asked), over);
    best = Math.min(best, found.rate);
    count += found.evaluations;
    return [best, count];
  });
}

function restarted(asked: Question, ends: readonly number[]): Course {
  const columns = columnsOf(asked);
  const optimiser = new WeightOptimiser(new Waves(asked.n, asked.directed), columns);
  const random = new RandomStream(0, 100);
  let best = 1;
  let count = 0;
  return course(ends, () => {
    const shifts = [0];
    while (shifts.length < columns) {
      const u = 1 + random.below(asked.n - 1);
      if (!shifts.includes(u)) shifts.push(u);
    }
    best = Math.min(best, optimiser.optimise(shifts, 1e-6, best));
    return [best, ++count];
  });
}

/** Both, side by side in a line each. */
function race(n: number, degree: number, ends: readonly number[], report: Report): void {
  const asked = { n, degree, directed: true };
  console.log(`n = ${n}, ${degree} peers: best rate after ${ends.join(", ")} s`);
  const [found, plain] = [searched, restarted].map((run) => run(asked, ends));
  const last = ends[ends.length - 1];
  report.figure({
    ...{ name: `best rate of a search, n = ${n}, ${degree} peers, ${last} s`, unit: "" },
    value: found.rates[ends.length - 1],
    beside: { what: "random restarts", value: plain.rates[ends.length - 1] },
  });
  report.figure({
    ...{ name: `sets of shifts a search considers, n = ${n}, ${degree} peers`, unit: "million/s", more: true },
    value: found.perSecond / 1e6,
  });
  for (const [name, { rates, perSecond }] of [["search", found] as const, ["random restarts", plain] as const]) {
    const rate = rates.map((value) => value.toFixed(6)).join("  ");
    console.log(`  ${name.padEnd(16)}${rate}   ${(perSecond / 1e6).toPrecision(3)} million evaluations/s`);
  }
}

export default function main(options: Options, report: Report): void {
  const last = Number(options["seconds"] ?? 60);
  const ends = [...marks.filter((mark) => mark < last), last];
  for (const [n, degree] of cases) {
    if (options["n"] === undefined || Number(options["n"]) === n) race(n, degree, ends, report);
  }
}
