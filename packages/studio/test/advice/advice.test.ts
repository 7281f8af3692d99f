/** The form of the adviser: what it asks, what it shows of the answer, and the command that asks the same. */

import { advise, algorithms, createTopology, topologies } from "equitopo";
import { leftOut } from "equitopo/internal/advise";
import { describe, expect, it } from "vitest";
import { commandOf, goals, questionOf } from "../../src/advice/question.ts";
import { rankingRows } from "../../src/advice/rows.ts";
import { topologyField } from "../../src/view/topology-field.ts";
import { initialView, type View } from "../../src/view/view.ts";
import { advice as adviceJob } from "../../src/work/rare-jobs.ts";

const view: View = { ...initialView, view: "advice", n: 32, degree: 1, seed: 0 };

describe("the question", () => {
  it("is the form's, to all families that are registered", () => {
    expect(questionOf(view)).toMatchObject({ n: 32, degree: 1, loss: 0, by: "time" });
    expect(questionOf(view)).not.toHaveProperty("topologies");
    expect(questionOf(view)).not.toHaveProperty("kappa");
    expect(questionOf({ ...view, goal: "dsgt", b: 2 })).toMatchObject({ algorithm: "dsgt", b: 2 });
  });

  it("is also a command line", () => {
    expect(commandOf(view)).toBe("equitopo advise --n 32 --degree 1");
    expect(commandOf({ ...view, seed: 4 })).toBe("equitopo advise --n 32 --degree 1 --seed 4");
    const learning: View = { ...view, goal: "dsgd", heterogeneous: true, undirected: true, loss: 0.05, latency: 0.002 };
    expect(commandOf(learning)).toBe(
      "equitopo advise --n 32 --degree 1 --undirected --latency 0.002s --loss 0.05 --algorithm dsgd --heterogeneous",
    );
  });
});

it("is for the average, or for a model by every algorithm that the adviser has a model of", () => {
  const advised = algorithms.names.filter((algorithm) => {
    try {
      return advise({ n: 4, algorithm, topologies: ["ring"] }).ranking.length > 0;
    } catch {
      return false;
    }
  });
  expect(Object.keys(goals)).toEqual(["average", ...advised]);
  expect(advised).toEqual(expect.arrayContaining(["dsgd", "dsgt", "d2", "exact-diffusion"]));
});

describe("the answer", () => {
  const advice = advise(questionOf(view));
  const rows = rankingRows(advice);

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

  it("comes family by family, each time with the ranking so far", () => {
    topologies.add({ ...topologies.get("ring"), name: "own-ring" });
    const steps = adviceJob({ ...questionOf(view), degree: 2 });
    const asked: string[] = [];
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      const { label, done, advice: soFar } = step.value;
      asked.push(label);
      expect(soFar.ranking.length + soFar.excluded.length).toBeGreaterThan(done);
      const seconds = soFar.ranking.map((row) => row.seconds);
      expect(seconds).toEqual([...seconds].sort((a, b) => a - b));
    }
    expect(step.value).toEqual(advise({ ...questionOf(view), degree: 2 }));
    expect(asked).toContain("own-ring");
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
