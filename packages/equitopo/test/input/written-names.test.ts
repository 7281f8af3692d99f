/**
 * Names and options that a program writes out are checked by the compiler (`npm run types` fails where one of the lines that
 * expect an error has none), and what reaches the library past it is refused in words.
 */

import { expect, test } from "vitest";
import {
  createAlgorithm,
  createProblem,
  createTopology,
  defineAlgorithm,
  defineTopology,
  expandSpec,
  leastSquares,
  option,
  parseSpec,
  ring,
  type SpecDocument,
  simulate,
  topologies,
} from "../../src/index.ts";

const n = 5;

/** A plug-in's family, declared. */
const hop = defineTopology({
  name: "hop-of-the-test",
  summary: "an example",
  source: "this test",
  options: { k: option.whole(1, 1) },
  create: ({ n }) => ring({ n }),
});
declare module "../../src/index.ts" {
  interface TopologyMembers {
    "hop-of-the-test": typeof hop;
  }
}
topologies.add(hop);

test("topologies", () => {
  expect(createTopology({ name: "ou-equidyn", n, construction: "euclid", seed: 2 }).n).toBe(n);
  expect(createTopology({ name: "hop-of-the-test", n, k: 2 }).n).toBe(n);
  // @ts-expect-error: a name of no family
  expect(() => createTopology({ name: "rign", n })).toThrow(/did you mean ring/);
  // @ts-expect-error: an option of no family
  expect(() => createTopology({ name: "ring", n, lazzy: true })).toThrow(/did you mean lazy/);
  // @ts-expect-error: a value that is none of its words
  expect(() => createTopology({ name: "ou-equidyn", n, construction: "euclidean" })).toThrow(/construction must be/);
  // @ts-expect-error: of a declared family, too
  expect(() => createTopology({ name: "hop-of-the-test", n, hops: 2 })).toThrow(/takes the options n, k/);
  // A name that is known at run time only.
  for (const { name } of [ring({ n })]) expect(createTopology({ name, n }).n).toBe(n);
});

test("algorithms", () => {
  expect(createAlgorithm({ name: "dmsgd", learningRate: 0.1, momentum: 0.5 }).name).toBe("dmsgd");
  // @ts-expect-error: a name of no family
  expect(() => createAlgorithm({ name: "dsgtt" })).toThrow(/did you mean dsgt/);
  // @ts-expect-error: an option of no family
  expect(() => createAlgorithm({ name: "dsgt", learnignRate: 0.1 })).toThrow(/did you mean learningRate/);
  const [topology, problem] = [ring({ n }), leastSquares({ n })];
  // @ts-expect-error: a name of no family
  expect(() => simulate({ topology, problem, algorithm: { name: "dsgtt" }, updates: 1 })).toThrow(/did you mean dsgt/);
  const slip = () =>
    // @ts-expect-error: an option of no family
    simulate({ topology, problem, algorithm: { name: "dsgt", learnignRate: 0.1 }, updates: 1 });
  expect(slip).toThrow(/did you mean learningRate/);
  const { name } = createAlgorithm({ name: "dsgt" });
  expect(simulate({ topology, problem, algorithm: { name }, updates: 1 }).updates).toEqual([0, 1]);
});

test("problems", () => {
  expect(createProblem({ name: "logistic", n, R: 0.01 }).n).toBe(n);
  // @ts-expect-error: a name of no family
  expect(() => createProblem({ name: "logistics", n })).toThrow(/did you mean logistic/);
  // @ts-expect-error: an option of no family
  expect(() => createProblem({ name: "logistic", n, r: 0.01 })).toThrow(/logistic takes the options/);
  // @ts-expect-error: n is missing
  expect(() => createProblem({ name: "logistic" })).toThrow(/n must be/);
});

const document = {
  topologies: [{ name: "ring", n, label: "mine" }],
  algorithms: [{ name: "dsgt", learningRate: 0.01 }],
  problem: { name: "least-squares", d: 3 },
} satisfies SpecDocument;

test("documents, with names or objects", () => {
  expect(expandSpec(document)[0].label).toBe("mine");
  for (const name of ["ring", "star"] as const) {
    expect(expandSpec({ ...document, topologies: [{ name, n }] })[0].label).toBe(name);
  }
  const own = defineAlgorithm({
    name: "still-of-the-test",
    summary: "an example",
    update: "x = x",
    start: ({ x0 }) => ({ state: { x: x0 }, *iterate() {} }),
  });
  const objects = { ...document, topologies: [ring({ n })], algorithms: [{ name: own, learningRate: 0.1 }] };
  expect(expandSpec(objects)[0].algorithm.name).toBe("still-of-the-test");
  // @ts-expect-error: a name of no family
  expect(() => expandSpec({ ...document, topologies: [{ name: "rign", n }] })).toThrow(/did you mean ring/);
  // @ts-expect-error: an option of no family
  expect(() => expandSpec({ ...document, algorithms: [{ name: "dsgt", learnignRate: 1 }] })).toThrow(/learningRate/);
  // @ts-expect-error: an option of no family
  expect(() => expandSpec({ ...document, problem: { name: "least-squares", D: 3 } })).toThrow(/takes the options/);
  // @ts-expect-error: n is missing, which only a file may leave out
  expect(() => expandSpec({ ...document, topologies: [{ name: "ring" }] })).toThrow(/n must be/);
  const runs = [{ topology: { name: "ring", n }, algorithm: { name: "dsgtt" } }] as const;
  // @ts-expect-error: a name of no family in a run of its own
  expect(() => expandSpec({ runs, problem: document.problem })).toThrow(/did you mean dsgt/);
});

test("what comes from a file goes through parseSpec", () => {
  const read: unknown = JSON.parse(JSON.stringify(document));
  // @ts-expect-error: nobody has looked at it yet
  expect(expandSpec(read)).toEqual(expandSpec(document));
  expect(expandSpec(parseSpec(read))).toEqual(expandSpec(document));
  expect(() => parseSpec([read])).toThrow(/a spec must be an object with the keys/);
  expect(() => parseSpec({ ...document, algorithm: "dsgt" })).toThrow(/did you mean algorithms/);
  expect(() => parseSpec({ ...document, version: 2 })).toThrow(/a newer format of specs/);
  expect(() => parseSpec({ ...document, title: 7 })).toThrow(/title must be a text/);
});
