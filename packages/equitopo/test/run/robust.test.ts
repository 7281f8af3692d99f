/** Liars and defences in runs: what is refused, what a lie does, what a defence saves, and what is measured. */

import { describe, expect, test } from "vitest";
import { runSpec } from "../../src/run/run.ts";
import { expandSpec, parseSpec, type SpecDocument } from "../../src/run/spec.ts";

const document: SpecDocument = {
  topologies: [{ name: "u-equistatic", n: 12, basis: [1, 3] }],
  algorithms: [{ name: "dsgd", learningRate: 0.005 }],
  problem: { name: "least-squares", K: 20, sigmaN: 0 },
  rounds: 120,
  every: 120,
  seeds: [3],
};
const run = (changes: Partial<SpecDocument>) => runSpec(expandSpec({ ...document, ...changes })[0]);
const error = (changes: Partial<SpecDocument>) => run(changes).metrics["relativeError"].at(-1) as number;

const clip = { kind: "clip", radius: 0.5 };
const guard = { kind: "guard", radius: 0.5 };
const trim = { kind: "trim", trim: 1 };

describe("one liar of twelve", () => {
  const lying = (attack: string) => ({ liars: [5], attack });

  test("who says 1e30 ruins every honest model, and none that is defended", () => {
    const faults = lying("large");
    expect(error({ faults })).toBeGreaterThan(1e20);
    for (const robust of [clip, guard, trim]) expect(error({ faults, robust }), robust.kind).toBeLessThan(0.3);
    expect(error({})).toBeLessThan(0.05);
  });

  test("a guarded liar beyond the radius is as good as absent", () => {
    const faults = lying("large");
    const guarded = error({ faults, robust: guard });
    expect(guarded).toBeLessThan(0.05);
    expect(error({ faults: { liars: [5], attack: { name: "large", value: Number.MAX_VALUE } }, robust: guard })).toBe(
      guarded,
    );
  });

  test("metrics are those of the honest: the liar's own row does not count", () => {
    const found = run({ faults: lying("sign-flip"), robust: guard });
    expect(found.liars).toEqual([5]);
    expect(run({}).liars).toBeUndefined();
    expect(found.metrics["relativeError"].at(-1)).toBeLessThan(0.1);
  });

  test("the same spec gives the same bits; another seed draws other liars", () => {
    const faults = { liars: 0.25, attack: "noise" };
    expect(run({ faults }).stateHash).toBe(run({ faults }).stateHash);
    expect(run({ faults }).liars).toHaveLength(3);
    expect(run({ faults }).liars).not.toEqual(run({ faults, seeds: [4] }).liars);
  });
});

test("a defence that nothing is beyond changes last bits only, and stays the same over kinds of rounds", () => {
  const plain = error({});
  for (const kind of ["clip", "guard"]) expect(error({ robust: { kind, radius: 1e6 } })).toBeCloseTo(plain, 9);
});

describe("refused before the first round", () => {
  const refused = (changes: Partial<SpecDocument>) => () => expandSpec({ ...document, ...changes });
  const by = (name: string, changes: Partial<SpecDocument> = {}) =>
    refused({ robust: clip, ...parseSpec({ algorithms: [{ name, learningRate: 0.01 }] }), ...changes });

  test("algorithms that owe something to W", () => {
    expect(by("dsgt")).toThrow(
      /cannot do defences with tracking.*got "dsgt with robust"; choose an algorithm .* dsgd, or leave out robust/,
    );
    expect(by("exact-diffusion")).toThrow(/defences with shares: a defence changes W from row to row/);
    expect(by("push-sum")).toThrow(/defences with shares/);
    expect(by("choco")).toThrow(/defences with compression/);
    expect(by("gossip-pga")).toThrow(/defences with exact-means/);
    expect(by("centralised")).toThrow(/defences with exact-means/);
    for (const name of ["dsgd", "dmsgd", "qg-dsgdm", "d-adam", "local-steps", "epidemic", "decentlam"]) by(name)();
  });

  test("trimming where there is nothing to trim", () => {
    const onePeer = [{ name: "ou-equidyn", n: 12 }] as const;
    expect(refused({ robust: trim, topologies: onePeer })).toThrow(
      /of the one row that a node hears, trim = 1 leaves none/,
    );
    expect(refused({ robust: { kind: "trim", trim: 4 } })).toThrow(
      /of the 4 rows .* trim = 4 leaves none.*; try clip or guard/,
    );
  });

  test("asynchronous rounds and groups, where rows of several rounds or nodes are added up unseen", () => {
    for (const more of [{ robust: clip }, { faults: { liars: [1], attack: "large" } }]) {
      expect(refused({ mode: "async", ...more })).toThrow(/asynchronous rounds cannot do (defences|liars)/);
      expect(refused({ hierarchy: { groups: [6, 6] }, topologies: [{ name: "ring", n: 12 }], ...more })).toThrow(
        /hierarchy with (defences|liars)/,
      );
    }
  });

  test("what is misspelt or missing", () => {
    expect(refused({ robust: { kind: "clip" } })).toThrow(
      /robust: clip's radius must be a positive number, got nothing/,
    );
    expect(refused({ robust: { kind: "clip", radius: -1 } })).toThrow(/clip's radius must be a positive number/);
    expect(refused({ robust: { kind: "krum" } })).toThrow(/defence must be one of clip, trim, guard/);
    expect(refused({ robust: { kind: "clip", radius: 1, trim: 1 } })).toThrow(/clip takes the options radius/);
    expect(refused({ faults: { liars: [12], attack: "large" } })).toThrow(/faults: liars\[0\] must be an integer/);
    expect(refused({ faults: { liars: [1], attack: "label-flip" } })).toThrow(/cannot do label-flip without labels/);
    const choco = [{ name: "choco", learningRate: 0.01 }] as const;
    expect(refused({ faults: { liars: [1], attack: "large" }, algorithms: choco })).toThrow(/liars with compression/);
  });
});
