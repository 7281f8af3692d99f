/**
 * The laws of every algorithm: it keeps the mean and agrees, sends what it declares, asks for gradients once and in order,
 * needs nothing but its state to continue, computes the same with one row as with all, and is exact if it declares so.
 */

import type { Algorithm, Mix } from "../algorithm/algorithm.ts";
import { fittingTopologies } from "../algorithm/fit.ts";
import { type AlgorithmSpec, createAlgorithm, type Optimiser, optimiserOf } from "../algorithm/registry.ts";
import type { Problem } from "../problem/problem.ts";
import type { Rows } from "../round/round.ts";
import { createTopology } from "../topology/registry.ts";
import type { Topology } from "../topology/topology.ts";
import { type Law, lawsOf, must, near, refuses, same } from "./law.ts";
import { disagreement, gap, limitOf, meanOf, rowByRow, type Setting, startAll, step, trajectory } from "./network.ts";
import { quadratic } from "./quadratic.ts";

export interface AlgorithmLawOptions {
  /** Its options; defaults if left out. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Gradients asked for beyond the present iterate: 1 for an algorithm that looks ahead. */
  readonly ahead?: number;
  /** What one machine with node 0's data does: x after 1, 2, ..., rounds updates. If given, equal nodes must follow it. */
  readonly centralised?: (optimiser: Optimiser, problem: Problem, rounds: number) => readonly (readonly number[])[];
}

const n = 8;
const d = 3;
const x0 = Float64Array.from({ length: n * d }, (_, k) => 10 * Math.sin(k * k));

function someTopologies({ algorithm, spec }: Optimiser): Topology[] {
  return [
    { name: "ring", n },
    { name: "u-equistatic", n, basis: [1, 3] },
    { name: "one-peer-exp", n },
    { name: "od-equidyn", n },
    { name: "ou-equidyn", n },
    { name: "ceca-1p", n },
    { name: "ceca-2p", n },
  ]
    .map(createTopology)
    .filter((topology) => algorithm.condition.unfit(topology, spec) === undefined);
}

/** Iterates until `done`, and returns after how many updates; throws if that never happens. */
function iterateUntil(setting: Setting, limit: number, done: (x: Rows) => boolean): number {
  const running = startAll(setting);
  for (let t = 0; t < limit; t++) {
    step(setting, running, t);
    if (done(running.state.x)) return t + 1;
  }
  throw new Error(`over ${setting.topology.name}: not finished after ${limit} updates`);
}

/**
 * The laws that an algorithm must keep, registered or not. Some speak of minimising: an algorithm that computes something
 * else leaves them out by their names.
 *
 * @example
 * ```ts
 * import { algorithms } from "equitopo";
 * import { algorithmLaws } from "equitopo/testing";
 * const laws = algorithmLaws(algorithms.get("dsgd"));
 * await laws.find(({ name }) => name === "sends what it declares")?.run();
 * laws.length // => 7
 * ```
 */
