/**
 * Claim: where some peers are slow, asynchronous rounds bring the global objective at the mean model to a given value in a
 * fraction of the time of synchronous ones: at least 3 times as fast with one of 17 peers 10 times as slow, 1.5 times with
 * 5 of 64 3 times as slow, the data dealt at random or sorted by label.
 *
 * 1. On a modelled clock (the same figures everywhere): a gradient takes 1 second, give or take 5% from machine to machine,
 *    a message 0.05. Synchronous peers wait for their partners only, not for everybody.
 * 2. The bias of the slow peer's fewer gradients: where the mean model settles, how far that is from the minimum of f, and
 *    from the minimum of sum p_i f_i, p_i being the share of all iterations that peer i did.
 * 3. For real: 17 threads, whose gradients sleep for 20 ms, and those of one for 200.
 */

import { createAlgorithm, createTopology, simulate, type TopologySpec } from "equitopo";
import { type Learning, learning } from "./async-problem.ts";
import { realTimes } from "./async-real.ts";
import type { Options, Report } from "./bench.ts";

interface Case {
  readonly n: number;
  readonly slow: readonly number[];
  readonly factor: number;
  readonly limit: number;
}

const cases: readonly Case[] = [
  { n: 17, slow: [0], factor: 10, limit: 3 },
  { n: 64, slow: [0, 13, 26, 39, 52], factor: 3, limit: 1.5 },
];
const message = 0.05;
const rate = 0.1;
/** What is left of f(mean model) - f*, as a share of what it was. */
const targets = [0.05, 0.02];

const delaysOf = ({ n, slow, factor }: Case) =>
  Array.from({ length: n }, (_, i) => (slow.includes(i) ? factor : 1) * (1 + 0.05 * Math.sin(2.4 * i)));

/** When the last of n synchronous peers is through with each round. */
function synchronousClock(spec: TopologySpec, delays: readonly number[], rounds: number): number[] {
  const topology = createTopology(spec);
  const times = [0];
  let done = delays.map(() => 0);
  for (let t = 0; t < rounds; t++) {
    const ready = done.map((time, i) => time + delays[i]);
    done = ready.map((time, i) =>
      topology.peers(t, i).from.reduce((latest, { node }) => Math.max(latest, ready[node] + message), time),
    );
    times.push(Math.max(...done));
  }
  return times;
}

/** The time of the first entry at or below the target. */
function reached(losses: readonly number[], times: readonly number[], target: number): number {
  const at = losses.findIndex((loss) => loss <= target);
  return at < 0 ? Number.POSITIVE_INFINITY : times[at];
}

const modes = [
  { label: "async dsgd", algorithm: "dsgd", async: { maxStale: 8 } },
  { label: "async dsgd, compensate", algorithm: "dsgd", async: { maxStale: 8, compensate: true } },
  { label: "async push-sum", algorithm: "push-sum", async: { maxStale: 8 } },
] as const;

function modelled(report: Report): void {
  console.log(
    "Seconds on a modelled clock until f(mean model) - f* is 5% / 2% of what it was (times as fast as synchronous):",
  );
  for (const one of cases) {
    for (const sorted of [false, true]) {
      const problem = learning({ n: one.n, sorted, batch: 10 });
      const f0 = problem.objective(new Float64Array(problem.d));
      const least = problem.objective(problem.minimum());
      const levels = targets.map((share) => least + share * (f0 - least));
      const delays = delaysOf(one);
      for (const name of ["od-equidyn", "ou-equidyn"]) {
        const spec = { name, n: one.n, seed: 1 };
        const setting = { topology: createTopology(spec), problem, rounds: 300, every: 2 };
        const run = simulate({ ...setting, algorithm: { name: "dsgd", learningRate: rate } });
        const clock = synchronousClock(spec, delays, 300);
        const times = run.updates.map((updates) => clock[updates]);
        const usual = levels.map((level) => reached(run.metrics.loss, times, level));
        console.log(`${one.slow.length} of ${one.n} ${one.factor}x slow, ${sorted ? "sorted" : "iid"}, ${name}`);
        console.log(`  ${"sync dsgd".padEnd(24)} ${usual.map(shown).join(" / ")}`);
        for (const { label, algorithm, async } of modes) {
          const record = simulate({
            ...{ ...setting, algorithm: createAlgorithm({ name: algorithm, learningRate: rate }), async },
            latency: { alpha: message, beta: 0, delays },
          });
          const found = levels.map((level) => reached(record.metrics.loss, record.seconds, level));
          report.figure({
            name: `${label}, ${one.slow.length} of ${one.n} slow, ${sorted ? "sorted" : "iid"}, ${name}: to 5 % on a modelled clock`,
            ...{ value: found[0], unit: "s", beside: { what: "synchronous", value: usual[0] } },
          });
          const cells = found.map((time, k) => `${shown(time)} (${(usual[k] / time).toFixed(1)}x)`);
          console.log(`  ${label.padEnd(24)} ${cells.join(" / ")}   limit ${one.limit}x at 5%`);
        }
      }
    }
  }
}

