/**
 * How far gradients on the device are from the CPU's, which computes in float32: ResNet-20, two nodes with different models, one
 * batch each. Rounding flips a ReLU whose pre-activation is all but zero, and everything below it moves with it: that is part
 * of the error, in either precision.
 */

import { Engine, type Gpu, type Precision } from "@equitopo/gpu/internal";
import { classification, prepareClassification } from "@equitopo/nn";

const options = {
  ...{ n: 2, batch: 8, images: 40, tests: 10, seed: 3, model: "resnet20" },
  data: { name: "synthetic", size: 32, channels: 3 },
  augmentation: { pad: 4, flip: true },
  normalisation: { mean: [0.4, 0.5, 0.6], deviation: [0.2, 0.3, 0.25] },
};

/** The norm of the difference over that of the CPU's gradient; the largest of single tensors, and its name. */
export async function gradientError(gpu: Gpu, precision: Precision) {
  const { n } = options;
  const prepared = prepareClassification(options);
  const { model, schedule, start } = prepared;
  const d = model.parameterCount;
  const x = Float32Array.from({ length: n * d }, (_, k) => start.parameters[k % d] * (1 + (((k * 31) % 17) - 8) / 80));
  const problem = classification(options);
  const expected = new Float32Array(n * d);
  problem.gradient(x, 0, expected, 0, n);
  const engine = await Engine.create({
    ...{ gpu, runs: [{ prepared, order: 0 }], orders: n, lossRows: 1, links: n, precision },
  });
  engine.writeRows(engine.x, engine.stride, x, d);
  const order = new Uint32Array(n * engine.batch);
  for (let node = 0; node < n; node++) order.set(schedule.indices(0, 0, node), node * engine.batch);
  engine.writeOrder(order);
  engine.steps.write([{ t: 0, count: engine.batch, row: 0, momentum: 0.1 }]);
  engine.submit([["gradient", 0]]);
  const found = await engine.readRows(engine.gradients, engine.stride, d);
  engine.close();
  const tensors = model.parameters.map(({ name, offset, size }) => {
    let [difference, square] = [0, 0];
    for (let node = 0; node < n; node++) {
      for (let k = node * d + offset; k < node * d + offset + size; k++) {
        difference += (found[k] - expected[k]) ** 2;
        square += expected[k] ** 2;
      }
    }
    return { name, difference, square };
  });
  const sum = (of: "difference" | "square") => tensors.reduce((all, tensor) => all + tensor[of], 0);
  const errors = tensors.map(({ name, difference, square }) => ({ name, error: Math.sqrt(difference / square) }));
  const worst = errors.reduce((a, b) => (b.error > a.error ? b : a));
  return { all: Math.sqrt(sum("difference") / sum("square")), worst };
}
