/**
 * Dense layers: y[u] = b[u] + sum over f of x[f] w[f, u], where feature f = (pixel, channel), the channel fastest, as the
 * CPU flattens images. One thread a number of the result.
 */

import { type Binding, eachPlace, type Kernel, reads, writes } from "../device/program.ts";
import { gradientOf, type LayerOptions, numbersOf, type Part, pixelsOf, readValue, type Value } from "./value.ts";

interface DenseOptions extends LayerOptions {
  readonly x: Value;
  readonly out: Value;
  readonly stride: number;
  /** Where the weights begin; the bias follows them. */
  readonly weights: number;
}

/** A thread for each of `count` numbers; `place` and `entryOf` find image n's feature f in the batch and in the tables. */
function kernel(options: DenseOptions, count: number, part: Part, bindings: readonly Binding[], lines: string): Kernel {
  const { x, batch, norms, weights } = options;
  const { channels } = x.shape;
  return eachPlace(options, {
    ...{ count, threads: 64, lines, bindings: [...part.bindings, ...bindings], constants: [weights, x.norm ?? 0] },
    functions: `${part.code}fn place(replica: u32, n: u32, f: u32) -> u32 {
  return (replica * ${batch}u + n) * ${numbersOf(x.shape)}u + (f % ${channels}u) * ${pixelsOf(x.shape)}u + f / ${channels}u;
}
fn entryOf(replica: u32, f: u32) -> u32 { return replica * ${norms.width}u + at[0].y + f % ${channels}u; }
`,
  });
}

export function dense(options: DenseOptions & { parameters: GPUBuffer }): Kernel {
  const { x, out, norms, batch, stride, parameters } = options;
  const [features, units] = [numbersOf(x.shape), out.shape.channels];
  const bindings = [...reads("f32", { parameters }), ...writes("f32", { y: out.y })];
  return kernel(
    options,
    batch * units,
    readValue("source", x, norms, "f32"),
    bindings,
    `  let u = id.x % ${units}u;
  let n = id.x / ${units}u;
  let w = replica * ${stride}u + at[0].x;
  var sum = parameters[w + ${features * units}u + u];
  for (var f = 0u; f < ${features}u; f++) {
    sum += source(place(replica, n, f), entryOf(replica, f)) * parameters[w + f * ${units}u + u];
  }
  y[replica * ${batch * units}u + id.x] = sum;
`,
  );
}

export function denseInputGradient(options: DenseOptions & { parameters: GPUBuffer; finish: Part }): Kernel {
  const { x, out, batch, stride, finish, parameters } = options;
  const [features, units] = [numbersOf(x.shape), out.shape.channels];
  const bindings = [...reads("f32", { parameters, above_: gradientOf(out) }), ...writes("f32", { g: gradientOf(x) })];
  return kernel(
    options,
    batch * features,
    finish,
    bindings,
    `  let f = id.x % ${features}u;
  let n = id.x / ${features}u;
  let w = replica * ${stride}u + at[0].x + f * ${units}u;
  let d = (replica * ${batch}u + n) * ${units}u;
  var sum = 0.0;
  for (var u = 0u; u < ${units}u; u++) { sum += above_[d + u] * parameters[w + u]; }
  let i = place(replica, n, f);
  g[i] = finish(i, entryOf(replica, f), sum);
`,
  );
}

/** The gradient of weights and bias, straight into the rows of gradients. */
export function denseWeightGradient(options: DenseOptions & { gradients: GPUBuffer }): Kernel {
  const { x, out, norms, batch, stride, gradients } = options;
  const [features, units] = [numbersOf(x.shape), out.shape.channels];
  const bindings = [...reads("f32", { above_: gradientOf(out) }), ...writes("f32", { gradients })];
  return kernel(
    options,
    (features + 1) * units,
    readValue("source", x, norms, "f32"),
    bindings,
    `  let u = id.x % ${units}u;
  let f = id.x / ${units}u;
  var sum = 0.0;
  for (var n = 0u; n < step.count; n++) {
    let d = above_[(replica * ${batch}u + n) * ${units}u + u];
    if (f == ${features}u) { sum += d; } else { sum += source(place(replica, n, f), entryOf(replica, f)) * d; }
  }
  gradients[replica * ${stride}u + at[0].x + id.x] = sum;
`,
  );
}
