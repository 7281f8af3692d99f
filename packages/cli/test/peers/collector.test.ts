import type { RecordEvent } from "@equitopo/node/internal";
import { createProblem, expandSpec, stateHash } from "equitopo";
import { describe, expect, test } from "vitest";
import "../../src/input/problems.ts";
import { gather } from "../../src/peers/collector.ts";

const [run] = expandSpec({
  topologies: [{ name: "ring", n: 2 }],
  algorithms: [{ name: "dsgd", learningRate: 0.1 }],
  problem: { name: "classification", model: "softmax-regression", data: { name: "synthetic", size: 24 } },
  rounds: 1,
});

const faults = { missed: 0, voided: 0, late: 0, unsent: 0, reconnects: 0, refused: 0, waited: 0, longestWait: 0 };

test("what a peer of a room keeps beside its row is taken where it fits, and can do no harm where it does not", () => {
  const gathered = gather(run);
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

test("the rows of liars count for nothing", () => {
  const [lied] = expandSpec({
    topologies: [{ name: "ring", n: 3 }],
    algorithms: [{ name: "dsgd", learningRate: 0.1 }],
    problem: { name: "least-squares", K: 10 },
    ...{ rounds: 1, faults: { liars: [1], attack: "large" } },
  });
  const { d } = createProblem(lied.problem);
  const measured = (liar: number) => {
    const gathered = gather(lied);
    const spent = { bytes: 0, messages: 0, seconds: 0, faults };
    for (const updates of [0, 1]) {
      [0.5, liar, 0.25].forEach((value, rank) => {
        gathered.add({ kind: "record", rank, run: 0, updates, x: new Float64Array(d).fill(value), ...spent });
      });
    }
    const { metrics, liars } = gathered.result("tcp");
    gathered.close();
    expect(liars).toEqual([1]);
    return metrics;
  };
  expect(measured(1e300)).toEqual(measured(0));
  expect(measured(0)["consensusDistance"][1]).toBeCloseTo(Math.sqrt(2 * d) / 8, 12);
});

describe("one peer of a room that reports anything", () => {
  const [plain] = expandSpec({
    topologies: [{ name: "ring", n: 4 }],
    algorithms: [{ name: "dsgd", learningRate: 0.1 }],
    problem: { name: "least-squares", K: 10 },
    ...{ rounds: 1000, every: 1 },
  });
  const { d } = createProblem(plain.problem);
  const row = (rank: number, updates: number, value = 1) =>
    ({
      ...{ kind: "record", rank, run: 0, updates, x: new Float64Array(d).fill(value) },
      ...{ bytes: 0, messages: 0, seconds: 0, faults },
    }) as RecordEvent;

  test("is not believed beyond the end of the run", () => {
    const gathered = gather(plain);
    for (const updates of [1001, 2 ** 50]) expect(gathered.add(row(3, updates))).toBe(false);
    expect(gathered.add(row(3, 1000))).toBe(true);
    gathered.close();
  });

  test("neither fills the memory nor ends the record for the others", () => {
    const taken: number[] = [];
    const gathered = gather(plain, {}, { mostBytes: 40 * 8 * d, onRecord: (updates) => taken.push(updates) });
    for (let turn = 0; turn < 20; turn++) for (let k = 0; k <= 1000; k++) gathered.add(row(3, k, 1e6));
    expect(taken).toEqual([]);
    for (let k = 0; k <= 1000; k++) for (const rank of [0, 1, 2]) gathered.add(row(rank, k, k));
    expect(taken).toEqual(Array.from({ length: 1001 }, (_, k) => k));
    const { real } = gathered.result("room");
    expect(real.lost).toEqual([]);
    gathered.close();
  });

  test("does not keep the rows of others out, nor is a row made up for one that gave none", () => {
    const gathered = gather(plain);
    expect(() => gathered.result("room")).toThrow("no peer reported a model");
    for (const rank of [0, 1, 2]) gathered.add(row(rank, 1000, rank + 1));
    const { stateHash: found, real } = gathered.result("room");
    expect(real.lost).toEqual([3]);
    const rows = [1, 2, 3, 2].flatMap((value) => new Array<number>(d).fill(value));
    expect(found).toBe(stateHash(Float64Array.from(rows)));
    gathered.close();
  });

  test("that starts again replaces what it said, and its last row counts", () => {
    const gathered = gather(plain);
    gathered.add(row(0, 1000, 9));
    for (let k = 0; k <= 1000; k++) for (const rank of [0, 1, 2, 3]) gathered.add(row(rank, k, k));
    expect(gathered.complete).toBe(true);
    expect(gathered.result("room").stateHash).toBe(stateHash(new Float64Array(4 * d).fill(1000)));
    gathered.close();
  });
});

test("rows do not pile up behind a peer that stands still", () => {
  const [long] = expandSpec({
    topologies: [{ name: "ring", n: 3 }],
    algorithms: [{ name: "dsgd", learningRate: 0.1 }],
    problem: { name: "least-squares", K: 10 },
    ...{ rounds: 1000, every: 1 },
  });
  const { d } = createProblem(long.problem);
  const taken: number[] = [];
  const gathered = gather(long, {}, { mostBytes: 20 * 8 * d, onRecord: (updates) => taken.push(updates) });
  const spent = { bytes: 0, messages: 0, seconds: 0, faults };
  const add = (rank: number, updates: number) =>
    gathered.add({ kind: "record", rank, run: 0, updates, x: new Float64Array(d).fill(updates), ...spent });
  for (let updates = 0; updates <= 500; updates++) for (const rank of [0, 1]) add(rank, updates);
  // Peer 2 has said nothing: its rows are stood in for, and no more than twenty others wait.
  expect(taken.length).toBeGreaterThanOrEqual(490);
  for (let updates = 501; updates <= 1000; updates++) for (const rank of [0, 1, 2]) add(rank, updates);
  expect(taken.at(-1)).toBe(1000);
  expect(gathered.complete).toBe(true);
  expect(gathered.result("tcp").real.lost).toEqual([]);
  gathered.close();
});
