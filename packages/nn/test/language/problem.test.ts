import { kernelMixer, odEquiDyn, simulate } from "equitopo";
import { describe, expect, it } from "vitest";
import { decodeModel, language } from "../../src/index.ts";
import { createNnKernels } from "../../src/kernel/kernels.ts";
import { sharesOf, windowCount } from "../../src/language/windows.ts";
import { modelOf, softmax } from "../../src/language/work.ts";
import { openText } from "../../src/text/registry.ts";
import { tokenized } from "../../src/text/tokens.ts";

const model = { name: "gpt", layers: 1, heads: 2, width: 16, context: 12 };
const data = { name: "grammar", bytes: 3000, files: 5 };
const base = { n: 3, data, model, batch: 4, seed: 2 } as const;

/** All rows at the start, moved apart. */
function rowsOf({ n, d, start }: ReturnType<typeof language>): Float32Array {
  return Float32Array.from({ length: n * d }, (_, k) => start![k % d] + (((k * 7919) % 13) - 6) / 100);
}

/** Runs an evaluation over all rows, averaging what it yields. */
function evaluated(problem: ReturnType<typeof language>, x: Float32Array, last = true) {
  const steps = problem.evaluation!.tally(x, 1, 0, problem.n, last);
  let step = steps.next();
  while (!step.done) {
    step = steps.next(
      step.value.map((rows) => {
        const width = rows.length / problem.n;
        return Float32Array.from({ length: rows.length }, (_, k) => {
          let sum = 0;
          for (let i = 0; i < problem.n; i++) sum += rows[i * width + (k % width)];
          return sum / problem.n;
        });
      }),
    );
  }
  return problem.evaluation!.summarise(step.value);
}

describe("shares", () => {
  const text = tokenized(openText(data, { seed: 2 }), "bytes");
  const { length } = text.train;

  it("iid: everybody draws from all; contiguous: parts of the whole", () => {
    expect(sharesOf({ n: 2, split: "iid" }, text)).toEqual([
      [0, length],
      [0, length],
    ]);
    expect(sharesOf({ n: 2, split: "contiguous" }, text)).toEqual([
      [0, Math.floor(length / 2)],
      [Math.floor(length / 2), length],
    ]);
  });

  it.each([1, 2, 3, 4, 5])("by file, for %i nodes: whole files, all of them, none empty", (n) => {
    const shares = sharesOf({ n, split: "by-file" }, text);
    expect(shares.length).toBe(n);
    shares.forEach(([from, to], i) => {
      expect(to).toBeGreaterThan(from);
      expect(text.files).toContain(from);
      expect(to).toBe(shares[i + 1]?.[0] ?? length);
    });
    expect(shares[0][0]).toBe(0);
  });

  it("by file, with more nodes than files", () => {
    expect(() => sharesOf({ n: 6, split: "by-file" }, text)).toThrow("6 nodes need 6 files");
  });
});

