"""The rules of a plan: each draws round t from a few numbers, good for every t.

    table    rounds written out, one after another for ever; with a seed each period in an order
             that is drawn for it
    shift    i hears i - v, v drawn each round (OD-EquiDyn)
    pairs    pairs at one label difference, drawn each round (OU-EquiDyn)
    labels   another rule under labels that are drawn anew every `block` rounds
    push     everyone pushes to s others of its own choice (EL-Local)
    subset   matchings, each taking part with a probability of its own (MATCHA)
    grouped  means inside groups, a rule between them (hierarchy)
    pair     a rule that says who hears whom, and weights over two vectors a node (CECA)
    rounds   so many rounds written out, and no more (plug-ins)
"""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .draws import MATCHINGS, ORDER, PUSH, SHIFT, KeyedPermutation, Stream
from .errors import InputError, integer, share
from .pairing import euclid_partner, greedy_partner
from .rounds import Link, Peers, Written, ordered, paired, written


class Weights(NamedTuple):
    """What a vector becomes: own times itself and heard times what came."""

    own: float
    heard: float


class Pair(NamedTuple):
    """A round over two vectors a node, x and z: one travels, what is heard is mixed into both."""

    sends: str
    x: Weights
    z: Weights


class Rule:
    """What draws the rounds. `peers(t, i)` is node i's part of round t."""

    def peers(self, t: int, i: int) -> Peers:
        raise NotImplementedError

    def keep(self, t: int) -> Optional[float]:
        """Where round t is y_i = keep x_i + (1 - keep) mean: keep. None elsewhere."""
        return None

    def pair(self, t: int) -> Optional[Pair]:
        """The weights of round t over two vectors a node, where the rule has two."""
        return None


class Table(Rule):
    def __init__(self, n: int, rule: Dict[str, Any]) -> None:
        self._rounds: List[Written] = [written(n, round) for round in rule["rounds"]]
        if not self._rounds:
            raise KeyError("rounds")
        self._seed: Optional[int] = None
        if "seed" in rule:
            self._seed = integer("seed", rule["seed"], 0)

    def _round(self, t: int) -> Written:
        period = len(self._rounds)
        cycle, place = divmod(t, period)
        if self._seed is not None:
            place = Stream(self._seed, ORDER, cycle).permutation(period)[place]
        return self._rounds[place]

    def peers(self, t: int, i: int) -> Peers:
        return self._round(t).peers(i)

    def keep(self, t: int) -> Optional[float]:
        return self._round(t).keep


class Rounds(Rule):
    def __init__(self, n: int, rule: Dict[str, Any]) -> None:
        self._rounds: List[Written] = [written(n, round) for round in rule["rounds"]]

    def _round(self, t: int) -> Written:
        if t < len(self._rounds):
            return self._rounds[t]
        rule = f"the plan has its {len(self._rounds)} rounds written out, and no more"
        raise InputError(rule, t, "write a plan with more of them: equitopo plan ... --written M")

    def peers(self, t: int, i: int) -> Peers:
        return self._round(t).peers(i)

    def keep(self, t: int) -> Optional[float]:
        return self._round(t).keep


def _basis(n: int, rule: Dict[str, Any]) -> Optional[List[int]]:
    """Label differences from 1 to n - 1, at least one; None where all of them are meant."""
    if rule["basis"] == "full":
        return None
    basis = [integer("an index of the basis", u, 1, n - 1) for u in rule["basis"]]
    if not basis:
        raise KeyError("basis")
    return basis


class Shift(Rule):
    def __init__(self, n: int, rule: Dict[str, Any]) -> None:
        self._n, self._seed = n, integer("seed", rule["seed"], 0)
        self._weight = share("weight", rule["weight"])
        self._basis = _basis(n, rule)

    def peers(self, t: int, i: int) -> Peers:
        n, weight, basis = self._n, self._weight, self._basis
        draw = Stream(self._seed, SHIFT, t)
        v = 1 + draw.below(n - 1) if basis is None else basis[draw.below(len(basis))]
        return Peers(1 - weight, (((i - v) % n, weight),), (((i + v) % n, weight),))


