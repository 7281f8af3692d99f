/** Many more of the schedules of membership.test.ts. */

import { expect, it } from "vitest";
import { neverTwice } from "./schedule.ts";

it("never decide one epoch twice, nor any without a majority", () => {
  expect(neverTwice(100_000, 5000)).toBeGreaterThan(2500);
}, 120_000);
