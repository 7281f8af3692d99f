"""A topology in two levels: exact means inside a machine, gossip between machines, each through one rank of its group."""

from typing import Sequence, Union

from ..errors import InputError
from ..topology import Topology


def hierarchy(groups: Sequence[Union[int, Sequence[int]]], between: Topology) -> Topology:
    """The groups' sizes (ranks in their order) or their ranks, and a topology over the groups.

    Means are added up in the order of ranks; between groups of different sizes weights keep the mean of all ranks, as in the
    library's `hierarchy`. A group's members speak for it in turn.

    >>> import equitopo
    >>> from equitopo.torch import hierarchy
    >>> hierarchy([4, 4, 4], equitopo.ring(3)).n
    12
    """
    sizes = [group if isinstance(group, int) else len(group) for group in groups]
    if len(groups) != between.n or min(sizes, default=0) < 1:
        raise InputError(f"there must be a group for each of the {between.n} nodes between", groups, "make n the number of groups")
    lists = [group if isinstance(group, int) else list(group) for group in groups]
    rule = {"name": "grouped", "groups": lists, "between": between.rule}
    spec = {"name": "hierarchy", "n": sum(sizes), "groups": lists, "between": between.spec}
    return Topology(sum(sizes), rule, spec=spec, symmetric=between.symmetric, period=between.period)
