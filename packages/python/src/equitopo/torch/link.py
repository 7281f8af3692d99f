"""
Messages between the ranks of a process group, with names in their errors.

gloo is what the tests run. NCCL and MPI follow their documents and are **not tested**: NCCL gets one batch a round, because
a send and a receive on their own would make a communicator for every pair of ranks, and random graphs meet all pairs.
"""

from datetime import timedelta
from typing import Any, Dict, List, Optional, Tuple

import torch
import torch.distributed as dist

from ..errors import InputError

# Tags of gloo and MPI are nonnegative and below 2^31.
TAGS = 2**31


class PeerGone(RuntimeError):
    """A rank ended, or did not come to a round in time."""

    def __init__(self, ranks: Tuple[int, ...], message: str) -> None:
        super().__init__(message)
        self.ranks = ranks


#: A rank of the group, the vector from or to it, its tag, and whether it is sent.
Message = Tuple[int, torch.Tensor, int, bool]
Pending = List[Tuple[int, Any]]


class Link:
    """This rank's end of a process group."""

    def __init__(self, process_group: Any = None, timeout: Optional[float] = None) -> None:
        if not dist.is_initialized():
            raise InputError(
                "torch.distributed must be initialised first", "nothing", 'call dist.init_process_group("gloo")'
            )
        self.group = dist.group.WORLD if process_group is None else process_group
        self.rank = dist.get_rank(self.group)
        if self.rank < 0:
            raise InputError("this process must belong to the process group", "another group", "use a group that it is in")
        self.size = dist.get_world_size(self.group)
        self.backend = str(dist.get_backend(self.group))
        self.timeout = timeout
        if self.backend == "nccl":
            # A batch as a group's first call would have to be everybody's, and some rounds leave ranks idle.
            dist.barrier(group=self.group)

    def post(self, messages: List[Message]) -> Pending:
        """Starts all messages; a rank that is known to be gone already shows when they are waited for."""
        if self.backend == "nccl":
            operations = [
                dist.P2POp(dist.isend if sends else dist.irecv, vector, self.global_rank(rank), self.group)
                for rank, vector, _, sends in messages
            ]
            works = dist.batch_isend_irecv(operations) if operations else []
            return [(-1, work) for work in works]
        # What isend and irecv do behind their checks, which take longer than a small round.
        send, receive = self.group.send, self.group.recv
        pending: Pending = []
        for rank, vector, tag, sends in messages:
            try:
                work = (send if sends else receive)([vector], rank, tag)
            except RuntimeError as error:
                work = error
            pending.append((rank, work))
        return pending

    def global_rank(self, rank: int) -> int:
        """A rank of the group, as the default group numbers it."""
        return int(dist.distributed_c10d.get_global_rank(self.group, rank))

    def wait(self, pending: Pending) -> Dict[int, str]:
        """Waits for all of them. Whose connection failed, and what torch said."""
        failed: Dict[int, str] = {}
        for rank, work in pending:
            if isinstance(work, RuntimeError):
                failed[rank] = str(work)
                continue
            try:
                if self.timeout is None:
                    work.wait()
                else:
                    work.wait(timedelta(seconds=self.timeout))
            except RuntimeError as error:
                failed[rank] = str(error)
        return failed

    def explain(self, failed: Dict[int, str], where: Any) -> PeerGone:
        """The error of ranks that failed, in the round of that number or in something else."""
        where = f"round {where}" if isinstance(where, int) else where
        ranks = tuple(sorted(failed))
        # NCCL says of a batch only that it failed.
        who = "a rank" if ranks == (-1,) else f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {', '.join(map(str, ranks))}"
        if timed_out(failed):
            return PeerGone(
                ranks,
                f"{who} did not come to {where} in time (rank {self.rank} waited). Every rank must take the same number of "
                "steps: skip() takes part without a gradient, evenly(loader) cuts loaders to equal length. gloo has now "
                "closed this rank's connections: start again from a checkpoint.",
            )
        first = failed[ranks[0]].splitlines()[0]
        return PeerGone(
            ranks,
            f'{who} ended before {where} (rank {self.rank} was told: {first}). Start again from a checkpoint, or go on '
            'without: on_death="keep".',
        )


def timed_out(failed: Dict[int, str]) -> bool:
    """Whether these failed because this rank waited too long; gloo then closes all of its connections."""
    return any(word in text.lower() for text in failed.values() for word in ("timed out", "application timeout"))
