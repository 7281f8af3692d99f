/** Another program's figures for centralised SGD beside ours: what is equal, and files that hold none. */

import { experiments, parseAgainst } from "@equitopo/experiments/internal";
import { expect, test } from "vitest";

const cifar10 = experiments.find(({ name }) => name === "cifar10")!;
const others = { what: "another", epochs: 26, accuracies: [84, 84.2, 84.4] };

/** The check, where centralised SGD has these accuracies in percent, one a seed. */
function checked(...percent: readonly number[]) {
  const experiment = cifar10.choose!({
    ...{ epochs: 26, rows: ["Centralised SGD"], protocols: ["corrected"], against: others },
    seeds: percent.map((_, k) => k + 1),
  });
  const results = experiment.units("full").map(({ key }, k) => {
    const metrics = { averagedAccuracy: [percent[k] / 100], shareAccuracy: [0], meanAccuracy: [0], trainLoss: [1] };
    return [key, { rate: 0, bytes: [0], evaluations: { updates: [1], metrics } }] as const;
  });
  const { checks } = experiment.outcome(new Map(results) as never, "full");
  return checks.find(({ name }) => name.includes("other program"))!;
}

test("equal is what differs by no more than two deviations of a seed", () => {
  const same = checked(84.1, 84.3, 84.5);
  expect([same.pass, same.measured]).toEqual([true, "84.30 ± 0.12"]);
  expect(same.expected).toBe("84.20 ± 0.12, within 0.40, two deviations of a seed");
  expect(checked(84.5, 84.7, 84.9).pass).toBe(false);
  expect(checked(83.5, 83.7, 83.9).pass).toBe(false);
});

test("figures of other epochs, and files without figures, are refused", () => {
  expect(() => cifar10.choose!({ against: others })).toThrow(/as many epochs, 130/);
  expect(parseAgainst(JSON.stringify(others), "a.json")).toEqual(others);
  for (const text of [
    "{",
    "7",
    JSON.stringify({ ...others, accuracies: [84] }),
    JSON.stringify({ ...others, epochs: "26" }),
  ]) {
    expect(() => parseAgainst(text, "a.json"), text).toThrow(/at least two accuracies/);
  }
});
