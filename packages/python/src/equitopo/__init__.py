"""Decentralised averaging: who talks to whom in which round, with which weight.

>>> import equitopo
>>> topology = equitopo.ou_equidyn(17, construction="euclid")
>>> own, sources, targets = topology.peers(t=0, rank=0)

`equitopo.torch` mixes PyTorch models over torch.distributed by these rounds.
"""

from .errors import InputError
from .graphs import from_matrix, from_networkx, hierarchy
from .plan import from_plan, load
from .rounds import Peers
from .topology import Topology, complete, od_equidyn, one_peer_exp, ou_equidyn, ring, static_exp

__all__ = [
    "InputError",
    "Peers",
    "Topology",
    "complete",
    "from_matrix",
    "from_networkx",
    "from_plan",
    "hierarchy",
    "load",
    "od_equidyn",
    "one_peer_exp",
    "ou_equidyn",
    "ring",
    "static_exp",
]