describe("a language problem", () => {
  it("has the same gradients for a share of the nodes as for all", () => {
    const all = language(base);
    const x = rowsOf(all);
    const expected = new Float32Array(x.length);
    all.gradient(x, 5, expected, 0, 3);
    const one = language(base, { first: 1, count: 1 });
    const own = new Float32Array(one.d);
    one.gradient(x.slice(one.d, 2 * one.d), 5, own, 1, 1);
    expect(own).toEqual(expected.slice(one.d, 2 * one.d));
    expect(() => one.gradient(x, 5, own, 0, 1)).toThrow("made for nodes 1 to 1");
    // Another update sees other windows.
    one.gradient(x.slice(one.d, 2 * one.d), 6, own, 1, 1);
    expect(own).not.toEqual(expected.slice(one.d, 2 * one.d));
  });

  it("names the entries of matrices, and not the gains of norms", () => {
    const { matrices, d } = language(base);
    const decayed = (matrices ?? []).reduce((sum, [from, to]) => sum + to - from, 0);
    expect(decayed).toBe(d - 3 * 16);
  });

  it.each(["bytes", "characters"] as const)("is evaluated on the whole validation text, in %s", (tokens) => {
    const problem = language({ ...base, tokens });
    const x = rowsOf(problem);
    const found = evaluated(problem, x);
    // Token by token, each from the same window as there, by the scores themselves.
    const text = tokenized(openText(data, { seed: 2 }), tokens);
    const network = modelOf({ model }, text.vocabulary);
    const workspace = 16 + 16 * Math.ceil(problem.d / 4);
    const kernels = createNnKernels(workspace + network.workspaceBytes(1));
    const bound = network.bind(kernels, workspace, 1);
    const at = new Float32Array(kernels.memory.buffer, 16, problem.d);
    const outputs = (parameters: Float32Array, visit: (p: Float64Array, token: number, window: number) => void) => {
      at.set(parameters);
      const { validation } = text;
      for (let window = 0; window < windowCount(validation, 12); window++) {
        const inputs = validation.slice(window * 12, window * 12 + 12);
        bound.images.fill(0);
        bound.images.set(inputs);
        bound.forward({ parameters: 16, count: 1 });
        for (let k = 0; k < 12; k++) {
          const scores = bound.logits.subarray(k * bound.logitPitch, k * bound.logitPitch + text.vocabulary);
          visit(softmax(scores), validation[window * 12 + k + 1], window);
        }
      }
    };
    const lossOf = (parameters: Float32Array) => {
      let [sum, count] = [0, 0];
      outputs(parameters, (p, token) => {
        if (token === undefined) return;
        sum -= Math.log(p[token]);
        count++;
      });
      expect(count).toBe(text.validation.length - 1);
      return sum / count;
    };
    const rows = [0, 1, 2].map((i) => x.slice(i * problem.d, (i + 1) * problem.d));
    const mean = rows[0].map((_, k) => (rows[0][k] + rows[1][k] + rows[2][k]) / 3);
    const losses = rows.map(lossOf);
    expect(found.averagedLoss).toBeCloseTo(lossOf(mean), 5);
    expect(found.averagedBitsPerByte).toBeCloseTo(lossOf(mean) / Math.LN2, 5); // one byte a character here
    expect(found.meanLoss).toBeCloseTo((losses[0] + losses[1] + losses[2]) / 3, 5);
    expect(found.worstLoss).toBeCloseTo(Math.max(...losses), 5);
    // The Jensen-Shannon distance by its other formula: entropy of the mean less mean of the entropies.
    const entropy = (p: ArrayLike<number>) => -Array.from(p).reduce((sum, one) => sum + one * Math.log(one), 0);
    const windows = windowCount(text.validation, 12);
    const probes = [0, 1, 2, 3].map((p) => Math.floor((p * windows) / 4));
    const said = rows.map((row) => {
      const list: Float64Array[] = [];
      outputs(row, (p, _, window) => probes.includes(window) && list.push(p));
      return list;
    });
    const divergences = said[0].map((_, k) => {
      const three = said.map((list) => list[k]);
      const middle = three[0].map((_, c) => (three[0][c] + three[1][c] + three[2][c]) / 3);
      return entropy(middle) - (entropy(three[0]) + entropy(three[1]) + entropy(three[2])) / 3;
    });
    const expected = Math.sqrt(divergences.reduce((a, b) => a + b) / divergences.length);
    expect(found.outputDistance / expected).toBeCloseTo(1, 3);
    expect(expected).toBeGreaterThan(1e-3);
  });

  it("tries nodes' own models at the end alone, if asked to", () => {
    const problem = language({ ...base, try: "averaged" });
    const x = rowsOf(problem);
    expect(evaluated(problem, x, false).worstLoss).toBeNaN();
    expect(evaluated(problem, x, false).averagedLoss).toBeGreaterThan(1);
    expect(evaluated(problem, x, true).worstLoss).toBeGreaterThan(1);
  });

  it("learns: nodes with files of their own agree on a model of all", () => {
    const problem = language({ ...base, split: "by-file" });
    const { x, evaluations } = simulate({
      ...{ problem, topology: odEquiDyn({ n: 3 }), algorithm: { name: "d-adam", learningRate: 0.01 } },
      ...{ rounds: 150, every: 50, evaluate: 75, seed: 2, mixer: kernelMixer(3, "float32") },
    });
    const [before, after] = evaluations!.metrics.averagedLoss;
    // The entropy of the grammar's letters alone is about 2.8 nats.
    expect(after).toBeLessThan(2);
    expect(after).toBeLessThan(before);
    const bytes = problem.files!(x)["model.safetensors"];
    const { saved } = decodeModel(bytes, "it");
    expect(saved.alphabet).toMatchObject({ tokens: "characters" });
    expect(saved.reads).toBe("text");
    const files = { has: () => true, read: () => bytes };
    expect(language({ ...base, start: "it" }, { files }).start).toEqual(saved.parameters);
  });

  it("refuses what does not fit, in words", () => {
    expect(() => language({ ...base, n: 300, split: "contiguous" })).toThrow("longer than the context");
    expect(() => language({ ...base, model: "perceptron" })).toThrow("the model of a text reads text");
    expect(() => language({ ...base, model: { ...model, width: 18 } })).toThrow("a multiple of 8");
  });
});
