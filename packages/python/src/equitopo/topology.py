"""A topology: who talks to whom with which weight, for every round t and every rank.

Six need no file; all others come from a plan (plan.py).
"""

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from .canonical import hash_of
from .errors import InputError, integer
from .rounds import Peers
from .rules import Grouped, Pair, rule_of

FORMAT, VERSION = "equitopo-plan", 1


class Topology:
    """n ranks, and for each round t = 0, 1, 2, ... their weights W(t).

    >>> from equitopo import od_equidyn
    >>> topology = od_equidyn(8)
    >>> topology.peers(0, 3).sources[0][1]
    0.5
    >>> sender = topology.peers(0, 3).sources[0][0]
    >>> topology.peers(0, sender).targets
    ((3, 0.5),)
    """

    #: How many ranks there are.
    n: int
    #: The family and its options, as the library writes them.
    spec: Dict[str, Any]
    #: What draws the rounds, as a plan has it.
    rule: Dict[str, Any]
    #: Whether every W(t) is symmetric.
    symmetric: bool
    #: Rounds after which they come again; None where they are drawn.
    period: Optional[int]
    #: The consensus rate, and the rounds after which ranks differ by 1e-6 of what they did. None
    #: where no plan said it.
    rate: Optional[float]
    rounds_to_1e6: Optional[int]
    #: What a plan says of outer steps (`equitopo plan --outer`), or None.
    outer: Optional[Dict[str, Any]]
    #: SHA-256 of what decides the rounds: where it is equal, all rounds are.
    hash: str

    def __init__(
        self,
        n: int,
        rule: Dict[str, Any],
        *,
        spec: Dict[str, Any],
        symmetric: bool,
        period: Optional[int],
        rate: Optional[float] = None,
        rounds_to_1e6: Optional[int] = None,
        outer: Optional[Dict[str, Any]] = None,
    ) -> None:
        self.n = integer("n", n, 2, 2**31 - 1)
        self.spec, self.rule = spec, rule
        self.symmetric, self.period = symmetric, period
        self.rate, self.rounds_to_1e6, self.outer = rate, rounds_to_1e6, outer
        self.hash = hash_of({"format": FORMAT, "version": VERSION, "n": n, "rule": rule})
        self._rule = rule_of(n, rule)

    def peers(self, t: int, rank: int) -> Peers:
        """Rank's part of round t."""
        if not (isinstance(t, int) and 0 <= t < 2**53):
            integer("t", t, 0)
        if not (isinstance(rank, int) and 0 <= rank < self.n):
            integer("rank", rank, 0, self.n - 1)
        return self._rule.peers(t, rank)

    def keep(self, t: int) -> Optional[float]:
        """Where round t is keep x + (1 - keep) mean of all ranks, keep; None elsewhere.

        The mean is added in the order of ranks, then there is one division.
        """
        return self._rule.keep(t)

    def pair(self, t: int) -> Optional[Pair]:
        """The weights of round t over two vectors a rank (CECA); None elsewhere.

        Where there are two, `peers` only says who talks to whom.
        """
        return self._rule.pair(t)

    @property
    def grouped(self) -> Optional[Grouped]:
        """The two levels of a hierarchy: its groups, and the rows between them; None elsewhere."""
        return self._rule if isinstance(self._rule, Grouped) else None

    def round_matrix(self, t: int) -> Any:
        """W(t) as an n x n NumPy array: [i, j] is what i gives to what it hears of j."""
        if self.pair(t) is not None:
            rule = "a round matrix needs one vector a rank"
            raise InputError(rule, self.spec.get("name"), "take peers(t, rank) and pair(t)")
        import numpy

        matrix = numpy.zeros((self.n, self.n))
        for i in range(self.n):
            own, sources, _ = self.peers(t, i)
            matrix[i, i] = own
            for j, weight in sources:
                matrix[i, j] += weight
        return matrix

    def __repr__(self) -> str:
        return f"<Topology {self.spec.get('name')} n={self.n} hash={self.hash[:12]}>"


def od_equidyn(
    n: int, *, basis: Union[str, Sequence[int]] = "full", eta: Optional[float] = None, seed: int = 0
) -> Topology:
    """OD-EquiDyn (paper, section 3.3): each round one random shift v of the basis, i hears i - v.

    >>> od_equidyn(300).peers(41, 7).self_weight
    0.5
    """
    rule = _drawn("shift", n, basis, eta, seed)
    symmetric = n == 2 if rule["basis"] == "full" else all(2 * u == n for u in rule["basis"])
    spec = {"name": "od-equidyn", **_options(n, rule, eta)}
    return Topology(n, rule, spec=spec, symmetric=symmetric, period=None)


def ou_equidyn(
    n: int,
    *,
    construction: str = "greedy",
    basis: Union[str, Sequence[int]] = "full",
    eta: Optional[float] = None,
    seed: int = 0,
) -> Topology:
    """OU-EquiDyn (paper, section 4.2): each round pairs at one random label difference.

    The construction "euclid" leaves fewer ranks idle than "greedy".

    >>> topology = ou_equidyn(17, construction="euclid")
    >>> partner = topology.peers(3, 0).sources[0][0]
    >>> topology.peers(3, partner).sources[0][0]
    0
    """
    if construction not in ("greedy", "euclid"):
        remedy = 'try construction = "euclid"'
        raise InputError("construction must be greedy or euclid", construction, remedy)
    rule = {**_drawn("pairs", n, basis, eta, seed), "construction": construction}
    spec = {"name": "ou-equidyn", **_options(n, rule, eta), "construction": construction}
    return Topology(n, rule, spec=spec, symmetric=True, period=None)


