/**
 * A training step (images, forward, backward, momentum, a gossip round) of many replicas on one GPU, and where its time goes,
 * kernel by kernel. GPUs take tens of milliseconds of load to reach their clock: everything is run for a while before it is
 * timed.
 */

import { Engine, type Gpu, NUMBERS, type Precision, Script, SLOTS } from "@equitopo/gpu/internal";
import { type ClassificationOptions, prepareClassification } from "@equitopo/nn";
import { createAlgorithm, ring } from "equitopo";
import type { Report } from "./bench.ts";
import { milliseconds } from "./measure.ts";

const n = 17;

/** Multiply-adds of one image forward, times two operations, times forward, data and weight gradients. */
const OPERATIONS = 41e6 * 2 * 3;

export interface Net {
  readonly title: string;
  readonly batch: number;
  readonly options: Omit<ClassificationOptions, "n" | "batch">;
  readonly operations: number;
}

export const resnet: Net = {
  title: "ResNet-20",
  batch: 8,
  options: {
    data: { name: "synthetic", size: 32, channels: 3 },
    model: "resnet20",
    images: 400,
    tests: 17,
    weightDecay: 1e-4,
    augmentation: { pad: 4, flip: true },
  },
  operations: OPERATIONS,
};
export const mnist: Net = {
  title: "MNIST CNN",
  batch: 64,
  options: { data: "synthetic", model: "mnist-cnn", images: 1088, tests: 17 },
  operations: 0.48e6 * 2 * 3,
};

export async function timeStep(
  gpu: Gpu,
  { title, batch, options, operations }: Net,
  runs: number,
  precision: Precision,
  report: Report,
): Promise<void> {
  const begun = performance.now();
  const prepared = prepareClassification({ n, batch, ...options });
  const engine = await Engine.create({
    ...{ gpu, orders: n, lossRows: SLOTS, links: 2 * n * runs, precision },
    runs: Array.from({ length: runs }, () => ({ prepared, order: 0 })),
  });
  const made = performance.now() - begun;
  const rows = new Float32Array(n * prepared.model.parameterCount);
  for (let k = 0; k < n; k++) rows.set(prepared.start.parameters, k * prepared.model.parameterCount);
  for (let run = 0; run < runs; run++) {
    engine.writeRows(engine.x, engine.stride, rows, prepared.model.parameterCount, run * n);
  }
  const order = new Uint32Array(SLOTS * n * batch).map((_, k) => k % 400);
  engine.writeOrder(order);
  engine.writeNumbers(new Float32Array(SLOTS * NUMBERS * runs).fill(1e-3));
  const replicas = n * runs;
  // One peer each: half of one's own row, half of another's.
  const span = new Uint32Array(2 * SLOTS * replicas).map((_, k) => (k % 2 === 0 ? k % (2 * replicas) : 2));
  const half = new Uint32Array(new Float32Array([0.5]).buffer)[0];
  const links = new Uint32Array(4 * replicas).map((_, k) =>
    k % 2 === 1 ? half : ((k >> 2) + ((k & 2) >> 1)) % replicas,
  );
  engine.writeLinks(span, links);
  engine.steps.write(Array.from({ length: SLOTS }, (_, slot) => ({ t: slot, count: batch, row: slot, momentum: 0.1 })));
  const script = new Script(createAlgorithm({ name: "dmsgd" }), ring({ n }));
  const step = await engine.iteration(script.iterate(0), new Set(Object.values(script.state())));
  const calls = Array.from({ length: SLOTS }, (_, slot) => [step, slot] as const);
  const time = async (handfuls: number) => {
    const start = performance.now();
    for (let k = 0; k < handfuls; k++) engine.submit(calls);
    await engine.idle();
    return (performance.now() - start) / (handfuls * SLOTS);
  };
  await time(4);
  await time(Math.ceil(250 / SLOTS / (await time(2))));
  const times: number[] = [];
  for (let k = 0; k < 5; k++) times.push(await time(6));
  const best = Math.min(...times);
  report.figure({
    name: `a step of ${replicas} replicas, ${title}, batch ${batch}, ${precision}`,
    value: best,
    unit: "ms",
  });
  const rate = (operations * replicas * batch) / best / 1e9;
  const bytes = (engine.gpu.held ?? []).reduce((sum, { size }) => sum + size, 0);
  console.log(
    `${title}, batch ${batch}, ${replicas} replicas, ${precision}: made in ${(made / 1000).toFixed(1)} s, ${(bytes / 1e9).toFixed(2)} GB`,
  );
  console.log(
    `  one step   ${milliseconds(best)}   ${rate.toFixed(1)} TFLOP/s, ${((1000 * replicas * batch) / best).toFixed(0)} images/s`,
  );
  const shares = new Map<string, { count: number; nanoseconds: number }>();
  await time(2);
  for (const { label, nanoseconds } of await engine.profile(step)) {
    const sum = shares.get(label) ?? { count: 0, nanoseconds: 0 };
    shares.set(label, { count: sum.count + 1, nanoseconds: sum.nanoseconds + nanoseconds });
  }
  const all = [...shares.values()].reduce((sum, { nanoseconds }) => sum + nanoseconds, 0);
  for (const [label, { count, nanoseconds }] of [...shares].sort((a, b) => b[1].nanoseconds - a[1].nanoseconds)) {
    const each = (nanoseconds / count / 1000).toFixed(0).padStart(6);
    console.log(
      `  ${label.padEnd(34)}${String(count).padStart(3)} x ${each} us  ${((100 * nanoseconds) / all).toFixed(1).padStart(5)}%`,
    );
  }
  engine.close();
}
