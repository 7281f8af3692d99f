/** A small language model on the simulator, with threads for its gradients, and on real peers: the same bits. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeModel } from "@equitopo/nn";
import { expect, it } from "vitest";
import { parsed, scratch, spawned } from "../command.ts";

const folder = scratch();
const spec = join(folder, "spec.json");
const document = {
  topologies: [{ name: "ou-equidyn", n: 3 }],
  algorithms: [{ name: "gossip-diloco", steps: 4, learningRate: 0.003 }],
  problem: {
    ...{ name: "language", data: "grammar", batch: 3, split: "by-file" },
    model: { name: "gpt", layers: 2, heads: 2, width: 16, context: 20, dropout: 0.1 },
  },
  ...{ rounds: 24, every: 8, evaluate: 12, seeds: [5], type: "float32" },
};
writeFileSync(spec, JSON.stringify(document));

it("one spec, one state, wherever it runs", () => {
  const runs = ["--workers 1", "--workers 2", "--transport threads", "--transport tcp"].map((words, k) => {
    const out = join(folder, `${k}`);
    const { stateHash, runs } = parsed(spawned(`run ${spec} ${words} --out ${out} --json`));
    const model = readFileSync(join(out, "model.safetensors"));
    return { stateHash, metrics: runs[0].evaluations ?? runs[0].metrics, model: Buffer.from(model).toString("hex") };
  });
  for (const run of runs) {
    expect(run.stateHash).toBe(runs[0].stateHash);
    expect(run.metrics).toEqual(runs[0].metrics);
    expect(run.model).toBe(runs[0].model);
  }
  const { saved } = decodeModel(Buffer.from(runs[0].model, "hex"), "model");
  expect(saved.alphabet?.tokens).toBe("characters");
});
