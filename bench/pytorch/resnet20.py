"""ResNet-20 on CIFAR-10 in PyTorch: what `equitopo reproduce cifar10` calls centralised SGD, protocol corrected.

One model, 17 groups of 8 images a step, batch norm over each group (what 17 nodes with exact averaging compute), shares of
the data that stay, momentum 0.9, weight decay 1e-4, the same rates, crops and flips. After an epoch the model is tried on
the whole test set, with batch-norm statistics that are means over the first 16 batches of all groups, cropped and flipped
as in training (packages/nn/src/classification/evaluation.ts); --statistics tries other ways to come by them, too.

    python3 resnet20.py --data DIR --seeds 1 2 3 --out pytorch.json
    equitopo reproduce cifar10 ... --against pytorch.json

DIR holds data_batch_1.bin to data_batch_5.bin and test_batch.bin. Seeds are trained side by side, each a CUDA graph on a
stream of its own.
"""

import argparse, json, math, time
import numpy as np
import torch
import torch.nn.functional as F

GROUPS, BATCH, ESTIMATE = 17, 8, 16
MEAN = torch.tensor([0.4914, 0.4822, 0.4465], device="cuda").view(1, 3, 1, 1)
DEVIATION = torch.tensor([0.2023, 0.1994, 0.201], device="cuda").view(1, 3, 1, 1)


def read(folder, names):
    records = np.concatenate([np.fromfile(f"{folder}/{name}.bin", np.uint8).reshape(-1, 3073) for name in names])
    images = torch.from_numpy(records[:, 1:].reshape(-1, 3, 32, 32).copy()).cuda()
    return images, torch.from_numpy(records[:, 0].astype(np.int64)).cuda()


def normalised(images):
    return (images.float() / 255 - MEAN) / DEVIATION


def rate(t, epoch_steps):
    epoch = t // epoch_steps
    if epoch < 5:
        return 0.1 * (1 + (GROUPS / 10 - 1) * (t + 1) / (5 * epoch_steps))
    return 0.01 * GROUPS * (1 if epoch < 50 else 0.1 if epoch < 100 else 0.01 if epoch < 120 else 0.001)


class Network:
    """Layers 0 .. 18 are convolutions, each with its norm; then a dense layer."""

    def __init__(self, generator):
        widths = [(3, 16)] + [(16, 16)] * 6 + [(16, 32)] + [(32, 32)] * 5 + [(32, 64)] + [(64, 64)] * 5
        normal = lambda *shape: torch.randn(*shape, generator=generator, device="cuda")
        self.parameters = []
        for inputs, outputs in widths:
            self.parameters += [
                normal(outputs, inputs, 3, 3) * math.sqrt(2 / (9 * inputs)),
                torch.ones(outputs, device="cuda"),
                torch.zeros(outputs, device="cuda"),
            ]
        self.parameters += [normal(10, 64) * math.sqrt(2 / 64), torch.zeros(10, device="cuda")]
        for parameter in self.parameters:
            parameter.requires_grad_()
        self.channels = [outputs for _, outputs in widths]

    def statistics(self, groups):
        """Running means and variances of every norm, for each group."""
        return [(torch.zeros(groups * c, device="cuda"), torch.ones(groups * c, device="cuda")) for c in self.channels]

    def forward(self, x, statistics, groups=0, momentum=0.0):
        """Image j of group g is number j * groups + g of the batch. No groups: evaluation by the statistics."""

        def layer(k, x, stride=1):
            weight, gamma, beta = self.parameters[3 * k : 3 * k + 3]
            y = F.conv2d(x, weight, stride=stride, padding=1)
            mean, variance = statistics[k]
            if groups == 0:
                return F.batch_norm(y, mean, variance, gamma, beta)
            apart = y.view(-1, groups * y.shape[1], *y.shape[2:])
            apart = F.batch_norm(apart, mean, variance, gamma.repeat(groups), beta.repeat(groups), True, momentum)
            return apart.view_as(y)

        x = F.relu(layer(0, x))
        for block in range(9):
            stride = 2 if block in (3, 6) else 1
            y = layer(2 * block + 2, F.relu(layer(2 * block + 1, x, stride)))
            if stride == 2:
                half = x.shape[1] // 2
                x = F.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, half, half))
            x = F.relu(y + x)
        return F.linear(x.mean((2, 3)), *self.parameters[-2:])


