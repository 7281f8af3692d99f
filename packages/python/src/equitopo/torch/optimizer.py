"""
Decentralised training with any optimiser:

    adapt-then-combine:  X+ = W (X - step of the optimiser)
    combine-then-adapt:  X+ = W X - step of the optimiser, its gradient taken at X

The optimiser's own state (momentum, moments) stays local. In combine-then-adapt the vectors travel while the gradient is
computed, and nothing is stale: both start from X.
"""

from typing import Any, Callable, Dict, Iterable, Iterator, Optional, TypeVar

import torch
import torch.distributed as dist

from ..errors import InputError, integer
from ..topology import Topology
from .flat import Flat
from .mean import copy_from
from .mixer import Mixer

ORDERS = ("adapt-then-combine", "combine-then-adapt")

T = TypeVar("T")


class Wrapped(torch.optim.Optimizer):  # type: ignore[misc]
    """An optimiser around another: its parameters are views of flat vectors, and every call of `step` or `skip` counts.

    What all ranks must do alike is to call: a rank that has nothing to learn from a batch (an early `continue`, a loader that
    is shorter) calls `skip()`, and takes part without a step. GradScaler may be used as ever: a step that it would leave
    out becomes a `skip()`.
    """

    #: GradScaler then hands the decision to us, and so `step` is called on every rank, always.
    _step_supports_amp_scaling = True

    def __init__(self, optimizer: torch.optim.Optimizer, topology: Topology, broadcast: bool, options: Dict[str, Any]) -> None:
        # Not super().__init__: groups and state are those of the optimiser inside, as in PostLocalSGDOptimizer.
        self.optim = optimizer
        self.mixer = Mixer(
            topology,
            options.pop("process_group", None),
            **{name: options.pop(name) for name in ("exact", "on_death", "timeout") if name in options},
        )
        if options:
            known = "process_group, exact, on_death, timeout"
            raise InputError(f"other options are {known}", ", ".join(options), "leave it out")
        self.flat = Flat(optimizer.param_groups)
        self._broadcast = broadcast
        #: How often `step` or `skip` were called, and how many exchanges there were: the k-th one is round k.
        self.calls = 0
        self.k = 0

    def _agree(self, **settings: Any) -> None:
        """Before anything else travels: then the ranks begin with rank 0's parameters, if that is wished."""
        self.mixer.agree(
            self.flat.vectors, {"optimizer": type(self).__name__, "broadcast": self._broadcast, **settings}
        )
        if self._broadcast:
            copy_from(self.mixer.link, self.flat.vectors, 0)

    @property
    def param_groups(self) -> Any:
        return self.optim.param_groups

    @property
    def state(self) -> Any:
        return self.optim.state

    @property
    def defaults(self) -> Any:
        return self.optim.defaults

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.mixer.topology!r}, {self.optim!r})"

    def zero_grad(self, set_to_none: bool = True) -> None:
        self.optim.zero_grad(set_to_none=set_to_none)

    def add_param_group(self, param_group: Any) -> None:
        raise InputError("parameters must be there from the start", "another group", "wrap the optimiser after adding it")

    def __getstate__(self) -> Any:
        raise TypeError("an optimiser over a process group cannot be pickled or copied: keep its state_dict()")

    def step(self, closure: Optional[Callable[[], Any]] = None, **amp: Any) -> Any:
        """One step and, where it is due, an exchange. Every rank must call it (or `skip`) equally often."""
        scaled = self._unscaled(amp.get("grad_scaler"))
        if scaled:
            return self._advance(closure)
        self.skip()
        return None

    def skip(self) -> None:
        """Takes part in what is due, without a step."""
        self._advance(None, adapt=False)

    def _unscaled(self, scaler: Any) -> bool:
        """Undoes GradScaler's scale where that is left to us; False where a gradient is not finite.

        torch 1.13 hands over the scaler itself, torch 2 the two numbers in question as attributes.
        """
        if scaler is not None:
            if scaler._per_optimizer_states[id(self)]["stage"].value == 0:  # OptState.READY
                scaler.unscale_(self)
            found = scaler._per_optimizer_states[id(self)]["found_inf_per_device"].values()
            return not any(float(one) for one in found)
        scale, found_inf = getattr(self, "grad_scale", None), getattr(self, "found_inf", None)
        if found_inf is not None and float(found_inf):
            return False
        if scale is not None:
            for p in self.flat.parameters:
                if p.grad is not None:
                    p.grad.div_(scale.to(p.grad.device))
        return True

    def _advance(self, closure: Optional[Callable[[], Any]], adapt: bool = True) -> Any:
        raise NotImplementedError

    def state_dict(self) -> Dict[str, Any]:
        """The inner optimiser's, and under "equitopo" what this one keeps."""
        return {**self.optim.state_dict(), "equitopo": self._kept()}

    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        rest = dict(state_dict)
        kept = rest.pop("equitopo", None)
        if kept is None:
            raise InputError('a state dict must have "equitopo"', "another optimiser's", "load it into the optimiser inside")
        # First ours, which may refuse.
        self._restore(kept)
        self.optim.load_state_dict(rest)

    def _kept(self) -> Dict[str, Any]:
        return {"calls": self.calls, "k": self.k}

    def _restore(self, kept: Dict[str, Any]) -> None:
        self.calls, self.k = kept["calls"], kept["k"]


