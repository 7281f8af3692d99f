import { expect, test } from "vitest";
import { neededFiles } from "../../src/data/needed-files.ts";

test("data that is drawn here needs no files, known sets a folder", () => {
  expect(neededFiles({ name: "synthetic", size: 24 }, 0)).toEqual({ kind: "none" });
  expect(neededFiles("mnist", 0)).toMatchObject({
    kind: "folder",
    wanted: { title: expect.stringContaining("MNIST") },
  });
  expect(neededFiles("own", 0)).toMatchObject({ kind: "folder" });
});

test("a file for each node is named by the node, and arrays with a shape may come as pictures", () => {
  const data = {
    ...{ name: "own", file: "x-%r.npy", labels: "y-%r.npy", test: "x.npy", testLabels: "y.npy" },
    ...{ classes: 3, shape: [8, 8, 1], stepsPerEpoch: 2 },
  };
  expect(neededFiles(data, 5)).toEqual({
    kind: "files",
    files: [
      { name: "x-5.npy", what: "examples" },
      { name: "y-5.npy", what: "labels" },
      { name: "x.npy", what: "test examples" },
      { name: "y.npy", what: "test labels" },
    ],
    pictures: { shape: [8, 8, 1], classes: 3 },
  });
  expect(neededFiles({ ...data, shape: [64] }, 5)).not.toHaveProperty("pictures");
});
