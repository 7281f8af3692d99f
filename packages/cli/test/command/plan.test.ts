/** `equitopo plan`: a topology as a file, of a name or of a spec, read again wherever graphs are read. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTopology, planOf, readPlan } from "equitopo";
import { describe, expect, test } from "vitest";
import { equitopo, json, scratch } from "../command.ts";

const folder = scratch();
const path = (name: string) => join(folder, name);

function written(name: string, content: object | string): string {
  writeFileSync(path(name), typeof content === "string" ? content : JSON.stringify(content));
  return path(name);
}

const problem = { name: "least-squares" };
const algorithms = [{ name: "dsgt", learningRate: 0.01 }];
const two = written("two.json", {
  topologies: [
    { name: "ring", n: 6 },
    { name: "base", n: 6, relabel: true },
  ],
  algorithms,
  problem,
});

test("a name with its options: what the library writes, a member a line", async () => {
  const { status, stderr } = await equitopo(`plan base --n 12 --relabel --seed 3 --out ${path("graph.json")}`);
  expect([status, stderr]).toEqual([0, `plan of base, n = 12, written to ${path("graph.json")}\n`]);
  const text = readFileSync(path("graph.json"), "utf8");
  const graph = createTopology({ name: "base", n: 12, relabel: true, seed: 3 });
  expect(JSON.parse(text)).toEqual(planOf(graph));
  expect(text.split("\n")).toHaveLength(13);
  expect(readPlan(text).peers(7, 2)).toEqual(graph.peers(7, 2));
});

test("every command that reads graphs reads it", async () => {
  const file = path("read.json");
  await equitopo(`plan base --n 12 --relabel --out ${file}`);
  const [own, known] = [await json(`rate --file ${file}`), await json("rate base --n 12 --relabel")];
  for (const key of ["rate", "periodNorm", "rounds", "degree"]) expect(own[key]).toEqual(known[key]);
  expect((await json(`gossip --file ${file} --rounds 5 --dim 4`)).errors).toEqual(
    (await json("gossip base --n 12 --relabel --rounds 5 --dim 4")).errors,
  );
  expect((await equitopo(`graph --file ${file} --round 8 --format csv`)).stdout).toBe(
    (await equitopo("graph base --n 12 --relabel --round 8 --format csv")).stdout,
  );
});

test("of a spec the run that was chosen", async () => {
  const { stdout } = await equitopo(`plan ${two} --only 1`);
  expect(JSON.parse(stdout).spec).toMatchObject({ name: "base", n: 6, relabel: true });
  const one = written(
    "one.yaml",
    "topologies: [{ name: ring, n: 6 }]\nalgorithms: [{ name: dsgt, learningRate: 0.01 }]\nproblem: { name: least-squares }\nseeds: [1, 2]\n",
  );
  expect(JSON.parse((await equitopo(`plan ${one}`)).stdout).hash).toBe(
    planOf(createTopology({ name: "ring", n: 6 })).hash,
  );
});

test("your own weights, and a plan in a spec", async () => {
  const weights = written("w.csv", "from,to\n0,1\n1,2\n");
  const { stdout } = await equitopo(`plan --file ${weights}`);
  const plan = JSON.parse(stdout);
  expect([plan.n, plan.period, plan.rule.rounds[0].kind]).toEqual([3, 1, "sparse"]);
  written("own.json", plan);
  const spec = written("spec.json", {
    topologies: [{ name: "file", path: "own.json" }],
    algorithms,
    problem,
    rounds: 3,
  });
  expect(JSON.parse((await equitopo(`plan ${spec}`)).stdout).hash).toBe(plan.hash);
});

test("a rate that takes long is left out", async () => {
  const { stdout } = await equitopo("plan grid --n 40000 --quiet");
  expect(JSON.parse(stdout)).toMatchObject({ n: 40_000, rate: null, roundsTo1e6: null });
});

describe("--outer", () => {
  const noloco = "--outer noloco --outer-momentum 0.9 --pull 0.7";

  test.each<[string, boolean]>([
    ["ring --n 64", true],
    ["od-equidyn --n 64", false],
  ])("the verdict on a rule over %s is that of rate, and no part of the hash", async (graph, stable) => {
    const { outer, hash } = JSON.parse((await equitopo(`plan ${graph} ${noloco}`)).stdout);
    const { rule, ...judged } = await json(`rate ${graph} ${noloco}`);
    expect(outer).toMatchObject({ rule: "noloco", stable, largest: judged.largest });
    expect(outer.settings).toMatchObject({
      outerMomentum: 0.9,
      outerRate: 0.7,
      pull: 0.7,
      rounds: 1,
      form: "published",
    });
    expect([judged.stable, rule.name]).toEqual([stable, "noloco"]);
    const plain = JSON.parse((await equitopo(`plan ${graph}`)).stdout);
    expect([hash, "outer" in plain]).toEqual([plain.hash, false]);
  });

  test("the released form with its pull named, as Python's refusal words it", async () => {
    const words = "--outer noloco --outer-rate 0.7 --outer-momentum 0.9 --pull 0.7 --form released --rounds 1";
    const { outer } = JSON.parse((await equitopo(`plan od-equidyn --n 8 ${words}`)).stdout);
    expect(outer.stable).toBe(false);
    expect(Object.keys(outer.largest)).toEqual(["outerMomentum"]);
  });

  test("a pull that is the outer rate is written as a number", async () => {
    const { outer } = JSON.parse((await equitopo("plan ring --n 8 --outer noloco --rounds 2")).stdout);
    expect(outer.settings).toMatchObject({ pull: 0.7, rounds: 2 });
  });
});

describe("refused", () => {
  test.each<[string, RegExp]>([
    ["plan", /a topology must be named/],
    ["plan ring", /--n, the number of nodes, must be given/],
    ["plan ring --n 5 --only 0", /--only picks a run of a spec, got "ring"; leave it out/],
    [`plan ${two}`, /must have one topology, and have 2, got "ring, base"; choose a run with --only K/],
    ["plan ring --n 5 --outer-rate 0.5", /outerRate is an option of an outer rule/],
    ["plan ring --n 5 --rounds 2", /--rounds goes with --outer, got 2/],
    ["plan ring --n 5 --outer dsgd", /an outer rule must be one of local steps/],
    [`plan ${two} --only 2`, /the spec has runs 0 to 1, got 2/],
    [`plan ${two} --n 5 --only 0`, /a spec says all of its topologies, got "--n"/],
    [`plan ${two} --relabel --only 0`, /a spec says all of its topologies, got "--relabel"/],
    [
      `rate --file ${written("new.json", { format: "equitopo-plan", version: 2 })}`,
      /version of a plan must be 1, got 2/,
    ],
    [
      `rate --weights metropolis --file ${written("ring.json", planOf(createTopology({ name: "ring", n: 5 })))}`,
      /a plan has its weights, got "metropolis"/,
    ],
  ])("%s", async (words, message) => {
    const { status, stderr } = await equitopo(words);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
