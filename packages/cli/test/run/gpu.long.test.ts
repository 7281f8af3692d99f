/** `--device gpu` from the command line, on whatever adapter the tests have. */

import { describeGpu } from "@equitopo/gpu";
import { expect, test } from "vitest";
import { equitopo, parsed, scratch, spawned } from "../command.ts";

const { ok } = await describeGpu();
if (!ok) process.stderr.write("\nNO GPU AND NO SOFTWARE ADAPTER: --device gpu WAS NOT TESTED\n\n");

const folder = scratch();
const words = "train synthetic --nodes 3 --epochs 2 --images 90 --tests 30 --model softmax-regression --quiet";

test.skipIf(!ok)("training on the device is the CPU's to rounding, and a run of the CPU goes on there", () => {
  const here = parsed(spawned(`${words} --out ${folder}/here --json`));
  const there = parsed(spawned(`${words} --device gpu --out ${folder}/there --json`));
  expect(there.device.precision).toBe("float32");
  expect(here.device).toBe(undefined);
  expect(there.averagedAccuracy).toBeCloseTo(here.averagedAccuracy, 2);
  expect(there.trainLoss).toBeCloseTo(here.trainLoss, 5);
  expect(there.bytesPerNode).toBe(here.bytesPerNode);
  const longer = words.replace("--epochs 2", "--epochs 3");
  const on = parsed(spawned(`${longer} --device gpu --out ${folder}/here --resume --json`));
  expect(on.history.length).toBe(3);
  expect(on.trainLoss).toBeLessThan(here.trainLoss);
});

test("a device that is none, and work that is none for it, are refused before anything is made", async () => {
  const word = await equitopo(`${words} --device cpu --out ${folder}/none`);
  expect([word.status, word.stderr]).toEqual([2, expect.stringContaining("--device must be gpu or gpu:NAME")]);
  const work = await equitopo("reproduce table-1 --quick --device gpu");
  expect([work.status, work.stderr]).toEqual([2, expect.stringContaining("--device gpu trains networks")]);
  const precision = await equitopo(`${words} --precision mixed --out ${folder}/none`);
  expect([precision.status, precision.stderr]).toEqual([2, expect.stringContaining("only a GPU computes")]);
  const rows = await equitopo("reproduce table-1 --quick --seeds 1,2");
  expect([rows.status, rows.stderr]).toEqual([2, expect.stringContaining("are for mnist and cifar10")]);
});
