/**
 * Every algorithm of the library on the device, as it is: the CPU's models to rounding after some iterations, or a word why
 * not. Passes have no other test: a wrong one shows in the algorithms that use it, and every one is used by some.
 */

import { classificationFamily } from "@equitopo/nn";
import { algorithms, createAlgorithm, expandSpec, parseSpec, problems, type RunSpec, ring, runSpec } from "equitopo";
import type { SavedRun } from "equitopo/internal/run";
import { expect } from "vitest";
import { passes } from "../../src/shader/passes.ts";
import { runOnGpu } from "../../src/train/run.ts";
import { Script } from "../../src/train/script.ts";
import { deviceOfTests, onDevice } from "../device.ts";

problems.add(classificationFamily);

/** Options beside the defaults, and how else the same passes are put together. */
const variants: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  dsgd: [{}, { order: "combine-then-adapt" }],
  "local-steps": [{ steps: 3, momentum: 0.5 }],
  "gossip-pga": [{ period: 3 }],
  "momentum-tracking": [{}, { initial: "mean" }],
  centralised: [{ momentum: 0.5 }, { inner: { name: "adamw", weightDecay: 2, clip: 0.5 } }],
  "local-adamw": [{ steps: 2, rounds: 2, inner: { name: "adamw", weightDecay: 2, clip: 0.5 } }],
  diloco: [
    { steps: 3, inner: { name: "momentum", clip: 0.7 } },
    { steps: 2, late: true, inner: { name: "sgd" } },
  ],
  "gossip-diloco": [
    { steps: 3 },
    { steps: 1, late: true, inner: { name: "sgd" } },
    { steps: 2, mixMomentum: true, rounds: 2, inner: { name: "sgd" } },
  ],
  noloco: [{ steps: 2 }, { steps: 3, pull: 0.4, inner: { name: "sgd" } }],
  slowmo: [
    { steps: 2, inner: { name: "sgd" } },
    { steps: 3, by: "topology", form: "published", inner: { name: "sgd" } },
  ],
  gasloc: [
    { steps: 2, inner: { name: "sgd" } },
    { steps: 3, form: "mix-first", pull: 0.8, inner: { name: "sgd" } },
  ],
};

const refused: Readonly<Record<string, RegExp>> = {
  "atc-gt": /gradient where the next iteration begins/,
  "push-sum": /a GPU cannot do weights: rows have the width of a model/,
  "dsgd-ceca": /./,
  choco: /a GPU cannot do compression: messages are not encoded/,
};

/** Steps of Adam are as long as the rate, whatever the gradient. */
const adam = (algorithm: { name: string }) =>
  algorithm.name === "d-adam" || (createAlgorithm(algorithm).spec["inner"] as { name?: string })?.name === "adamw";

function runOf(algorithm: Readonly<Record<string, unknown>> & { name: string }): RunSpec {
  const ceca = algorithm.name === "dsgd-ceca";
  return expandSpec(
    parseSpec({
      topologies: [ceca ? { name: "ceca-1p", n: 4 } : { name: "ring", n: 4 }],
      algorithms: [{ learningRate: adam(algorithm) ? 0.001 : 0.05, ...algorithm }],
      problem: {
        ...{ name: "classification", data: "synthetic", images: 96, tests: 8, batch: 8, seed: 1, weightDecay: 0.01 },
        ...{ model: { name: "perceptron", hidden: [4] }, try: "averaged" },
      },
      ...{ rounds: 7, every: 7, seeds: [1], type: "float32" },
    }),
  )[0];
}

const saved = (run: (keep: { due(updates: number): boolean; save(run: SavedRun): void }) => unknown) => {
  const states: SavedRun[] = [];
  return Promise.resolve(
    run({ due: (updates) => updates === 7, save: (state) => void states.push(structuredClone(state)) }),
  ).then(() => states[0].vectors);
};

const all = algorithms.names.flatMap((name) =>
  (variants[name] ?? [{}]).map((options) => ({ name, ...options }) as { name: string }),
);

onDevice(
  "every algorithm gives the CPU's states to rounding, or says why not",
  async () => {
    const gpu = await deviceOfTests();
    for (const algorithm of all) {
      const what = JSON.stringify(algorithm);
      const run = runOf(algorithm);
      if (refused[algorithm.name] !== undefined) {
        await expect(runOnGpu(gpu, [run]), what).rejects.toThrow(refused[algorithm.name]);
        continue;
      }
      const here = await saved((keep) => runSpec(run, { keep }));
      const there = await saved((keep) => runOnGpu(gpu, [run], { of: () => ({ keep }) }));
      expect(Object.keys(there), what).toEqual(Object.keys(here));
      for (const name of Object.keys(here).filter((key) => key.startsWith("state."))) {
        expect(distance(there[name], here[name]), `${what} ${name}`).toBeLessThan(2e-5);
      }
      for (const name of Object.keys(here).filter((key) => key.startsWith("meter."))) {
        expect(there[name], `${what} ${name}`).toEqual(here[name]);
      }
    }
  },
  120_000,
);

/** Passes of algorithms that compress what they send, and of algorithms of one's own. */
const untested = ["descendGap", "towardsMixed", "track"];

onDevice("every other kernel of a pass is used by an algorithm above", () => {
  const used = new Set(
    all
      .filter(({ name }) => refused[name] === undefined)
      .flatMap((spec) => {
        const script = new Script(createAlgorithm(spec), ring({ n: 4 }), () => 1);
        return [...script.opening, ...[0, 1, 2].flatMap((t) => script.iterate(t))];
      })
      .flatMap((one) => (one.kind === "pass" ? [one.name] : [])),
  );
  const byRow = ["clipRows", "shrinkMatrices"];
  expect([...used, ...untested].sort()).toEqual([...Object.keys(passes), ...byRow].sort());
});

/** ||a - b|| / ||b||. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [difference, size] = [0, 0];
  for (let k = 0; k < b.length; k++) {
    difference += (a[k] - b[k]) ** 2;
    size += b[k] ** 2;
  }
  return Math.sqrt(difference / size);
}

onDevice("gradient tracking goes on bit for bit where its rows have changed places", async () => {
  const gpu = await deviceOfTests();
  const run = runOf({ name: "dsgt" });
  const [whole] = await runOnGpu(gpu, [run]);
  const states: SavedRun[] = [];
  await runOnGpu(gpu, [{ ...run, rounds: 3 }], {
    of: () => ({ keep: { due: () => true, save: (state) => void states.push(structuredClone(state)) } }),
  });
  const [resumed] = await runOnGpu(gpu, [run], { of: () => ({ saved: states[0] }) });
  expect(resumed.stateHash).toBe(whole.stateHash);
});
