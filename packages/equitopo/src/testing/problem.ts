/**
 * The laws of every problem: it is a function of options and seed, has the same gradients for one node as for all, and the
 * negative gradient leads downhill.
 */

import type { Problem, ProblemContext, ProblemFamily } from "../problem/problem.ts";
import { buildProblem } from "../problem/registry.ts";
import { fillNormal } from "../random/normal.ts";
import { meanRow } from "../round/distance.ts";
import { type Law, lawsOf, must, plain, refuses, same } from "./law.ts";

type Given = Readonly<Record<string, unknown>>;

export interface ProblemLawOptions {
  /** Nodes; 13 by default. */
  readonly n?: number;
  /** Options for all laws. */
  readonly options?: Given;
  /** Options with which gradients have noise, and with which they have none; laws about noise need both. */
  readonly noisy?: Given;
  readonly quiet?: Given;
  /** The metric that decreases downhill; "loss" by default. */
  readonly loss?: string;
}

/**
 * The laws that a problem must keep, registered or not.
 *
 * @example
 * ```ts
 * import { problems } from "equitopo";
 * import { problemLaws } from "equitopo/testing";
 * for (const { run } of problemLaws(problems.get("logistic"), { n: 4, noisy: { sigmaN: 1 }, quiet: { sigmaN: 0 } })) await run();
 * ```
 */
export function problemLaws(family: ProblemFamily, options: ProblemLawOptions = {}): Law[] {
  const { n = 13, options: always = {}, noisy = {}, quiet = {}, loss = "loss" } = options;
  const seeded = "seed" in family.options;
  const make = (seed: number, given: Given = {}, context: ProblemContext = {}) =>
    buildProblem(family, { ...always, ...(seeded ? { seed } : {}), ...given, name: family.name, n }, context);
  const rows = (d: number) => fillNormal(new Float64Array(n * d), 3, 1000, 0);
  const gradients = (problem: Problem, t: number, x = rows(problem.d), first = 0, count = n) => {
    const out = new Float64Array(count * problem.d);
    problem.gradient(x.slice(first * problem.d, (first + count) * problem.d), t, out, first, count);
    return out;
  };
  /** Some nodes: their first, and how many. */
  const shares = [
    [0, 1],
    [Math.floor(n / 2), 1],
    [n - 1, 1],
    [Math.floor(n / 4), Math.ceil(n / 2)],
  ] as const;
  const laws: Record<string, () => void> = {
    "is a function of its options and seed"() {
      const { d } = make(1);
      same(gradients(make(1), 4), gradients(make(1), 4), "two of one seed");
      if (seeded) must(plain(gradients(make(1), 4)) !== plain(gradients(make(2), 4)), "two seeds give one problem");
      same(make(1).metrics(rows(d)), make(1).metrics(rows(d)), "metrics of two of one seed");
    },
    "any nodes alone have the gradients they have among all"() {
      const problem = make(1, noisy);
      const { d } = problem;
      const whole = gradients(problem, 7);
      for (const [first, count] of shares) {
        const expected = whole.slice(first * d, (first + count) * d);
        same(gradients(problem, 7, rows(d), first, count), expected, `nodes from ${first}, ${count} of them`);
      }
    },
    "made for a share of the nodes, has their gradients"() {
      const whole = make(1, noisy);
      const { d } = whole;
      for (const [first, count] of shares) {
        const found = gradients(make(1, noisy, { first, count }), 7, rows(d), first, count);
        same(found, gradients(whole, 7, rows(d), first, count), `nodes from ${first}, ${count} of them`);
      }
    },
    "leaves the models alone"() {
      const problem = make(1, noisy);
      const x = rows(problem.d);
      problem.gradient(x, 0, new Float64Array(x.length), 0, n);
      same(x, rows(problem.d), "the models after a gradient");
    },
    "the negative gradient leads downhill"() {
      const problem = make(1, quiet);
      const { d } = problem;
      const x = new Float64Array(n * d).map((_, k) => rows(d)[k % d]);
      const mean = meanRow(gradients(problem, 0, x), n);
      const moved = x.map((v, k) => v - 1e-3 * mean[k % d]);
      const [before, after] = [x, moved].map((at) => problem.metrics(at)[loss]);
      must(after < before, `${loss} went from ${before} to ${after}`);
    },
    "records finite numbers, its own metric among them"() {
      const problem = make(1);
      const found = problem.metrics(rows(problem.d));
      must(family.metric in found, `${family.metric} is not among ${Object.keys(found).join(", ")}`);
      must(Object.values(found).every(Number.isFinite), `not finite: ${plain(found)}`);
      const { consensusDistance = 1 } = found;
      must(consensusDistance > 0, "models that differ are at a distance of 0");
    },
    "refuses unknown options": () =>
      refuses(() => make(1, { colour: 1 }), /takes the options/, "an option that it does not have"),
  };
  const noise = {
    "draws its noise anew each iteration"() {
      must(plain(gradients(make(1, noisy), 0)) !== plain(gradients(make(1, noisy), 1)), "the same noise twice");
      same(gradients(make(1, quiet), 0), gradients(make(1, quiet), 1), "gradients without noise");
    },
  };
  return lawsOf(options.noisy === undefined || options.quiet === undefined ? laws : { ...laws, ...noise });
}
