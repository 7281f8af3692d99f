"""
A training step without exchange, with one after it, with one that overlaps the gradient, and the transfer alone, in turns.
Prints a JSON object: ms a step. An MLP of 999,900 parameters, batch 64.

    python3 -m equitopo.torch.launch RANKS overlap.py SECONDS
"""

import json
import sys

import equitopo
import torch
import torch.distributed as dist
from equitopo.torch import DecentralizedOptimizer, Mixer
from measured import best_of

dist.init_process_group("gloo")
rank, n = dist.get_rank(), dist.get_world_size()
topology = equitopo.od_equidyn(n)


def step(wrap):
    torch.manual_seed(1)
    layers = [torch.nn.Linear(784, 780), torch.nn.ReLU(), torch.nn.Linear(780, 490), torch.nn.ReLU(), torch.nn.Linear(490, 10)]
    model = torch.nn.Sequential(*layers)
    optimizer = wrap(torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9))
    x, y = torch.randn(64, 784), torch.randint(0, 10, (64,))

    def way(t):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()

    way.parameters = sum(p.numel() for p in model.parameters())
    return way


alone = step(lambda optimizer: optimizer)
after = step(lambda optimizer: DecentralizedOptimizer(optimizer, topology))
overlapped = step(lambda optimizer: DecentralizedOptimizer(optimizer, topology, order="combine-then-adapt"))
mixer, x = Mixer(topology), torch.randn(alone.parameters)
ways = {"alone": alone, "transfer": lambda t: mixer.mix(t, x), "after": after, "overlapped": overlapped}
best = best_of(ways, float(sys.argv[1]), 6)
if rank == 0:
    print(json.dumps({"parameters": alone.parameters, **best}))
dist.barrier()
