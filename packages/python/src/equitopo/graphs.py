"""Graphs of your own: from networkx, from a matrix, or in two levels.

Rows and columns of weights must sum to 1. Where only edges are given they get Metropolis weights,

    w_ij = 1 / (1 + max(d_i, d_j)),   w_ii = 1 - sum over j of w_ij.
"""

from typing import Any, Dict, List, Optional, Sequence, Tuple

from .errors import InputError
from .rounds import Link, ordered
from .rules import members_of
from .topology import Topology

#: How far a sum of weights may miss 1: nine digits of a text file.
TOLERANCE = 1e-8


def from_networkx(graph: Any) -> Topology:
    """The topology of a networkx graph, directed or not.

    "weight" of an edge j -> i is what i gives to what it hears of j; a node's own weight is that of
    its loop, or what its row lacks to 1. Edges without weights must be undirected. Nodes 0 .. n - 1
    keep their numbers, others are numbered in the graph's order.
    """
    nodes = list(graph.nodes)
    n = len(nodes)
    label = {node: i for i, node in enumerate(nodes)}
    if set(nodes) == set(range(n)):
        label = {i: i for i in range(n)}
    directed = graph.is_directed()
    edges = [(label[a], label[b], w) for a, b, w in graph.edges(data="weight", default=None)]
    if all(weight is None for _, _, weight in edges):
        if directed and edges:
            rule = "edges without weights must be undirected"
            raise InputError(rule, "a directed graph", 'give each edge a "weight"')
        return _metropolis(n, [(a, b) for a, b, _ in edges])
    own: List[Optional[float]] = [None] * n
    heard: List[Dict[int, float]] = [{} for _ in range(n)]
    received = [0.0] * n
    for source, target, weight in edges:
        if weight is None:
            value = f"{source} to {target}"
            raise InputError("where one edge has a weight, all must", value, "give it one")
        if source == target:
            own[target] = (own[target] or 0) + float(weight)
            continue
        for j, i in [(source, target)] if directed else [(source, target), (target, source)]:
            heard[i][j] = heard[i].get(j, 0) + float(weight)
            received[i] += float(weight)
    filled = [max(0.0, 1 - received[i]) if w is None else w for i, w in enumerate(own)]
    return _weighted(filled, heard)


def from_matrix(matrix: Any) -> Topology:
    """The topology of a square matrix, a NumPy array or lists: [i][j] is what i gives to j.

    A symmetric matrix of zeros and ones with nothing on its diagonal is taken as edges, unless
    every node has one edge: that is a matrix of weights as well.

    >>> from_matrix([[0, 1, 0], [1, 0, 1], [0, 1, 0]]).peers(0, 1).sources[0][1] == 1 / 3
    True
    >>> from_matrix([[0.75, 0.25], [0.25, 0.75]]).peers(0, 0)
    Peers(self_weight=0.75, sources=((1, 0.25),), targets=((1, 0.25),))
    """
    rows = [[float(weight) for weight in row] for row in matrix]
    n = len(rows)
    for row in rows:
        if len(row) != n:
            raise InputError("a weight matrix must be square", f"{n} rows of {len(row)}", "give W")
    heard = [{j: w for j, w in enumerate(row) if w != 0 and j != i} for i, row in enumerate(rows)]
    own = [row[i] for i, row in enumerate(rows)]
    zeros_and_ones = not any(own) and all(w == 1 for links in heard for w in links.values())
    symmetric = all(i in heard[j] for i, links in enumerate(heard) for j in links)
    if zeros_and_ones and symmetric and any(len(links) != 1 for links in heard):
        return _metropolis(n, [(i, j) for i, links in enumerate(heard) for j in links if i < j])
    return _weighted(own, heard)


