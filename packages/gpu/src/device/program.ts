/**
 * A program: kernels that run one after another, with everything they touch. A kernel is WGSL over named buffers; equal
 * source is compiled once, so what differs between layers of one shape (where their weights lie) comes as constants in a
 * uniform, `at`, and what differs between steps in another, `step`, of which a dispatch sees one slot.
 */

import type { Gpu } from "./adapter.ts";
import { readBack } from "./memory.ts";

/** Who sees a buffer in a kernel: by which name, as what, and whether it writes there. */
export interface Binding {
  readonly name: string;
  /** A WGSL type, the elements of the array. */
  readonly type: string;
  readonly buffer: GPUBuffer;
  readonly write?: boolean;
}

export interface Kernel {
  readonly label: string;
  /** What its source begins with: the language's extensions that it uses. */
  readonly directives?: string;
  readonly bindings: readonly Binding[];
  /** Up to sixteen unsigned integers: at[k / 4][k % 4]. */
  readonly constants?: readonly number[];
  /** Functions and the entry point `main`, over the bindings' names, `step` and `at`. */
  readonly code: string;
  readonly workgroups: readonly [number, number?, number?];
}

/** Bytes from one slot of step numbers to the next: WebGPU's guaranteed alignment of offsets. */
export const SLOT = 256;

/** What a step has to say, in WGSL; Steps (train/steps.ts) writes it. */
export const stepStruct = `struct Step {
  tLow: u32, tHigh: u32, count: u32, slot: u32,
  row: u32, momentum: f32, pad0: u32, pad1: u32,
}
`;

/** Buffers that a kernel reads, and those that it writes, by the names in its source: arrays of one type. */
export const reads = (type: string, buffers: Readonly<Record<string, GPUBuffer>>): Binding[] =>
  Object.entries(buffers).map(([name, buffer]) => ({ name, type, buffer }));
export const writes = (type: string, buffers: Readonly<Record<string, GPUBuffer>>): Binding[] =>
  reads(type, buffers).map((binding) => ({ ...binding, write: true }));

/** What a kernel does at each of `count` places of every replica: `lines` see the place as id.x, and `replica`. */
export interface Places extends Pick<Kernel, "directives" | "bindings" | "constants"> {
  readonly count: number;
  readonly threads?: number;
  readonly functions?: string;
  readonly lines: string;
}

export function eachPlace(
  { label, replicas }: { readonly label: string; readonly replicas: number },
  { count, threads = 128, functions = "", lines, ...kernel }: Places,
): Kernel {
  const code = `${functions}@compute @workgroup_size(${threads})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ${count}u) { return; }
  let replica = id.z;
${lines}}
`;
  return { label, ...kernel, code, workgroups: [Math.ceil(count / threads), 1, replicas] };
}

/** The beginning of a `main` that sees its workgroup as `group` and its number in there as `me`. */
export const eachGroup = (threads: number) => `@compute @workgroup_size(${threads})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) me: u32) {
`;

const CONSTANTS = 16;

/** One a device: what was compiled for one network serves the next. */
const compilers = new WeakMap<GPUDevice, ReturnType<typeof newCompiler>>();

export function compilerOf(gpu: Gpu) {
  const found = compilers.get(gpu.device) ?? newCompiler(gpu);
  compilers.set(gpu.device, found);
  return found;
}

