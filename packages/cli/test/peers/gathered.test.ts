import type { RecordEvent } from "@equitopo/node";
import { createProblem, expandSpec } from "equitopo";
import { expect, test } from "vitest";
import "../../src/problems.ts";
import { Gathered } from "../../src/peers/gathered.ts";

const [run] = expandSpec({
  topologies: [{ name: "ring", n: 2 }],
  algorithms: [{ name: "dsgd", learningRate: 0.1 }],
  problem: { name: "classification", model: "softmax-regression", data: { name: "synthetic", size: 24 } },
  rounds: 1,
});

const faults = { missed: 0, voided: 0, late: 0, unsent: 0, reconnects: 0, refused: 0, waited: 0, longestWait: 0 };

test("what a peer of a room keeps beside its row is taken where it fits, and can do no harm where it does not", () => {
  const gathered = new Gathered(run);
  const x = new Float32Array(createProblem(run.problem).d);
  const add = (rank: number, state: RecordEvent["state"]) => {
    gathered.add({
      ...{ kind: "record", rank, run: 0, updates: 1, x, bytes: 0, messages: 0, seconds: 0, faults },
      ...(state === undefined ? {} : { state }),
    } as RecordEvent);
  };
  add(0, undefined);
  for (const length of [0, 1, 1e6]) add(1, { losses: new Float64Array(length) });
  expect(gathered.complete).toBe(false);
  add(1, { toString: new Float64Array(3) } as unknown as RecordEvent["state"]);
  expect(gathered.complete).toBe(true);
  gathered.close();
});
