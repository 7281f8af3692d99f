"""
MNIST by decentralised SGD: each rank trains on its own share, and after every step mixes with one other rank.

    python3 -m equitopo.torch.launch 4 mnist_dsgd.py
    torchrun --nproc_per_node 4 mnist_dsgd.py

Beside plain PyTorch there are three lines: the process group, the import, and the wrapped optimiser.
"""

import argparse
import json
import time

import equitopo
import torch
import torch.distributed as dist
from equitopo.torch import DecentralizedOptimizer, consensus_distance, mean_of
from mnist import accuracy, mnist, network

parser = argparse.ArgumentParser()
parser.add_argument("--topology", default="ou-equidyn", choices=["ou-equidyn", "od-equidyn", "alone"])
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--rate", type=float, help="default 0.01 for each rank")
parser.add_argument("--momentum", type=float, default=0.5)
parser.add_argument("--dropout", type=float, default=0.5)
parser.add_argument("--images", type=int, default=60_000)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--json", action="store_true")
options = parser.parse_args()

dist.init_process_group("gloo")
rank, n = dist.get_rank(), dist.get_world_size()
torch.manual_seed(options.seed)
model = network(options.dropout)
optimizer = torch.optim.SGD(model.parameters(), lr=options.rate or 0.01 * n, momentum=options.momentum)
if options.topology != "alone":
    make = {"ou-equidyn": lambda n: equitopo.ou_equidyn(n, construction="euclid"), "od-equidyn": equitopo.od_equidyn}
    optimizer = DecentralizedOptimizer(optimizer, make[options.topology](n))

(images, labels), tests = mnist(options.images)
# A random share for each rank, all equal, so that all ranks make the same number of steps.
share = len(labels) // n
own = torch.randperm(len(labels), generator=torch.Generator().manual_seed(options.seed))[rank * share : (rank + 1) * share]
images, labels = images[own], labels[own]

torch.manual_seed(100 * options.seed + rank)
seconds = 0.0
for epoch in range(options.epochs):
    start = time.monotonic()
    for batch in torch.randperm(share).split(options.batch):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images[batch]), labels[batch]).backward()
        optimizer.step()
    dist.barrier()
    seconds += time.monotonic() - start

apart = consensus_distance(model)
mean = network()
mean.load_state_dict(mean_of(model))
if rank == 0:
    right = accuracy(mean, tests)
    if options.json:
        print(json.dumps({"accuracy": right, "apart": apart, "seconds": seconds, "images": options.epochs * share * n}))
    else:
        print(f"mean model right on {right:.2%} of {len(tests[1])} images, models apart by {apart:.4f}, {seconds:.1f} s")
