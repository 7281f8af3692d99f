"""One process that holds the models of all ranks, and mixes them by its own arithmetic: what ranks must come to, to the bit."""

from typing import Any, Callable, List

import numpy
import torch

SIZES = (6, 9, 4)


def model_of(rank: int, dtype: torch.dtype = torch.float32) -> torch.nn.Module:
    """Every rank's model begins elsewhere."""
    torch.manual_seed(1000 + rank)
    first, middle, last = SIZES
    layers = [torch.nn.Linear(first, middle), torch.nn.Tanh(), torch.nn.Linear(middle, last)]
    return torch.nn.Sequential(*layers).to(dtype)


def gradient(model: torch.nn.Module, rank: int, t: int) -> None:
    """The gradient at the rank's batch t."""
    draw = torch.Generator().manual_seed(7919 * rank + t)
    dtype = next(model.parameters()).dtype
    x = torch.randn(8, SIZES[0], generator=draw).to(dtype)
    y = torch.randint(0, SIZES[-1], (8,), generator=draw)
    model.zero_grad()
    torch.nn.functional.cross_entropy(model(x), y).backward()


def numbers(model: torch.nn.Module) -> numpy.ndarray:
    return numpy.concatenate([p.detach().reshape(-1).numpy() for p in model.parameters()])


def set_numbers(model: torch.nn.Module, values: numpy.ndarray) -> None:
    start = 0
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.from_numpy(values[start : start + p.numel()].copy()).view(p.shape))
            start += p.numel()


def mixed(topology: Any, t: int, rows: List[numpy.ndarray]) -> List[numpy.ndarray]:
    """W(t) X: own weight first, then the sources, in double, one rounding; a mean in the order of ranks."""
    keep = topology.keep(t)
    mean = sum((row.astype(float) for row in rows[1:]), rows[0].astype(float)) / len(rows)
    out = []
    for i, row in enumerate(rows):
        if keep is not None:
            sums = keep * row.astype(float) + (1 - keep) * mean
        else:
            own, sources, _ = topology.peers(t, i)
            sums = own * row.astype(float)
            for j, weight in sources:
                sums = sums + weight * rows[j].astype(float)
        out.append(sums.astype(row.dtype))
    return out


class World:
    """n models, each with its own optimiser."""

    def __init__(self, n: int, make: Callable[[Any], torch.optim.Optimizer], dtype: torch.dtype = torch.float32) -> None:
        self.models = [model_of(rank, dtype) for rank in range(n)]
        self.optimizers = [make(model.parameters()) for model in self.models]

    def steps(self, t: int) -> None:
        for rank, model in enumerate(self.models):
            gradient(model, rank, t)
            self.optimizers[rank].step()

    def rows(self) -> List[numpy.ndarray]:
        return [numbers(model) for model in self.models]

    def put(self, rows: List[numpy.ndarray]) -> None:
        for model, row in zip(self.models, rows):
            set_numbers(model, row)

    def mix(self, topology: Any, t: int) -> None:
        self.put(mixed(topology, t, self.rows()))
