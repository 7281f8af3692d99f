/** Every pair of features on the device: it runs, or it is refused in one sentence before the first round. */

import { InputError } from "equitopo";
import type { FeatureName, SavedRun } from "equitopo/internal/run";
import { expect } from "vitest";
import { type Case, caseOf, isRefused, ofMembers, oneSentence, pairs } from "../../../cli/test/features/cases.ts";
import { runOnGpu } from "../../src/train/run.ts";
import { deviceOfTests, onDevice } from "../device.ts";

/** Options of real peers, which nobody could ask a GPU for. */
const unasked: readonly FeatureName[] = ["history", "overlap", "models-first", "audit", "objects"];

onDevice("every pair runs or is refused", { timeout: 600_000 }, async () => {
  const gpu = await deviceOfTests();
  const wrong: string[] = [];
  for (const pair of pairs) {
    const words = `${pair.a} with ${pair.b}`;
    const one = caseOf("gpu", pair);
    if (one === undefined) continue;
    const incidental = [pair.a, pair.b].some((name) => ofMembers.includes(name));
    if ((one.refused !== undefined) !== isRefused("gpu", pair) && !(one.refused && incidental)) {
      wrong.push(`${words}: ${one.refused?.message ?? "not refused"}`);
    }
    if (one.refused !== undefined && [pair.a, pair.b].some((name) => unasked.includes(name))) continue;
    const refused = await attempt(one);
    if (one.refused !== undefined) {
      if (refused === undefined || !oneSentence.test(refused)) wrong.push(`${words}: ${refused ?? "done"}`);
    } else if (refused !== undefined && one.run.precision === undefined && !incidental) {
      // The adapter may lack the matrices of precision mixed, and some algorithms look into their rows.
      wrong.push(`${words}: ${refused}`);
    }
  }
  expect(wrong).toEqual([]);

  async function attempt({ run, options }: Case): Promise<string | undefined> {
    const keep = { due: () => true, save: (_: SavedRun) => {} };
    let begun = false;
    const own = { onProgress: () => (begun = true), ...(options.checkpoint === undefined ? {} : { keep }) };
    try {
      const [{ updates }] = await runOnGpu(gpu, [run], { of: () => own });
      expect(updates.at(-1)).toBe(run.rounds);
      return undefined;
    } catch (error) {
      if (error instanceof InputError && !begun) return error.message;
      throw error;
    }
  }
});
