import { expect, test } from "vitest";
import { difference } from "../../src/learning/words.ts";
import { initialView } from "../../src/view/view.ts";
import { learningWork } from "../../src/work/learning/frame.ts";
import { taskOf } from "../../src/work/learning/task.ts";
import { cpuTrainer } from "../../src/work/learning/training.ts";
import { isTrouble } from "../../src/work/trouble.ts";

const line = (label: string, disagreement: number, bytes: number, worstAccuracy: number) => ({
  ...{ label, learnt: { disagreement: Float64Array.of(0, disagreement), bytes, worstAccuracy } },
});

test("the sentence names the nearest and the farthest models, and what they cost", () => {
  const lines = [line("Ring", 3, 2000, 0.5), line("OD-EquiDyn", 1, 1000, 0.9), line("Star", 2, 4000, 0.7)];
  expect(difference(lines, 1)).toBe(
    "After 1 update models over OD-EquiDyn are 3.0 times as near to each other as those over Ring. Their busiest nodes have sent 1.00 kB and 2.00 kB; their worst nodes are right on 90.0 % and 50.0 % of test points.",
  );
  expect(difference([line("A", 1, 1, 1), line("B", 1.01, 1, 1)], 1)).toContain("A and B are about as near");
  expect(difference(lines, 0)).toBeUndefined();
  expect(difference(lines.slice(0, 1), 1)).toBeUndefined();
});

test("as the view opens, neighbours hold data alike, and the graphs differ", async () => {
  const task = taskOf(initialView);
  const work = learningWork(cpuTrainer)({ task, topologies: initialView.topology, update: 60 });
  let step = await work.next();
  while (step.done !== true) step = await work.next();
  const { scene, learnt } = step.value;
  // Of two classes on the ring: one stretch of nodes for each, but for the node between them.
  const classOf = Array.from({ length: task.n }, (_, node) => {
    const own = scene.labels.filter((_, point) => scene.owners[point] === node);
    return own.reduce((sum, label) => sum + label, 0) / own.length;
  });
  expect(classOf).toEqual([...classOf].sort((a, b) => a - b));
  const [dyn, ring] = learnt;
  if (isTrouble(dyn) || isTrouble(ring)) throw new Error("both are trained");
  expect(ring.disagreement[60] / dyn.disagreement[60]).toBeGreaterThan(1.5);
  expect(dyn.bytesBy).toHaveLength(61);
  expect([dyn.bytesBy[0], dyn.bytesBy[60]]).toEqual([0, dyn.bytes]);
  expect(ring.bytes).toBe(2 * dyn.bytes);
});
