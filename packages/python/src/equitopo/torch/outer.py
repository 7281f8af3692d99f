"""
Local steps and an outer step:  H steps of the inner optimiser at every rank, then an exchange; the library's rules.

X are the models, A the anchors where the H steps began, D = X - A, s the outer rate, b the outer momentum, g the pull, W the
product of the outer step's rounds, J the exact mean. Afterwards X = A.

    diloco         D = J X - A;              M = b M + D;   A = A + s (D + b M)
    gossip-diloco  M = b M + D;  A = W (A + s (D + b M));   with mix_momentum also M = W M
    noloco         M = b M + s W D - g (A - W A);  A = A + M;   two vectors, or where g = s (released: always)
                   M = b M + (W X - A);  A = A + s M;           one
    slowmo         D = J X - A, or W X - A by="topology";  M = b M + D;  A = A + s M
                   published:  M = b M + D / (inner rate);   A = A + (inner rate) s M
    gasloc         transcribed: Y+ = A + s D;            A = (1 - g) Y+ + g W Y+ + b (Y+ - Y)
                   mix-first:   Y+ = the same of A + s D mixed, A = Y+ + b (Y+ - Y)    (read second hand)

Where disagreement enters the momentum (noloco, gasloc, slowmo over a topology) a large b diverges on fast graphs; whether it
does is computed by `equitopo plan ... --outer RULE ...`, which writes its verdict into the plan.
"""

import re
from typing import Any, Callable, Dict, List, Optional, Sequence

import torch

from ..errors import InputError, integer
from ..topology import Topology
from .optimizer import Wrapped

# What each rule has: its defaults, as in the library.
RULES: Dict[str, Dict[str, Any]] = {
    "diloco": {"rate": 0.7, "momentum": 0.9},
    "gossip-diloco": {"rate": 0.7, "momentum": 0.9, "mix_momentum": False},
    "noloco": {"rate": 0.7, "momentum": 0.5, "pull": None, "form": ("published", "released")},
    "slowmo": {"rate": 1.0, "momentum": 0.6, "by": ("mean", "topology"), "form": ("heavy-ball", "published")},
    "gasloc": {"rate": 0.7, "momentum": 0.5, "pull": 1.0, "form": ("transcribed", "mix-first")},
}
# What the library calls them, in the verdict of a plan.
NAMES = {
    "rate": "outerRate",
    "momentum": "outerMomentum",
    "pull": "pull",
    "form": "form",
    "by": "by",
    "rounds": "rounds",
    "mix_momentum": "mixMomentum",
}

Vectors = List[torch.Tensor]


