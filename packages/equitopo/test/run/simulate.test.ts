/** The simulator: what it records, what it counts, and that it can be watched and stopped. */

import { describe, expect, test } from "vitest";
import { Meter } from "../../src/algorithm/meter.ts";
import { createAlgorithm } from "../../src/algorithm/registry.ts";
import { InputError } from "../../src/input/input.ts";
import { plainMixer } from "../../src/round/mixer.ts";
import { simulate, simulateAsync, simulationSteps } from "../../src/run/simulate.ts";
import { quadratic } from "../../src/testing/quadratic.ts";
import { createTopology } from "../../src/topology/registry.ts";

const n = 8;
const d = 5;
const problem = quadratic({ n, d, sigma: 0.1 });
const topology = createTopology({ name: "ring", n });
const algorithm = { name: "dsgd", learningRate: 0.01 };
const bytesOf = (name: string, over = "ring", rounds = 12, options: object = {}) =>
  simulate({ topology: createTopology({ name: over, n }), algorithm: { name, ...options }, problem, rounds });

describe("the record", () => {
  test("updates 0, every, 2 every, ..., and the last", () => {
    expect(simulate({ topology, algorithm, problem, rounds: 10, every: 4 }).updates).toEqual([0, 4, 8, 10]);
    expect(simulate({ topology, algorithm, problem, rounds: 8, every: 4 }).updates).toEqual([0, 4, 8]);
    expect(simulate({ topology, algorithm, problem, rounds: 0 }).updates).toEqual([0]);
  });

  test("metrics do not depend on how often they are taken", () => {
    const often = simulate({ topology, algorithm, problem, rounds: 10 });
    const seldom = simulate({ topology, algorithm, problem, rounds: 10, every: 5 });
    expect(seldom.metrics["error"]).toEqual([0, 5, 10].map((k) => often.metrics["error"][k]));
    expect(seldom.x).toEqual(often.x);
    // X starts at 0, where the relative error is 1.
    expect(often.metrics["error"][0]).toBeCloseTo(1, 14);
    expect(often.metrics["error"][10]).toBeLessThan(1);
  });

  test("an update at a time: what shorter runs come to, and the same record at the end", () => {
    const steps = simulationSteps({ topology, algorithm, problem, rounds: 3 });
    for (let done = 0; done <= 3; done++) {
      const { value } = steps.next();
      const shorter = simulate({ topology, algorithm, problem, rounds: done });
      expect("done" in value && value.done).toBe(done);
      expect(value.x).toEqual(shorter.x);
      expect("record" in value && value.record.metrics).toEqual(shorter.metrics);
    }
    expect(steps.next()).toEqual({ done: true, value: simulate({ topology, algorithm, problem, rounds: 3 }) });
  });

  test("starts where the problem says", () => {
    const start = Float64Array.of(1, 2, 3, 4, 5);
    const { x } = simulate({ topology, algorithm, problem: { ...problem, start }, rounds: 0 });
    expect(Array.from(x)).toEqual(Array.from({ length: n * d }, (_, k) => start[k % d]));
  });

  test("specs that build the run again", () => {
    const record = simulate({ topology, algorithm: createAlgorithm(algorithm), problem, rounds: 3, seed: 7 });
    expect(record.algorithm).toEqual({ name: "dsgd", learningRate: 0.01, order: "adapt-then-combine" });
    expect(record.topology).toEqual({ name: "ring", n });
    const again = simulate({
      topology: createTopology(record.topology),
      algorithm: record.algorithm,
      problem,
      rounds: 3,
    });
    expect(again.x).toEqual(record.x);
  });

  test("single precision by the mixer: half the bytes, the same curve to seven digits", () => {
    const single = simulate({ topology, algorithm, problem, rounds: 10, mixer: plainMixer(n, "float32") });
    const double = simulate({ topology, algorithm, problem, rounds: 10 });
    expect(single.x).toBeInstanceOf(Float32Array);
    expect(single.bytes[10]).toBe(double.bytes[10] / 2);
    expect(single.metrics["error"][10]).toBeCloseTo(double.metrics["error"][10], 6);
  });
});

