/**
 * Claim: a training step (images, forward, backward, momentum, a gossip round) of ResNet-20 at batch 8 for 17 and for 136
 * replicas on one GPU, in float32, and where its time goes, kernel by kernel. Beside it, where PyTorch with CUDA is
 * installed: its vmap over 17 replicas. GPUs take tens of milliseconds of load to reach their clock: everything is run
 * for a while before it is timed.
 */

import { spawnSync } from "node:child_process";
import { Engine, type Gpu, NUMBERS, openDevice, Script, SLOTS } from "@equitopo/gpu";
import { type ClassificationOptions, prepareClassification } from "@equitopo/nn";
import { createAlgorithm, ring } from "equitopo";
import { milliseconds } from "./measure.ts";

const n = 17;

/** Multiply-adds of one image forward, times two operations, times forward, data and weight gradients. */
const OPERATIONS = 41e6 * 2 * 3;

interface Net {
  readonly title: string;
  readonly batch: number;
  readonly options: Omit<ClassificationOptions, "n" | "batch">;
  readonly operations: number;
}

const resnet: Net = {
  title: "ResNet-20",
  batch: 8,
  options: {
    data: { name: "synthetic", size: 32, channels: 3 },
    model: "resnet20",
    images: 400,
    tests: 17,
    weightDecay: 1e-4,
    augmentation: { pad: 4, flip: true },
  },
  operations: OPERATIONS,
};
const mnist: Net = {
  title: "MNIST CNN",
  batch: 64,
  options: { data: "synthetic", model: "mnist-cnn", images: 1088, tests: 17 },
  operations: 0.48e6 * 2 * 3,
};

async function stepOf(gpu: Gpu, { title, batch, options, operations }: Net, runs: number): Promise<void> {
  const begun = performance.now();
  const prepared = prepareClassification({ n, batch, ...options });
  const engine = await Engine.create({
    ...{ gpu, orders: n, lossRows: SLOTS, links: 2 * n * runs },
    runs: Array.from({ length: runs }, () => ({ prepared, order: 0 })),
  });
  const made = performance.now() - begun;
  const rows = new Float32Array(n * prepared.model.parameterCount);
  for (let k = 0; k < n; k++) rows.set(prepared.start.parameters, k * prepared.model.parameterCount);
  for (let run = 0; run < runs; run++) {
    engine.writeRows(engine.x, engine.stride, rows, prepared.model.parameterCount, run * n);
  }
  const order = new Uint32Array(SLOTS * n * batch).map((_, k) => k % 400);
  engine.writeOrder(order);
  engine.writeNumbers(new Float32Array(SLOTS * NUMBERS * runs).fill(1e-3));
  const replicas = n * runs;
  // One peer each: half of one's own row, half of another's.
  const span = new Uint32Array(2 * SLOTS * replicas).map((_, k) => (k % 2 === 0 ? k % (2 * replicas) : 2));
  const half = new Uint32Array(new Float32Array([0.5]).buffer)[0];
  const links = new Uint32Array(4 * replicas).map((_, k) =>
    k % 2 === 1 ? half : ((k >> 2) + ((k & 2) >> 1)) % replicas,
  );
  engine.writeLinks(span, links);
  engine.steps.write(Array.from({ length: SLOTS }, (_, slot) => ({ t: slot, count: batch, row: slot, momentum: 0.1 })));
  const script = new Script(createAlgorithm({ name: "dmsgd" }), ring({ n }));
  const step = await engine.iteration(script.iterate(0), new Set(Object.values(script.state())));
  const calls = Array.from({ length: SLOTS }, (_, slot) => [step, slot] as const);
  const time = async (handfuls: number) => {
    const start = performance.now();
    for (let k = 0; k < handfuls; k++) engine.submit(calls);
    await engine.idle();
    return (performance.now() - start) / (handfuls * SLOTS);
  };
  await time(4);
  await time(Math.ceil(40 / (await time(2))));
  const times: number[] = [];
  for (let k = 0; k < 5; k++) times.push(await time(6));
  const best = Math.min(...times);
  const rate = (operations * replicas * batch) / best / 1e9;
  const bytes = (engine.gpu.held ?? []).reduce((sum, { size }) => sum + size, 0);
  console.log(
    `${title}, batch ${batch}, ${replicas} replicas: made in ${(made / 1000).toFixed(1)} s, ${(bytes / 1e9).toFixed(2)} GB`,
  );
  console.log(
    `  one step   ${milliseconds(best)}   ${rate.toFixed(1)} TFLOP/s, ${((1000 * replicas * batch) / best).toFixed(0)} images/s`,
  );
  const shares = new Map<string, { count: number; nanoseconds: number }>();
  await time(2);
  for (const { label, nanoseconds } of await engine.profile(step)) {
    const sum = shares.get(label) ?? { count: 0, nanoseconds: 0 };
    shares.set(label, { count: sum.count + 1, nanoseconds: sum.nanoseconds + nanoseconds });
  }
  const all = [...shares.values()].reduce((sum, { nanoseconds }) => sum + nanoseconds, 0);
  for (const [label, { count, nanoseconds }] of [...shares].sort((a, b) => b[1].nanoseconds - a[1].nanoseconds)) {
    const each = (nanoseconds / count / 1000).toFixed(0).padStart(6);
    console.log(
      `  ${label.padEnd(34)}${String(count).padStart(3)} x ${each} us  ${((100 * nanoseconds) / all).toFixed(1).padStart(5)}%`,
    );
  }
  engine.close();
}