class Training:
    def __init__(self, seed, train, test):
        self.generator = torch.Generator("cuda")
        self.generator.manual_seed(seed)
        self.train, self.test = train, test
        self.network = Network(self.generator)
        self.running = self.network.statistics(GROUPS)
        self.momenta = [torch.zeros_like(p) for p in self.network.parameters]
        order = torch.randperm(len(train[1]), generator=self.generator, device="cuda")
        self.images = -(-len(order) // GROUPS)
        self.shares = torch.cat([order, order[: self.images * GROUPS - len(order)]]).view(self.images, GROUPS).T
        self.steps = -(-self.images // BATCH)
        self.stream = torch.cuda.Stream()
        # What the graphs read: a whole epoch's images, shifts, flips and rates, and where in it the next step begins.
        total = self.images * GROUPS
        self.order = torch.zeros(total, dtype=torch.int64, device="cuda")
        self.shift = torch.zeros(total, 2, dtype=torch.int64, device="cuda")
        self.flip = torch.zeros(total, dtype=torch.bool, device="cuda")
        self.rates = torch.zeros(self.steps, device="cuda")
        self.at = torch.zeros(1, dtype=torch.int64, device="cuda")
        self.loss = torch.zeros((), device="cuda")
        self.prepare(0)
        self.first = (self.order[: ESTIMATE * BATCH * GROUPS].clone(), self.shift.clone(), self.flip.clone())
        last = self.images - (self.steps - 1) * BATCH
        self.graphs = {count: self.capture(count) for count in (BATCH, last)}

    def prepare(self, epoch, speed=1):
        draw = lambda *shape: torch.rand(*shape, generator=self.generator, device="cuda")
        mixed = torch.gather(self.shares, 1, draw(GROUPS, self.images).argsort(1))
        self.order.copy_(mixed.T.reshape(-1))
        self.shift.copy_((draw(*self.shift.shape) * 9).long() - 4)
        self.flip.copy_(draw(*self.flip.shape) < 0.5)
        self.rates.copy_(torch.tensor([rate(speed * (epoch * self.steps + t), self.steps) for t in range(self.steps)]))
        self.at.zero_()
        self.loss.zero_()

    def augmented(self, index, shift, flip):
        black = F.pad(self.train[0][index], (4, 4, 4, 4))
        line = torch.arange(32, device="cuda")
        column = torch.where(flip[:, None], 31 - line, line) + shift[:, 1:] + 4
        rows = line + shift[:, :1] + 4
        image = torch.arange(len(index), device="cuda").view(-1, 1, 1, 1)
        channel = torch.arange(3, device="cuda").view(1, 3, 1, 1)
        return normalised(black[image, channel, rows[:, None, :, None], column[:, None, None, :]])

    def step(self, count):
        chosen = self.at * (BATCH * GROUPS) + torch.arange(count * GROUPS, device="cuda")
        index = self.order[chosen]
        x = self.augmented(index, self.shift[chosen], self.flip[chosen])
        loss = F.cross_entropy(self.network.forward(x, self.running, GROUPS, 0.1), self.train[1][index])
        gradients = torch.autograd.grad(loss, self.network.parameters)
        with torch.no_grad():
            torch._foreach_mul_(self.momenta, 0.9)
            torch._foreach_add_(self.momenta, gradients)
            torch._foreach_add_(self.momenta, self.network.parameters, alpha=1e-4)
            rate_now = self.rates[self.at]
            torch._foreach_sub_(self.network.parameters, [rate_now * m for m in self.momenta])
            self.loss += loss
            self.at += 1

    def capture(self, count):
        """The step as a graph; what warming up changes is put back."""
        state = [*self.network.parameters, *self.momenta, *[s for pair in self.running for s in pair], self.at, self.loss]
        kept = [tensor.detach().clone() for tensor in state]
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            for _ in range(3):
                self.step(count)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self.stream):
            self.step(count)
        with torch.no_grad():
            for tensor, old in zip(state, kept):
                tensor.copy_(old)
        torch.cuda.synchronize()
        return graph

    def replay(self, step):
        count = min(BATCH, self.images - step * BATCH)
        with torch.cuda.stream(self.stream):
            self.graphs[count].replay()

    @torch.no_grad()
    def estimated(self, crops=True, whole=False):
        """Statistics of the first batches: means over groups of 8, or of all these images as one batch."""
        order, shift, flip = self.first
        size = BATCH * GROUPS * (ESTIMATE if whole else 1)
        statistics = self.network.statistics(1 if whole else GROUPS)
        for k, index in enumerate(order.split(size)):
            part = slice(k * size, k * size + len(index))
            x = self.augmented(index, shift[part], flip[part]) if crops else normalised(self.train[0][index])
            self.network.forward(x, statistics, 1 if whole else GROUPS, 1 / (k + 1))
        return statistics if whole else mean(statistics)

    @torch.no_grad()
    def accuracy(self, statistics, index):
        right = sum(
            (self.network.forward(normalised(self.test[0][part]), statistics).argmax(1) == self.test[1][part]).sum()
            for part in index.split(1000)
        )
        return 100 * right.item() / len(index)

    def tried(self, readings):
        everything = torch.arange(len(self.test[1]), device="cuda")
        found = {"averaged": self.accuracy(self.estimated(), everything)}
        if readings:
            found["without crops"] = self.accuracy(self.estimated(crops=False), everything)
            found["as one batch"] = self.accuracy(self.estimated(whole=True), everything)
            found["as one batch, without crops"] = self.accuracy(self.estimated(crops=False, whole=True), everything)
            found["mean of running"] = self.accuracy(mean(self.running), everything)
            of = lambda values, g: [(m.view(GROUPS, -1)[g], v.view(GROUPS, -1)[g]) for m, v in values]
            shares = [self.accuracy(of(self.running, g), everything[g::GROUPS]) for g in range(GROUPS)]
            found["running, own share"] = sum(shares) / GROUPS
        return found


def mean(statistics):
    return [(m.view(GROUPS, -1).mean(0), v.view(GROUPS, -1).mean(0)) for m, v in statistics]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--epochs", type=int, default=130)
    parser.add_argument("--speed", type=int, default=1, help="so many times as fast a course of rates, for a first look")
    parser.add_argument("--statistics", action="store_true")
    parser.add_argument("--out")
    options = parser.parse_args()
    torch.backends.cudnn.benchmark = True
    started = time.time()
    train = read(options.data, [f"data_batch_{k}" for k in range(1, 6)])
    test = read(options.data, ["test_batch"])
    runs = {seed: Training(seed, train, test) for seed in options.seeds}
    records = {seed: [] for seed in runs}
    print(f"ready after {time.time() - started:.0f} s", flush=True)
    steps = next(iter(runs.values())).steps
    for epoch in range(options.epochs):
        began = time.time()
        for run in runs.values():
            run.prepare(epoch, options.speed)
        torch.cuda.synchronize()
        for step in range(steps):
            for run in runs.values():
                run.replay(step)
        torch.cuda.synchronize()
        spent = time.time() - began
        if epoch % 10 != 9 and epoch < options.epochs - 5:
            continue
        for seed, run in runs.items():
            record = {"epoch": epoch + 1, "trainLoss": run.loss.item() / steps, **run.tried(options.statistics)}
            records[seed].append(record)
            print(seed, " ".join(f"{k} {v:.4g}" for k, v in record.items()), f"{1e3 * spent / steps:.2f} ms/step", flush=True)
    last = {seed: [r for r in of if r["epoch"] > options.epochs - 5] for seed, of in records.items()}
    over = lambda seed, name: sum(r[name] for r in last[seed]) / len(last[seed])
    result = {
        "what": "PyTorch, one model, batch norm over groups of 8",
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name(),
        "epochs": options.epochs,
        "seconds": round(time.time() - started, 1),
        "seeds": options.seeds,
        "accuracies": [over(seed, "averaged") for seed in options.seeds],
        "trainLosses": [records[seed][-1]["trainLoss"] for seed in options.seeds],
    }
    for name in list(last[options.seeds[0]][0])[2:]:
        print(name.ljust(30), " ".join(f"{over(seed, name):.2f}" for seed in options.seeds))
    print(json.dumps(result))
    if options.out:
        with open(options.out, "w") as file:
            json.dump(result, file)


main()