class Pairs(Rule):
    def __init__(self, n: int, rule: Dict[str, Any]) -> None:
        self._n, self._seed = n, integer("seed", rule["seed"], 0)
        self._weight = share("weight", rule["weight"])
        self._partner = {"greedy": greedy_partner, "euclid": euclid_partner}[rule["construction"]]
        basis = _basis(n, rule)
        self._differences = None if basis is None else basis + [n - u for u in basis]

    def peers(self, t: int, i: int) -> Peers:
        n, differences = self._n, self._differences
        draw = Stream(self._seed, SHIFT, t)
        if differences is None:
            v = 1 + draw.below(n - 1)
        else:
            v = differences[draw.below(len(differences))]
        return paired(i, self._partner(n, v, draw.below(n), i), self._weight)


class Labels(Rule):
    def __init__(self, n: int, rule: Dict[str, Any]) -> None:
        self._n, self._block = n, integer("block", rule["block"], 1)
        self._of = rule_of(n, rule["of"])
        seed, stream = integer("seed", rule["seed"], 0), integer("stream", rule["stream"], 0)
        self._order = KeyedPermutation(n, seed, stream)

    def peers(self, t: int, i: int) -> Peers:
        block = t // self._block
        self_weight, sources, targets = self._of.peers(t, self._order.inverse(block, i))
        heard = self._renamed(block, i, sources)
        sent = heard if targets is sources else self._renamed(block, i, targets)
        return Peers(self_weight, heard, sent)

    def _renamed(self, block: int, i: int, links: Sequence[Link]) -> Tuple[Link, ...]:
        return ordered(self._n, i, [(self._order.forward(block, j), weight) for j, weight in links])

    def keep(self, t: int) -> Optional[float]:
        return self._of.keep(t)

    def pair(self, t: int) -> Optional[Pair]:
        return self._of.pair(t)


class Push(Rule):
    def __init__(self, n: int, rule: Dict[str, Any]) -> None:
        self._n, self._s = n, integer("s", rule["s"], 1, n - 1)
        self._seed = integer("seed", rule["seed"], 0)
        self._last: Tuple[int, List[List[int]]] = (-1, [])

    def _targets(self, t: int, i: int) -> List[int]:
        """The s others that node i pushes to (Floyd's sampling among the labels without i)."""
        draw = Stream(self._seed, PUSH, self._n * t + i)
        drawn: Dict[int, None] = {}
        for top in range(self._n - 1 - self._s, self._n - 1):
            pick = draw.below(top + 1)
            drawn[top if pick in drawn else pick] = None
        return [k if k < i else k + 1 for k in drawn]

    def _received(self, t: int) -> List[List[int]]:
        """Who pushes to each node: nobody can know it but by everyone's draws, O(n s)."""
        if self._last[0] != t:
            received: List[List[int]] = [[] for _ in range(self._n)]
            for i in range(self._n):
                for k in self._targets(t, i):
                    received[k].append(i)
            self._last = (t, received)
        return self._last[1]

    def peers(self, t: int, i: int) -> Peers:
        received = self._received(t)
        share = [1 / (1 + len(received[k])) for k in [i] + self._targets(t, i)]
        sources = ordered(self._n, i, [(j, share[0]) for j in received[i]])
        return Peers(share[0], sources, tuple(zip(self._targets(t, i), share[1:])))


class Subset(Rule):
    def __init__(self, n: int, rule: Dict[str, Any]) -> None:
        self._seed = integer("seed", rule["seed"], 0)
        # Beyond 2 a pair would move away from its mean; alpha above 1 is of use in matcha.
        self._alpha = 2 * share("half of alpha", rule["alpha"] / 2)
        self._probabilities = [share("a probability", p) for p in rule["probabilities"]]
        if len(self._probabilities) != len(rule["matchings"]):
            raise KeyError("probabilities")
        links: List[List[Tuple[int, int]]] = [[] for _ in range(n)]
        for k, ends in enumerate(rule["matchings"]):
            for i, j in zip(ends[::2], ends[1::2]):
                if not (0 <= i < n and 0 <= j < n and i != j):
                    raise IndexError((i, j))
                links[i].append((j, k))
                links[j].append((i, k))
        self._links = [
            sorted(row, key=lambda link: (i - link[0]) % n) for i, row in enumerate(links)
        ]

    def peers(self, t: int, i: int) -> Peers:
        draw = Stream(self._seed, MATCHINGS, t)
        active = [draw.uniform() < p for p in self._probabilities]
        links = tuple([(j, self._alpha) for j, k in self._links[i] if active[k]])
        return Peers(1 - self._alpha * len(links), links, links)


