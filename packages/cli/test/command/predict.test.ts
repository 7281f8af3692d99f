/** `equitopo predict`: the classes of images, with labels and without, from a folder's data set and from files. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSafetensors, syntheticImages, writeSafetensors } from "@equitopo/nn";
import { expect, it } from "vitest";
import { equitopo, json, parsed, scratch, spawned } from "../command.ts";

const folder = scratch();
const place = (name: string) => join(folder, name);
const words = "train synthetic --nodes 4 --images 800 --tests 200 --epochs 3 --seed 2";
const trained = parsed(spawned(`${words} --out ${place("run")} --json`));
const model = place("run/model.safetensors");

/** Images as lines of fractions, the label last where it is wanted. */
function table(name: string, labelled: boolean): { file: string; labels: number[] } {
  const { images, labels, count } = syntheticImages({ count: 40, seed: 2, first: 800 });
  const line = (k: number) => [
    ...Array.from(images.subarray(784 * k, 784 * (k + 1)), (byte) => byte / 255),
    ...(labelled ? [labels[k]] : []),
  ];
  writeFileSync(place(name), `${Array.from({ length: count }, (_, k) => line(k).join(",")).join("\n")}\n`);
  return { file: place(name), labels: [...labels] };
}

/** Two numbers, and no images. */
function flatNpy(): Buffer {
  const header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}\n";
  return Buffer.concat([
    Buffer.from(`\x93NUMPY\x01\0${String.fromCharCode(header.length)}\0${header}`, "latin1"),
    Buffer.of(1, 2),
  ]);
}

it("finds the test set's accuracy again", async () => {
  const { accuracy, images } = await json(`predict ${model}`);
  expect(images).toBe(1000);
  // Other images of the same kind: 1000 where training was tried on 200.
  expect(Math.abs(accuracy - trained.averagedAccuracy)).toBeLessThan(0.1);
  expect((await json(`predict ${model} --set train`)).images).toBe(800);
});

it("reads tables with labels and without, and writes CSV", async () => {
  const { file, labels } = table("labelled.csv", true);
  const with_ = await json(`predict ${model} --data ${file}`);
  expect(with_.accuracy).toBeGreaterThan(0.6);
  const without = await json(`predict ${model} --data ${table("bare.csv", false).file}`);
  expect(without.accuracy).toBeUndefined();
  expect(without.predictions).toEqual(with_.predictions);
  const right = without.predictions.filter((answer: number, k: number) => answer === labels[k]).length;
  expect(with_.accuracy).toBe(right / 40);
  const out = place("predictions.csv");
  const { stdout } = await equitopo(`predict ${model} --data ${file} --out ${out}`);
  expect(stdout).toMatch(/^40 images, \d+\.\d+% right/);
  const [head, first] = readFileSync(out, "utf8").split("\r\n");
  expect([head, first]).toEqual(["image,predicted,label", `0,${without.predictions[0]},${labels[0]}`]);
});

it("refuses what is no model, and images that it cannot read", async () => {
  const { tensors } = readSafetensors(readFileSync(model));
  writeFileSync(place("foreign.safetensors"), writeSafetensors(tensors, { format: "pt" }));
  writeFileSync(place("short.safetensors"), readFileSync(model).subarray(0, 2000));
  writeFileSync(place("flat.npy"), flatNpy());
  writeFileSync(place("narrow.csv"), "1,2,0\n3,4,1\n");
  for (const [given, reason] of [
    [`predict ${place("foreign.safetensors")}`, /metadata of a saved model/],
    [`predict ${place("none.safetensors")}`, /ENOENT/],
    [`predict ${model} --data ${place("narrow.csv")}`, /images of 28 x 28 x 1/],
    [`predict ${model} --data ${place("flat.npy")}`, /images of 28 x 28 x 1/],
    [`predict ${place("short.safetensors")}`, /short.safetensors: .* ends at byte \d+ of the file, got "2000 bytes"/],
    [`predict ${model} --data ${folder}`, /files that the model's own data set reads/],
    [`predict ${model} --data ${place("narrow.csv")} --labels ${place("flat.npy")}`, /--labels belongs to a .npy file/],
    [`predict ${model} --data ${place("narrow.csv")} --set train`, /--set belongs to a folder/],
  ] as const) {
    const { status, stderr } = await equitopo(given);
    expect([status, stderr]).toEqual([2, expect.stringMatching(reason)]);
  }
});
