/**
 * False proofs: certificates of every kind, each changed in one way and sealed again with a checksum of its own, so that
 * the numbers alone decide. None may be accepted, and none may end in anything but a refusal.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTopology, designTopology, InputError, topologies } from "equitopo";
import { describe, expect, it, test } from "vitest";
import { type Certificate, certify, parseCertificate, refutations } from "../../../src/certificate/certificate.ts";
import { designClaim, designedTopology } from "../../../src/certificate/design-claim.ts";
import { equitopo, scratch } from "../../command.ts";
import { type Document, sealed } from "./seal.ts";

/** Why a text is refused: nothing if it is accepted. Anything thrown beside bad input fails the test. */
function refused(text: string): string[] {
  try {
    return refutations(parseCertificate(text));
  } catch (error) {
    if (error instanceof InputError) return [error.message];
    throw error;
  }
}

const written = (certificate: Certificate) => JSON.parse(JSON.stringify(certificate)) as Document;
const designed = (n: number, degree: number, directed: boolean, evaluations = 500) => {
  const design = designTopology({ n, degree, directed, evaluations });
  return written(certify(designedTopology(design), designClaim(design, degree)));
};

const proved = designed(13, 3, true);
const undirected = designed(16, 5, false);
const unproved = designed(60, 6, true);
const perfect = designed(5, 4, true);
const ofSpec = (name: string, n: number, more: object = {}) => written(certify(createTopology({ name, n, ...more })));
const sequence = {
  ...ofSpec("designed-one-peer", 25, { shifts: [1, 2, 4, 8, 16] }),
  design: { degree: 1, frequency: 0, bound: 0, boundName: "even spread" },
};
const kinds: Record<string, Document> = {
  ...{ proved, undirected, unproved, perfect },
  basis: ofSpec("u-equistatic", 17, { basis: [1, 4] }),
  random: ofSpec("od-equidyn", 17, { basis: [1, 2, 4, 8], eta: 0.5 }),
  iterated: ofSpec("geometric", 17),
  periodic: ofSpec("one-peer-exp", 12),
  grouped: ofSpec("hierarchy", 12, { groups: 4 }),
};

const claimOf = (document: Document) => document["design"] as Document;
const claims = (document: Document, edit: Document) => ({ ...document, design: { ...claimOf(document), ...edit } });
const multipliersOf = (document: Document) => claimOf(document)["multipliers"] as Document[];
const [first, ...others] = multipliersOf(proved);
const { design: _none, ...undesigned } = proved;
const rate = (document: Document) => document["rate"] as number;

const one = (k: unknown, re: unknown = 1, im: unknown = 0) => ({ multipliers: [{ k, re, im }], supportBound: 1 });

