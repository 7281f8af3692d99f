/**
 * Milliseconds per gossip round at n = 10,000, d = 100, float64, one thread, beside
 * - the machine's limit: the same reads and writes streamed once by a wasm SIMD kernel that does nothing else;
 * - numpy and scipy, where python3 has them, each by the fastest of the usual ways to write the round;
 * and two threads against one on a large problem. Every figure is the best of many repeats, engines interleaved, because
 * a busy machine only ever adds time.
 */

import { spawnSync } from "node:child_process";
import { threadPool } from "@equitopo/node";
import { createTopology, kernelMixer, type Round, type Topology } from "equitopo";
import { fillNormal } from "equitopo/random";
import type { Options, Report } from "./bench.ts";
import { numpyScript } from "./gossip-numpy.ts";
import { mover } from "./stream.ts";

const N = 10_000;
const D = 100;
const REPEATS = 40;
/** The first call after another engine's finds cold caches: what counts is a run of rounds. */
const IN_A_ROW = 4;
const THREAD_REPEATS = 40;

interface Row {
  readonly name: string;
  readonly topology: Topology;
  readonly rounds: readonly Round[];
  /** What a round must at least read and write, in passes over the state. */
  readonly limit: "shift" | "pairs" | "copy";
}

function rowsOfTable(): Row[] {
  const rounds = (spec: { name: string; n: number; m?: number; seed?: number }, count: number) => {
    const topology = createTopology(spec);
    return { topology, rounds: Array.from({ length: count }, (_, t) => topology.round(t)) };
  };
  return [
    { name: "od-equidyn", ...rounds({ name: "od-equidyn", n: N }, 8), limit: "shift" },
    { name: "ou-equidyn", ...rounds({ name: "ou-equidyn", n: N }, 8), limit: "pairs" },
    { name: "ring", ...rounds({ name: "ring", n: N }, 1), limit: "copy" },
    { name: "grid", ...rounds({ name: "grid", n: N }, 1), limit: "copy" },
    { name: "static-exp", ...rounds({ name: "static-exp", n: N }, 1), limit: "copy" },
    { name: "d-equistatic (M = 47)", ...rounds({ name: "d-equistatic", n: N, m: 47, seed: 1 }, 1), limit: "copy" },
  ];
}

export default async function main(_: Options, report: Report): Promise<void> {
  const table = rowsOfTable();
  const mixer = kernelMixer(N);
  let x = fillNormal(mixer.rows(D), 1, 1000, 0);
  const limits = await streamLimits();
  const best = table.map(({ rounds }) => rounds.map(() => Number.POSITIVE_INFINITY));
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    limits.measure();
    table.forEach(({ rounds }, r) => {
      rounds.forEach((round, t) => {
        for (let again = 0; again < IN_A_ROW; again++) {
          const start = performance.now();
          x = mixer.mix(round, x);
          best[r][t] = Math.min(best[r][t], performance.now() - start);
        }
      });
    });
  }
  const numpy = numpyTimes(table);
  console.log(`Gossip rounds, n = ${N}, d = ${D}, float64, one thread: best of ${REPEATS * IN_A_ROW}, milliseconds\n`);
  console.log(line("", "equitopo", "limit", "limit/ours", "numpy", "numpy/ours", "drawing it"));
  table.forEach(({ name, limit, topology, rounds }, r) => {
    // The rounds of a random topology differ: their mean, each against its own limit.
    const ours = mean(best[r]);
    const bound = mean(rounds.map((round) => limits.of(limit, round)));
    const theirs = numpy?.[r];
    const versus = theirs === undefined ? ["-", "-"] : [theirs.toFixed(2), `${(theirs / ours).toFixed(1)} x`];
    // A static graph's limit is far below what its additions take: numpy, which does them too, says more.
    const other =
      limit === "copy"
        ? theirs === undefined
          ? {}
          : { beside: { what: "numpy", value: theirs } }
        : { beside: { what: "streaming the same bytes", value: bound } };
    report.figure({ name: `a round of ${name}, n = ${N}, d = ${D}`, value: ours, unit: "ms", ...other });
    const cells = [ours.toFixed(3), bound.toFixed(3), (bound / ours).toFixed(2), ...versus];
    console.log(line(name, ...cells, drawing(topology).toFixed(3)));
  });
  console.log(
    "\nlimit: od-equidyn two reads and a write of the state; ou-equidyn rows changing places, as many as have",
  );
  console.log("a partner; the others one read and one write of the state, however often their numbers are added.");
  if (numpy === undefined) report.missing("numpy's rounds", "python3 has no numpy and scipy");
  if (numpy === undefined) console.log("numpy: not measured, python3 has no numpy and scipy here.");
  await compareThreads(report);
}

