import { expect, test } from "vitest";
import { describeGpu, openDevice, openGpu } from "../../src/device/adapter.ts";
import { readBack, storage } from "../../src/device/memory.ts";
import { deviceOfTests, onDevice } from "../device.ts";

test("a device is gpu or gpu:NAME", async () => {
  for (const word of ["cpu", "gpu:", "GPU"]) {
    await expect(openDevice(word)).rejects.toThrow(/--device must be gpu or gpu:NAME/);
  }
});

onDevice("an adapter is chosen by a part of its name, and one that is not there is refused", async () => {
  const { detail } = await describeGpu();
  expect(detail).toMatch(/buffers of up to/);
  await expect(openGpu({ name: "no such adapter" })).rejects.toThrow(/needs an adapter.*no such adapter/);
});

onDevice("what does not fit into a buffer is refused with the limit", async () => {
  const gpu = await deviceOfTests();
  expect(() => storage(gpu, "a mountain", 2 ** 40)).toThrow(/a mountain must fit into one buffer.*fewer replicas/);
  const buffer = storage(gpu, "five numbers", 5);
  gpu.device.queue.writeBuffer(buffer, 0, Float32Array.of(1, 2, 3, 4, 5));
  expect([...new Float32Array(await readBack(gpu, buffer, 1, 3))]).toEqual([2, 3, 4]);
});
