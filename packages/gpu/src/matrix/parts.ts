/**
 * The parts of all layers' weight gradients, summed into the rows of gradients by one kernel: it walks through blocks of
 * weights, for each of which a table says where its parts lie, how far apart, how many, and where its sum goes.
 */

import type { Gpu } from "../device/adapter.ts";
import { storage } from "../device/memory.ts";
import { eachGroup, type Kernel, reads, writes } from "../device/program.ts";

/** One layer's weights: `size` of them at `at` of a row, in `count` parts. */
export interface Summed {
  readonly at: number;
  readonly size: number;
  readonly count: number;
}

/** Weights of a block: four a thread. */
const BLOCK = 256;
const THREADS = BLOCK / 4;

/** Where each layer's parts begin, all replicas together, and how many numbers there are in all. */
export function placeParts(layers: readonly Summed[], replicas: number) {
  let numbers = 0;
  const places = layers.map(({ size, count }) => {
    const place = numbers;
    numbers += size * count * replicas;
    return place;
  });
  return { places, numbers };
}

export function sumAllParts(options: {
  readonly gpu: Gpu;
  readonly replicas: number;
  readonly stride: number;
  readonly layers: readonly Summed[];
  readonly parts: GPUBuffer;
  readonly gradients: GPUBuffer;
  readonly scale: number;
}): Kernel {
  const { gpu, replicas, stride, layers, parts, gradients, scale } = options;
  const { places } = placeParts(layers, replicas);
  const words = layers.flatMap(({ at, size, count }, k) =>
    Array.from({ length: Math.ceil(size / BLOCK) }, (_, block) => [
      ...[(places[k] + BLOCK * block) / 4, size / 4, count, (at + BLOCK * block) / 4],
      ...[Math.min(BLOCK, size - BLOCK * block) / 4, 0, 0, 0],
    ]),
  );
  const table = storage(gpu, "the table of weights", 8 * words.length);
  gpu.device.queue.writeBuffer(table, 0, Uint32Array.from(words.flat()));
  return {
    label: "sum of parts",
    bindings: [...reads("vec4u", { blocks: table }), ...reads("vec4f", { parts }), ...writes("vec4f", { gradients })],
    code: `${eachGroup(THREADS)}  let block = blocks[2u * group.x];
  if (me >= blocks[2u * group.x + 1u].x) { return; }
  var i = block.x + group.z * block.y * block.z + me;
  var sum = parts[i];
  for (var k = 1u; k < block.z; k++) { i += block.y; sum += parts[i]; }
  gradients[group.z * ${stride / 4}u + block.w + me] = sum * ${1 / scale};
}
`,
    workgroups: [words.length, 1, replicas],
  };
}