def hierarchy(groups: Sequence[Any], between: Optional[Topology] = None) -> Topology:
    """Two levels: exact means inside groups (machines), a topology between them.

    `groups` are sizes of consecutive groups, or lists of members; `between` is a topology of as
    many nodes as there are groups.

    >>> from equitopo import ring
    >>> topology = hierarchy([4, 4, 4], between=ring(3))
    >>> topology.n, topology.grouped.groups[1]
    (12, (4, 5, 6, 7))
    """
    n = sum(entry if isinstance(entry, int) else len(entry) for entry in groups)
    members = members_of(n, groups)
    if sorted(i for group in members for i in group) != list(range(n)) or not all(members):
        raise InputError("every rank must be in one group", groups, "try groups = [4, 4]")
    if len(members) > 1 and (between is None or between.n != len(members)):
        needed = f"the topology between {len(members)} groups must have as many nodes"
        found = "none" if between is None else between.n
        raise InputError(needed, found, f"try between = ring({len(members)})")
    consecutive = [i for group in members for i in group] == list(range(n))
    grouping = [len(group) if consecutive else list(group) for group in members]
    rule: Dict[str, Any] = {"name": "grouped", "groups": grouping}
    spec: Dict[str, Any] = {"name": "hierarchy", "n": n, "groups": grouping}
    if between is None or len(members) == 1:
        return Topology(n, rule, spec=spec, symmetric=True, period=1)
    if between.rule["name"] in ("push", "pair", "grouped", "subset") or between.pair(0):
        needed = "between groups W(t) must be doubly stochastic, nonnegative, of one level"
        raise InputError(needed, between.spec.get("name"), "try between = od_equidyn(...)")
    rule["between"] = between.rule
    spec["between"] = {key: value for key, value in between.spec.items() if key != "n"}
    return Topology(n, rule, spec=spec, symmetric=between.symmetric, period=between.period)


def _metropolis(n: int, edges: Sequence[Tuple[int, int]]) -> Topology:
    neighbours: List[Dict[int, None]] = [{} for _ in range(n)]
    for i, j in edges:
        if i == j:
            raise InputError("an edge without a weight must join two nodes", i, "leave it out")
        neighbours[i][j] = neighbours[j][i] = None
    degree = [len(links) for links in neighbours]
    rows: List[Tuple[float, Tuple[Link, ...]]] = []
    for i, links in enumerate(neighbours):
        heard = ordered(n, i, [(j, 1 / (1 + max(degree[i], degree[j]))) for j in links])
        own = 1.0
        for _, weight in heard:
            own -= weight
        # 1 - d/(d + 1) may come out as -1e-17.
        rows.append((max(0.0, own), heard))
    return _sparse(rows, True)


def _weighted(own: Sequence[float], heard: Sequence[Dict[int, float]]) -> Topology:
    n = len(own)
    columns = list(own)
    for i, links in enumerate(heard):
        for j, weight in list(links.items()) + [(i, own[i])]:
            if not 0 <= weight < float("inf"):
                rule = f"weight w[{i}][{j}] must be a nonnegative number"
                raise InputError(rule, weight, "gossip weights are shares")
        for j, weight in links.items():
            columns[j] += weight
    sums = [("row", i, own[i] + sum(links.values())) for i, links in enumerate(heard)]
    sums += [("column", j, total) for j, total in enumerate(columns)]
    for kind, i, total in sums:
        if abs(total - 1) > TOLERANCE:
            rule = f"every row and column of a weight matrix must sum to 1, but {kind} {i} does not"
            raise InputError(rule, total, "give a doubly stochastic W, or edges without weights")
    symmetric = all(
        abs(heard[j].get(i, 0) - weight) <= 1e-15
        for i, links in enumerate(heard)
        for j, weight in links.items()
    )
    rows = [(own[i], ordered(n, i, list(links.items()))) for i, links in enumerate(heard)]
    return _sparse(rows, symmetric)


def _sparse(rows: Sequence[Tuple[float, Tuple[Link, ...]]], symmetric: bool) -> Topology:
    places: Dict[float, int] = {}

    def place(weight: float) -> int:
        return places.setdefault(weight, len(places))

    written: List[List[int]] = []
    for own, links in rows:
        row = [place(own)]
        for j, weight in links:
            row += [j, place(weight)]
        written.append(row)
    round = {"kind": "sparse", "weights": list(places), "rows": written}
    rule = {"name": "table", "rounds": [round]}
    spec = {"name": "custom", "n": len(rows)}
    return Topology(len(rows), rule, spec=spec, symmetric=symmetric, period=1)
