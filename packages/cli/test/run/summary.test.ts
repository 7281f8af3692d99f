/** What runs ended with, in a table and as result.json: seconds say whose they are. */

import { expect, it } from "vitest";
import { resultText, summaryText } from "../../src/run/summary.ts";

const run = {
  ...{
    label: "a",
    seed: 0,
    topology: "ring",
    algorithm: "dsgd",
    rate: 0.5,
    degree: 2,
    metric: "loss",
    stateHash: "ab",
  },
  ...{ updates: [0, 1], metrics: { loss: [1, 0.5] }, bytes: [0, 80], messages: [0, 1], seconds: [0, 1.5] },
};

const atPeers = { ...run, real: { faults: {} } };

it("simulated, or measured at real peers", () => {
  for (const [one, clock] of [[run, "simulated"] as const, [atPeers, "measured"] as const]) {
    expect(summaryText([one])).toMatch(new RegExp(`seconds, *\\n.*bytes/node +${clock} +state`));
    expect(JSON.parse(resultText({}, [one])).runs[0]).toMatchObject({ seconds: 1.5, clock });
  }
});
