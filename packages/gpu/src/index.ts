/** Gossip rounds and training on a GPU through WebGPU, for Node and browsers. */

export { describeGpu, type Gpu, type GpuOptions, openDevice, openGpu } from "./device/adapter.ts";
export type { Program } from "./device/program.ts";
export type { Spelling } from "./matrix/matrix.ts";
export { type DeviceRows, GpuMixer } from "./mixer/mixer.ts";
export type { Precision } from "./plan/precision.ts";
export { NUMBERS, type PassName } from "./shader/pass.ts";
export { Engine, type EngineOptions, type EngineRun, type ProgramName, SLOTS } from "./train/engine.ts";
export { requireMixed, requireTrainable } from "./train/group.ts";
export type { GpuRunOptions } from "./train/member.ts";
export { type GpuRunsOptions, runOnGpu } from "./train/run.ts";
export { type Operation, Script } from "./train/script.ts";
export type { Steps } from "./train/steps.ts";