class OuterStep(Wrapped):
    """An optimiser that works alone for `every` calls, and then takes an outer step with the neighbours.

        optimizer = OuterStep(torch.optim.AdamW(model.parameters()), equitopo.od_equidyn(n), every=50, rounds=2)

    An outer step goes through `rounds` rounds of the topology. The momentum lies outside the mixing in gossip-diloco, which is
    stable for any momentum below 1 over any topology. A mean of models alone, without an outer step, is
    `DecentralizedOptimizer(..., every=H)`.
    """

    def __init__(
        self,
        inner: torch.optim.Optimizer,
        topology: Topology,
        *,
        rule: str = "gossip-diloco",
        every: int = 50,
        rate: Optional[float] = None,
        momentum: Optional[float] = None,
        rounds: int = 1,
        mix_momentum: Optional[bool] = None,
        pull: Optional[float] = None,
        form: Optional[str] = None,
        by: Optional[str] = None,
        unchecked: bool = False,
        broadcast: bool = True,
        **options: Any,
    ) -> None:
        given = {"rate": rate, "momentum": momentum, "mix_momentum": mix_momentum, "pull": pull, "form": form, "by": by}
        self.rule, self.settings = rule, _settings(rule, given)
        self.every, self.rounds = integer("every", every, 1), integer("rounds", rounds, 1)
        self.settings["rounds"] = self.rounds
        if not unchecked:
            _require_verdict(rule, self.settings, topology)
        super().__init__(inner, topology, broadcast, options)
        if topology.pair(0) is not None and self._mixes() and self.rounds % (topology.period or 1) != 0:
            raise InputError(
                f"over {topology.spec.get('name')} rounds must be whole periods of {topology.period}",
                rounds,
                f"try rounds = {topology.period}",
            )
        self._agree(rule=rule, every=every, unchecked=unchecked, **self.settings)
        vectors = self.flat.vectors
        self._anchor = [x.clone() for x in vectors]
        #: The momentum; of gasloc what it had before, which begins as the anchor.
        self._second = [x.clone() for x in vectors] if rule == "gasloc" else self.flat.like()
        pulled = rule == "noloco" and self.settings["pull"] != self.settings["rate"]
        self._twice = pulled or bool(self.settings.get("mix_momentum"))
        if self._twice:
            self.mixer.agree([*vectors, *vectors])

    def _mixes(self) -> bool:
        return self.rule != "diloco" and self.settings.get("by") != "mean"

    def _advance(self, closure: Optional[Callable[[], Any]], adapt: bool = True) -> Any:
        self.flat.whole()
        loss = None
        if adapt:
            loss = self.optim.step() if closure is None else self.optim.step(closure)
        self.calls += 1
        if self.calls % self.every == 0:
            with torch.no_grad():
                getattr(self, "_" + self.rule.replace("-", "_"))(self.settings["rate"], self.settings["momentum"])
                for anchor, x in zip(self._anchor, self.flat.vectors):
                    x.copy_(anchor)
        return loss

    # Exchanges.

    def _through(self, vectors: Sequence[torch.Tensor]) -> None:
        """This outer step's rounds of the topology, of vectors in place."""
        if self.mixer.topology.pair(0) is not None:
            for _ in range(self.rounds // (self.mixer.topology.period or 1)):
                self.mixer.mean(*vectors)
            self.k += self.rounds
            return
        for _ in range(self.rounds):
            self.mixer.mix(self.k, *vectors)
            self.k += 1

    def _mean(self, vectors: Sequence[torch.Tensor]) -> None:
        self.mixer.exact_mean(*vectors)
        self.k += 1

    # The rules: each makes new anchors, and leaves in X what it likes.

    def _diloco(self, s: float, b: float) -> None:
        models = self.flat.vectors
        self._mean(models)
        self._nesterov(models, s, b)

    def _gossip_diloco(self, s: float, b: float) -> None:
        self._nesterov(self.flat.vectors, s, b)
        self._through([*self._anchor, *self._second] if self.settings["mix_momentum"] else self._anchor)

    def _nesterov(self, models: Vectors, s: float, b: float) -> None:
        for x, a, m in zip(models, self._anchor, self._second):
            drift = x - a
            m.mul_(b).add_(drift)
            a.add_(drift.add_(m * b).mul_(s))

    def _noloco(self, s: float, b: float) -> None:
        models = self.flat.vectors
        if not self._twice:
            self._heavy_ball(s, b)
            return
        drifts, mixed = [x - a for x, a in zip(models, self._anchor)], [a.clone() for a in self._anchor]
        self._through([*drifts, *mixed])
        for drift, w, a, m in zip(drifts, mixed, self._anchor, self._second):
            m.mul_(b).add_(drift.mul_(s)).sub_((a - w).mul_(self.settings["pull"]))
            a.add_(m)

    def _slowmo(self, s: float, b: float) -> None:
        self._heavy_ball(s, b)

    def _heavy_ball(self, s: float, b: float) -> None:
        models = self.flat.vectors
        if self.settings.get("by") == "mean":
            self._mean(models)
        else:
            self._through(models)
        # The published SlowMo keeps its buffer free of the inner rate.
        inner = self.optim.param_groups[0]["lr"] if self.rule == "slowmo" and self.settings["form"] == "published" else 1.0
        for x, a, m in zip(models, self._anchor, self._second):
            m.mul_(b).add_((x - a).div_(inner))
            a.add_(m * (inner * s))

    def _gasloc(self, s: float, b: float) -> None:
        g, first = self.settings["pull"], self.settings["form"] == "mix-first"
        ahead = [a + (x - a).mul_(s) for x, a in zip(self.flat.vectors, self._anchor)]
        mixed = [y.clone() for y in ahead]
        self._through(mixed)
        for k, (y, w) in enumerate(zip(ahead, mixed)):
            lazy = w if g == 1.0 else y * (1 - g) + w * g
            now = lazy if first else y
            self._anchor[k] = lazy + (now - self._second[k]).mul_(b)
            self._second[k] = now.clone()

    def _kept(self) -> Dict[str, Any]:
        return {**super()._kept(), "anchor": self._anchor, "second": self._second}

    def _restore(self, kept: Dict[str, Any]) -> None:
        super()._restore(kept)
        for name, vectors in (("anchor", self._anchor), ("second", self._second)):
            for vector, saved in zip(vectors, kept[name]):
                vector.copy_(saved)


def _settings(rule: str, given: Dict[str, Any]) -> Dict[str, Any]:
    if rule not in RULES:
        raise InputError(f"rule must be one of {', '.join(RULES)}", rule, 'try rule = "gossip-diloco"')
    settings: Dict[str, Any] = {}
    for name, value in given.items():
        if name not in RULES[rule]:
            if value is not None:
                raise InputError(f"{rule} has no option {name}", value, "leave it out")
            continue
        usual = RULES[rule][name]
        if isinstance(usual, tuple):
            if value is not None and value not in usual:
                raise InputError(f"{name} of {rule} must be {' or '.join(usual)}", value, f'try {name} = "{usual[0]}"')
            usual = usual[0]
        settings[name] = usual if value is None else value
    if not settings["rate"] > 0:
        raise InputError("rate must be above 0", settings["rate"], f"try rate = {RULES[rule]['rate']}")
    if not 0 <= settings["momentum"] < 1:
        raise InputError("momentum must be in [0, 1)", settings["momentum"], f"try momentum = {RULES[rule]['momentum']}")
    if rule == "noloco" and settings["pull"] is None:
        settings["pull"] = settings["rate"]
    pull = settings.get("pull", 0)
    if not pull >= 0:
        raise InputError("pull must be at least 0", pull, "leave it out")
    if rule == "gasloc" and not 0 < pull <= 1:
        raise InputError("pull of gasloc must be in (0, 1]", pull, "leave it out")
    if rule == "noloco":
        if settings["form"] == "released" and settings["pull"] != settings["rate"]:
            raise InputError("the pull of noloco's released form is its rate", settings["pull"], "leave pull out")
    return settings


def _require_verdict(rule: str, settings: Dict[str, Any], topology: Topology) -> None:
    """Refuses what the plan does not call stable, of the rules in which disagreement enters the momentum."""
    if rule in ("diloco", "gossip-diloco") or settings.get("by") == "mean":
        return
    # Without momentum they take weighted means of A and W A; beyond W A they may diverge all the same.
    if settings["momentum"] == 0 and settings.get("pull", settings["rate"]) <= 1:
        return
    verdict = topology.outer
    wanted = {NAMES[name]: value for name, value in settings.items()}
    flags = {name: re.sub("[A-Z]", lambda capital: "-" + capital[0].lower(), name) for name in wanted}
    words = " ".join(f"--{flags[name]} {value}" for name, value in wanted.items())
    again = f"write a plan that says so: equitopo plan ... --outer {rule} {words}; or take unchecked=True"
    if verdict is None or verdict["rule"] != rule:
        raise InputError(f"whether {rule} is stable depends on the topology", "no verdict in its plan", again)
    known = verdict["settings"]
    other = [name for name, value in wanted.items() if name in known and known[name] != value]
    if other:
        raise InputError(f"the verdict of a plan holds for its own settings, {known}", {o: wanted[o] for o in other}, again)
    if not verdict["stable"]:
        largest = " or ".join(f"{name} {value}" for name, value in verdict["largest"].items())
        remedy = f"stable is at most {largest}; or take gossip-diloco" if largest else "take gossip-diloco"
        raise InputError(f"{rule} with these settings must be stable over the topology", "a plan that says it is not", remedy)
