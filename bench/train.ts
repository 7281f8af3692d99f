/**
 * Claim: one training step (forward, backward, SGD) of the MNIST network at batch 64 and of ResNet-20 at batch 8 on one
 * thread, and a round of 17 replicas (batches, gradients, momentum, mixing) on all cores. The limit beside it, in the
 * same run: the multiplications of the step at the rate of a large matrix product. Where Debian's python3-torch is installed,
 * PyTorch with one thread does the same steps beside (with libopenblas0 beside it: on the reference BLAS its dense layers
 * are slow). --part peers does the real peers only, and --blocks 3 fewer of their blocks.
 */

import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import {
  classification,
  createNnKernels,
  type KnownLayer,
  type Model,
  mnistCnn,
  resNet20,
  type Shape,
} from "@equitopo/nn/internal";
import { threadPool } from "@equitopo/node";
import { createAlgorithm, createTopology, kernelMixer } from "equitopo";
import { createWorld, drive } from "equitopo/algorithm";
import type { Options, Report } from "./bench.ts";
import { best, milliseconds } from "./measure.ts";
import { productRate } from "./product-rate.ts";
import { trainPeers } from "./train-peers.ts";

const align = (bytes: number) => Math.ceil(bytes / 16) * 16;

/** Multiplications and additions of one image forward; backward takes twice as many, less the first layer's input. */
function products(specs: readonly KnownLayer[], input: Shape): { forward: number; step: number } {
  let forward = 0;
  let first = 0;
  const walk = (layers: readonly KnownLayer[], from: Shape): Shape => {
    let shape = from;
    for (const spec of layers) {
      const { height, width, channels } = shape;
      let count = 0;
      if (spec.kind === "residual") shape = walk(spec.layers, shape);
      else if (spec.kind === "dense") {
        count = height * width * channels * spec.units;
        shape = { height: 1, width: 1, channels: spec.units };
      } else if (spec.kind === "convolution") {
        const { kernel, stride = 1, pad = 0 } = spec;
        const side = (size: number) => Math.floor((size + 2 * pad - kernel) / stride) + 1;
        shape = { height: side(height), width: side(width), channels: spec.channels };
        count = shape.height * shape.width * spec.channels * kernel * kernel * channels;
      } else if (spec.kind === "max-pool") {
        shape = { ...shape, height: Math.floor(height / spec.size), width: Math.floor(width / spec.size) };
      } else if (spec.kind === "average-pool") shape = { height: 1, width: 1, channels };
      if (forward === 0) first = count;
      forward += count;
    }
    return shape;
  };
  walk(specs, input);
  return { forward, step: 3 * forward - first };
}

function step(model: Model, batch: number, repeats: number): number {
  const d = model.parameterCount;
  const [x, g, v] = [16, 16 + align(4 * d), 16 + 2 * align(4 * d)];
  const statistics = 16 + 3 * align(4 * d);
  const workspace = statistics + align(4 * model.statisticsCount);
  const kernels = createNnKernels(workspace + model.workspaceBytes(batch));
  const bound = model.bind(kernels, workspace, batch);
  model.initialParameters(1, new Float32Array(kernels.memory.buffer, x, d));
  model.initialStatistics(new Float32Array(kernels.memory.buffer, statistics, model.statisticsCount));
  for (let k = 0; k < bound.images.length; k++) bound.images[k] = ((k * 7919) % 1000) / 500 - 1;
  for (let k = 0; k < batch; k++) bound.labels[k] = k % model.classes;
  let round = 0;
  return best(repeats, () => {
    bound.lossAndGradient({ parameters: x, statistics, gradient: g, count: batch, seed: 1, round: round++ });
    kernels.call.sgd(x, g, v, d, 0.01, 0.5, 0);
  });
}

const python = `
import time, torch, torch.nn as nn, torch.nn.functional as F
torch.set_num_threads(1)
class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(1, 10, 5); self.b = nn.Conv2d(10, 20, 5); self.d = nn.Dropout2d()
        self.c = nn.Linear(320, 50); self.e = nn.Linear(50, 10)
    def forward(self, x):
        x = F.relu(F.max_pool2d(self.a(x), 2))
        x = F.relu(F.max_pool2d(self.d(self.b(x)), 2)).view(-1, 320)
        return self.e(F.dropout(F.relu(self.c(x)), training=self.training))
class Block(nn.Module):
    def __init__(self, i, o, s):
        super().__init__()
        self.a = nn.Conv2d(i, o, 3, s, 1, bias=False); self.p = nn.BatchNorm2d(o)
        self.b = nn.Conv2d(o, o, 3, 1, 1, bias=False); self.q = nn.BatchNorm2d(o)
        self.s = s; self.grow = (o - i) // 2
    def forward(self, x):
        y = self.q(self.b(F.relu(self.p(self.a(x)))))
        return F.relu(y + F.pad(x[:, :, ::self.s, ::self.s], (0, 0, 0, 0, self.grow, self.grow)))
def resnet():
    layers = [nn.Conv2d(3, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU()]
    i = 16
    for o in (16, 32, 64):
        for k in range(3):
            layers.append(Block(i, o, 2 if k == 0 and o > 16 else 1)); i = o
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))
def step(net, shape, repeats):
    optimiser = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.5)
    x = torch.randn(*shape); y = torch.arange(shape[0]) % 10
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        optimiser.zero_grad(); F.cross_entropy(net(x), y).backward(); optimiser.step()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)
print(step(Cnn(), (64, 1, 28, 28), 200), step(resnet(), (8, 3, 32, 32), 60))
`;

