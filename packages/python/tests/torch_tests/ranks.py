"""Ranks for the tests: forked after torch is imported, which takes 0.3 s for what would take half a minute."""

import os
import pickle
import sys
import tempfile
import time
import traceback
from datetime import timedelta
from typing import Any, Callable, List, NamedTuple

import torch
import torch.distributed as dist

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
# Before the first computation: threads do not survive a fork.
torch.set_num_threads(1)


def run_ranks(n: int, program: Callable[..., Any], *arguments: Any, seconds: float = 30) -> List[Any]:
    """What program(rank, *arguments) returned at each of n gloo ranks; a Failed where it raised."""
    with tempfile.TemporaryDirectory() as folder:
        children = [_fork(n, rank, folder, program, arguments, seconds) for rank in range(n)]
        for pid in children:
            os.waitpid(pid, 0)
        return [_answer(os.path.join(folder, f"{rank}")) for rank in range(n)]


class Failed(NamedTuple):
    """What a rank raised; Died where it left no answer at all."""

    kind: str
    text: str
    seconds: float


def _answer(path: str) -> Any:
    if not os.path.exists(path):
        return Failed("Died", "", 0.0)
    with open(path, "rb") as file:
        return pickle.load(file)


def _fork(n: int, rank: int, folder: str, program: Callable[..., Any], arguments: Any, seconds: float) -> int:
    pid = os.fork()
    if pid != 0:
        return pid
    try:
        dist.init_process_group(
            "gloo", init_method=f"file://{folder}/store", rank=rank, world_size=n, timeout=timedelta(seconds=seconds)
        )
        start = time.monotonic()
        try:
            answer = program(rank, *arguments)
        except Exception as error:
            if os.environ.get("TRACE"):
                traceback.print_exc()
            answer = Failed(type(error).__name__, str(error), time.monotonic() - start)
        with open(os.path.join(folder, f"{rank}.new"), "wb") as file:
            pickle.dump(answer, file)
        os.rename(os.path.join(folder, f"{rank}.new"), os.path.join(folder, f"{rank}"))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(0)


def good(answers: List[Any]) -> List[Any]:
    """The answers, none of which may be a Failed."""
    for rank, answer in enumerate(answers):
        if isinstance(answer, Failed):
            raise AssertionError(f"rank {rank}: {answer.kind}: {answer.text}")
    return answers


def in_a_child(program: Callable[..., Any], *arguments: Any) -> Any:
    """What program(*arguments) returns in a process of its own: who has computed a gradient may not fork any more."""
    return good(run_ranks(1, lambda rank: program(*arguments)))[0]
