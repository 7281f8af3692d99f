"""
Parameters as views of one flat vector for each dtype and device, so that a round is one message and not one a parameter.
"""

from typing import Any, Dict, Iterable, List, Tuple

import torch

from ..errors import InputError

# Marks of parameters of which a rank holds a part only, or an empty one, in the versions of torch and of DeepSpeed.
SHARDED_TYPES = {"FlatParameter", "DTensor", "ShardedTensor", "ShardedParameter"}
SHARDED_MARKS = ("_fsdp_flattened", "_is_sharded", "ds_id")


def parameters_of(given: Iterable[Any]) -> List[torch.Tensor]:
    """Parameters, or an optimiser's parameter groups, in their order, each once; those without a gradient, too."""
    found: Dict[int, torch.Tensor] = {}
    for one in given:
        for parameter in one["params"] if isinstance(one, dict) else [one]:
            found[id(parameter)] = parameter
    if not found:
        raise InputError("there must be parameters to mix", "none", "pass model.parameters()")
    return list(found.values())


class Flat:
    """The parameters' values move into `vectors`, and the parameters become views of them.

    What moves a parameter elsewhere afterwards (`model.to(...)`, `load_state_dict(..., assign=True)`) takes it out of its
    vector; `whole` refuses that.
    """

    def __init__(self, parameters: Iterable[Any]) -> None:
        self.parameters = parameters_of(parameters)
        for parameter in self.parameters:
            _refuse_sharded(parameter)
        kinds: Dict[Tuple[torch.dtype, torch.device], List[torch.Tensor]] = {}
        for parameter in self.parameters:
            kinds.setdefault((parameter.dtype, parameter.device), []).append(parameter)
        self.vectors: List[torch.Tensor] = []
        self._places: List[Tuple[torch.Tensor, int, int]] = []
        with torch.no_grad():
            for members in kinds.values():
                vector = torch.cat([p.detach().reshape(-1) for p in members])
                start = 0
                for p in members:
                    self._places.append((p, len(self.vectors), start))
                    p.data = vector[start : start + p.numel()].view(p.shape)
                    start += p.numel()
                self.vectors.append(vector)

    def views(self, vectors: List[torch.Tensor]) -> List[Tuple[torch.Tensor, torch.Tensor]]:
        """Each parameter with its part of vectors like these, in its shape."""
        return [(p, vectors[k][start : start + p.numel()].view(p.shape)) for p, k, start in self._places]

    def like(self) -> List[torch.Tensor]:
        """Vectors of zeros, as long as these."""
        return [torch.zeros_like(vector) for vector in self.vectors]

    def whole(self) -> None:
        """Refuses parameters that are no longer views of the vectors: a round would not reach them."""
        for p, k, start in self._places:
            vector = self.vectors[k]
            if p.data_ptr() != vector.data_ptr() + start * vector.element_size() and p.numel() > 0:
                raise InputError(
                    "parameters must stay where the optimiser put them",
                    f"one of shape {tuple(p.shape)} that was moved",
                    "call model.to(...) and the like before the optimiser is made",
                )

    def of(self, parameters: Iterable[Any]) -> bool:
        """Whether these are the same parameters."""
        theirs = parameters_of(parameters)
        return len(theirs) == len(self.parameters) and all(a is b for a, b in zip(theirs, self.parameters))


def _refuse_sharded(parameter: torch.Tensor) -> None:
    kinds = {kind.__name__ for kind in type(parameter).__mro__}
    if kinds & SHARDED_TYPES or any(hasattr(parameter, mark) for mark in SHARDED_MARKS):
        raise InputError(
            "parameters must be whole on every rank",
            f"a sharded one ({type(parameter).__name__})",
            "mix a model that is not sharded: DDP inside a machine, gossip between (docs/python.md)",
        )
