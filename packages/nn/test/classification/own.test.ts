/** Data of the nodes' own: a file for each, which nobody else needs to have. */

import type { Files } from "equitopo";
import { stateHash } from "equitopo";
import { describe, expect, it } from "vitest";
import { type ClassificationOptions, classification, classificationFamily } from "../../src/index.ts";

const line = (k: number) => `${Math.sin(k)},${Math.cos(k)},${k % 3}`;
const table = (from: number, count: number) => Array.from({ length: count }, (_, k) => line(from + k)).join("\n");

/** Text files by name; `asked` keeps the names that were read. */
function filesOf(texts: Record<string, string>): { files: Files; asked: Set<string> } {
  const asked = new Set<string>();
  const files: Files = {
    has: (name) => name in texts,
    read(name) {
      asked.add(name);
      return new TextEncoder().encode(texts[name]);
    },
  };
  return { files, asked };
}

const texts = {
  "node-0.csv": table(0, 20),
  "node-1.csv": table(100, 7),
  "node-2.csv": table(200, 31),
  "test.csv": table(300, 12),
};
const options: ClassificationOptions = {
  n: 3,
  data: { name: "own", file: "node-%r.csv", test: "test.csv", classes: 3, shape: [2], stepsPerEpoch: 5 },
  ...{ batch: 4, model: { name: "perceptron", hidden: [6] }, seed: 1 },
};

describe("a file for each node", () => {
  it("is read by that node alone, and gives the simulator's bits", () => {
    const { files } = filesOf(texts);
    const whole = classification(options, { files });
    expect(whole.epoch).toBe(5);
    const x = Float32Array.from({ length: 3 * whole.d }, (_, k) => Math.sin(k) / 3);
    for (const t of [0, 4, 9, 30]) {
      const expected = new Float32Array(3 * whole.d);
      whole.gradient(x, t, expected, 0, 3);
      for (let i = 0; i < 3; i++) {
        const mine = filesOf({
          [`node-${i}.csv`]: texts[`node-${i}.csv` as "node-0.csv"],
          "test.csv": texts["test.csv"],
        });
        const peer = classification(options, { files: mine.files, first: i, count: 1 });
        const out = new Float32Array(whole.d);
        peer.gradient(x.slice(i * whole.d, (i + 1) * whole.d), t, out, i, 1);
        expect(stateHash(out)).toBe(stateHash(expected.slice(i * whole.d, (i + 1) * whole.d)));
        expect([...mine.asked].sort()).toEqual([`node-${i}.csv`, "test.csv"]);
      }
    }
  });

  it("is not read to check a spec", () => {
    const { files, asked } = filesOf(texts);
    const given = options as Parameters<NonNullable<typeof classificationFamily.check>>[0];
    expect(classificationFamily.check?.(given, { files }).epoch).toBe(5);
    expect([...asked]).toEqual([]);
  });

  it("needs what nobody can count: classes, shape, steps", () => {
    const { files } = filesOf(texts);
    const bad = (data: object) => () =>
      classification({ ...options, data: { ...(options.data as object), ...data } as never }, { files });
    for (const key of ["classes", "shape", "stepsPerEpoch"]) {
      expect(bad({ [key]: undefined })).toThrow(/needs classes, shape and stepsPerEpoch/);
    }
    expect(bad({ file: "node-0.csv" })).toThrow(/stepsPerEpoch belongs to a file for each node/);
    expect(() => classification({ ...options, images: 8 }, { files })).toThrow(/not of a file for each node, got 8/);
    expect(bad({ classes: 2 })).toThrow(/labels lie in 0 to 1/);
    expect(bad({ shape: [3] })).toThrow(/1 x 1 x 3/);
    expect(bad({ file: "other-%r.csv" })).toThrow(/must be there, got "other-0.csv"/);
  });
});

it("one file for all is split like any other data", () => {
  const { files } = filesOf({ "all.csv": table(0, 60), "test.csv": texts["test.csv"] });
  const data = { name: "own", file: "all.csv", test: "test.csv" };
  const problem = classification({ ...options, data, split: { name: "shards", shards: 1 } }, { files });
  expect(problem.epoch).toBe(5);
});
