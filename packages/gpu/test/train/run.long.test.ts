/** Whole runs of specs on the device: as on the CPU to rounding, and to the last bit whoever is trained beside them. */

import { classificationFamily, decodeModel } from "@equitopo/nn";
import { expandSpec, problems, type RunSpec, runSpec } from "equitopo";
import type { RunResult, SavedRun } from "equitopo/internal/run";
import { expect } from "vitest";
import { runOnGpu } from "../../src/train/run.ts";
import { deviceOfTests, onDevice } from "../device.ts";

problems.add(classificationFamily);

// Statistics of averaged models come from crops, flips and dropout, too.
const layers = [
  { kind: "dense", units: 8 },
  { kind: "dropout", rate: 0.25 },
  { kind: "batch-norm", relu: true },
  { kind: "dense", units: 10 },
];

const runs = expandSpec({
  topologies: [
    { name: "od-equidyn", n: 4 },
    { name: "ring", n: 4 },
  ],
  algorithms: [
    { name: "dmsgd", momentum: 0.5, learningRate: 0.05 },
    { name: "centralised", momentum: 0.5, learningRate: { name: "step", rate: 0.05, every: 5 } },
  ],
  problem: {
    ...{ name: "classification", images: 210, batch: 8, seed: 1, weightDecay: 1e-3 },
    // The last node's part of the tests is shorter than the others' by more than a batch has room for.
    ...{ data: "synthetic", tests: 33 },
    ...{ model: { layers }, augmentation: { pad: 4, flip: true }, try: "share" },
  },
  ...{ epochs: 3, every: 4, seeds: [1], type: "float32", faults: { drop: 0.1 } },
});

/** All of them in one batch, for every test here. */
let done: Promise<RunResult[]> | undefined;
const together = async () => (done ??= runOnGpu(await deviceOfTests(), runs));

onDevice("runs together are the CPU's to rounding: metrics, evaluations, bytes", async () => {
  const results = await together();
  const close = (a: readonly number[], b: readonly number[], what: string) => {
    expect(a.length, what).toBe(b.length);
    a.forEach((value, k) => {
      expect(Math.abs(value - b[k]) <= 1e-5 || (Number.isNaN(value) && Number.isNaN(b[k])), `${what} ${k}`).toBe(true);
    });
  };
  for (const [k, run] of runs.entries()) {
    const expected = runSpec(run);
    const found = results[k];
    expect(found.device?.precision).toBe("float32");
    expect(found.updates).toEqual(expected.updates);
    expect([found.bytes, found.messages, found.seconds]).toEqual([expected.bytes, expected.messages, expected.seconds]);
    for (const name of Object.keys(expected.metrics)) close(found.metrics[name], expected.metrics[name], name);
    expect(found.evaluations?.updates).toEqual(expected.evaluations?.updates);
    for (const [name, values] of Object.entries(expected.evaluations!.metrics)) {
      close(found.evaluations!.metrics[name], values, name);
    }
  }
});

onDevice("a run alone has the bytes that it has among others; a model is left behind", async () => {
  const gpu = await deviceOfTests();
  const files = new Map<string, Uint8Array>();
  const [alone] = await runOnGpu(gpu, [runs[2]], {
    of: () => ({ onFile: (name, bytes) => void files.set(name, bytes) }),
  });
  expect(alone.stateHash).toBe((await together())[2].stateHash);
  expect(decodeModel(files.get("model.safetensors")!, "the model").model.parameterCount).toBe(6386);
});

/** A run that is told to stop after some updates, and what it saved. */
async function stopped(run: RunSpec): Promise<SavedRun> {
  const stop = new AbortController();
  const saved: SavedRun[] = [];
  const ended = runOnGpu(await deviceOfTests(), [run], {
    signal: stop.signal,
    of: () => ({
      keep: { due: () => false, save: (state) => void saved.push(structuredClone(state)) },
      onProgress: () => stop.abort(new Error("stopped")),
    }),
  });
  await expect(ended).rejects.toThrow("stopped");
  return saved[0];
}

onDevice("a run goes on bit for bit from its checkpoint, and from one of the CPU to rounding", async () => {
  const gpu = await deviceOfTests();
  const [run] = runs;
  const [whole] = await together();
  const saved = await stopped(run);
  expect(saved.updates).toBeLessThan(run.rounds);
  const [resumed] = await runOnGpu(gpu, [run], { of: () => ({ saved }) });
  expect(resumed).toEqual(whole);

  const kept: SavedRun[] = [];
  runSpec(run, { keep: { due: (updates) => updates === 9, save: (state) => void kept.push(structuredClone(state)) } });
  const [continued] = await runOnGpu(gpu, [run], { of: () => ({ saved: kept[0] }) });
  expect(continued.updates).toEqual(whole.updates);
  const [a, b] = [continued, whole].map(({ metrics }) => metrics["batchLoss"]);
  for (let k = 1; k < a.length; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(1e-5);
});

onDevice("what the device does not do is refused in words", async () => {
  const gpu = await deviceOfTests();
  const refused = (change: Partial<RunSpec>) => runOnGpu(gpu, [{ ...runs[0], ...change }]);
  await expect(refused({ type: "float64" })).rejects.toThrow(/computes in float32/);
  // The software adapter has no halves; an adapter that has them refuses the network.
  await expect(refused({ precision: "mixed" })).rejects.toThrow(/precision mixed needs/);
  await expect(refused({ problem: { name: "logistic", n: 4 } })).rejects.toThrow(/the problem classification/);
});
