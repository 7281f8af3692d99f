/** What the page shows of a training is what the library's own run of the exported spec comes to. */

import { classificationFamily } from "@equitopo/nn";
import { expandSpec, problems, runSpec } from "equitopo";
import { describe, expect, it } from "vitest";
import { initialView } from "../../src/view/view.ts";
import { type LearningFrame, type LearningQuestion, learningWork } from "../../src/work/learning/frame.ts";
import { documentOf, POINTS, type Task, taskOf } from "../../src/work/learning/task.ts";
import { cpuTrainer } from "../../src/work/learning/training.ts";
import { isTrouble } from "../../src/work/trouble.ts";

problems.add(classificationFamily);

const task: Task = { ...taskOf(initialView), n: 6, batch: 16, drop: 0.1 };
const topologies = [{ name: "od-equidyn" }, { name: "ring" }];

async function answer(work: ReturnType<typeof learningWork>, question: LearningQuestion): Promise<LearningFrame> {
  const steps = work(question);
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
  }
}

describe("a frame of the learning view", () => {
  it("has the numbers of the run that its spec describes, however it was come by", async () => {
    const work = learningWork(cpuTrainer);
    await answer(work, { task, topologies, update: 7 });
    const { learnt } = await answer(work, { task, topologies, update: 12 });
    const back = await answer(work, { task, topologies, update: 5 });
    const runs = expandSpec(documentOf(task, topologies, 12));
    runs.forEach((run, k) => {
      const shown = learnt[k];
      if (isTrouble(shown)) throw new Error(shown.trouble);
      const { metrics, evaluations, bytes } = runSpec(run);
      expect(Array.from(shown.disagreement)).toEqual(metrics["consensusDistance"]);
      expect(shown.averagedAccuracy).toBe(evaluations?.metrics["averagedAccuracy"][0]);
      expect(shown.meanAccuracy).toBe(evaluations?.metrics["meanAccuracy"][0]);
      expect(shown.worstAccuracy).toBe(evaluations?.metrics["worstAccuracy"][0]);
      expect(shown.bytes).toBe(bytes[12]);
      const mean = Math.sqrt(shown.distances.reduce((sum, one) => sum + one * one, 0) / task.n);
      expect(mean).toBeCloseTo(metrics["consensusDistance"][12], 12);
      const earlier = back.learnt[k];
      expect(isTrouble(earlier) || Array.from(earlier.disagreement)).toEqual(metrics["consensusDistance"].slice(0, 6));
    });
  });

  it("sorted by label, nodes hold points of one class", async () => {
    const { scene } = await answer(learningWork(cpuTrainer), { task, topologies: [], update: 0 });
    expect(scene.labels).toHaveLength(POINTS);
    for (let node = 0; node < task.n; node++) {
      const held = new Set(Array.from(scene.labels).filter((_, k) => scene.owners[k] === node));
      expect(held.size).toBe(1);
    }
  });

  it("draws one model's line where the classes of its regions meet", async () => {
    const work = learningWork(cpuTrainer);
    const { learnt } = await answer(work, { task, topologies: [{ name: "ring" }], update: 30, node: 2 });
    const [shown] = learnt;
    if (isTrouble(shown)) throw new Error(shown.trouble);
    expect(new Set(shown.verdict.classes).size).toBe(2);
    expect(shown.line.length).toBeGreaterThan(0);
    expect(shown.lines).toHaveLength(task.n);
    // The looked-at node's line is the one among all, on a finer grid.
    const middle = (line: Float32Array) => line.reduce((sum, value) => sum + value, 0) / line.length;
    expect(middle(shown.line)).toBeCloseTo(middle(shown.lines[2]), 1);
  });

  it("says what does not go together, and goes on with the rest", async () => {
    const wild = { ...task, algorithm: "extra" };
    const { learnt } = await answer(learningWork(cpuTrainer), { task: wild, topologies, update: 2 });
    expect(isTrouble(learnt[0]) && learnt[0].trouble).toContain(
      "extra needs a static symmetric W, and od-equidyn does not fit",
    );
    expect(isTrouble(learnt[1])).toBe(false);
  });
});
