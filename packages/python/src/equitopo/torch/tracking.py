"""
Gradient tracking (paper, section 5.2, eq. 14; the library's `dsgt`), around an optimiser:

    Y = Y + G - G before;   X = W (X - step by Y);   Y = W Y

With SGD inside this is DSGT, which has no bias on heterogeneous data at a constant rate. Other optimisers get Y in the
gradient's place. Two vectors a round.
"""

from typing import Any, Callable, Dict, Optional

import torch

from ..topology import Topology
from .optimizer import Wrapped


class GradientTracking(Wrapped):
    """DSGT. A skipped step leaves X, Y and the last gradient as they are, and takes part in the round.

    Options as DecentralizedOptimizer's; every call exchanges.
    """

    def __init__(
        self, optimizer: torch.optim.Optimizer, topology: Topology, *, broadcast: bool = True, **options: Any
    ) -> None:
        super().__init__(optimizer, topology, broadcast, options)
        self._agree()
        self.mixer.agree([*self.flat.vectors, *self.flat.vectors])
        self._tracker, self._last = self.flat.like(), self.flat.like()

    @torch.no_grad()  # type: ignore[misc]
    def _advance(self, closure: Optional[Callable[[], Any]], adapt: bool = True) -> Any:
        self.flat.whole()
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        if adapt:
            self._track()
            gradients = [(p, p.grad) for p in self.flat.parameters]
            for p, tracker in self.flat.views(self._tracker):
                p.grad = tracker
            try:
                self.optim.step()
            finally:
                for p, gradient in gradients:
                    p.grad = gradient
        self.mixer.mix(self.k, *self.flat.vectors, *self._tracker)
        self.calls += 1
        self.k += 1
        return loss

    def _track(self) -> None:
        """Y + (G - G before), in this order."""
        new = self.flat.like()
        for p, place in self.flat.views(new):
            if p.grad is not None:
                place.copy_(p.grad)
        for tracker, gradient, last in zip(self._tracker, new, self._last):
            tracker.add_(gradient - last)
        self._last = new

    def _kept(self) -> Dict[str, Any]:
        return {**super()._kept(), "tracker": self._tracker, "gradient": self._last}

    def _restore(self, kept: Dict[str, Any]) -> None:
        super()._restore(kept)
        for name, vectors in (("tracker", self._tracker), ("gradient", self._last)):
            for vector, saved in zip(vectors, kept[name]):
                vector.copy_(saved)
