/** The table of best designs beside the library's own search, at the effort that it makes unasked. */

import { expect, test } from "vitest";
import { designTopology, exhaustible } from "../../src/design/designer.ts";
import { exhaust } from "../../src/design/exhaust.ts";
import { bestDesign, tabledQuestions } from "../../src/design/table.ts";
import { circulantRate } from "../../src/rate/circulant.ts";

test("no row is worse than what designTopology finds in one chunk, or than all supports", {
  timeout: 1_200_000,
}, () => {
  for (const asked of tabledQuestions().filter(({ n }) => n <= 300)) {
    const { n, degree, directed } = asked;
    const { proved, ...design } = bestDesign(asked);
    const { rate } = circulantRate({ n, ...design });
    if (exhaustible(asked, Number.POSITIVE_INFINITY)) expect(Math.abs(exhaust(asked).rate - rate)).toBeLessThan(1e-7);
    else expect([n, degree, directed, designTopology(asked).rate < rate - 1e-9]).toEqual([n, degree, directed, false]);
  }
});
