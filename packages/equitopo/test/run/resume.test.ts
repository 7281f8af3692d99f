/** Runs that stop and go on: every algorithm, to the last bit, through the bytes of a checkpoint. */

import { describe, expect, test } from "vitest";
import { algorithms } from "../../src/algorithm/registry.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../../src/run/checkpoint.ts";
import type { SavedRun } from "../../src/run/record.ts";
import { runIdentity, runSpec, runSpecAsync } from "../../src/run/run.ts";
import { expandSpec, parseSpec } from "../../src/run/spec.ts";
import { createTopology } from "../../src/topology/registry.ts";

const runOf = (algorithm: { name: string; learningRate?: number; steps?: number }, more: object = {}) => {
  const { condition } = algorithms.get(algorithm.name);
  const graphs = [
    { name: "ou-equidyn", n: 9 },
    { name: "u-equistatic", n: 9, m: 2 },
    { name: "ceca-2p", n: 9 },
  ];
  const fitting = graphs.filter((graph) => condition.unfit(createTopology(graph)) === undefined);
  const [run] = expandSpec(
    parseSpec({
      topologies: fitting.slice(0, 1),
      algorithms: [{ learningRate: 0.004, ...algorithm }],
      problem: { name: "least-squares", K: 5, d: 4 },
      rounds: 21,
      every: 4,
      ...more,
    }),
  );
  return run;
};

/** The state after `at` updates, as it comes back from a disk. */
function savedAt(run: ReturnType<typeof runOf>, at: number): SavedRun {
  let bytes: Uint8Array | undefined;
  runSpec(run, {
    keep: {
      due: (updates) => updates === at,
      save: ({ updates, vectors }) => {
        bytes = encodeCheckpoint({ kind: "run", header: { updates }, vectors });
      },
    },
  });
  const { header, vectors } = decodeCheckpoint(bytes as Uint8Array, "run");
  return { updates: (header as { updates: number }).updates, vectors };
}

describe("a run goes on bit for bit", () => {
  test.each(algorithms.names)("%s", (name) => {
    const run = runOf({ name });
    expect(runSpec(run, { saved: savedAt(run, 7) })).toEqual(runSpec(run));
  });

  test("in float32, with losses and stragglers, and with metrics that are no numbers", () => {
    const latency = { alpha: 1e-4, beta: 1e-9, straggler: { probability: 0.2, seconds: 0.1 } };
    const options = { type: "float32", faults: { drop: 0.2 }, latency };
    for (const learningRate of [0.004, 1000]) {
      const run = runOf({ name: "dsgt", learningRate }, options);
      expect(runSpec(run, { saved: savedAt(run, 20) })).toEqual(runSpec(run));
    }
  });

  test("not over other rounds: local steps saved when iteration t used round t are refused in words", () => {
    const run = runOf({ name: "local-steps" });
    const { updates, vectors } = savedAt(run, 7);
    const { "course.round": round, ...older } = vectors;
    expect([...round]).toEqual([1]);
    expect(() => runSpec(run, { saved: { updates, vectors: older } })).toThrow(/an older version.*remove it/);
    // With one step nothing has changed.
    const one = runOf({ name: "local-steps", steps: 1 });
    const saved = savedAt(one, 7);
    expect(Object.keys(saved.vectors)).not.toContain("course.round");
    expect(runSpec(one, { saved })).toEqual(runSpec(one));
  });

  test("longer than it was to be", () => {
    const run = runOf({ name: "dmsgd" });
    const longer = { ...run, rounds: 40 };
    // The record of the shorter run ends with its last update, which the longer one has no reason to take.
    const { updates, ...rest } = runSpec(longer, { saved: savedAt(run, 20) });
    const whole = runSpec(longer);
    expect({ ...rest, updates }).toEqual(whole);
    expect(runIdentity(longer)).toBe(runIdentity(run));
    expect(runIdentity({ ...run, seed: 8 })).not.toBe(runIdentity(run));
  });

  test("where a signal ended it", async () => {
    const run = runOf({ name: "dsgd" }, { rounds: 60_000, every: 60_000 });
    const stop = new AbortController();
    let saved: SavedRun | undefined;
    const keep = {
      due: () => false,
      save: ({ updates, vectors }: SavedRun) => {
        const copies = Object.entries(vectors).map(([name, rows]) => [name, rows.slice()]);
        saved = { updates, vectors: Object.fromEntries(copies) };
      },
    };
    setTimeout(() => stop.abort(new Error("enough")), 5);
    await expect(runSpecAsync(run, { signal: stop.signal, keep })).rejects.toThrow("enough");
    expect(saved?.updates).toBeGreaterThan(0);
    expect(saved?.updates).toBeLessThan(60_000);
    expect(runSpec(run, { saved: saved as SavedRun })).toEqual(runSpec(run));
  });
});
