import { expect, test } from "vitest";
import { decodeModel } from "../../src/classification/model-file.ts";
import { classification } from "../../src/classification/problem.ts";

const n = 3;
const given = {
  n,
  data: { name: "synthetic", size: 24 },
  images: 60,
  tests: 10,
  model: "softmax-regression",
  batch: 5,
};

test("without data a problem says of reported rows what one with all data says", () => {
  const all = classification(given);
  const blind = classification(given, { count: 0 });
  expect([blind.n, blind.d, blind.epoch]).toEqual([all.n, all.d, all.epoch]);
  expect(blind.start).toEqual(all.start);
  const x = new Float64Array(n * all.d).map((_, k) => Math.sin(k));
  all.gradient(x, 0, new Float64Array(n * all.d), 0, n);
  blind.state?.["losses"].set(all.state?.["losses"] as Float64Array);
  expect(blind.metrics(x)).toEqual(all.metrics(x));
  const tallies = [
    { averagedRight: 3, averagedLoss: 1, averagedImages: 4, trainLoss: 2, trainSteps: 1, accuracy: 0.5 },
  ];
  expect(blind.evaluation?.summarise(tallies)).toEqual(all.evaluation?.summarise(tallies));
  const model = (problem: typeof all) => decodeModel(problem.files?.(x)["model.safetensors"] as Uint8Array, "it").saved;
  expect(model(blind)).toEqual(model(all));
});

test("without data there is no gradient, and no file is looked for", () => {
  const own = { name: "own", file: "%r.csv", test: "test.csv", classes: 2, shape: [3], stepsPerEpoch: 4 };
  const blind = classification({ n, data: own, model: "softmax-regression" }, { count: 0 });
  expect([blind.d, blind.epoch]).toEqual([8, 4]);
  expect(() => blind.gradient(new Float64Array(8), 0, new Float64Array(8), 0, 1)).toThrow(/with its data/);
});
