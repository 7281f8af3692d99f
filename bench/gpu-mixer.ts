/** A shifted average, y_i = x_i / 2 + x_(i+s) / 2, over 1 GiB of rows, beside a plain copy of them: bytes read and written a second. */

import { type Gpu, GpuMixer } from "@equitopo/gpu";
import { createTopology } from "equitopo";
import type { Round } from "equitopo/internal/round";
import type { Report } from "./bench.ts";

const n = 16;
const width = 2 ** 24;
const bytes = 4 * n * width;

/** Seconds of one of many calls, the best of five. */
async function seconds({ device }: Gpu, calls: number, call: () => Promise<void> | void): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 5; k++) {
    const start = performance.now();
    for (let j = 0; j < calls; j++) await call();
    await device.queue.onSubmittedWorkDone();
    least = Math.min(least, (performance.now() - start) / 1000 / calls);
  }
  return least;
}

export async function timeMixer(gpu: Gpu, report: Report): Promise<void> {
  const { device } = gpu;
  const round = createTopology({ name: "od-equidyn", n, seed: 1 }).round(3) as Extract<Round, { kind: "circulant" }>;
  const mixer = new GpuMixer(gpu, n);
  let rows = mixer.upload(new Float32Array(n * width));
  const mix = await seconds(gpu, 40, async () => {
    rows = await mixer.mixOnDevice(round, rows);
  });
  const copy = await seconds(gpu, 40, copierOf(device));
  const rate = (moved: number, time: number) => (moved * bytes) / time / 1e12;
  const [mixed, copied] = [rate(3, mix), rate(2, copy)];
  report.figure({
    ...{ name: `a shifted average over ${bytes / 2 ** 30} GiB`, value: mixed, unit: "TB/s", more: true },
    beside: { what: "a copy", value: copied },
  });
  console.log(
    `a shifted average over ${bytes / 2 ** 30} GiB: ${mixed.toFixed(2)} TB/s read and written; a copy ${copied.toFixed(2)} TB/s; ${(mixed / copied).toFixed(2)} of it`,
  );
}

/** Copies 1 GiB, four numbers a thread. */
function copierOf(device: GPUDevice): () => void {
  const buffer = () => device.createBuffer({ size: bytes, usage: GPUBufferUsage.STORAGE });
  const code = `@group(0) @binding(0) var<storage, read> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4f>;
@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) { let i = id.y * ${width / 4}u + id.x; y[i] = x[i]; }`;
  const pipeline = device.createComputePipeline({
    layout: "auto",
    compute: { module: device.createShaderModule({ code }) },
  });
  const entries = [buffer(), buffer()].map((one, binding) => ({ binding, resource: { buffer: one } }));
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  return () => {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(width / 4 / 128, n);
    pass.end();
    device.queue.submit([encoder.finish()]);
  };
}
