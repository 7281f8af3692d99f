/** Layers on the device come from a registry: one of one's own is added, and planned like the others. */

import { layers as cpuLayers, Model } from "@equitopo/nn";
import { expect, test, vi } from "vitest";
import type { Gpu } from "../../src/device/adapter.ts";
import { layers } from "../../src/plan/layers/registry.ts";
import { planFor } from "../../src/plan/precision.ts";

vi.stubGlobal("GPUBufferUsage", {});

/** A device with memory that is only counted. */
function counted(model: Model) {
  const createBuffer = ({ size }: { readonly size: number }) => ({ size, destroy() {} }) as GPUBuffer;
  const limits = { maxStorageBufferBindingSize: 1e9, maxBufferSize: 1e9, maxStorageBuffersPerShaderStage: 10 };
  const gpu = { limits, device: { createBuffer, queue: { writeBuffer() {} } } } as unknown as Gpu;
  const bound = { parameters: createBuffer({ size: 4 }), statistics: createBuffer({ size: 4 }) };
  return { options: { gpu, model, replicas: 1, batch: 2, replicaTable: createBuffer({ size: 32 }) }, bound };
}

const modelOf = (kind: string) =>
  new Model({
    name: "own",
    input: { height: 4, width: 4, channels: 1 },
    layers: [{ kind }, { kind: "dense", units: 2 }],
  });

test("a layer of one's own has kernels once it is registered", () => {
  const own = { ...cpuLayers.get("relu"), name: "own-relu", summary: "max(0, x), in memory of its own" };
  cpuLayers.add(own);
  const { options, bound } = counted(modelOf("own-relu"));
  expect(() => planFor("float32", options)).toThrow(/the GPU knows the layers convolution, .*, got "own-relu"/);
  layers.add({ ...own, float32: (network, _spec, x) => ({ ...network.passOn("own-relu", x, {}), relu: true }) });
  const plan = planFor("float32", options);
  const labels = (kernels: readonly { readonly label: string }[]) => kernels.map(({ label }) => label);
  expect(labels(plan.forward("training", bound))).toEqual(["own-relu", "dense 16->2"]);
  expect(labels(plan.backward(bound))).toEqual(["dense 16->2", "dense 16->2"]);
  expect(() => planFor("mixed", options)).toThrow(/precision mixed needs a network/);
});

test("every layer of the CPU has kernels, but those of texts", () => {
  const ofTexts = ["embedding", "tied", "positions", "linear", "layer-norm", "attention", "gelu", "skip"];
  expect(cpuLayers.names.filter((name) => !layers.has(name))).toEqual(ofTexts);
});