/** Best milliseconds of topology.round(t). */
function drawing(topology: Topology): number {
  let best = Number.POSITIVE_INFINITY;
  for (let t = 0; t < 200; t++) {
    const start = performance.now();
    topology.round(t);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function line(...cells: string[]): string {
  return cells.map((cell, k) => (k === 0 ? cell.padEnd(24) : cell.padStart(12))).join("");
}

/** Two threads against one, both on shared memory of their own: n = 60,000, d = 100, 48 MB of state. */
async function compareThreads(report: Report): Promise<void> {
  const n = 6 * N;
  const pools = [threadPool(1), threadPool(2)];
  console.log(`\nTwo threads against one, n = ${n}, d = ${D}, float64: best of ${THREAD_REPEATS}, milliseconds\n`);
  console.log(line("", "one", "two", "one/two"));
  for (const spec of [
    { name: "od-equidyn", n },
    { name: "ou-equidyn", n },
    { name: "static-exp", n },
    { name: "d-equistatic", n, m: 47, seed: 1 },
  ]) {
    const round = createTopology(spec).round(0);
    const sides = pools.map((pool) => {
      const mixer = pool.mixer(n);
      return { mixer, x: fillNormal(mixer.rows(D), 1, 1000, 0), best: Number.POSITIVE_INFINITY };
    });
    for (let repeat = 0; repeat < THREAD_REPEATS; repeat++) {
      for (const side of sides) {
        const start = performance.now();
        side.x = side.mixer.mix(round, side.x);
        side.best = Math.min(side.best, performance.now() - start);
      }
    }
    const [one, two] = sides.map((side) => side.best);
    report.figure({
      ...{ name: `a round of ${spec.name} by two threads, n = ${n}, d = ${D}`, value: two, unit: "ms" },
      beside: { what: "one thread", value: one },
    });
    console.log(line(spec.name, one.toFixed(2), two.toFixed(2), `${(one / two).toFixed(2)} x`));
  }
  for (const pool of pools) await pool.close();
}

const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;

/** The stream kernel over as many bytes as a round moves. */
async function streamLimits() {
  const bytes = 8 * N * D;
  const { memory, move } = await mover(64 + 2 * bytes);
  new Float64Array(memory.buffer).fill(1);
  const [a, y] = [64, 64 + bytes];
  const found = { shift: 1e9, pairs: 1e9, copy: 1e9 };
  const time = (kind: keyof typeof found, work: () => void) => {
    for (let again = 0; again < IN_A_ROW; again++) {
      const start = performance.now();
      work();
      found[kind] = Math.min(found[kind], performance.now() - start);
    }
  };
  return {
    measure() {
      // Two reads half the state apart, as a shift's are; the wrap-around would be one more call.
      time("shift", () => {
        move(a, a + bytes / 2, y, 2, (N * D) / 2);
        move(a + bytes / 2, a, y + bytes / 2, 2, (N * D) / 2);
      });
      // Two halves of the state change places.
      time("pairs", () => move(a, a + bytes / 2, a + bytes / 2, 0, (N * D) / 2));
      time("copy", () => move(a, a, y, 1, N * D));
    },
    of(kind: keyof typeof found, round: Round): number {
      if (round.kind !== "matching") return found[kind];
      return (found.pairs * round.partner.filter((j, i) => i !== j).length) / N;
    },
  };
}

/** Best milliseconds per row of the table, or undefined where there is no numpy. */
function numpyTimes(table: readonly Row[]): number[] | undefined {
  const rounds = table.map((row) => {
    const round = row.rounds[0];
    if (round.kind === "circulant") return { ...round, shifts: [...round.shifts], weights: [...round.weights] };
    if (round.kind === "matching") return { ...round, partner: [...round.partner] };
    if (round.kind === "sparse") {
      const { self, start, from, weights } = round;
      return { ...round, self: [...self], start: [...start], from: [...from], weights: [...weights] };
    }
    return round;
  });
  const input = JSON.stringify({ n: N, d: D, rounds });
  const env = { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" };
  const python = spawnSync("python3", ["-c", numpyScript], { input, env, encoding: "utf8" });
  return python.status === 0 ? (JSON.parse(python.stdout) as number[]) : undefined;
}
