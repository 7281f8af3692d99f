"""Plans: topologies as JSON files that are good for every round.

They are written by `equitopo plan NAME --n N --out graph.json`.
"""

import json
from os import PathLike
from typing import Any, Dict, Union

from .errors import InputError, integer
from .topology import FORMAT, VERSION, Topology


def load(path: Union[str, "PathLike[str]"]) -> Topology:
    """The topology of a plan in a file.

    >>> load("missing.json")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'missing.json'
    """
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        plan = json.loads(text)
    except ValueError as error:
        raise InputError(f"a plan must be JSON ({error})", str(path), AGAIN) from None
    return from_plan(plan)


AGAIN = "write it again: equitopo plan NAME --n N --out graph.json"


def from_plan(plan: Any) -> Topology:
    """The topology of a plan that was read already."""
    if not isinstance(plan, dict) or plan.get("format") != FORMAT:
        found = plan.get("format") if isinstance(plan, dict) else plan
        raise InputError(f'a plan must have format "{FORMAT}"', found, AGAIN)
    version = plan.get("version")
    if version != VERSION:
        newer = isinstance(version, int) and version > VERSION
        remedy = "update equitopo" if newer else AGAIN
        raise InputError(f"the version of a plan must be {VERSION}", version, remedy)
    try:
        topology = _topology(plan)
    except InputError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise InputError(f"the plan is damaged ({error!r})", plan.get("rule"), AGAIN) from None
    if topology.hash != plan.get("hash"):
        raise InputError("the hash of a plan must be that of its rule", plan.get("hash"), AGAIN)
    return topology


def _topology(plan: Dict[str, Any]) -> Topology:
    for key in ("rate", "roundsTo1e6", "period"):
        if plan[key] is not None and not isinstance(plan[key], (int, float)):
            raise InputError(f"{key} of a plan must be a number or null", plan[key], AGAIN)
    outer = plan.get("outer")
    parts = {"rule", "settings", "stable", "largest"}
    if outer is not None and not (isinstance(outer, dict) and parts <= outer.keys()):
        raise InputError(f"outer of a plan must have {', '.join(sorted(parts))}", outer, AGAIN)
    return Topology(
        integer("n of a plan", plan["n"], 2, 2**31 - 1),
        plan["rule"],
        spec=plan["spec"],
        symmetric=plan["symmetric"],
        period=plan["period"],
        rate=plan["rate"],
        rounds_to_1e6=plan["roundsTo1e6"],
        outer=outer,
    )
