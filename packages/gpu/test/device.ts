/** The adapter of the tests; where there is none, they say loudly that they did not run. */

import { afterAll, test } from "vitest";
import { describeGpu, type Gpu, openGpu } from "../src/device/adapter.ts";

const { ok, detail } = await describeGpu();
if (!ok)
  process.stderr.write(`\nNO GPU AND NO SOFTWARE ADAPTER: the tests of @equitopo/gpu DID NOT RUN. ${detail}\n\n`);

/** A test on the device, every access to memory checked. */
export const onDevice = test.skipIf(!ok);

/** Everything: also the large networks, which take a software adapter minutes (EQUITOPO_GPU_TESTS=all). */
export const atLength = test.skipIf(!ok || process.env["EQUITOPO_GPU_TESTS"] !== "all");

let opened: Promise<Gpu> | undefined;
const complaints: string[] = [];

/** One device for a file's tests; what it complains of fails them. */
export async function deviceOfTests(): Promise<Gpu> {
  opened ??= openGpu().then((gpu) => {
    gpu.device.addEventListener("uncapturederror", ({ error }) => complaints.push(error.message));
    return gpu;
  });
  return opened;
}

afterAll(async () => {
  (await opened)?.device.destroy();
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
});