/** PyTorch's milliseconds for the two networks, or null where there is none. OpenBLAS is set to its widest kernels. */
function torch(): number[] | null {
  const env = { ...process.env, OPENBLAS_CORETYPE: "SKYLAKEX", OMP_NUM_THREADS: "1" };
  for (const command of ["/usr/bin/python3", "python3"]) {
    const run = spawnSync(command, ["-"], { input: python, encoding: "utf8", env });
    if (run.status === 0) return run.stdout.trim().split(" ").map(Number);
  }
  return null;
}

const n = 17;

/** A round of 17 replicas on so many threads: its milliseconds, and the memory that the problem takes. */
async function round(name: string, batch: number, threads: number): Promise<{ time: number; bytes: number }> {
  const before = process.memoryUsage().rss;
  const pool = threadPool(threads);
  const colour = name === "resnet20" ? { size: 32, channels: 3 } : {};
  const problem = classification(
    { n, data: { name: "synthetic", ...colour }, model: name, images: n * batch, tests: 17, batch, seed: 1 },
    { crew: pool },
  );
  const topology = createTopology({ name: "od-equidyn", n });
  const mixer = kernelMixer(n, "float32");
  const optimiser = createAlgorithm({ name: "dmsgd", momentum: 0.5, learningRate: 0.01 });
  const { learningRate } = optimiser;
  const world = createWorld({ topology, problem, learningRate, seed: 1, rows: (width) => mixer.rows(width) });
  const running = optimiser.start(world);
  let t = 0;
  const time = best(name === "resnet20" ? 3 : 12, () => {
    drive(running, t++, ({ vectors }, turn) => vectors.map((rows) => mixer.mix(topology.round(turn.round), rows)));
  });
  const bytes = process.memoryUsage().rss - before;
  await pool.close();
  return { time, bytes };
}

export default async function main(options: Options, report: Report): Promise<void> {
  if (options["part"] !== "peers") await trainHere(report);
  await trainPeers(Number(options["blocks"] ?? 5), report);
}

async function trainHere(report: Report): Promise<void> {
  const rate = productRate();
  const beside = torch();
  console.log(`product 384 x 384 x 384, plain wasm SIMD: ${rate.toFixed(1)} billion products a second`);
  const networks = [
    { title: "MNIST CNN, batch 64", model: mnistCnn(), batch: 64, repeats: 200 },
    { title: "ResNet-20, batch 8", model: resNet20(), batch: 8, repeats: 60 },
  ];
  const cores = availableParallelism();
  for (const [k, { title, model, batch, repeats }] of networks.entries()) {
    const count = batch * products(model.layers as readonly KnownLayer[], model.input).step;
    const time = step(model, batch, repeats);
    console.log(`${title}: ${(count / 1e6).toFixed(0)} million products`);
    console.log(`  one step            ${milliseconds(time)}   ${((1000 * batch) / time).toFixed(0)} images/s`);
    console.log(`  product limit       ${milliseconds(count / rate / 1e6)}`);
    const peer =
      beside === null ? "not installed" : `${milliseconds(beside[k])}   ratio ${(time / beside[k]).toFixed(2)}`;
    console.log(`  PyTorch, one thread ${peer}`);
    const all = await round(model.name, batch, cores);
    const images = `${((1000 * n * batch) / all.time).toFixed(0)} images/s`;
    console.log(
      `  17 replicas, ${cores} cores ${milliseconds(all.time)}   ${images}, ${(all.bytes / 1e6).toFixed(0)} MB`,
    );
    console.log(`  17 steps / ${cores} cores   ${milliseconds((n * time) / cores)}`);
    const other = beside === null ? {} : { beside: { what: "PyTorch, one thread", value: beside[k] } };
    report.figure({ name: `a training step, ${title}`, value: time, unit: "ms", ...other });
    report.figure({
      ...{ name: `a round of 17 replicas, ${title}, all cores`, value: all.time, unit: "ms" },
      beside: { what: "17 steps shared by the cores", value: (n * time) / cores },
    });
    const after = beside === null ? "not installed" : `${milliseconds(n * beside[k])}   one after another, one thread`;
    console.log(`  PyTorch, 17 steps   ${after}`);
  }
  if (beside === null) report.missing("PyTorch's steps", "python3 has no torch");
}