export function algorithmLaws(
  member: Algorithm,
  { options = {}, ahead = 0, centralised }: AlgorithmLawOptions = {},
): Law[] {
  const at = (learningRate: number) =>
    optimiserOf(member, { ...options, name: member.name, learningRate } as AlgorithmSpec);
  const optimiser = at(0.01);
  const { algorithm, sends } = optimiser;
  const { every = 1, parts } = optimiser.exchanges;
  const heterogeneous = quadratic({ n, d });
  const errorOf = (x: Rows) => heterogeneous.metrics(x)["error"];
  const noisy = quadratic({ n, d, sigma: 0.5 });
  const [first] = someTopologies(optimiser);

  function agrees(): void {
    const rest: Problem = { name: "rest", n, d, gradient: (_x, _t, out) => void out.fill(0), metrics: () => ({}) };
    const mean = meanOf(x0, d);
    for (const fitting of fittingTopologies(algorithm, n, optimiser.spec)) {
      const setting = { optimiser, topology: createTopology({ name: fitting, n }), problem: rest, x0 };
      const updates = iterateUntil(setting, 20_000 * every, (x) => disagreement(x, d) < 1e-9);
      // If columns do not sum to 1 the nodes agree on another value.
      if (setting.topology.stochastic === "rows") continue;
      near(gap(meanOf(limitOf(setting, updates), d), mean), 0, `the mean over ${fitting}`, 1e-9);
    }
  }

  function alike(path: NonNullable<AlgorithmLawOptions["centralised"]>): void {
    const problem = quadratic({ n, d, sigma: 0.5, homogeneous: true, start: Float64Array.of(1, -2, 3) });
    const expected = path(optimiser, problem, 40);
    for (const topology of someTopologies(optimiser)) {
      trajectory({ optimiser, topology, problem }, 40).forEach((rows, t) => {
        const all = Array.from({ length: n * d }, (_, k) => expected[t][k % d]);
        must(gap(rows, all) < 1e-10, `over ${topology.name}: ${gap(rows, all)} off the path after ${t + 1} updates`);
      });
    }
  }

  function declaredTraffic(): void {
    const setting = { optimiser, topology: first, problem: noisy };
    const running = startAll(setting);
    let means = false;
    const look = ({ by }: Mix) => {
      means ||= by === "mean";
    };
    // The first H iterations may prepare, or send nothing; 60 is a multiple of the periods in use, H apart.
    const iterations = 60 * every;
    for (let t = 0; t < every; t++) step(setting, running, t, look);
    const count = { vectors: 0, scalars: 0, reductions: 0 };
    for (let t = every; t < every + iterations; t++) {
      step(setting, running, t, (mix) => {
        look(mix);
        const { vectors, by, coded } = mix;
        same(coded && coded.bytes.length / n, sends.compressed?.(d, 8), "bytes of a compressed row");
        for (const rows of vectors) {
          if (by === "mean") count.reductions += rows.length / (n * d);
          else if (rows.length === n * d || parts !== undefined) count.vectors += rows.length / (n * d);
          else count.scalars += rows.length / n;
        }
      });
    }
    near(count.vectors, iterations * sends.vectors, `vectors in ${iterations} iterations`, 5e-9);
    same(count.scalars, iterations * (sends.scalars ?? 0), `single numbers in ${iterations} iterations`);
    near(count.reductions, iterations * (sends.reductions ?? 0), `all-reduces in ${iterations} iterations`, 5e-9);
    same(means, optimiser.exchanges.means ?? false, "whether exact means are among its exchanges");
  }

  function gradientsInOrder(): void {
    const asked: number[] = [];
    const problem: Problem = {
      ...noisy,
      gradient(x, t, out, from, count) {
        asked.push(t);
        noisy.gradient(x, t, out, from, count);
      },
    };
    trajectory({ optimiser, topology: first, problem }, 10);
    const expected = Array.from({ length: 10 + ahead }, (_, k) => k);
    same(asked, expected, "the iterates that gradients were asked at");
  }

  function goesOn(): void {
    for (const topology of someTopologies(optimiser)) {
      const setting = { optimiser, topology, problem: noisy, x0 };
      const rows = trajectory(setting, 16);
      for (const stop of [1, 2, 5]) {
        const before = startAll(setting);
        for (let t = 0; t < stop; t++) step(setting, before, t);
        const saved = Object.fromEntries(Object.entries(before.state).map(([key, value]) => [key, value.slice()]));
        const after = startAll({ ...setting, x0: new Float64Array(n * d) }, saved as typeof before.state);
        for (let t = stop; t < 16; t++) {
          step(setting, after, t);
          same(after.state.x, rows[t], `over ${topology.name}, stopped after ${stop}, update ${t + 1}`);
        }
      }
    }
  }

  function rowByRowAlike(): void {
    for (const topology of someTopologies(optimiser)) {
      const setting = { optimiser, topology, problem: noisy, x0 };
      same(rowByRow(setting, 20), trajectory(setting, 20), `over ${topology.name}`);
    }
  }

  function exact(): void {
    // DIGing over u-equistatic (lambda_min = -0.75) blows up at 0.005 already.
    const slow = at(0.002);
    for (const topology of someTopologies(slow)) {
      const setting = { optimiser: slow, topology, problem: heterogeneous };
      const updates = iterateUntil(setting, 20_000, (x) => errorOf(x) < 1e-8);
      const error = errorOf(limitOf(setting, updates + 500));
      must(error < 1e-8, `over ${topology.name}: found the solution, and left it again by ${error}`);
    }
  }

  function biased(): void {
    const dsgd = createAlgorithm({ name: "dsgd", learningRate: 0.01 });
    for (const topology of someTopologies(optimiser)) {
      const setting = { optimiser, topology, problem: heterogeneous };
      const error = errorOf(limitOf(setting, 4000));
      // DSGD has no rule for two vectors per node, so it is run on the one-peer graph of as many rounds instead.
      const other = topology.pair === undefined ? topology : createTopology({ name: "one-peer-exp", n });
      const bias = errorOf(limitOf({ ...setting, topology: other, optimiser: dsgd }, 4000));
      must(bias > 1e-3, `DSGD over ${topology.name} has a bias of ${bias}`);
      must(error > bias / 20 && error < bias * 20, `over ${topology.name}: ${error}, where DSGD has ${bias}`);
    }
  }

  function refusesOthers(): void {
    const saved = { x: new Float64Array(n * d + 1) };
    const start = () => startAll({ optimiser, topology: first, problem: noisy }, saved);
    refuses(start, /a saved state must hold x/, "a row that is too long");
  }

  const path = centralised && { "nodes alike stay alike, on the centralised method's path": () => alike(centralised) };
  return lawsOf({
    "without gradients the mean stays and all agree in the end, over every topology that fits": agrees,
    ...path,
    "sends what it declares": declaredTraffic,
    "asks for gradients once at each iterate, in order": gradientsInOrder,
    "its state is all that a checkpoint needs: the same bits after a stop at any iteration": goesOn,
    "a state of another algorithm or size is refused": refusesOthers,
    "n peers with one row each compute the same bits as one world with all rows": rowByRowAlike,
    ...(algorithm.exact ? { "exact on heterogeneous data": exact } : { "keeps a bias on heterogeneous data": biased }),
  });
}
