/** Two kernels as one dispatch: what each of them leaves is what it leaves alone. */

import { expect, test } from "vitest";
import { readBack, storage } from "../../src/device/memory.ts";
import type { Kernel } from "../../src/device/program.ts";
import { sideBySide, threadsOf } from "../../src/device/side-by-side.ts";
import { deviceOfTests, onDevice } from "../device.ts";
import { buffer, run } from "../matrix/kernel.ts";

const main = "fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) me: u32) {";

/** Sums of `threads` numbers times a constant, in the order of threads; names that the other uses too, for other things. */
function sums(x: GPUBuffer, out: GPUBuffer, threads: number, factor: number): Kernel {
  return {
    label: "sums",
    bindings: [
      { name: "x", type: "f32", buffer: x },
      { name: "parts", type: "f32", buffer: out, write: true },
    ],
    constants: [factor],
    code: `fn scaled(v: f32) -> f32 { return v * f32(at[0].x); }
var<workgroup> shared_: array<f32, ${threads}>;
@compute @workgroup_size(${threads})
${main}
  shared_[me] = scaled(x[group.x * ${threads}u + me]);
  workgroupBarrier();
  if (me == 0u) {
    var sum = 0.0;
    for (var k = 0u; k < ${threads}u; k++) { sum += shared_[k]; }
    parts[group.x + 3u * group.y] = sum;
  }
}
`,
    workgroups: [3, 2, 1],
  };
}

/** Numbers in the reverse order of their workgroup, plus a constant. */
function reversed(x: GPUBuffer, out: GPUBuffer, threads: number, add: number): Kernel {
  return {
    label: "reversed",
    bindings: [
      { name: "source", type: "f32", buffer: x },
      { name: "x", type: "f32", buffer: out, write: true },
    ],
    constants: [0, 0, 0, 0, 0, add],
    code: `var<workgroup> other: array<vec2f, 4>;
var<workgroup> shared_: array<f32, ${2 * threads}>;
const scaled = 1u;
@compute @workgroup_size(${threads})
${main}
  let v = vec4f(source[group.x * ${threads}u + me]);
  shared_[me * 2u] = v.x;
  workgroupBarrier();
  x[group.x * ${threads}u + me] = shared_[(${threads - 1}u - me) * 2u] + f32(at[1].y) * f32(scaled);
}
`,
    workgroups: [2, 1, 1],
  };
}

onDevice("both leave what they leave alone, whoever comes first", async () => {
  const gpu = await deviceOfTests();
  const values = Float32Array.from({ length: 24 }, (_, k) => Math.sin(k));
  const x = buffer(gpu, values);
  const outs = () => [storage(gpu, "sums", 8), storage(gpu, "reversed", 16)];
  const alone = outs();
  await run(gpu, sums(x, alone[0], 8, 3), 1, alone[0]);
  await run(gpu, reversed(x, alone[1], 8, 5), 1, alone[1]);
  const expected = await Promise.all(alone.map(async (out) => new Float32Array(await readBack(gpu, out))));
  expect(expected[0][1]).toBeCloseTo(3 * values.subarray(8, 16).reduce((a, b) => a + b), 5);
  expect(expected[1][0]).toBeCloseTo(values[7] + 5, 6);
  for (const order of [0, 1]) {
    const both = outs();
    const kernels = [sums(x, both[0], 8, 3), reversed(x, both[1], 8, 5)];
    const kernel = sideBySide("both", kernels[order], kernels[1 - order]);
    expect(kernel.bindings.length).toBe(3);
    expect(threadsOf(kernel)).toBe(8);
    await run(gpu, kernel, 1, both[0]);
    for (const [k, out] of both.entries()) {
      expect(new Float32Array(await readBack(gpu, out))).toEqual(expected[k]);
    }
  }
});

test("kernels of other sizes, or of which one uses what the other writes, are not put together", () => {
  const [x, y, z] = [{}, {}, {}] as GPUBuffer[];
  expect(() => sideBySide("both", sums(x, y, 8, 1), reversed(x, z, 4, 1))).toThrow("8 threads and 4");
  expect(() => sideBySide("both", sums(x, y, 8, 1), reversed(y, z, 8, 1))).toThrow("one writes what the other uses");
  expect(() => sideBySide("both", sums(x, y, 8, 1), reversed(x, y, 8, 1))).toThrow("one writes what the other uses");
});
