"""
The exact mean of all ranks, added up in the order of ranks: the same bits on every rank, and those of the library's `complete`.

Each rank adds up one slice of the vector and hands the result round, so that a mean costs 2 (n - 1)/n vectors a rank.
"""

import math
from typing import Any, Dict, List, Optional, Sequence, Union

import torch
import torch.distributed as dist

from ..errors import InputError
from .agree import agree
from .combine import ordered_mean
from .link import TAGS, Link, Message

# Beyond the tags of rounds (mixer.py).
TAG = TAGS - 1

Source = Union[torch.Tensor, torch.nn.Module]


def mean_among(link: Link, ranks: Sequence[int], x: torch.Tensor, keep: float = 0.0, where: Any = "a mean") -> None:
    """x becomes keep x + (1 - keep) mean over these ranks, of which this one is one; all have x's length."""
    me = list(ranks).index(link.rank)
    count = len(ranks)
    bounds = [x.numel() * k // count for k in range(count + 1)]
    slices = [slice(a, b) for a, b in zip(bounds, bounds[1:])]
    others = [k for k in range(count) if k != me]
    mine = x[slices[me]]
    rows = [mine if k == me else torch.empty_like(mine) for k in range(count)]
    _exchange(link, ranks, where, {k: x[slices[k]] for k in others}, {k: rows[k] for k in others})
    own = ordered_mean(rows)
    mean = torch.empty_like(x, dtype=own.dtype if keep else x.dtype)
    own = own.to(mean.dtype)
    mean[slices[me]] = own
    _exchange(link, ranks, where, {k: own for k in others}, {k: mean[slices[k]] for k in others})
    x.copy_(x.to(mean.dtype) * keep + mean * (1 - keep) if keep else mean)


def _exchange(
    link: Link, ranks: Sequence[int], where: Any, out: Dict[int, torch.Tensor], into: Dict[int, torch.Tensor]
) -> None:
    messages: List[Message] = [(ranks[k], v, TAG, False) for k, v in into.items() if v.numel() > 0]
    messages += [(ranks[k], v, TAG, True) for k, v in out.items() if v.numel() > 0]
    failed = link.wait(link.post(messages))
    if failed:
        raise link.explain(failed, where)


def mean_of(source: Source, process_group: Any = None) -> Any:
    """The mean over all ranks: of a tensor a new tensor; of a module its parameters' means by name.

    Every rank gets the same bits. A module's means are for `load_state_dict(means, strict=False)` of the model that is to be
    evaluated or saved; buffers (BatchNorm) stay each rank's own, see `estimate_batch_norm`.
    """
    link = Link(process_group)
    if isinstance(source, torch.Tensor):
        return _means(link, [source])[0]
    names, tensors = zip(*source.named_parameters())
    return dict(zip(names, _means(link, tensors)))


def _means(link: Link, tensors: Sequence[torch.Tensor]) -> List[torch.Tensor]:
    copies = [tensor.detach().clone().contiguous() for tensor in tensors]
    _comparable(link, copies, "mean_of")
    for copy in copies:
        mean_among(link, range(link.size), copy.view(-1))
    return copies


def consensus_distance(source: Source, process_group: Any = None) -> float:
    """How far the ranks' models are from their mean: the Frobenius norm of X - 1 mean^T, the same on every rank."""
    link = Link(process_group)
    tensors = [source] if isinstance(source, torch.Tensor) else list(source.parameters())
    total = torch.zeros(1, dtype=torch.float64)
    for tensor, mean in zip(tensors, _means(link, tensors)):
        total += (tensor.detach().double() - mean.double()).square().sum().cpu()
    # A mean among all, times n, is a sum in an order that is known; NCCL has no tensors on the CPU.
    device = tensors[0].device if link.backend == "nccl" else torch.device("cpu")
    total = total.to(device)
    mean_among(link, range(link.size), total)
    return math.sqrt(link.size * float(total))


def broadcast(source: Source, root: int = 0, process_group: Any = None) -> None:
    """The root's values go to every rank, in place: a tensor, or a module's parameters and buffers."""
    link = Link(process_group)
    tensors = [source] if isinstance(source, torch.Tensor) else [*source.parameters(), *source.buffers()]
    _comparable(link, tensors, "broadcast")
    copy_from(link, tensors, root)


def copy_from(link: Link, tensors: Sequence[torch.Tensor], root: int) -> None:
    """The root's values into the tensors of all ranks, which are alike."""
    source = link.global_rank(root)
    for tensor in tensors:
        flat = tensor.detach().reshape(-1)
        if flat.numel() == 0:
            continue
        # As bytes: gloo broadcasts neither bfloat16 nor bool.
        dist.broadcast(flat.view(torch.uint8), source, group=link.group)
        tensor.detach().copy_(flat.view(tensor.shape))


def _comparable(link: Link, tensors: Sequence[torch.Tensor], what: str) -> None:
    if len(tensors) == 0:
        raise InputError(f"{what} needs a tensor", "none", "pass a module with parameters")
    agree(link, facts_of(tensors, None, {"call": what}))


def facts_of(tensors: Sequence[torch.Tensor], plan: Optional[str], settings: Dict[str, Any]) -> Dict[str, Any]:
    """What all ranks must have in common before they exchange these."""
    return {
        "plan": plan,
        "lengths": [tensor.numel() for tensor in tensors],
        "dtypes": [str(tensor.dtype) for tensor in tensors],
        "settings": settings,
    }
