/** Every kernel that threads call by number exists for both types of rows. */

import { expect, test } from "vitest";
import { gossipKernels } from "../../src/kernel/gossip-calls.ts";
import { createKernels } from "../../src/kernel/instance.ts";

const call = createKernels(65536)?.call;

test.each(gossipKernels)("%s takes as many arguments for float64 rows as for float32 rows", (kernel) => {
  expect(call?.[`${kernel}64`].length).toBeGreaterThan(3);
  expect(call?.[`${kernel}64`].length).toBe(call?.[`${kernel}32`].length);
});
