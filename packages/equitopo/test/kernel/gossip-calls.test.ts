/** The argument lists that calls are typed by are those of the compiled kernels. */

import { expect, test } from "vitest";
import { gossipArguments, gossipKernels } from "../../src/kernel/gossip-calls.ts";
import { createKernels } from "../../src/kernel/instance.ts";

const call = createKernels(65536)?.call;

test.each(gossipKernels)("%s has the arguments of its list, and part, lo, hi", (kernel) => {
  for (const bits of [64, 32] as const) {
    expect(call?.[`${kernel}${bits}`].length).toBe(gossipArguments[kernel].length + 3);
  }
});
