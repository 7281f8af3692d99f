"""
A round over gloo beside its bare messages and beside all_reduce, in turns. Prints a JSON object: ms a round.

    python3 -m equitopo.torch.launch RANKS rounds.py FLOATS SECONDS
"""

import json
import sys

import equitopo
import torch
import torch.distributed as dist
from equitopo.torch import Mixer
from measured import best_of

floats, seconds = int(sys.argv[1]), float(sys.argv[2])
dist.init_process_group("gloo")
rank, n = dist.get_rank(), dist.get_world_size()
x = torch.randn(floats)
inbox = torch.empty_like(x)


def bare(topology):
    """The same messages into a buffer that is ready, and nothing else; who talks to whom is known before."""
    known = [topology.peers(t, rank) for t in range(1000)]

    def round(t):
        _, sources, targets = known[t % len(known)]
        works = [dist.isend(x, j, tag=t) for j, _ in targets] + [dist.irecv(inbox, j, tag=t) for j, _ in sources]
        for work in works:
            work.wait()

    return round


def gossip(topology):
    mixer = Mixer(topology)
    return lambda t: mixer.mix(t, x)


def all_reduce(t):
    dist.all_reduce(x)
    x.div_(n)


topologies = {"OD": equitopo.od_equidyn(n), "OU": equitopo.ou_equidyn(n, construction="euclid")}
ways = {f"{name} {what.__name__}": what(topology) for name, topology in topologies.items() for what in (bare, gossip)}
best = best_of({**ways, "all_reduce": all_reduce}, seconds)
if rank == 0:
    print(json.dumps(best))
dist.barrier()
