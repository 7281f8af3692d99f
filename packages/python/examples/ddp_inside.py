"""
Two levels: DistributedDataParallel averages gradients inside a machine, and machines mix their models over a topology.

    python3 -m equitopo.torch.launch 8 ddp_inside.py --machine 2

All ranks of a machine hold the same model, so each mixes with its like on other machines, over a group of its own.
"""

import argparse

import equitopo
import torch
import torch.distributed as dist
from equitopo.torch import DecentralizedOptimizer, consensus_distance
from mnist import accuracy, mnist, network

parser = argparse.ArgumentParser()
parser.add_argument("--machine", type=int, default=2, help="ranks of a machine")
parser.add_argument("--steps", type=int, default=120)
options = parser.parse_args()

dist.init_process_group("gloo")
rank, n, size = dist.get_rank(), dist.get_world_size(), options.machine
machines = n // size
# Every rank makes all groups, its own and the others'.
inside = [dist.new_group(range(m * size, (m + 1) * size)) for m in range(machines)][rank // size]
across = [dist.new_group(range(k, n, size)) for k in range(size)][rank % size]

torch.manual_seed(1)
model = network()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.5)
optimizer = DecentralizedOptimizer(optimizer, equitopo.one_peer_exp(machines), process_group=across)
parallel = torch.nn.parallel.DistributedDataParallel(model, process_group=inside)

(images, labels), tests = mnist(8000, 2000)
torch.manual_seed(100 + rank)
for step in range(options.steps):
    batch = torch.randint(rank * len(labels) // n, (rank + 1) * len(labels) // n, (64,))
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(parallel(images[batch]), labels[batch]).backward()
    optimizer.step()

within, apart = consensus_distance(model, inside), consensus_distance(model)
if rank == 0:
    right = accuracy(model, tests)
    print(f"right on {right:.2%}; models apart by {apart:.4f} between machines, {within:.4f} inside one")
