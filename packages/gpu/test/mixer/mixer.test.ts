/** Rounds on the device against their definition: the same sums in the same order, rounded to float32 at every addition. */

import { createTopology, simulate, simulateAsync } from "equitopo";
import { leastSquares } from "equitopo/internal/problem";
import { applyRound, kernelMixer, type Round } from "equitopo/internal/round";
import { expect } from "vitest";
import { GpuMixer } from "../../src/mixer/mixer.ts";
import { deviceOfTests, onDevice } from "../device.ts";

const n = 12;
const width = 7;

/** Largest difference between numbers of about one. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (value, k) => Math.abs(value - b[k])));
}

const start = () => Float32Array.from({ length: n * width }, (_, k) => ((k * 7919) % 1000) / 500 - 1);

const rounds: Readonly<Record<string, Round>> = {
  shift: createTopology({ name: "od-equidyn", n, seed: 1 }).round(3),
  shifts: createTopology({ name: "d-equistatic", n, m: 4, seed: 1 }).round(0),
  matching: createTopology({ name: "ou-equidyn", n, seed: 1 }).round(3),
  sparse: createTopology({ name: "star", n }).round(0),
  mean: { kind: "mean", n, keep: 0 },
  "lazy mean": { kind: "mean", n, keep: 0.5 },
};

onDevice("every kind of round is the plain mixer's, to float32's rounding", async () => {
  const mixer = new GpuMixer(await deviceOfTests(), n);
  for (const [name, round] of Object.entries(rounds)) {
    const mixed = await mixer.mix(round, start());
    expect(distance(mixed, applyRound(round, start(), new Float32Array(n * width))), name).toBeLessThan(4e-7);
  }
});

onDevice("one shift has the very bits of the CPU where its weights are powers of two", async () => {
  const mixer = new GpuMixer(await deviceOfTests(), n);
  const round: Round = { kind: "circulant", n, self: 0.5, shifts: Int32Array.of(5), weights: Float64Array.of(0.5) };
  expect([...(await mixer.mix(round, start()))]).toEqual([...applyRound(round, start(), new Float32Array(n * width))]);
});

onDevice("a mean leaves all nodes equal to the last bit", async () => {
  const mixer = new GpuMixer(await deviceOfTests(), n);
  const mixed = await mixer.mix(rounds["mean"], start());
  for (let k = width; k < mixed.length; k++) expect(mixed[k]).toBe(mixed[k % width]);
});

onDevice("rows stay on the device over many rounds, and contract there", async () => {
  const mixer = new GpuMixer(await deviceOfTests(), n);
  const topology = createTopology({ name: "od-equidyn", n, seed: 2 });
  let rows = mixer.upload(start());
  let expected = start();
  for (let t = 0; t < 12; t++) {
    rows = await mixer.mixOnDevice(topology.round(t), rows);
    expected = applyRound(topology.round(t), expected, new Float32Array(n * width));
  }
  expect(distance(await mixer.download(rows), expected)).toBeLessThan(2e-6);
});

onDevice("the simulator drives it like any other mixer", async () => {
  const options = (mixer: GpuMixer | ReturnType<typeof kernelMixer>) => ({
    ...{ topology: createTopology({ name: "ou-equidyn", n, seed: 1 }), rounds: 8, mixer },
    ...{ problem: leastSquares({ n, K: 20, seed: 5 }), algorithm: { name: "dsgt", learningRate: 0.01 } },
  });
  const here = simulate(options(kernelMixer(n, "float32")) as Parameters<typeof simulate>[0]);
  const there = await simulateAsync(options(new GpuMixer(await deviceOfTests(), n)));
  expect(there.x).toBeInstanceOf(Float32Array);
  expect(distance(there.x, here.x)).toBeLessThan(2e-6);
  expect(there.bytes).toEqual(here.bytes);
});
