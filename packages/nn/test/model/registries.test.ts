/** Members of your own: a layer, a model, a split and a data set, used from a spec like those of this package. */

import { Registry } from "equitopo";
import { option } from "equitopo/input";
import { expect, it } from "vitest";
import {
  classification,
  createModel,
  dataSets,
  defineData,
  defineLayer,
  defineModel,
  defineSplit,
  layers,
  Model,
  models,
  splits,
  syntheticImages,
} from "../../src/index.ts";

/** y = scale x, without a kernel: plain loops over the memory. */
const scale = defineLayer({
  name: "scale",
  summary: "every number times a constant",
  options: { by: option.number(2) },
  build: ({ by }, input) => {
    const numbers = (images: number) => images * input.height * input.width * input.pitch;
    const copy = (memory: ArrayBufferLike, from: number, to: number, count: number) => {
      const [a, b] = [from, to].map((at) => new Float32Array(memory, at, count));
      for (let k = 0; k < count; k++) b[k] = by * a[k];
    };
    return {
      ...{ output: input, parameters: [], statistics: 0, readsOutput: false },
      savedBytes: () => 0,
      scratchBytes: () => 0,
      forward: ({ memory, images }, { x, y }) => copy(memory, x, y, numbers(images)),
      backward: ({ memory, images }, { dy, dx }) => {
        if (dx !== 0) copy(memory, dy, dx, numbers(images));
      },
    };
  },
});

const images = { shape: { height: 24, width: 24, channels: 1 }, classes: 10 };

it("a layer stands in a list of layers, and its gradients are right", () => {
  layers.add(scale);
  const base = { n: 2, data: { name: "synthetic", size: 24 }, images: 40, tests: 10, batch: 8, seed: 1 };
  const dense = (units: number) => ({ kind: "dense", units });
  const twice = classification({ ...base, model: { layers: [dense(7), { kind: "scale" }, dense(10)] } });
  const once = classification({ ...base, model: { layers: [dense(7), { kind: "scale", by: 1 }, dense(10)] } });
  const plain = classification({ ...base, model: { layers: [dense(7), dense(10)] } });
  const start = Float32Array.from([...twice.start!, ...twice.start!]);
  const gradients = [twice, once, plain].map((problem) => {
    const out = new Float32Array(2 * problem.d);
    problem.gradient(start, 0, out, 0, 2);
    return out;
  });
  expect(gradients[1]).toEqual(gradients[2]);
  // Halving what goes into the layer undoes it: then the loss is the plain one's, and so is the second layer's gradient.
  const half = start.slice();
  const first = 7 * (24 * 24 + 1);
  for (const from of [0, twice.d]) for (let k = from; k < from + first; k++) half[k] /= 2;
  const out = new Float32Array(2 * twice.d);
  twice.gradient(half, 0, out, 0, 2);
  for (let k = 0; k < first; k++) expect(out[k]).toBeCloseTo(2 * gradients[2][k], 5);
  for (let k = first; k < twice.d; k++) expect(out[k]).toBeCloseTo(gradients[2][k], 5);
});

it("a model, a split and a data set are named in a spec", () => {
  models.add(
    defineModel({
      name: "narrow",
      summary: "one hidden layer of few units",
      options: { units: option.whole(3, 1) },
      build: ({ units }, { shape, classes }) =>
        new Model({
          name: "narrow",
          input: shape,
          layers: [
            { kind: "dense", units, relu: true },
            { kind: "dense", units: classes },
          ],
        }),
    }),
  );
  splits.add(
    defineSplit({
      name: "in-order",
      summary: "the first images to the first node",
      options: {},
      shares: (labels, n) => {
        const size = Math.floor(labels.length / n);
        return Array.from({ length: n }, (_, i) => Int32Array.from({ length: size }, (_, k) => i * size + k));
      },
    }),
  );
  dataSets.add(
    defineData({
      name: "few-glyphs",
      summary: "a handful of images",
      options: { count: option.whole(24, 1) },
      defaults: { ...dataSets.get("synthetic").defaults, batch: 5 },
      open({ count }, { seed }) {
        const data = syntheticImages({ count, seed, size: 24 });
        return { ...images, count, labels: () => data.labels, train: () => data, test: () => data };
      },
    }),
  );
  const problem = classification({ n: 2, data: "few-glyphs", model: { name: "narrow", units: 4 }, split: "in-order" });
  expect(problem.epoch).toBe(3);
  expect(problem.d).toBe(createModel({ name: "narrow", units: 4 }, images).parameterCount);
});

it("every registry has one shape", () => {
  for (const registry of [layers, models, splits, dataSets]) {
    expect(registry).toBeInstanceOf(Registry);
    for (const { name, summary, options } of registry) {
      expect(summary).not.toBe("");
      for (const { range, default: preset, required, check } of Object.values(options)) {
        expect(range).not.toBe("");
        if (preset !== undefined && required !== true && name !== "residual") {
          expect(check("it", preset)).toEqual(preset);
        }
      }
    }
  }
});