const shown = (time: number) => (time === Number.POSITIVE_INFINITY ? "never" : time.toFixed(0));

/** The mean model over the last third of a run, where it has settled. */
function settled(problem: Learning, looks: readonly Float64Array[]): Float64Array {
  const last = looks.slice(-Math.floor(looks.length / 3));
  return new Float64Array(problem.d).map((_, k) => last.reduce((sum, x) => sum + x[k], 0) / last.length);
}

const distance = (a: Float64Array, b: Float64Array) => Math.hypot(...a.map((value, k) => value - b[k]));

function biases(): void {
  console.log("\nWhere the mean model settles (17 peers, one 10x slow, od-equidyn, whole gradients, rate 0.1):");
  console.log("  distance from the minimum of f / from that of sum p_i f_i, in % of the minimum's norm; f - f*");
  const [one] = cases;
  for (const sorted of [false, true]) {
    const problem = learning({ n: one.n, sorted });
    const best = problem.minimum();
    const topology = createTopology({ name: "od-equidyn", n: one.n, seed: 1 });
    for (const mode of [{ label: "sync dsgd", algorithm: "dsgd", async: undefined }, ...modes]) {
      const done = new Array<number>(one.n).fill(mode.async === undefined ? 1 : 0);
      const looks: Float64Array[] = [];
      const watched = { ...problem, metrics: (x: Float64Array | Float32Array) => watch(x) };
      const watch = (x: Float64Array | Float32Array) => {
        looks.push(new Float64Array(problem.d).map((_, k) => meanOf(x, k, problem.d)));
        return { loss: 0 };
      };
      simulate({
        ...{ topology, problem: watched, rounds: 900, every: 10 },
        algorithm: createAlgorithm({ name: mode.algorithm, learningRate: rate }),
        ...(mode.async === undefined ? {} : { async: { ...mode.async, onStep: (rank: number) => done[rank]++ } }),
        latency: { alpha: message, beta: 0, delays: delaysOf(one) },
      });
      const end = settled(problem, looks);
      const all = done.reduce((sum, count) => sum + count, 0);
      const weighted = problem.minimum(done.map((count) => count / all));
      const percent = (other: Float64Array) => `${((100 * distance(end, other)) / Math.hypot(...best)).toFixed(2)}%`;
      const gap = (problem.objective(end) - problem.objective(best)).toExponential(1);
      const data = sorted ? "sorted" : "iid";
      console.log(`  ${data.padEnd(7)} ${mode.label.padEnd(24)} ${percent(best)} / ${percent(weighted)}   ${gap}`);
    }
  }
}

function meanOf(x: ArrayLike<number>, k: number, d: number): number {
  let sum = 0;
  for (let at = k; at < x.length; at += d) sum += x[at];
  return (sum * d) / x.length;
}

async function real(report: Report): Promise<void> {
  console.log("\nReal threads: 17 peers, gradients sleep 20 ms, one's 200 ms (od-equidyn, dsgd); milliseconds to 5%:");
  for (const sorted of [false, true]) {
    const sync = await realTimes({ sorted, rate, rounds: 80 });
    const async = await realTimes({ sorted, rate, rounds: 160, mode: "async" });
    report.figure({
      ...{ name: `17 threads, one slow, ${sorted ? "sorted" : "iid"}: to 5 %`, value: async.time, unit: "ms" },
      beside: { what: "synchronous", value: sync.time },
    });
    const [slow, fast] = [sync.time, async.time].map((time) => time.toFixed(0));
    const times = (sync.time / async.time).toFixed(1);
    const replayed = async.replayed ? "replayed to the last bit" : "NOT the rows of its replay";
    console.log(`  ${sorted ? "sorted" : "iid   "}  sync ${slow}; async ${fast} (${times}x, limit 3x); ${replayed}`);
  }
}

export default async function async(_: Options, report: Report): Promise<void> {
  modelled(report);
  biases();
  await real(report);
}
