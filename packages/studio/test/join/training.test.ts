import { classificationFamily, decodeModel, parseNpy } from "@equitopo/nn";
import { expandSpec, InputError, problems, runSpec, type SpecDocument, stateHash } from "equitopo";
import { MemoryNetwork } from "equitopo/peer";
import { beforeAll, describe, expect, test } from "vitest";
import { pickedFiles } from "../../src/join/files.ts";
import { trainingOf } from "../../src/join/training.ts";

const n = 4;
const document = (problem: NonNullable<SpecDocument["problem"]>): SpecDocument => ({
  topologies: [{ name: "od-equidyn", n }],
  algorithms: [{ name: "dsgd", learningRate: 0.05 }],
  problem,
  rounds: 12,
});

beforeAll(() => {
  if (!problems.names.includes("classification")) problems.add(classificationFamily);
});

/** All seats over memory, each as its worker runs it; their last rows one after the other, and what each ended with. */
async function trained(document: SpecDocument) {
  const runs = expandSpec(document);
  const network = new MemoryNetwork(n);
  const last: (Float32Array | Float64Array)[] = [];
  const seats = await Promise.all(
    Array.from({ length: n }, async (_, rank) => {
      const training = trainingOf(runs, rank, undefined);
      const transport = network.join(rank);
      const { signal } = new AbortController();
      const result = await training.run(
        { transport, store: undefined, timeout: 5000, startTimeout: 5000, signal },
        (event) => {
          if (event.kind === "record") last[rank] = event.x;
        },
      );
      return { training, result, standing: training.standing(transport) };
    }),
  );
  return { runs, seats, last };
}

describe("a seat's training", () => {
  test("has the simulator's rows, a loss to show and a model to take away", async () => {
    const { runs, seats, last } = await trained(
      document({ name: "classification", data: "synthetic", images: 80, tests: 20, model: "softmax-regression" }),
    );
    const values = last.flatMap((row) => [...row]);
    const all = runs[0].type === "float32" ? Float32Array.from(values) : Float64Array.from(values);
    expect(stateHash(all)).toBe(runSpec(runs[0]).stateHash);
    seats.forEach(({ training, result, standing }, rank) => {
      expect(training.facts[0]).toMatchObject({ rounds: 12, measure: "Loss" });
      expect(result).toMatchObject({ done: 12, skipped: 0, rowHashes: [stateHash(last[rank])] });
      expect(standing).toMatchObject({ updates: 12, missed: 0, accuracy: { updates: 12 } });
      expect(standing?.points[0][1]).toBeGreaterThan(0);
      const { saved } = decodeModel(result.files["model.safetensors"], "model");
      expect(saved.classes).toBe(10);
    });
  });

  test("a problem without a loss shows its gradient, and its model is an array", async () => {
    const { seats, last } = await trained(document({ name: "least-squares", d: 5 }));
    const [{ training, result, standing }] = seats;
    expect(training.facts[0].measure).toBe("Gradient");
    expect(standing?.points[0][1]).toBeGreaterThan(0);
    expect(parseNpy({ name: "model.npy", bytes: result.files["model.npy"] })).toEqual({ shape: [5], values: last[0] });
  });

  test("reads what the person picked, and says what is wrong with it before anybody waits", () => {
    const own = { name: "own", file: "mine-%r.csv", test: "test.csv", classes: 2, shape: [2], stepsPerEpoch: 3 };
    const runs = expandSpec(document({ name: "classification", data: own, batch: 2 }), {
      files: pickedFiles([
        { name: "mine-0.csv", bytes: new TextEncoder().encode("1,2,0\n3,4,1\n") },
        { name: "test.csv", bytes: new TextEncoder().encode("1,2,0\n") },
      ]),
    });
    const picked = (text: string) =>
      pickedFiles([
        { name: "mine-3.csv", bytes: new TextEncoder().encode(text) },
        { name: "test.csv", bytes: new TextEncoder().encode("1,2,0\n") },
      ]);
    expect(trainingOf(runs, 3, picked("1,2,1\n5,6,0\n")).facts).toHaveLength(1);
    expect(() => trainingOf(runs, 3, picked("1,2\n"))).toThrow(InputError);
    expect(() => trainingOf(runs, 2, picked("1,2,1\n"))).toThrow(/mine-2.csv/);
  });
});
