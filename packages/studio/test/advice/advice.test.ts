/** The form of the adviser: what it asks, what it shows of the answer, and the command that asks the same. */

import { advise, createTopology, topologies } from "equitopo";
import { describe, expect, it } from "vitest";
import { commandOf, questionOf } from "../../src/advice/question.ts";
import { leftOut, shownRows } from "../../src/advice/rows.ts";
import { topologyField } from "../../src/topology-field.ts";
import { initialView, type View } from "../../src/view.ts";

const view: View = { ...initialView, view: "advice", n: 32, peers: 1 };

describe("the question", () => {
  it("is the form's, to some families at first and then to all", () => {
    const quick = questionOf(view, "quick");
    expect(quick).toMatchObject({ n: 32, degree: 1, loss: 0, by: "time" });
    expect(quick.topologies?.every((name) => topologies.has(name))).toBe(true);
    expect(questionOf(view, "all").topologies).toBeUndefined();
    expect(questionOf(view, "all")).not.toHaveProperty("kappa");
    expect(questionOf({ ...view, goal: "dsgt", spread: 2 }, "all")).toMatchObject({ algorithm: "dsgt", b: 2 });
  });

  it("is also a command line", () => {
    // The page's own seed is another than the command's.
    expect(commandOf(view)).toBe("equitopo advise --n 32 --degree 1 --seed 4");
    const learning: View = {
      ...view,
      seed: 0,
      goal: "dsgd",
      alike: true,
      undirected: true,
      lost: 0.05,
      latency: 0.002,
    };
    expect(commandOf(learning)).toBe(
      "equitopo advise --n 32 --degree 1 --undirected --loss 0.05 --latency 0.002s --algorithm dsgd --heterogeneous",
    );
  });
});

describe("the answer", () => {
  const advice = advise(questionOf(view, "quick"));
  const rows = shownRows(advice);

  it("keeps the adviser's order, with what says the same together", () => {
    expect(rows.flatMap(({ label, alike }) => [label, ...alike])).toEqual(advice.ranking.map(({ label }) => label));
    expect(rows.length).toBeLessThan(advice.ranking.length);
    expect(rows[0].cost).toBe(1);
    expect(rows.every(({ cost }, k) => cost <= (rows[k - 1]?.cost ?? 1))).toBe(true);
    expect(rows.find(({ label }) => label === "od-equidyn")?.paper).toBe(true);
  });

  it("has links that build the same topology", () => {
    for (const { chosen } of rows) {
      if (chosen === undefined) continue;
      const read = topologyField.read(topologyField.write(chosen));
      const rebuilt = createTopology({ ...read, name: chosen.name, n: 32 });
      expect(rebuilt.rate().rate).toBe(createTopology({ ...chosen, n: 32 }).rate().rate);
    }
  });

  it("says what was left out and why", () => {
    const reasons = leftOut(advice);
    expect(reasons.flatMap(([, names]) => names)).toContain("ring");
    expect(new Set(reasons.map(([reason]) => reason)).size).toBe(reasons.length);
  });
});

it("a topology with weights comes through the address to the last bit", () => {
  const weights = [0.25, 1 / 3, 2 ** -36];
  const chosen = { name: "designed-static", self: 0.1, shifts: [1, 3, 9], weights };
  expect(topologyField.read(topologyField.write(chosen))).toEqual(chosen);
});
