/** What runs ended with, in a table and as result.json: seconds say whose they are, and a run by when it diverged. */

import { expect, it } from "vitest";
import { resultOf } from "../../../equitopo/test/outcome/results.ts";
import { resultText, summaryTable } from "../../src/run/summary.ts";
import { tableText } from "../../src/terminal/layout.ts";

const text = (results: Parameters<typeof summaryTable>[0]) => tableText(summaryTable(results, "runs"));

const run = resultOf({ label: "sound", metrics: { loss: [1, 0.5, 0.25] } });
const wild = resultOf({ label: "wild", metrics: { loss: [1, 1e300, Number.POSITIVE_INFINITY] } });

const atPeers = { ...run, real: { faults: {} } };

it("simulated, or measured at real peers", () => {
  for (const [one, clock] of [[run, "simulated"] as const, [atPeers, "measured"] as const]) {
    expect(text([one])).toMatch(new RegExp(`seconds, *\\n.*bytes/node +${clock} +state`));
    expect(JSON.parse(resultText({}, [one])).runs[0]).toMatchObject({ seconds: run.seconds[2], clock });
  }
});

it("in a column of its own by which update, where a run diverged, and only then", () => {
  const [, head, , first, second] = text([run, wild]).split("\n");
  expect(head).toMatch(/run +seed +diverged +exact rate/);
  expect(first).toMatch(/^sound +0 +0\.9/);
  expect(second).toMatch(/^wild +0 +by update 2 +0\.9/);
  expect(text([run])).not.toContain("diverged");
});
