/** Nodes with wrong labels and nodes that lie, on images: what they learn, what others hear, and whose accuracy counts. */

import { type ClassificationOptions, classification } from "@equitopo/nn";
import { createTopology, type Problem, type SimulationOptions, simulate } from "equitopo";
import { describe, expect, it } from "vitest";

const n = 4;
const options: ClassificationOptions = {
  ...{ n, data: { name: "synthetic", size: 24 }, images: 320, tests: 80, batch: 16, seed: 3 },
  model: "softmax-regression",
};
const gradients = (problem: Problem, first = 0, count = n) => {
  const out = new Float32Array(count * problem.d);
  problem.gradient(new Float32Array(count * problem.d), 0, out, first, count);
  return [...out];
};

describe("wrong labels", () => {
  const right = gradients(classification(options));
  const wrong = gradients(classification(options, { mislabelled: [2] }));
  const d = right.length / n;

  it("change the gradients of those nodes alone, whoever asks", () => {
    expect(wrong.slice(0, 2 * d)).toEqual(right.slice(0, 2 * d));
    expect(wrong.slice(3 * d)).toEqual(right.slice(3 * d));
    const alone = gradients(classification(options, { mislabelled: [2], first: 2, count: 1 }), 2, 1);
    expect(alone).toEqual(wrong.slice(2 * d, 3 * d));
  });

  it("are class 9 - c for class c: at a zero model the gradient's columns change places", () => {
    const rows = d / 10;
    const columns = (all: readonly number[]) =>
      Array.from({ length: 10 }, (_, c) => Array.from({ length: rows }, (_, k) => all[2 * d + k * 10 + c]));
    expect(columns(wrong)).toEqual(columns(right).reverse());
  });
});

describe("whose accuracy counts", () => {
  const run = (changes: Partial<SimulationOptions>) => {
    const problem = classification(options, changes.faults?.attack === "label-flip" ? { mislabelled: [1] } : {});
    const topology = createTopology({ name: "complete", n });
    const algorithm = { name: "dsgd", learningRate: 0.1 };
    return simulate({ topology, algorithm, problem, rounds: 40, evaluate: 40, every: 40, ...changes });
  };
  const accuracies = (changes: Partial<SimulationOptions>) => {
    const found = run(changes).evaluations?.metrics ?? {};
    return [found["averagedAccuracy"][0], found["meanAccuracy"][0], found["worstAccuracy"][0]];
  };

  it("that of honest nodes: a liar whose own model is beyond all numbers spoils neither mean nor worst", () => {
    const faults = { liars: [0, 1], attack: "large" };
    const guarded = run({ faults, robust: { kind: "guard", radius: 5 } });
    for (const name of ["averagedAccuracy", "meanAccuracy", "worstAccuracy"]) {
      expect(guarded.evaluations?.metrics[name][0], name).toBeGreaterThan(0.6);
    }
    expect(Math.max(...accuracies({ faults }))).toBeLessThan(0.3);
  });

  it("one node of four that learns wrong labels costs something, and not everything", () => {
    const [clean] = accuracies({});
    const [averaged] = accuracies({ faults: { liars: [1], attack: "label-flip" } });
    expect(clean).toBeGreaterThan(0.7);
    expect(averaged).toBeLessThan(clean);
    expect(averaged).toBeGreaterThan(0.5);
  });
});
