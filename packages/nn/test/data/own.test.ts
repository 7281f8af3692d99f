/** Your own tables: the same word is the same class in every file, or the files are refused. */

import { expect, it } from "vitest";
import { openData } from "../../src/data/registry.ts";

const filesOf = (texts: Readonly<Record<string, string>>) => ({
  place: "here",
  has: (name: string) => name in texts,
  read: (name: string) => new TextEncoder().encode(texts[name]),
});
const open = (texts: Readonly<Record<string, string>>, data: object | string = "own") =>
  openData(data as never, { seed: 0, files: filesOf(texts) });

const train = "a,b,kind\n1,2,ant\n3,4,cat\n5,6,dog\n";

it("numbers words by the training set, also where the test set lacks some", () => {
  const data = open({ "train.csv": train, "test.csv": "a,b,kind\n3,4,dog\n1,1,cat\n" });
  expect([data.classes, [...data.train().labels], [...data.test().labels]]).toEqual([3, [0, 1, 2], [2, 1]]);
});

it("refuses words that the training set does not have, and words beside numbers", () => {
  const opened = (test: string) => () => open({ "train.csv": train, "test.csv": test }).test();
  expect(opened("1,2,cat\n3,4,owl\n")).toThrow(/test\.csv: a label must be one of ant, cat, dog, .*got "owl"/);
  expect(opened("1,2,0\n3,4,1\n")).toThrow(/test\.csv: labels are words, as in train\.csv/);
  expect(() => open({ "train.csv": "1,2,0\n3,4,1\n", "test.csv": "1,2,cat\n2,2,dog\n" }).test()).toThrow(
    /test\.csv: labels are numbers, as in train\.csv/,
  );
});

it("takes numbers only where every node has a file of its own, which nobody else sees", () => {
  const data = { name: "own", file: "node-%r.csv", test: "test.csv", classes: 2, shape: [2], stepsPerEpoch: 1 };
  const texts = { "node-0.csv": "1,2,cat\n3,4,dog\n", "node-1.csv": "1,2,0\n3,4,1\n", "test.csv": "1,2,1\n" };
  expect([...open(texts, data).own!.of(1).labels]).toEqual([0, 1]);
  expect(() => open(texts, data).own!.of(0)).toThrow(/node-0\.csv: labels are numbers from 0 on .*got "cat"/);
});
