/**
 * A program: kernels that run one after another, with everything they touch. A kernel is WGSL over named buffers; equal
 * source is compiled once, so what differs between layers of one shape (where their weights lie) comes as constants in a
 * uniform, `at`, and what differs between steps in another, `step`, of which a dispatch sees one slot.
 */

import type { Gpu } from "./adapter.ts";

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

const CONSTANTS = 16;

/** One a device: what was compiled for one network serves the next. */
const compilers = new WeakMap<GPUDevice, Compiler>();

export function compilerOf(gpu: Gpu): Compiler {
  const found = compilers.get(gpu.device) ?? new Compiler(gpu);
  compilers.set(gpu.device, found);
  return found;
}

class Compiler {
  readonly gpu: Gpu;
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();
  readonly #layouts = new Map<string, GPUBindGroupLayout>();

  constructor(gpu: Gpu) {
    this.gpu = gpu;
  }

  /** The kernels as a program; `steps` holds the slots. Compiles what is new, all at once. */
  async program(kernels: readonly Kernel[], steps: GPUBuffer): Promise<Program> {
    const { device } = this.gpu;
    const constants = device.createBuffer({
      size: Math.max(SLOT, SLOT * kernels.length),
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    const words = new Uint32Array((SLOT / 4) * kernels.length);
    kernels.forEach(({ constants: values = [] }, k) => {
      words.set(values, (k * SLOT) / 4);
    });
    device.queue.writeBuffer(constants, 0, words);
    const pipelines = await Promise.all(kernels.map((kernel) => this.#pipeline(kernel)));
    const calls = kernels.map((kernel, k) => ({
      label: kernel.label,
      pipeline: pipelines[k],
      workgroups: kernel.workgroups,
      group: device.createBindGroup({
        layout: this.#layout(kernel.bindings),
        entries: [
          { binding: 0, resource: { buffer: steps, size: SLOT } },
          { binding: 1, resource: { buffer: constants, offset: SLOT * k, size: 4 * CONSTANTS } },
          ...kernel.bindings.map(({ buffer }, j) => ({ binding: j + 2, resource: { buffer } })),
        ],
      }),
    }));
    return new Program(device, calls);
  }

  #pipeline(kernel: Kernel): Promise<GPUComputePipeline> {
    const code = sourceOf(kernel);
    const found = this.#pipelines.get(code);
    if (found !== undefined) return found;
    const { device } = this.gpu;
    const layout = device.createPipelineLayout({ bindGroupLayouts: [this.#layout(kernel.bindings)] });
    const module = device.createShaderModule({ label: kernel.label, code });
    const made = device.createComputePipelineAsync({ label: kernel.label, layout, compute: { module } });
    this.#pipelines.set(code, made);
    return made;
  }

  #layout(bindings: readonly Binding[]): GPUBindGroupLayout {
    const key = bindings.map(({ write }) => (write ? "w" : "r")).join("");
    const found = this.#layouts.get(key);
    if (found !== undefined) return found;
    const visibility = GPUShaderStage.COMPUTE;
    const made = this.gpu.device.createBindGroupLayout({
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
    this.#layouts.set(key, made);
    return made;
  }
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

interface Call {
  readonly label: string;
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
  readonly workgroups: readonly [number, number?, number?];
}

export class Program {
  readonly #device: GPUDevice;
  readonly #calls: readonly Call[];

  constructor(device: GPUDevice, calls: readonly Call[]) {
    this.#device = device;
    this.#calls = calls;
  }

  /** Into a command buffer, for the step whose numbers stand in the slot. */
  encode(pass: GPUComputePassEncoder, slot: number): void {
    for (const { pipeline, group, workgroups } of this.#calls) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group, [SLOT * slot]);
      pass.dispatchWorkgroups(...workgroups);
    }
  }

  /** Nanoseconds of every kernel, by label and in order, of one run through: each in a pass of its own. */
  async profile(slot: number): Promise<{ readonly label: string; readonly nanoseconds: number }[]> {
    const count = 2 * this.#calls.length;
    const querySet = this.#device.createQuerySet({ type: "timestamp", count });
    const usage = GPUBufferUsage;
    const resolved = this.#device.createBuffer({ size: 8 * count, usage: usage.QUERY_RESOLVE | usage.COPY_SRC });
    const read = this.#device.createBuffer({ size: 8 * count, usage: usage.COPY_DST | usage.MAP_READ });
    const encoder = this.#device.createCommandEncoder();
    this.#calls.forEach(({ pipeline, group, workgroups }, k) => {
      const pass = encoder.beginComputePass({
        timestampWrites: { querySet, beginningOfPassWriteIndex: 2 * k, endOfPassWriteIndex: 2 * k + 1 },
      });
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group, [SLOT * slot]);
      pass.dispatchWorkgroups(...workgroups);
      pass.end();
    });
    encoder.resolveQuerySet(querySet, 0, count, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, read, 0, 8 * count);
    this.#device.queue.submit([encoder.finish()]);
    await read.mapAsync(GPUMapMode.READ);
    const times = new BigUint64Array(read.getMappedRange().slice(0));
    for (const buffer of [resolved, read]) buffer.destroy();
    return this.#calls.map(({ label }, k) => ({ label, nanoseconds: Number(times[2 * k + 1] - times[2 * k]) }));
  }
}