/** What is done to which certificate. */
const tamperings: Record<string, Document> = {
  "the one multiplier at frequency 0": claims(proved, one(0)),
  "at frequency n": claims(proved, one(13)),
  "at frequency 2n": claims(proved, one(26)),
  "at frequency -13": claims(proved, one(-13)),
  "at a frequency of 1e-9": claims(proved, one(1e-9)),
  "at a frequency of 12.999999999": claims(proved, one(12.999999999)),
  "at a frequency of 2^53": claims(proved, one(2 ** 53)),
  "at a frequency that is a word": claims(proved, one("0")),
  "at no frequency": claims(proved, one(null)),
  "without k": claims(proved, { multipliers: [{ re: 1, im: 0 }], supportBound: 1 }),
  "some weight on frequency 0": claims(proved, {
    multipliers: [{ k: 0, re: 0.5, im: 0 }, ...multipliersOf(proved).map(halved)],
    supportBound: (1 + rate(proved)) / 2,
  }),
  "weight on n instead of 0, undirected": claims(undirected, one(16)),
  "frequency 0, undirected": claims(undirected, one(0)),
  "frequency 0, not proved": claims(unproved, one(0)),
  "re a word": claims(proved, one(1, "1")),
  "re null": claims(proved, one(1, null)),
  "im null": claims(proved, one(1, 1, null)),
  "im left out": claims(proved, { multipliers: [{ k: 1, re: 1 }], supportBound: 1 }),
  "multipliers: [null]": claims(proved, { multipliers: [null] }),
  "multipliers: null": claims(proved, { multipliers: null }),
  "multipliers: {}": claims(proved, { multipliers: {}, supportBound: 0 }),
  "multipliers: []": claims(proved, { multipliers: [], supportBound: 0 }),
  "multipliers: a number": claims(proved, { multipliers: 7 }),
  "multipliers: [[]]": claims(proved, { multipliers: [[]] }),
  "multipliers in an object": claims(proved, { multipliers: { ...multipliersOf(proved) } }),
  "multipliers left out": { ...proved, design: without(claimOf(proved), "multipliers") },
  "a multiplier left out": claims(proved, { multipliers: others }),
  "a multiplier longer": claims(proved, { multipliers: [{ ...first, re: (first["re"] as number) + 1e-9 }, ...others] }),
  "multipliers of sum 2": claims(proved, {
    multipliers: multipliersOf(proved).map(({ k, re, im }) => ({ k, re: 2 * Number(re), im: 2 * Number(im) })),
  }),
  "more in a multiplier": claims(proved, { multipliers: [{ ...first, note: "trust me" }, ...others] }),
  "supportBound 1": claims(proved, { supportBound: 1 }),
  "supportBound a little above": claims(proved, { supportBound: rate(proved) + 1e-10 }),
  "supportBound null": claims(proved, { supportBound: null }),
  "supportBound a word": claims(proved, { supportBound: "0.433" }),
  "supportBound left out": { ...proved, design: without(claimOf(proved), "supportBound") },
  "a bound above the rate": claims(proved, { bound: 0.9 }),
  "a bound a little higher": claims(proved, { bound: Number(claimOf(proved)["bound"]) + 1e-10 }),
  "bound null": claims(proved, { bound: null }),
  "bound true": claims(proved, { bound: true }),
  "the bound of another degree": claims(unproved, { degree: 5 }),
  "the bound's name": claims(proved, { boundName: "Alon-Boppana" }),
  "degree 2 of three shifts": claims(proved, { degree: 2 }),
  "degree n": claims(proved, { degree: 13 }),
  "degree 3.5": claims(proved, { degree: 3.5 }),
  "degree null": claims(proved, { degree: null }),
  "degree a word": claims(proved, { degree: "3" }),
  "an odd degree of odd n, undirected": claims(designed(17, 4, false), { degree: 5 }),
  "frequency claimed 0": claims(proved, { frequency: 0 }),
  "frequency claimed n": claims(proved, { frequency: 13 }),
  "frequency claimed 1.5": claims(proved, { frequency: 1.5 }),
  "frequency claimed null": claims(proved, { frequency: null }),
  "a frequency where the rate is not attained": claims(unproved, { frequency: notAttained(unproved) }),
  "proved, though another is better": claims(
    { ...ofSpec("designed-static", 13, { shifts: [1, 2, 5], weights: [0.25, 0.25, 0.25] }), design: claimOf(proved) },
    { proved: true },
  ),
  "proved, though nobody could": claims(unproved, { proved: true }),
  "proved as a word": claims(proved, { proved: "yes" }),
  "a claim more": claims(proved, { optimal: true }),
  "design: null": { ...proved, design: null },
  "design: []": { ...proved, design: [] },
  "design: a word": { ...proved, design: "proved" },
  "design: 0": { ...proved, design: 0 },
  "design: {}": { ...proved, design: {} },
  "a shift of 9.5": { ...proved, shifts: (proved["shifts"] as number[]).map((u, j) => (j === 2 ? u + 0.5 : u)) },
  "a shift beyond n": { ...proved, shifts: (proved["shifts"] as number[]).map((u, j) => (j === 2 ? u + 13 : u)) },
  "weights beyond 1": { ...proved, self: -0.4, weights: [0.5, 0.5, 0.4] },
  "a weight moved": { ...proved, weights: (proved["weights"] as number[]).map((w, j) => w + (j === 0 ? 1e-10 : 0)) },
  "weights in an object": { ...proved, weights: { ...(proved["weights"] as number[]) } },
  "another self": { ...proved, self: Number(proved["self"]) + 1e-10 },
  "a lower rate": { ...proved, rate: rate(proved) - 1e-10 },
  "rate 1e999": { ...proved, rate: Number.POSITIVE_INFINITY },
  "rate null": { ...proved, rate: null },
  "a degree that is no integer": { ...proved, degree: 3 + 4e-13 },
  "n a word": { ...proved, n: "13" },
  "version 2": { ...proved, version: 2 },
  "version 1.0 as a word": { ...proved, version: "1" },
  "another format": { ...proved, format: "certificate" },
  "a key called constructor": { ...proved, constructor: {} },
  "a key called toString": claims(proved, { toString: {} }),
  "a design of a ring": { ...ofSpec("ring", 13), design: { ...claimOf(proved), degree: 2 } },
  "a design of a random graph": { ...kinds["random"], design: { ...claimOf(proved), degree: 1 } },
  "a design of an iterated rate": {
    ...kinds["iterated"],
    design: { ...claimOf(proved), degree: degreeOf("iterated") },
  },
  "a design of a period": { ...kinds["periodic"], design: claimOf(sequence) },
  "a multiplier where the rate is 0": claims(perfect, one(0)),
  "a sequence's frequency": claims(sequence, { frequency: 0 }),
  "a sequence's bound": claims(sequence, { frequency: 1, bound: 1 }),
  "a sequence's degree": claims(sequence, { degree: 2 }),
  "a sequence with multipliers": claims(sequence, one(1)),
  "half the certified error": { ...kinds["iterated"], error: Number(kinds["iterated"]?.["error"]) / 2 },
  "five times the certified error": { ...kinds["iterated"], error: 5 * Number(kinds["iterated"]?.["error"]) },
  "eigenvalues in a list": { ...kinds["basis"], eigenvalues: Object.values(kinds["basis"]?.["eigenvalues"] as object) },
  "a basis in an object": { ...kinds["basis"], basis: { 0: 1, 1: 4 } },
  "a basis of halves": { ...kinds["basis"], basis: [1, 4.5] },
  "a gap of another graph": { ...ofSpec("torus", 6), gap: 0.75 },
  "groups that are none": { ...kinds["grouped"], groups: "four" },
};

