/** One node's gradients on the device, and the CPU's for the same parameters, images and random words. */

import { type ClassificationOptions, classification, type Parameter, prepareClassification } from "@equitopo/nn";
import type { Gpu } from "../../src/device/adapter.ts";
import { Engine, type EngineOptions } from "../../src/train/engine.ts";

export interface Compared {
  readonly parameters: readonly Parameter[];
  /** Of every parameter tensor: ||device - CPU|| / ||CPU||, the worst of the nodes. */
  readonly errors: readonly number[];
  readonly loss: readonly [device: number, cpu: number];
  /** The largest difference of running statistics. */
  readonly statistics: number;
}

export async function compareGradients(
  gpu: Gpu,
  options: ClassificationOptions,
  t: number,
  how: Pick<EngineOptions, "precision" | "matrices"> = {},
): Promise<Compared> {
  const { n } = options;
  const prepared = prepareClassification(options);
  const { model, schedule, start } = prepared;
  const [d, s] = [model.parameterCount, model.statisticsCount];
  // Nodes differ, so that one that reads another's row is found out.
  const x = Float32Array.from({ length: n * d }, (_, k) => start.parameters[k % d] * (1 + (((k * 31) % 17) - 8) / 80));
  const problem = classification(options);
  const expected = new Float32Array(n * d);
  problem.gradient(x, t, expected, 0, n);

  const engine = await Engine.create({
    ...{ gpu, runs: [{ prepared, order: 0 }], orders: n, lossRows: 2, links: 2 * n, ...how },
  });
  engine.writeRows(engine.x, engine.stride, x, d);
  const statistics = new Float32Array(n * s);
  for (let k = 0; k < n; k++) statistics.set(start.statistics, k * s);
  if (s > 0) engine.writeRows(engine.statistics, engine.statisticsStride, statistics, s);
  const { stepsPerEpoch } = schedule;
  const lists = Array.from({ length: n }, (_, node) =>
    schedule.indices(Math.floor(t / stepsPerEpoch), t % stepsPerEpoch, node),
  );
  const order = new Uint32Array(n * engine.batch);
  for (const [node, list] of lists.entries()) order.set(list, node * engine.batch);
  engine.writeOrder(order);
  engine.steps.write([{ t, count: lists[0].length, row: 1, momentum: 0.1 }]);
  engine.submit([["gradient", 0]]);
  const found = await engine.readRows(engine.gradients, engine.stride, d);
  const losses = (await engine.losses(2)).subarray(n);
  const kept = s === 0 ? [] : await engine.readRows(engine.statistics, engine.statisticsStride, s);
  engine.close();
  return {
    parameters: model.parameters,
    errors: model.parameters.map(({ offset, size }) => {
      const nodes = Array.from({ length: n }, (_, node) => relative(found, expected, node * d + offset, size));
      return Math.max(...nodes);
    }),
    loss: [losses.reduce((sum, loss) => sum + loss, 0) / n, problem.metrics(x)["batchLoss"]],
    statistics:
      kept.length === 0 ? 0 : Math.max(...Array.from(kept, (v, k) => Math.abs(v - problem.state!["statistics"][k]))),
  };
}

/** Tensors whose gradient is all but zero are held against the whole gradient. */
function relative(found: Float32Array, expected: Float32Array, from: number, size: number): number {
  const least = 1e-3 * norm(expected, 0, expected.length);
  let difference = 0;
  for (let k = from; k < from + size; k++) difference += (found[k] - expected[k]) ** 2;
  return Math.sqrt(difference) / Math.max(norm(expected, from, from + size), least);
}

function norm(values: Float32Array, from: number, to: number): number {
  return Math.sqrt(values.subarray(from, to).reduce((sum, value) => sum + value * value, 0));
}
