/** What runs ended with, in a table and as result.json: seconds say whose they are, and a run by when it diverged. */

import { expect, it } from "vitest";
import { resultText, summaryText } from "../../src/run/summary.ts";
import { resultOf } from "../experiments/results.ts";

const run = resultOf({ label: "sound", metrics: { loss: [1, 0.5, 0.25] } });
const wild = resultOf({ label: "wild", metrics: { loss: [1, 1e300, Number.POSITIVE_INFINITY] } });

const atPeers = { ...run, real: { faults: {} } };

it("simulated, or measured at real peers", () => {
  for (const [one, clock] of [[run, "simulated"] as const, [atPeers, "measured"] as const]) {
    expect(summaryText([one])).toMatch(new RegExp(`seconds, *\\n.*bytes/node +${clock} +state`));
    expect(JSON.parse(resultText({}, [one])).runs[0]).toMatchObject({ seconds: run.seconds[2], clock });
  }
});

it("in a column of its own by which update, where a run diverged, and only then", () => {
  const [, head, , first, second] = summaryText([run, wild]).split("\n");
  expect(head).toMatch(/run +seed +diverged +exact rate/);
  expect(first).toMatch(/^sound +0 +0\.9/);
  expect(second).toMatch(/^wild +0 +by update 2 +0\.9/);
  expect(summaryText([run])).not.toContain("diverged");
});