class DecentralizedOptimizer(Wrapped):
    """The optimiser's steps, and after every `every`-th call a round with the neighbours.

        optimizer = DecentralizedOptimizer(optimizer, equitopo.ou_equidyn(dist.get_world_size()))

    In order="combine-then-adapt" vectors are sent from the end of one call to the beginning of the next that exchanges:
    between them only forward and backward may run, nothing may write to the parameters.

    Options: `every`, `broadcast` (rank 0's parameters for all at the start), and Mixer's.
    """

    def __init__(
        self,
        optimizer: torch.optim.Optimizer,
        topology: Topology,
        *,
        order: str = "adapt-then-combine",
        every: int = 1,
        broadcast: bool = True,
        **options: Any,
    ) -> None:
        if order not in ORDERS:
            raise InputError(f"order must be {' or '.join(ORDERS)}", order, f'try order = "{ORDERS[0]}"')
        self.order, self.every = order, integer("every", every, 1)
        super().__init__(optimizer, topology, broadcast, options)
        self._agree(order=order, every=every)
        self._under_way: Any = None

    def _advance(self, closure: Optional[Callable[[], Any]], adapt: bool = True) -> Any:
        self.flat.whole()
        due = (self.calls + 1) % self.every == 0
        early = self.order == "combine-then-adapt"
        if closure is not None and early and due:
            # The gradient belongs to X, and so must be there before X is mixed.
            with torch.enable_grad():
                loss = closure()
            closure = None
        else:
            loss = None
        if early and due:
            self._exchange(self._under_way)
            self._under_way = None
        if adapt:
            inner = self.optim.step() if closure is None else self.optim.step(closure)
            loss = inner if loss is None else loss
        if not early and due:
            self._exchange(None)
        self.calls += 1
        if early and (self.calls + 1) % self.every == 0:
            self._under_way = self.mixer.start(self.k, *self.flat.vectors)
        return loss

    def _exchange(self, under_way: Any) -> None:
        (under_way or self.mixer.start(self.k, *self.flat.vectors)).wait()
        self.k += 1

    def _restore(self, kept: Dict[str, Any]) -> None:
        if self._under_way is not None:
            # What is under way belongs to the parameters of before; every rank loads, and so every rank ends it.
            raise InputError("a state must be loaded before the first step", "after steps", "make a new optimiser, then load")
        super()._restore(kept)


def evenly(loader: Iterable[T], process_group: Any = None) -> Iterator[T]:
    """The loader's batches, as many as the shortest of all ranks' loaders has. Needs `len(loader)`.

    So that every rank makes the same number of steps: for batch in evenly(loader): ...
    """
    group = dist.group.WORLD if process_group is None else process_group
    device = "cuda" if str(dist.get_backend(group)) == "nccl" else "cpu"
    least = torch.tensor([len(loader)], device=device)  # type: ignore[arg-type]
    dist.all_reduce(least, dist.ReduceOp.MIN, group=group)
    for _, batch in zip(range(int(least)), loader):
        yield batch
