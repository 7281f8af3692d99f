/** Gossip rounds and training on a GPU through WebGPU, for Node and browsers. */

export { describeGpu, type Gpu, type GpuOptions, openGpu } from "./device/adapter.ts";
export { type DeviceRows, GpuMixer } from "./mixer/mixer.ts";
export type { GpuLayer } from "./plan/layer.ts";
export { layers as gpuLayers } from "./plan/layers/registry.ts";
export type { Precision } from "./plan/precision.ts";
export type { PassName } from "./shader/pass.ts";
export type { GpuRunOptions } from "./train/member.ts";
export { type GpuRunsOptions, runOnGpu } from "./train/run.ts";
export { type Operation, Script } from "./train/script.ts";
