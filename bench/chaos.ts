/**
 * Everything at once that happens to clusters: 17 TCP peers train the MNIST network, each on a file that only it has, while
 * one is killed, one is killed and restarted from its checkpoint, one is stopped for 10 s, and 5% of the messages are dropped.
 * It must end, with nobody hanging, within 1 point of the undisturbed accuracy. Real MNIST where EQUITOPO_DATA says where it
 * is, else drawn images.
 *
 * With --minutes M (and --seed S) it is another bench: fault schedules on real processes, checked by their histories
 * (chaos-schedule.ts).
 */

import { firstImages, normalisations, openData, syntheticImages } from "@equitopo/nn/internal";
import { folderFiles } from "@equitopo/node";
import type { Options, Report } from "./bench.ts";
import { chaosSchedules } from "./chaos-schedule.ts";

interface Outcome {
  readonly undisturbed: number;
  readonly disturbed: number;
  readonly worst: number;
  readonly hanging: readonly number[];
  readonly ended: readonly number[];
  readonly rejoined: number | undefined;
  readonly skipped: number;
  readonly missed: number;
  readonly voided: number;
  readonly seconds: number;
}

export default async function chaosBench(options: Options, report: Report): Promise<void> {
  if (options["minutes"] !== undefined) {
    await chaosSchedules(options, report);
    return;
  }
  const program = new URL("../../packages/node/test/tcp/chaos-run.mjs", import.meta.url).href;
  const { chaos } = (await import(program)) as { chaos(options: object): Promise<Outcome> };
  const folder = process.env["EQUITOPO_DATA"];
  const real = folder === undefined ? undefined : openData("mnist", { seed: 1, files: folderFiles(folder) });
  const train = real?.train() ?? syntheticImages({ count: 17_000, seed: 1 });
  const test = firstImages(real?.test() ?? syntheticImages({ count: 2000, first: 17_000, seed: 1 }), 10_000);
  const rounds = 300;
  console.log(`${real === undefined ? "drawn images" : "MNIST"}, mnist-cnn, ${rounds} iterations of batch 64`);
  const found = await chaos({
    ...{ train, test, model: "mnist-cnn", normalisation: normalisations.mnist, batch: 64 },
    ...{ learningRate: 0.1, rounds, timeout: 2000, stop: 10_000, drop: 0.05, limit: 540_000 },
  });
  report.figure({
    ...{ name: "accuracy of the averaged model through everything at once", unit: "of 1", more: true },
    value: found.disturbed,
    beside: { what: "undisturbed", value: found.undisturbed },
  });
  report.figure({ name: "everything at once, 300 iterations", value: found.seconds, unit: "s" });
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  console.log(
    `accuracy of the averaged model  ${percent(found.undisturbed)} undisturbed, ${percent(found.disturbed)} here`,
  );
  console.log(`accuracy of the worst peer   ${percent(found.worst)}`);
  console.log(`peers at the end             ${found.ended.length} of 17 (one was killed for good)`);
  console.log(`peers hanging                ${found.hanging.length}`);
  console.log(`the restarted peer           rejoined at iteration ${found.rejoined}`);
  console.log(`the stopped peer             skipped ${found.skipped} iterations`);
  console.log(`vectors missed               ${found.missed}; exchanges void ${found.voided}`);
  console.log(`time                         ${found.seconds.toFixed(1)} s`);
  const well = found.hanging.length === 0 && found.ended.length === 16;
  if (!well || found.disturbed < found.undisturbed - 0.01) process.exitCode = 1;
}