function without(document: Document, key: string): Document {
  return Object.fromEntries(Object.entries(document).filter(([name]) => name !== key));
}

function halved({ k, re, im }: Document): Document {
  return { k, re: Number(re) / 2, im: Number(im) / 2 };
}

function degreeOf(kind: string): unknown {
  return kinds[kind]?.["degree"];
}

/** A frequency whose modulus is not the rate. */
function notAttained(document: Document): number {
  const accepted = (k: number) => refused(JSON.stringify(sealed(claims(document, { frequency: k })))).length === 0;
  return Array.from({ length: 59 }, (_, k) => k + 1).find((k) => !accepted(k)) ?? 0;
}

describe("a false proof is refused", () => {
  it("in more than sixty kinds", () => {
    expect(Object.keys(tamperings).length).toBeGreaterThanOrEqual(60);
  });

  test.each(Object.entries(tamperings))("%s", (_name, document) => {
    const text = JSON.stringify(sealed(document)).replace('"rate":null', '"rate":1e999');
    expect(refused(text)).not.toEqual([]);
    expect(refused(JSON.stringify(document))).not.toEqual([]);
  });

  test("and what it was made from is accepted", () => {
    const frequency = Array.from({ length: 24 }, (_, k) => k + 1).find(
      (k) =>
        !refused(JSON.stringify(sealed(claims(sequence, { frequency: k }))))
          .join()
          .includes("frequency"),
    );
    const { 1: bound } = /even spread|bound is \S+ in the file, (\S+) when/.exec(
      refused(JSON.stringify(sealed(claims(sequence, { frequency })))).join(),
    ) ?? { 1: "" };
    const whole = claims(sequence, { frequency, bound: Number(bound) });
    for (const [kind, document] of Object.entries({ ...kinds, undesigned, sequence: whole })) {
      expect([kind, refused(JSON.stringify(sealed(document)))]).toEqual([kind, []]);
    }
  });
});

