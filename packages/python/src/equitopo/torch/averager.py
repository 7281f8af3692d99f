"""Gossip as one of PyTorch's model averagers: what it averages with is a round's neighbours, not everybody."""

from typing import Any, Iterable, Optional

from torch.distributed.algorithms.model_averaging.averagers import ModelAverager

from ..errors import InputError, integer
from ..topology import Topology
from .flat import Flat
from .mixer import Mixer


class GossipAverager(ModelAverager):  # type: ignore[misc]
    """A `ModelAverager` for `PostLocalSGDOptimizer`, or to be called after each step.

    Every `period`-th call, the first `warmup_steps` calls left out, is an exchange, and the k-th exchange is round k. Unlike
    PyTorch's own it exchanges after the period, not before it, and takes parameters without a gradient, too: ranks must
    send equal lengths. `step` counts the calls; PostLocalSGDOptimizer keeps it in its state dict.

    Not with GradScaler inside PostLocalSGDOptimizer: a step that the scaler leaves out would leave a partner waiting. Call
    `average_parameters` yourself after `scaler.step(...)`, or take `DecentralizedOptimizer`.
    """

    def __init__(
        self,
        topology: Topology,
        period: int = 1,
        warmup_steps: int = 0,
        process_group: Any = None,
        *,
        exact: bool = True,
        on_death: str = "raise",
        timeout: Optional[float] = None,
    ) -> None:
        super().__init__(process_group)
        self.period = integer("period", period, 1)
        self.warmup_steps = integer("warmup_steps", warmup_steps, 0)
        self.mixer = Mixer(topology, process_group, exact=exact, on_death=on_death, timeout=timeout)
        self._flat: Optional[Flat] = None

    def average_parameters(self, params: Iterable[Any]) -> None:
        """One call a step, with the same parameters or parameter groups each time."""
        given = list(params)
        if self._flat is None:
            self._flat = Flat(given)
            settings = {"period": self.period, "warmup_steps": self.warmup_steps, "step": self.step}
            self.mixer.agree(self._flat.vectors, {"averager": type(self).__name__, **settings})
        elif not self._flat.of(given):
            raise InputError("an averager averages one model", "other parameters", "make an averager for each model")
        calls = self.step - self.warmup_steps + 1
        if calls > 0 and calls % self.period == 0:
            self._flat.whole()
            self.mixer.mix(calls // self.period - 1, *self._flat.vectors)
        self.step += 1