describe("the meter", () => {
  const vector = 8 * d;

  test.each([
    ["dsgd", "ring", 12 * 2 * vector, 24],
    ["dsgt", "ring", 12 * 2 * 2 * vector, 24],
    ["atc-gt", "ring", 12 * 2 * 2 * vector, 48],
    ["push-sum", "ring", 12 * 2 * (vector + 8), 24],
    ["nids", "ring", 11 * 2 * vector, 22],
    ["dsgd", "star", 12 * (n - 1) * vector, 12 * (n - 1)],
    ["dsgd", "complete", 12 * (n - 1) * vector, 12 * (n - 1)],
    ["dsgd", "od-equidyn", 12 * vector, 12],
    ["local-steps", "ring", 3 * 2 * vector, 6],
    ["centralised", "ring", (12 * 2 * (n - 1) * vector) / n, 12 * 2 * (n - 1)],
    ["gossip-pga", "ring", 10 * 2 * vector + (2 * 2 * (n - 1) * vector) / n, 20 + 2 * 2 * (n - 1)],
    ["choco", "ring", 12 * 2 * 2 * 12, 24],
  ])("%s over %s", (name, over, bytes, messages) => {
    const record = bytesOf(name, over);
    expect(record.bytes[0]).toBe(0);
    expect(record.bytes[12]).toBe(bytes);
    expect(record.messages[12]).toBe(messages);
  });

  test("compression as it is sent", () => {
    expect(bytesOf("choco", "ring", 12, { compressor: "random-k", keep: 0.4 }).bytes[12]).toBe(12 * 2 * 2 * 8);
    expect(bytesOf("choco", "ring", 12, { compressor: "quantise", bits: 3 }).bytes[12]).toBe(12 * 2 * (8 + 2));
  });

  test("OU-EquiDyn: the node that sent most, by counting its partners", () => {
    const odd = 7;
    const graph = createTopology({ name: "ou-equidyn", n: odd });
    const sent = new Array(odd).fill(0);
    for (let t = 0; t < 30; t++) for (let i = 0; i < odd; i++) sent[i] += graph.peers(t, i).to.length;
    const record = simulate({ topology: graph, algorithm, problem: quadratic({ n: odd, d }), rounds: 30 });
    expect(record.messages[30]).toBe(Math.max(...sent));
    expect(record.bytes[30]).toBe(Math.max(...sent) * vector);
    expect(Math.min(...sent)).toBeLessThan(Math.max(...sent));
  });

  test("seconds: the busiest node's messages one after another, each alpha + beta bytes", () => {
    const latency = { alpha: 0.5, beta: 0.25 };
    const seconds = (name: string, over: string) =>
      simulate({ topology: createTopology({ name: over, n }), algorithm: { name }, problem, rounds: 2, latency })
        .seconds[2];
    expect(seconds("dsgd", "ring")).toBe(2 * 2 * (0.5 + 0.25 * vector));
    expect(seconds("dsgd", "star")).toBe(2 * (n - 1) * (0.5 + 0.25 * vector));
    expect(seconds("dsgt", "ring")).toBe(2 * 2 * (0.5 + 0.25 * 2 * vector));
    expect(seconds("centralised", "ring")).toBe(2 * 2 * (n - 1) * (0.5 + (0.25 * vector) / n));
  });

  test("by itself", () => {
    const meter = new Meter(n, { alpha: 1, beta: 0 });
    meter.exchange(topology.round(0), 100, 0);
    meter.allReduce(80);
    expect([meter.bytes, meter.messages, meter.seconds]).toEqual([200 + 140, 2 + 14, 2 + 14]);
  });
});

describe("watched and stopped", () => {
  test("the asynchronous run gives the same record", async () => {
    const options = { topology, algorithm: { name: "choco", compressor: "random-k" }, problem, rounds: 30, seed: 4 };
    expect(await simulateAsync(options)).toEqual(simulate(options));
    expect(simulate({ ...options, seed: 5 }).x).not.toEqual(simulate(options).x);
  });

  test("progress after every update", () => {
    const seen: number[] = [];
    simulate({ topology, algorithm, problem, rounds: 5, every: 3, onProgress: (done) => seen.push(done) });
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  test("a signal ends a long run from a timer, with its reason", async () => {
    const controller = new AbortController();
    let done = 0;
    const run = simulateAsync({
      topology,
      algorithm,
      problem,
      rounds: 1e9,
      every: 1e9,
      signal: controller.signal,
      onProgress: (updates) => {
        done = updates;
      },
    });
    setTimeout(() => controller.abort(new Error("enough")), 1);
    await expect(run).rejects.toThrow("enough");
    expect(done).toBeGreaterThan(0);
  });

  test("a synchronous run stops at the next update", () => {
    const controller = new AbortController();
    let done = 0;
    const run = () =>
      simulate({
        topology,
        algorithm,
        problem,
        rounds: 100,
        signal: controller.signal,
        onProgress: (updates) => {
          done = updates;
          if (updates === 3) controller.abort(new Error("enough"));
        },
      });
    expect(run).toThrow("enough");
    expect(done).toBe(3);
  });
});

describe("refused", () => {
  test.each([
    [{ rounds: -1 }, /rounds must be an integer of at least 0/],
    [{ every: 0 }, /every must be an integer of at least 1/],
    [{ seed: 0.5 }, /seed must be an integer/],
    [{ problem: quadratic({ n: 7, d }) }, /the problem's n must be the topology's, 8, got 7/],
    [{ mixer: plainMixer(7) }, /the mixer's n must be the topology's, 8, got 7/],
    [{ latency: { alpha: -1, beta: 0 } }, /latency: alpha must be at least 0, /],
    [{ latency: { alpha: 0, beta: Number.NaN } }, /latency: beta must be at least 0, /],
    [{ algorithm: { name: "sgd" } }, /algorithm must be one of/],
  ])("%j", (change, message) => {
    const run = () => simulate({ topology, algorithm, problem, rounds: 1, ...change });
    expect(run).toThrow(InputError);
    expect(run).toThrow(message);
  });
});
