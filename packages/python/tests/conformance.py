"""Holds the package to what the library says.

Vectors (scripts/vectors.mjs) are on stdin, what differs is on stdout.
"""

import json
import sys
from typing import Any, Dict, List, Tuple

import equitopo


def links(peers: List[Any]) -> Tuple[Tuple[int, float], ...]:
    return tuple((j, float(weight)) for j, weight in peers)


def differences(vector: Dict[str, Any]) -> Tuple[int, List[str]]:
    """How many answers were compared, and what was different."""
    found = []
    topology = equitopo.from_plan(vector["plan"])
    name = f"{topology.spec} "
    count = 1
    for t, i, own, sources, targets in vector["peers"]:
        count += 1
        expected = equitopo.Peers(float(own), links(sources), links(targets))
        if topology.peers(t, i) != expected:
            found.append(f"{name}peers({t}, {i}) = {topology.peers(t, i)}, not {expected}")
    for round in vector["rounds"]:
        count += 1
        if levels(topology, round["t"]) != expected_levels(round):
            found.append(f"{name}round {round['t']}: {levels(topology, round['t'])}")
    python = vector["python"]
    if python is not None:
        count += 1
        options = python["options"]
        if "between" in python:
            options["between"] = getattr(equitopo, python["between"])(len(python["args"][0]))
        made = getattr(equitopo, python["name"])(*python["args"], **options)
        same = [(one.hash, one.symmetric, one.period) for one in (made, topology)]
        if same[0] != same[1]:
            found.append(f"{name}made without a plan: {same[0]}, not {same[1]}")
    return count, found


def levels(topology: equitopo.Topology, t: int) -> Any:
    pair, grouped = topology.pair(t), topology.grouped
    if grouped is None:
        return pair, topology.keep(t), None
    keep = grouped.between_keep(t)
    rows = None if keep is not None else [
        grouped.between(t, g)[:2] for g in range(len(grouped.groups))
    ]
    members = [i for group in grouped.groups for i in group]
    return pair, topology.keep(t), (members, rows, keep)


def expected_levels(round: Dict[str, Any]) -> Any:
    pair, groups = round["pair"], round["groups"]
    if pair is not None:
        pair = (pair["sends"], *(tuple(map(float, pair[k].values())) for k in "xz"))
    keep = None if round["keep"] is None else float(round["keep"])
    if groups is None:
        return pair, keep, None
    between = groups["keep"]
    rows = None if between is not None else [
        (float(own), links(row)) for own, row in groups["rows"]
    ]
    return pair, keep, (groups["members"], rows, between)


def main() -> int:
    compared, rules, different = 0, set(), 0
    for line in sys.stdin:
        vector = json.loads(line)
        count, found = differences(vector)
        compared += count
        rules.add(vector["plan"]["rule"]["name"])
        different += len(found)
        for text in found:
            print(text[:500])
    print(json.dumps({"compared": compared, "different": different, "rules": sorted(rules)}))
    return 0 if different == 0 and compared > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