def _drawn(
    name: str, n: int, basis: Union[str, Sequence[int]], eta: Optional[float], seed: int
) -> Dict[str, Any]:
    integer("n", n, 2, 2**31 - 1)
    integer("seed", seed, 0)
    # The best weight for every basis is 1/2, which is eta (n - 1) / n at eta = n / (2 (n - 1)).
    if eta is not None and not 0 < eta <= 1:
        raise InputError("eta must be in (0, 1]", eta, "leave it out")
    weight = 0.5 if eta is None or eta == n / (2 * (n - 1)) else eta * (n - 1) / n
    drawn: Union[str, List[int]] = "full"
    if not isinstance(basis, str):
        drawn = [_index(n, u) for u in basis]
    if drawn == [] or isinstance(basis, str) and basis != "full":
        rule = 'basis must be indices from 1 to n - 1, or "full"'
        raise InputError(rule, basis, 'try basis = "full"')
    return {"name": name, "basis": drawn, "weight": weight, "seed": seed}


def _index(n: int, u: int) -> int:
    if isinstance(u, int) and u != 0 and abs(u) < n:
        return u if u > 0 else u + n
    rule = f"a basis index must be an integer from 1 to n - 1 = {n - 1}, or -u for n - u"
    raise InputError(rule, u, "leave it out: a shift by a multiple of n connects a rank to itself")


def _options(n: int, rule: Dict[str, Any], eta: Optional[float]) -> Dict[str, Any]:
    chosen = n / (2 * (n - 1)) if eta is None else eta
    return {"n": n, "basis": rule["basis"], "eta": chosen, "seed": rule["seed"]}


def one_peer_exp(n: int, *, order: str = "cyclic", seed: int = 0, lazy: bool = False) -> Topology:
    """One-peer exponential graph: i sends to i + 1, 2, 4, ... in turn.

    With order = "random" the shifts of each period come in an order that is drawn for it.

    >>> [one_peer_exp(8).peers(t, 0).targets[0][0] for t in range(4)]
    [1, 2, 4, 1]
    """
    if order not in ("cyclic", "random"):
        raise InputError("order must be cyclic or random", order, 'try order = "cyclic"')
    weight = 0.25 if lazy else 0.5
    rounds = [_circulant(1 - weight, [shift], [weight]) for shift in _powers(n)]
    rule: Dict[str, Any] = {"name": "table", "rounds": rounds}
    drawn: Dict[str, Any] = {}
    if order == "random":
        rule["seed"] = integer("seed", seed, 0)
        drawn = {"order": order, "seed": seed}
    spec = _spec("one-peer-exp", n, lazy, drawn)
    return Topology(n, rule, spec=spec, symmetric=n == 2, period=len(rounds))


def static_exp(n: int, *, lazy: bool = False) -> Topology:
    """Static exponential graph: i sends to i + 1, 2, 4, ... in every round, all with one weight.

    >>> static_exp(8).peers(0, 0).targets
    ((1, 0.25), (2, 0.25), (4, 0.25))
    """
    shifts = _powers(n)
    weight = (0.5 if lazy else 1) / (len(shifts) + 1)
    round = _circulant(1 - len(shifts) * weight, shifts, [weight] * len(shifts))
    return _static(n, round, _spec("static-exp", n, lazy), n <= 3)


def ring(n: int, *, lazy: bool = False) -> Topology:
    """Ring: i and its two neighbours, weight 1/3 each.

    >>> [j for j, _ in ring(5).peers(0, 0).sources]
    [4, 1]
    """
    integer("n", n, 2, 2**31 - 1)
    shifts = [1] if n == 2 else [1, n - 1]
    weight = (0.5 if lazy else 1) / (len(shifts) + 1)
    round = _circulant(max(0, 1 - len(shifts) * weight), shifts, [weight] * len(shifts))
    return _static(n, round, _spec("ring", n, lazy), True)


def complete(n: int, *, lazy: bool = False) -> Topology:
    """Complete graph: the exact mean of all in one round.

    >>> complete(4).peers(0, 0).self_weight
    0.25
    """
    keep = 0.5 if lazy else 0
    return _static(n, {"kind": "mean", "keep": keep}, _spec("complete", n, lazy), True)


def _static(n: int, round: Dict[str, Any], spec: Dict[str, Any], symmetric: bool) -> Topology:
    rule = {"name": "table", "rounds": [round]}
    return Topology(n, rule, spec=spec, symmetric=symmetric, period=1)


def _circulant(own: float, shifts: List[int], weights: List[float]) -> Dict[str, Any]:
    return {"kind": "circulant", "self": own, "shifts": shifts, "weights": weights}


def _powers(n: int) -> List[int]:
    """The powers of two below n."""
    integer("n", n, 2, 2**31 - 1)
    return [1 << k for k in range((n - 1).bit_length())]


def _spec(name: str, n: int, lazy: bool, more: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
    return {"name": name, "n": n, **(more or {}), **({"lazy": True} if lazy else {})}