/** PyTorch's vmap over the replicas of one row, in ms a step; null where there is no PyTorch with CUDA. */
function torch(): number | null {
  const run = spawnSync("python3", ["-"], { input: python, encoding: "utf8" });
  return run.status === 0 ? Number(run.stdout.trim()) : null;
}

const python = `
import time, torch, torch.nn as nn, torch.nn.functional as F
from torch.func import functional_call, grad, stack_module_state, vmap
assert torch.cuda.is_available()
def norm(c): return nn.BatchNorm2d(c, track_running_stats=False)
class Block(nn.Module):
    def __init__(self, i, o, s):
        super().__init__()
        self.a = nn.Conv2d(i, o, 3, s, 1, bias=False); self.p = norm(o)
        self.b = nn.Conv2d(o, o, 3, 1, 1, bias=False); self.q = norm(o)
        self.s = s; self.grow = (o - i) // 2
    def forward(self, x):
        y = self.q(self.b(F.relu(self.p(self.a(x)))))
        return F.relu(y + F.pad(x[:, :, ::self.s, ::self.s], (0, 0, 0, 0, self.grow, self.grow)))
def resnet():
    layers = [nn.Conv2d(3, 16, 3, 1, 1, bias=False), norm(16), nn.ReLU()]
    i = 16
    for o in (16, 32, 64):
        for k in range(3):
            layers.append(Block(i, o, 2 if k == 0 and o > 16 else 1)); i = o
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))
n = 17
models = [resnet().cuda() for _ in range(n)]
params, buffers = stack_module_state(models)
base = models[0]
def loss(p, x, y): return F.cross_entropy(functional_call(base, p, (x,)), y)
x = torch.randn(n, 8, 3, 32, 32, device="cuda"); y = torch.randint(0, 10, (n, 8), device="cuda")
momentum = {k: torch.zeros_like(v) for k, v in params.items()}
def step():
    g = vmap(grad(loss))(params, x, y)
    for k in params:
        momentum[k].mul_(0.9).add_(g[k])
        ahead = params[k] - 1e-3 * momentum[k]
        params[k] = 0.5 * ahead + 0.5 * ahead.roll(1, 0)
for _ in range(10): step()
torch.cuda.synchronize()
times = []
for _ in range(3):
    start = time.perf_counter()
    for _ in range(20): step()
    torch.cuda.synchronize(); times.append((time.perf_counter() - start) / 20)
print(1000 * min(times))
`;

export default async function main(): Promise<void> {
  const gpu = await openDevice(process.env["EQUITOPO_DEVICE"] ?? "gpu", { checked: false });
  console.log(gpu.name);
  for (const runs of [1, 8]) await stepOf(gpu, resnet, runs);
  await stepOf(gpu, mnist, 64);
  const beside = torch();
  console.log(
    `PyTorch, vmap over 17 replicas of ResNet-20: ${beside === null ? "not installed" : milliseconds(beside)}`,
  );
  gpu.device.destroy();
}