class Grouped(Rule):
    """Means inside groups, a rule V between them. With m_g the mean of group g, s_g its size and c
    the least size,

        z_g = (1 - (c/s_g)(1 - v_gg)) m_g + sum over h of (c/s_g) v_gh m_h,   y_i = z_g for i in g.

    `peers` is this as one matrix over the nodes. What is sent in its place is one vector for each
    link between groups: `groups` has the members, `between(t, g)` the row of group g, which is to
    be applied to the means.
    """

    def __init__(self, n: int, rule: Dict[str, Any]) -> None:
        self._n = n
        self.groups = members_of(n, rule["groups"])
        count = len(self.groups)
        self._of = {i: g for g, members in enumerate(self.groups) for i in members}
        if len(self._of) != n:
            raise KeyError("groups")
        self._least = min(len(members) for members in self.groups)
        self._between: Optional[Rule] = None if count == 1 else rule_of(count, rule["between"])

    def _row(self, t: int, g: int) -> Peers:
        return Peers(1.0, (), ()) if self._between is None else self._between.peers(t, g)

    def between(self, t: int, g: int) -> Peers:
        """Group g's part of the round between the groups; ranks in it are numbers of groups."""
        own, sources, targets = self._row(t, g)
        share = self._least / len(self.groups[g])
        heard = tuple([(h, share * weight) for h, weight in sources])
        sent = tuple([(h, self._least / len(self.groups[h]) * weight) for h, weight in targets])
        return Peers(_own(share, own), heard, sent)

    def between_keep(self, t: int) -> Optional[float]:
        """`keep` of the round between the groups, where that is a mean and all groups are equal."""
        equal = all(len(members) == self._least for members in self.groups)
        return self._between.keep(t) if self._between is not None and equal else None

    def peers(self, t: int, i: int) -> Peers:
        g = self._of[i]
        size = len(self.groups[g])
        own, sources, targets = self._row(t, g)
        self_weight = _own(self._least / size, own) / size
        inside = [(j, self_weight) for j in self.groups[g] if j != i]

        def spread(links: Sequence[Link]) -> Tuple[Link, ...]:
            found = list(inside)
            for h, weight in links:
                share = self._least * weight / (size * len(self.groups[h]))
                found.extend((j, share) for j in self.groups[h])
            return ordered(self._n, i, [link for link in found if link[1] != 0])

        heard = spread(sources)
        return Peers(self_weight, heard, heard if targets is sources else spread(targets))


def _own(share: float, own: float) -> float:
    return own if share == 1 else 1 - share * (1 - own)


def members_of(n: int, grouping: Sequence[Any]) -> Tuple[Tuple[int, ...], ...]:
    """The members of each group, ascending, from sizes or from lists."""
    if all(isinstance(entry, int) for entry in grouping):
        starts = [sum(grouping[:g]) for g in range(len(grouping) + 1)]
        return tuple(tuple(range(a, b)) for a, b in zip(starts, starts[1:]))
    return tuple(tuple(sorted(members)) for members in grouping)


class TwoVectors(Rule):
    def __init__(self, n: int, rule: Dict[str, Any]) -> None:
        self._of = rule_of(n, rule["of"])
        self._weights = [
            Pair(round["sends"], _weights(round["x"]), _weights(round["z"]))
            for round in rule["rounds"]
        ]

    def peers(self, t: int, i: int) -> Peers:
        return self._of.peers(t, i)

    def pair(self, t: int) -> Optional[Pair]:
        return self._weights[t % len(self._weights)]


def _weights(given: Dict[str, Any]) -> Weights:
    return Weights(float(given["own"]), float(given["heard"]))


_RULES = {
    "table": Table,
    "shift": Shift,
    "pairs": Pairs,
    "labels": Labels,
    "push": Push,
    "subset": Subset,
    "grouped": Grouped,
    "pair": TwoVectors,
    "rounds": Rounds,
}


def rule_of(n: int, rule: Dict[str, Any]) -> Rule:
    """What draws the rounds of a rule as a plan has it."""
    name = rule["name"]
    if name not in _RULES:
        known = ", ".join(_RULES)
        raise InputError(f"the rule of a plan must be one of {known}", name, "update equitopo")
    made: Rule = _RULES[name](n, rule)
    return made
