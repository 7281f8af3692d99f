"""
Starts a script on n ranks of this machine, as torchrun does, forked after torch is imported: 17 ranks are there in a third of
a second, where importing torch 17 times takes half a minute on two cores.

    python3 -m equitopo.torch.launch 4 train.py --epochs 3

RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT are set for `dist.init_process_group("gloo")`. For CPUs; where there are GPUs or
several machines, take torchrun, Slurm or mpirun.
"""

import os
import runpy
import signal
import socket
import sys
import traceback
from typing import Dict, List

import torch

from ..errors import InputError


def launch(n: int, words: List[str]) -> int:
    """Runs the script with its arguments on n ranks. The first failure ends the others, and its status is returned."""
    port = free_port()
    # Each rank its own thread, if nobody said otherwise, and before the first computation: threads do not survive a fork.
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    ranks: Dict[int, int] = {}
    for rank in range(n):
        pid = os.fork()
        if pid == 0:
            _run(rank, n, port, words)
        ranks[pid] = rank
    failed = 0
    while ranks:
        pid, status = os.wait()
        rank = ranks.pop(pid, -1)
        if status != 0 and failed == 0:
            failed = os.waitstatus_to_exitcode(status)
            print(f"rank {rank} ended with {failed}; the others are ended, too", file=sys.stderr)
            for other in ranks:
                os.kill(other, signal.SIGTERM)
    return 1 if failed < 0 else failed


def _run(rank: int, n: int, port: int, words: List[str]) -> None:
    status = 1
    try:
        os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(n))
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
        sys.argv = words
        sys.path.insert(0, os.path.dirname(os.path.abspath(words[0])))
        runpy.run_path(words[0], run_name="__main__")
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def free_port() -> int:
    """A port below those that the system hands out by itself: gloo's own sockets take one of these now and then."""
    for port in range(20000 + os.getpid() % 5000, 32000):
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise InputError("a port from 20000 to 32000 must be free", "none", "end what holds them")


def main(words: List[str]) -> int:
    if len(words) < 2 or not words[0].isdigit() or int(words[0]) < 1:
        print("usage: python3 -m equitopo.torch.launch RANKS SCRIPT [ARGUMENTS]", file=sys.stderr)
        return 2
    return launch(int(words[0]), words[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
