"""Open MPI's all-reduce beside its one-peer round, in turns, by mpi4py. Prints a JSON object: ms a round.

    mpirun -n RANKS python3 mpi.py FLOATS SECONDS
"""

import json
import sys
import time

import equitopo
import numpy
from mpi4py import MPI

floats, seconds = int(sys.argv[1]), float(sys.argv[2])
world = MPI.COMM_WORLD
rank, n = world.Get_rank(), world.Get_size()
x = numpy.random.default_rng(rank).standard_normal(floats).astype(numpy.float32)
y = numpy.empty_like(x)
topology = equitopo.od_equidyn(n)


def all_reduce(t):
    world.Allreduce(x, y)
    numpy.multiply(y, numpy.float32(1 / n), out=x)


def one_peer(t):
    _, ((source, _),), ((target, _),) = topology.peers(t, rank)
    world.Sendrecv(x, target, t % 30000, y, source, t % 30000)
    numpy.add(x, y, out=x)
    numpy.multiply(x, numpy.float32(0.5), out=x)


best = {"all_reduce": float("inf"), "one_peer": float("inf")}
count, begin = 0, time.monotonic()
while True:
    for way in (all_reduce, one_peer):
        world.Barrier()
        start = time.perf_counter()
        for _ in range(8):
            way(count)
            count += 1
        taken = world.allreduce(1e3 * (time.perf_counter() - start) / 8, op=MPI.MAX)
        best[way.__name__] = min(best[way.__name__], taken)
    if world.bcast(time.monotonic() - begin > seconds):
        break
if rank == 0:
    print(json.dumps(best))
