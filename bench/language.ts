/**
 * Claim: tokens per second of a small GPT in training (4 layers of 128, 4 heads, context 64, batch 12, 65 characters) on one
 * core: windows drawn, forward, backward and AdamW, as a run does them. Beside it, taken in turn in the same run, PyTorch
 * with one thread (where python3 has torch; OpenBLAS set to its widest kernels), and the limit: the products of the step at
 * the rate of a 384 x 384 x 384 product.
 */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { language } from "@equitopo/nn";
import { createAlgorithm, createTopology, kernelMixer } from "equitopo";
import { createWorld, drive } from "equitopo/algorithm";
import type { Options, Report } from "./bench.ts";
import { best, milliseconds } from "./measure.ts";
import { productRate } from "./product-rate.ts";

const size = { layers: 4, heads: 4, width: 128, context: 64 };
const batch = 12;
const tokens = batch * size.context;

/** Turns of each side, and steps in each. */
const turns = 4;
const steps = 15;

/** A text of 65 characters: what they are does not matter for the speed. */
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 \n.";

const text = new TextEncoder().encode(
  Array.from({ length: 50_000 }, (_, k) => letters[(k * k + 7 * k) % 65] + letters[k % 65]).join(""),
);

/** Multiplications and additions of a step, in pairs: every weight three times for each token, and attention's lower half. */
function products(parameters: number): number {
  const { layers, width, context } = size;
  const attention = layers * context * width; // a query with half of the keys, twice
  return 3 * tokens * (parameters - context * width + attention);
}

/** A function that does one step of one node, and how many parameters it has. */
function trainer() {
  const files = { has: () => true, read: () => text, list: (name: string) => (name === "" ? ["text"] : []) };
  const problem = language({ n: 1, data: "text", model: { name: "gpt", ...size }, batch, seed: 1 }, { files });
  const topology = createTopology({ name: "complete", n: 1 });
  const mixer = kernelMixer(1, "float32");
  const algorithm = createAlgorithm({ name: "local-adamw", learningRate: 0.001 }, problem);
  const { learningRate } = algorithm;
  const world = createWorld({ topology, problem, learningRate, seed: 1, rows: (width) => mixer.rows(width) });
  const running = algorithm.start(world);
  let t = 0;
  const step = () =>
    drive(running, t++, ({ vectors }, turn) => vectors.map((rows) => mixer.mix(topology.round(turn.round), rows)));
  return { step, parameters: problem.d };
}

/** PyTorch's milliseconds for a step, or undefined where there is none. */
function torch(parameters: number): number | undefined {
  const env = { ...process.env, OPENBLAS_CORETYPE: "SKYLAKEX", OMP_NUM_THREADS: "1" };
  const list = (count: number) => Array.from({ length: count }, (_, k) => (k * 7919) % 65);
  const given = { ...size, vocabulary: 65, tokens: list(tokens), labels: list(tokens + 1).slice(1), repeats: steps };
  const noise = Array.from({ length: parameters }, (_, k) => (((k * 7919) % 1000) / 500 - 1) / 40);
  const input = JSON.stringify({ ...given, parameters: noise, adamw: true });
  const script = fileURLToPath(new URL("../pytorch/gpt.py", import.meta.url));
  for (const command of ["/usr/bin/python3", "python3"]) {
    const run = spawnSync(command, [script], { input, encoding: "utf8", env, maxBuffer: 2 ** 26 });
    if (run.status === 0) return 1000 * (JSON.parse(run.stdout) as { readonly seconds: number }).seconds;
  }
  return undefined;
}

export default function main(_: Options, report: Report): void {
  const { step, parameters } = trainer();
  let [ours, rate] = [Number.POSITIVE_INFINITY, 0];
  let theirs: number | undefined;
  for (let turn = 0; turn < turns; turn++) {
    rate = Math.max(rate, productRate());
    ours = Math.min(ours, best(steps, step));
    const found = torch(parameters);
    theirs = found === undefined ? theirs : Math.min(theirs ?? found, found);
  }
  const count = products(parameters);
  const limit = count / rate / 1e6;
  const perSecond = (time: number) => (1000 * tokens) / time;
  const line = (what: string, time: number) =>
    console.log(`  ${what.padEnd(20)}${milliseconds(time)}   ${perSecond(time).toFixed(0)} tokens/s`);
  console.log(
    `GPT, ${parameters} parameters, batch ${batch} x ${size.context}: ${(count / 1e6).toFixed(0)} million products`,
  );
  line("one step", ours);
  line("product limit", limit);
  console.log(`  share of the limit  ${(limit / ours).toFixed(2)}`);
  const name = "training of a GPT of 4 x 128, one core";
  const figure = { value: perSecond(ours), unit: "tokens/s", more: true } as const;
  report.figure({ name, ...figure, beside: { what: "products alone", value: perSecond(limit) } });
  if (theirs === undefined) {
    report.missing("PyTorch's step", "python3 has no torch");
    console.log("  PyTorch: not measured, python3 has no torch here.");
    return;
  }
  line("PyTorch, one thread", theirs);
  console.log(`  ours / PyTorch's    ${(theirs / ours).toFixed(2)} of its tokens/s`);
  report.figure({
    name: `${name}, and PyTorch`,
    ...figure,
    beside: { what: "PyTorch, one thread", value: perSecond(theirs) },
  });
}
