/** The whole GPT against PyTorch, where it is installed. */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { RandomStream } from "equitopo/internal/random";
import { expect, it } from "vitest";
import { createNnKernels } from "../../src/kernel/kernels.ts";
import { gpt } from "../../src/model/models/gpt.ts";

/** The first Python that has PyTorch. */
const python = ["python3", "/usr/bin/python3"].find(
  (name) => spawnSync(name, ["-c", "import torch"], { timeout: 60_000 }).status === 0,
);
if (python === undefined) console.warn("SKIPPED: the GPT against PyTorch, which python3 does not have here");

it.skipIf(python === undefined)(
  "the gradient of a GPT is PyTorch's",
  () => {
    const options = { vocabulary: 65, layers: 2, heads: 4, width: 64, context: 30 };
    const model = gpt(options);
    const d = model.parameterCount;
    const [batch, at] = [3, 16];
    const gradientAt = at + 16 * Math.ceil(d / 4);
    const workspace = gradientAt + 16 * Math.ceil(d / 4);
    const kernels = createNnKernels(workspace + model.workspaceBytes(batch));
    const network = model.bind(kernels, workspace, batch);
    const random = new RandomStream(5, 1000, 0);
    const parameters = model.initialParameters(3, new Float32Array(kernels.memory.buffer, at, d));
    // Far from the beginning, where attention is nearly even and norms do nothing.
    for (let k = 0; k < d; k++) parameters[k] = 3 * parameters[k] + 0.2 * (random.uniform() - 0.5);
    for (let k = 0; k < batch * options.context; k++) {
      network.images[k] = random.below(65);
      network.labels[k] = random.below(65);
    }
    const sent = { ...options, parameters: [...parameters], tokens: [...network.images], labels: [...network.labels] };
    const script = fileURLToPath(new URL("../../../../bench/pytorch/gpt.py", import.meta.url));
    const { stdout, stderr } = spawnSync(python as string, [script], {
      ...{ input: JSON.stringify(sent), encoding: "utf8", maxBuffer: 2 ** 26 },
    });
    expect(stderr).toBe("");
    const theirs = JSON.parse(stdout) as { readonly loss: number; readonly gradient: readonly number[] };
    const loss = network.lossAndGradient({ parameters: at, gradient: gradientAt, count: batch, seed: 0, round: 0 });
    expect(Math.abs(loss / theirs.loss - 1)).toBeLessThan(1e-5);
    const ours = new Float32Array(kernels.memory.buffer, gradientAt, d);
    const distance = Math.hypot(...ours.map((g, k) => g - theirs.gradient[k]));
    const norm = Math.hypot(...ours);
    expect(norm).toBeGreaterThan(0.1);
    expect(distance / norm).toBeLessThan(1e-4);
  },
  60_000,
);
