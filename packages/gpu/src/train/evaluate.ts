/**
 * What the models are worth, as on the CPU (classification/evaluation.ts): the network's averaged model with statistics
 * estimated from what nodes see in training, node i's copy on the i-th part of the test set; and every node's own model on
 * its share of the test set, or on all of it. Logits come back from the device and are scored by the CPU's own code.
 */

import { estimateBatches, partSize, scoreGroup, summariseTallies, testPart, testShare } from "@equitopo/nn/internal";
import type { Tally } from "equitopo";
import { readBack, storage } from "../device/memory.ts";
import { type Engine, type EngineRun, SLOTS } from "./engine.ts";

export interface TriedRun extends EngineRun {
  /** Sums of losses and steps of a node in the epoch that ended. */
  losses(node: number): { readonly sum: number; readonly steps: number };
}

/**
 * The evaluation of every run; `last` tries all models on all test images. All of the device's work is handed in before it
 * returns, so that training may go on meanwhile; what it promises is scored when the device has come that far.
 */
export async function evaluate(engine: Engine, runs: readonly TriedRun[], last: boolean) {
  const { settings, schedule, test, model } = runs[0].prepared;
  const { n } = settings;
  const size = partSize(test.count, n);
  engine.steps.write([{ t: 0, count: engine.batch, row: 0, momentum: 0 }]);
  engine.submit([["average", 0]]);
  if (model.statisticsCount > 0) estimate(engine, runs, estimateBatches(settings, schedule.stepsPerEpoch));
  const whole = settings.try === "all" || last;
  const handedIn = [
    tried(engine, runs, "tryAveraged", (_run, node) => testPart(test.count, size, node)),
    settings.try === "share"
      ? tried(engine, runs, "tryOwn", ({ prepared }, node) => testShare(test.count, n, prepared.settings.seed, node))
      : undefined,
    ...Array.from({ length: whole ? Math.ceil(test.count / size) : 0 }, (_, part) =>
      tried(engine, runs, "tryOwn", () => testPart(test.count, size, part)),
    ),
  ] as const;
  const losses = runs.map((run) => Array.from({ length: n }, (_, node) => run.losses(node)));
  const [averaged, share, ...parts] = await Promise.all(handedIn);
  return losses.map((ofRun, at) => {
    const tallies = ofRun.map((train, node): Tally => {
      const k = at * n + node;
      const { right, loss, images } = averaged[k];
      const all = parts.reduce((sum, part) => sum + (part?.[k].right ?? 0), 0);
      return {
        ...{ averagedRight: right, averagedLoss: loss, averagedImages: images },
        ...{ trainLoss: train.sum, trainSteps: train.steps },
        ...(share === undefined ? {} : { shareAccuracy: share[k].right / size }),
        ...(whole ? { accuracy: all / test.count } : {}),
      };
    });
    return summariseTallies(tallies);
  });
}

/** Statistics of the averaged models, from what the nodes see in their first steps of training. */
function estimate(engine: Engine, runs: readonly TriedRun[], batches: number): void {
  for (let from = 0; from < batches; from += SLOTS) {
    const counts = writeOrders(engine, runs, Math.min(SLOTS, batches - from), ({ prepared }, node, slot) =>
      prepared.schedule.indices(0, from + slot, node),
    );
    engine.steps.write(
      counts.map((count, slot) => ({ t: from + slot, count, row: 0, momentum: 1 / (from + slot + 1) })),
    );
    engine.submit(counts.map((_, slot) => ["estimate", slot] as const));
  }
  engine.submit([["averageStatistics", 0]]);
}

/** How many of its images each replica gets right, and the sum of their losses: handed in at once, scored later. */
async function tried(
  engine: Engine,
  runs: readonly TriedRun[],
  program: "tryOwn" | "tryAveraged",
  imagesOf: (run: TriedRun, node: number) => Int32Array,
): Promise<{ right: number; loss: number; images: number }[]> {
  const { gpu, batch, replicas, n } = engine;
  const { test, settings } = runs[0].prepared;
  const { classes } = test;
  const lists = runs.map((run) => ({ ...run, images: Array.from({ length: n }, (_, node) => imagesOf(run, node)) }));
  const all = lists.flatMap(({ images }) => images);
  const batches = Math.ceil(Math.max(...all.map((list) => list.length)) / batch);
  const row = replicas * batch * classes;
  const logits = storage(gpu, "the scores of a trial", batches * row);
  engine.submit([[program === "tryOwn" ? "prepareOwn" : "prepareAveraged", 0]]);
  for (let from = 0; from < batches; from += SLOTS) {
    const slots = Math.min(SLOTS, batches - from);
    writeOrders(engine, lists, slots, ({ images }, node, slot) =>
      images[node].subarray((from + slot) * batch, (from + slot + 1) * batch),
    );
    engine.steps.write(Array.from({ length: slots }, () => ({ t: 0, count: batch, row: 0, momentum: 0 })));
    engine.submitTrial(program, slots, logits, from * row, row);
  }
  const scores = new Float32Array(await readBack(gpu, logits, 0, batches * row));
  logits.destroy();
  return all.map((list, k) => {
    const own = new Float32Array(list.length * classes);
    for (let b = 0; b * batch < list.length; b++) {
      const images = Math.min(batch, list.length - b * batch);
      const at = b * row + k * batch * classes;
      own.set(scores.subarray(at, at + images * classes), b * batch * classes);
    }
    const labels = Int32Array.from(list, (j) => test.labels[j]);
    return { ...scoreGroup(own, labels, classes, settings.softmax), images: list.length };
  });
}

/** Writes who sees what in each slot; answers with the images of each slot's batch. */
export function writeOrders<R extends Pick<TriedRun, "order">>(
  engine: Engine,
  runs: readonly R[],
  slots: number,
  imagesOf: (run: R, node: number, slot: number) => Int32Array,
): number[] {
  const { n, batch, orders } = engine;
  const words = new Uint32Array(slots * orders * batch);
  // Runs of one order see the same images.
  const distinct = new Map(runs.map((run) => [run.order, run]));
  const counts = Array.from({ length: slots }, (_, slot) => {
    let most = 0;
    for (const [order, run] of distinct) {
      for (let node = 0; node < n; node++) {
        const list = imagesOf(run, node, slot);
        const at = (slot * orders + order + node) * batch;
        words
          .subarray(at, at + batch)
          .fill(list[0] ?? 0)
          .set(list);
        most = Math.max(most, list.length);
      }
    }
    return most;
  });
  engine.writeOrder(words);
  return counts;
}
