/**
 * Dense layers: y[u] = b[u] + sum over f of x[f] w[f, u], where feature f = (pixel, channel), the channel fastest, as the
 * CPU flattens images. One thread a number of the result.
 */

import type { Kernel } from "../device/program.ts";
import { gradientOf, type Norms, numbersOf, type Part, pixelsOf, readValue, type Value } from "./value.ts";

export interface DenseOptions {
  readonly label: string;
  readonly x: Value;
  readonly out: Value;
  readonly norms: Norms;
  readonly replicas: number;
  readonly batch: number;
  readonly stride: number;
  /** Where the weights begin; the bias follows them. */
  readonly weights: number;
}

const THREADS = 64;

const entry = `@compute @workgroup_size(${THREADS})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let replica = id.z;
`;

/** The number of image n's feature f in the batch, and its entry in the tables. */
function featureCode({ x, batch, norms }: DenseOptions): string {
  const { channels } = x.shape;
  return `fn place(replica: u32, n: u32, f: u32) -> u32 {
  return (replica * ${batch}u + n) * ${numbersOf(x.shape)}u + (f % ${channels}u) * ${pixelsOf(x.shape)}u + f / ${channels}u;
}
fn entryOf(replica: u32, f: u32) -> u32 { return replica * ${norms.width}u + at[0].y + f % ${channels}u; }
`;
}

export function dense(options: DenseOptions & { parameters: GPUBuffer }): Kernel {
  const { x, out, norms, replicas, batch, stride } = options;
  const read = readValue("source", x, norms, "f32");
  const [features, units] = [numbersOf(x.shape), out.shape.channels];
  return {
    label: options.label,
    bindings: [
      ...read.bindings,
      { name: "parameters", type: "f32", buffer: options.parameters },
      { name: "y", type: "f32", buffer: out.y, write: true },
    ],
    constants: [options.weights, x.norm ?? 0],
    code: `${read.code}${featureCode(options)}${entry}  if (id.x >= ${batch * units}u) { return; }
  let u = id.x % ${units}u;
  let n = id.x / ${units}u;
  let w = replica * ${stride}u + at[0].x;
  var sum = parameters[w + ${features * units}u + u];
  for (var f = 0u; f < ${features}u; f++) {
    sum += source(place(replica, n, f), entryOf(replica, f)) * parameters[w + f * ${units}u + u];
  }
  y[replica * ${batch * units}u + id.x] = sum;
}
`,
    workgroups: [Math.ceil((batch * units) / THREADS), 1, replicas],
  };
}

/** The gradient of the features. */
export function denseInputGradient(options: DenseOptions & { parameters: GPUBuffer; finish: Part }): Kernel {
  const { x, out, replicas, batch, stride, finish } = options;
  const [features, units] = [numbersOf(x.shape), out.shape.channels];
  return {
    label: options.label,
    bindings: [
      ...finish.bindings,
      { name: "parameters", type: "f32", buffer: options.parameters },
      { name: "above_", type: "f32", buffer: gradientOf(out) },
      { name: "g", type: "f32", buffer: gradientOf(x), write: true },
    ],
    constants: [options.weights, x.norm ?? 0],
    code: `${finish.code}${featureCode(options)}${entry}  if (id.x >= ${batch * features}u) { return; }
  let f = id.x % ${features}u;
  let n = id.x / ${features}u;
  let w = replica * ${stride}u + at[0].x + f * ${units}u;
  let d = (replica * ${batch}u + n) * ${units}u;
  var sum = 0.0;
  for (var u = 0u; u < ${units}u; u++) { sum += above_[d + u] * parameters[w + u]; }
  let i = place(replica, n, f);
  g[i] = finish(i, entryOf(replica, f), sum);
}
`,
    workgroups: [Math.ceil((batch * features) / THREADS), 1, replicas],
  };
}

/** The gradient of weights and bias, straight into the rows of gradients. */
export function denseWeightGradient(options: DenseOptions & { gradients: GPUBuffer }): Kernel {
  const { x, out, norms, replicas, batch, stride } = options;
  const read = readValue("source", x, norms, "f32");
  const [features, units] = [numbersOf(x.shape), out.shape.channels];
  const size = (features + 1) * units;
  return {
    label: options.label,
    bindings: [
      ...read.bindings,
      { name: "above_", type: "f32", buffer: gradientOf(out) },
      { name: "gradients", type: "f32", buffer: options.gradients, write: true },
    ],
    constants: [options.weights, x.norm ?? 0],
    code: `${read.code}${featureCode(options)}${entry}  if (id.x >= ${size}u) { return; }
  let u = id.x % ${units}u;
  let f = id.x / ${units}u;
  var sum = 0.0;
  for (var n = 0u; n < step.count; n++) {
    let d = above_[(replica * ${batch}u + n) * ${units}u + u];
    if (f == ${features}u) { sum += d; } else { sum += source(place(replica, n, f), entryOf(replica, f)) * d; }
  }
  gradients[replica * ${stride}u + at[0].x + id.x] = sum;
}
`,
    workgroups: [Math.ceil(size / THREADS), 1, replicas],
  };
}