function newCompiler(gpu: Gpu) {
  const { device } = gpu;
  const pipelines = new Map<string, Promise<GPUComputePipeline>>();
  const layouts = new Map<string, GPUBindGroupLayout>();

  function pipelineOf(kernel: Kernel): Promise<GPUComputePipeline> {
    const code = sourceOf(kernel);
    const { label } = kernel;
    const found = pipelines.get(code);
    if (found !== undefined) return found;
    const layout = device.createPipelineLayout({ bindGroupLayouts: [layoutOf(kernel.bindings)] });
    const module = device.createShaderModule({ label, code });
    const made = device.createComputePipelineAsync({ label, layout, compute: { module } });
    pipelines.set(code, made);
    return made;
  }

  function layoutOf(bindings: readonly Binding[]): GPUBindGroupLayout {
    const key = bindings.map(({ write }) => (write ? "w" : "r")).join("");
    const found = layouts.get(key);
    if (found !== undefined) return found;
    const visibility = GPUShaderStage.COMPUTE;
    const made = device.createBindGroupLayout({
      entries: [
        { binding: 0, visibility, buffer: { type: "uniform", hasDynamicOffset: true } },
        { binding: 1, visibility, buffer: { type: "uniform" } },
        ...bindings.map(
          ({ write }, j): GPUBindGroupLayoutEntry => ({
            ...{ binding: j + 2, visibility },
            buffer: { type: write ? "storage" : "read-only-storage" },
          }),
        ),
      ],
    });
    layouts.set(key, made);
    return made;
  }

  return {
    /** The kernels as a program; `steps` holds the slots. Compiles what is new, all at once. */
    async program(kernels: readonly Kernel[], steps: GPUBuffer): Promise<Program> {
      const constants = device.createBuffer({
        size: Math.max(SLOT, SLOT * kernels.length),
        usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
      });
      const words = new Uint32Array((SLOT / 4) * kernels.length);
      kernels.forEach(({ constants: values = [] }, k) => {
        words.set(values, (k * SLOT) / 4);
      });
      device.queue.writeBuffer(constants, 0, words);
      const calls = kernels.map(async (kernel, k) => ({
        ...{ label: kernel.label, workgroups: kernel.workgroups, pipeline: await pipelineOf(kernel) },
        group: device.createBindGroup({
          layout: layoutOf(kernel.bindings),
          entries: [
            { binding: 0, resource: { buffer: steps, size: SLOT } },
            { binding: 1, resource: { buffer: constants, offset: SLOT * k, size: 4 * CONSTANTS } },
            ...kernel.bindings.map(({ buffer }, j) => ({ binding: j + 2, resource: { buffer } })),
          ],
        }),
      }));
      return programOf(gpu, await Promise.all(calls));
    },
  };
}

function sourceOf({ directives = "", bindings, code }: Kernel): string {
  const declared = bindings.map(({ name, type, write }, j) => {
    const access = write ? "read_write" : "read";
    return `@group(0) @binding(${j + 2}) var<storage, ${access}> ${name}: array<${type}>;\n`;
  });
  return `${directives}${stepStruct}@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<uniform> at: array<vec4u, ${CONSTANTS / 4}>;
${declared.join("")}${code}`;
}

interface Call extends Pick<Kernel, "label" | "workgroups"> {
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
}

/** Hands in programs, each with its slot, one after another. */
export function submit({ device }: Gpu, ...calls: readonly (readonly [Program, number])[]): void {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  for (const [program, slot] of calls) program.encode(pass, slot);
  pass.end();
  device.queue.submit([encoder.finish()]);
}

export type Program = ReturnType<typeof programOf>;

function programOf(gpu: Gpu, calls: readonly Call[]) {
  const { device } = gpu;
  function dispatch({ pipeline, group, workgroups }: Call, pass: GPUComputePassEncoder, slot: number): void {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group, [SLOT * slot]);
    pass.dispatchWorkgroups(...workgroups);
  }
  return {
    /** Into a command buffer, for the step whose numbers stand in the slot. */
    encode(pass: GPUComputePassEncoder, slot: number): void {
      for (const call of calls) dispatch(call, pass, slot);
    },

    /** Nanoseconds of every kernel, by label and in order, of one run through: each in a pass of its own. */
    async profile(slot: number): Promise<{ readonly label: string; readonly nanoseconds: number }[]> {
      const count = 2 * calls.length;
      const querySet = device.createQuerySet({ type: "timestamp", count });
      const { QUERY_RESOLVE, COPY_SRC } = GPUBufferUsage;
      const resolved = device.createBuffer({ size: 8 * count, usage: QUERY_RESOLVE | COPY_SRC });
      const encoder = device.createCommandEncoder();
      calls.forEach((call, k) => {
        const pass = encoder.beginComputePass({
          timestampWrites: { querySet, beginningOfPassWriteIndex: 2 * k, endOfPassWriteIndex: 2 * k + 1 },
        });
        dispatch(call, pass, slot);
        pass.end();
      });
      encoder.resolveQuerySet(querySet, 0, count, resolved, 0);
      device.queue.submit([encoder.finish()]);
      const times = new BigUint64Array(await readBack(gpu, resolved, 0, 2 * count));
      resolved.destroy();
      return calls.map(({ label }, k) => ({ label, nanoseconds: Number(times[2 * k + 1] - times[2 * k]) }));
    },
  };
}
