"""Rounds that are written out in a plan: a row of weights for every node, as what they are.

Each kind answers `peers(i)`: whom node i hears, in the order of additions (by ascending
(i - j) mod n), and who hears it.
"""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .errors import InputError, integer, share

#: Another node and the weight on the edge.
Link = Tuple[int, float]


class Peers(NamedTuple):
    """One rank's part of a round.

    x <- self_weight x + sum of weight times what came from each source, added in this order.

    >>> from equitopo import ring
    >>> ring(5).peers(0, 2).sources == ((1, 1 / 3), (3, 1 / 3))
    True
    """

    #: The weight of what the rank has.
    self_weight: float
    #: (rank, weight) of everyone whose vector comes in, in the order of additions.
    sources: Tuple[Link, ...]
    #: (rank, weight that it gives to what comes) of everyone who is sent this rank's vector.
    targets: Tuple[Link, ...]


IDLE = Peers(1.0, (), ())


class Written:
    """A round that is written out, whatever its kind."""

    #: What stays of the own vector where the rest is the mean of all; None where it is no mean.
    keep: Optional[float] = None

    def peers(self, i: int) -> Peers:
        raise NotImplementedError


class Circulant(Written):
    """y_i = self x_i + sum over k of weights[k] x_(i - shifts[k])."""

    def __init__(
        self, n: int, own: float, shifts: Sequence[int], weights: Sequence[float]
    ) -> None:
        self._n, self._self = n, float(own)
        self._links = [
            (integer("a shift", shift, 1, n - 1), float(weight))
            for shift, weight in zip(shifts, weights)
        ]
        _require_one(self._self + sum(weight for _, weight in self._links))

    def peers(self, i: int) -> Peers:
        n = self._n
        sources = tuple([((i - shift) % n, weight) for shift, weight in self._links])
        targets = tuple([((i + shift) % n, weight) for shift, weight in self._links])
        return Peers(self._self, sources, targets)


class Matching(Written):
    """Partners exchange with one weight; who is its own partner is idle."""

    def __init__(self, n: int, weight: float, partner: Sequence[int]) -> None:
        self._weight, self._partner = share("the weight of a pair", weight), partner
        if len(partner) != n or any(partner[j] != i or j < 0 for i, j in enumerate(partner)):
            raise InputError("partners must be each other's", partner, "write the plan again")

    def peers(self, i: int) -> Peers:
        return paired(i, self._partner[i], self._weight)


class Mean(Written):
    """y_i = keep x_i + (1 - keep) mean of all x, added by label, then divided once."""

    def __init__(self, n: int, keep: float) -> None:
        self._n, self.keep = n, share("keep", keep)

    def peers(self, i: int) -> Peers:
        assert self.keep is not None
        n, weight = self._n, (1 - self.keep) / self._n
        links = tuple([((i - shift) % n, weight) for shift in range(1, n)])
        return Peers(self.keep + weight, links, links)


class Cliques(Written):
    """Consecutive labels in groups of `size` take their mean; the last group has what is left."""

    def __init__(self, n: int, size: int) -> None:
        self._n, self._size = n, integer("size", size, 1)

    def peers(self, i: int) -> Peers:
        first = i - i % self._size
        members = range(first, min(self._n, first + self._size))
        weight = 1 / len(members)
        links = ordered(self._n, i, [(j, weight) for j in members if j != i])
        return Peers(weight, links, links)


class Sparse(Written):
    """A row for every node: its own weight, then j and weight of every source.

    Weights are places in a list of them.
    """

    def __init__(self, n: int, weights: Sequence[float], rows: Sequence[Sequence[int]]) -> None:
        self._n, self._rows = n, rows
        self._weights = [float(weight) for weight in weights]
        if len(rows) != n:
            raise InputError("sparse rounds have a row for every node", len(rows), f"write {n} rows")
        for row in rows:
            if any(not 0 <= j < n for j in row[1::2]):
                raise InputError(f"a row has nodes from 0 to {n - 1}", row, "write the plan again")
            _require_one(sum(self._weights[place] for place in [row[0], *row[2::2]]))
        self._targets: Optional[List[List[Link]]] = None

    def peers(self, i: int) -> Peers:
        row, weights = self._rows[i], self._weights
        sources = tuple([(row[k], weights[row[k + 1]]) for k in range(1, len(row), 2)])
        return Peers(weights[row[0]], sources, ordered(self._n, i, self._out()[i]))

    def _out(self) -> List[List[Link]]:
        if self._targets is None:
            self._targets = [[] for _ in range(self._n)]
            for i, row in enumerate(self._rows):
                for k in range(1, len(row), 2):
                    self._targets[row[k]].append((i, self._weights[row[k + 1]]))
        return self._targets


def _require_one(total: float) -> None:
    # Nine digits of a text file.
    if not abs(total - 1) <= 1e-8:
        raise InputError("the weights of a node must sum to 1", total, "write the plan again")


def paired(i: int, partner: int, weight: float) -> Peers:
    """Node i exchanging with its partner, or idle."""
    if partner == i:
        return IDLE
    link = ((partner, weight),)
    return Peers(1 - weight, link, link)


def ordered(n: int, i: int, links: List[Link]) -> Tuple[Link, ...]:
    """Links in the order of additions at node i."""
    return tuple(sorted(links, key=lambda link: (i - link[0]) % n))


def written(n: int, round: Dict[str, Any]) -> Written:
    """The round that an entry of a plan describes."""
    kind = round["kind"]
    if kind == "circulant":
        return Circulant(n, round["self"], round["shifts"], round["weights"])
    if kind == "matching":
        return Matching(n, round["weight"], round["partner"])
    if kind == "mean":
        return Mean(n, round["keep"])
    if kind == "cliques":
        return Cliques(n, round["size"])
    if kind == "sparse":
        return Sparse(n, round["weights"], round["rows"])
    raise KeyError(kind)