test("a certificate without its checksum, or with another's, is refused", () => {
  for (const document of Object.values(kinds)) {
    const { sha256, ...rest } = document;
    expect(refused(JSON.stringify(rest))).toEqual(["sha256 is missing"]);
    for (const seal of [
      null,
      0,
      "",
      [sha256],
      String(sha256).toUpperCase(),
      proved["sha256"] === sha256 ? "0" : proved["sha256"],
    ]) {
      expect(refused(JSON.stringify({ ...rest, sha256: seal }))).not.toEqual([]);
    }
  }
});

test("a key that is there twice is refused, colons in strings are not counted", () => {
  const text = JSON.stringify(kinds["basis"]);
  expect(refused(text.replace('"rate":', '"rate":0.1,"rate":'))).toEqual([expect.stringContaining("every key once")]);
  expect(refused(JSON.stringify({ ...kinds["basis"], 'a "quoted": key': 1 })).join()).not.toContain("every key once");
});

test("any value of any key replaced by anything else is refused, in words", () => {
  const anything = [null, [], {}, [null], [[]], { k: null }, "x", "", true, false, -1, 1e-9, 1.5, 1e308, 2 ** 60];
  const accepted: string[] = [];
  let tried = 0;
  const tryAll = (document: Document, keys: Document, edited: (edit: Document) => Document) => {
    for (const key of Object.keys(keys)) {
      for (const value of anything) {
        if (JSON.stringify(keys[key]) === JSON.stringify(value)) continue;
        tried++;
        const text = JSON.stringify(sealed(edited({ [key]: value })));
        if (refused(text).length === 0) accepted.push(`${document["topology"]} ${key}: ${JSON.stringify(value)}`);
      }
    }
  };
  for (const document of Object.values(kinds)) {
    tryAll(document, without(document, "sha256"), (edit) => ({ ...document, ...edit }));
    if ("design" in document) tryAll(document, claimOf(document), (edit) => claims(document, edit));
  }
  // Who claims no proof claims less, and nothing false.
  expect(new Set(accepted)).toEqual(new Set(["designed-static proved: false"]));
  expect(tried).toBeGreaterThan(1500);
});

test("certificates of every family are accepted, and refused with another rate", () => {
  for (const { name, refuses } of topologies) {
    const n = Array.from({ length: 1100 }, (_, k) => 16 + k).find((size) => refuses?.(size) === undefined) ?? 16;
    const document = ofSpec(name, n);
    expect([name, refused(JSON.stringify(document))]).toEqual([name, []]);
    expect([
      name,
      refused(JSON.stringify(sealed({ ...document, rate: 1.001 * rate(document) + 0.001 }))).length > 0,
    ]).toEqual([...[name, true]]);
  }
});

test("the command refuses with exit code 1 where a false proof can be read, and never fails", async () => {
  const folder = scratch();
  for (const name of ["the one multiplier at frequency 0", "design: null", "multipliers: [null]", "a shift of 9.5"]) {
    const path = join(folder, "false.json");
    writeFileSync(path, JSON.stringify(sealed(tamperings[name] as Document)));
    const { status, stdout, stderr } = await equitopo(`verify ${path}`);
    expect([name, status, stderr]).toEqual([name, 1, ""]);
    expect(stdout).toMatch(/^refused: /);
  }
});
