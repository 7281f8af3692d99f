"""Canonical JSON (RFC 8785), so that TypeScript and Python hash the same bytes.

Keys are sorted, there are no spaces, and numbers are as JavaScript writes them.
"""

import json
from hashlib import sha256
from math import isfinite
from typing import Any

from .errors import InputError


def canonical(value: Any) -> str:
    """
    >>> canonical({"b": [1.0, 1e-7, 0.1], "a": None})
    '{"a":null,"b":[1,1e-7,0.1]}'
    """
    # The rows of large graphs are integers, nearly all of them.
    if type(value) is int:
        return str(value)
    if isinstance(value, dict):
        members = [f"{json.dumps(key)}:{canonical(value[key])}" for key in sorted(value)]
        return "{" + ",".join(members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([canonical(entry) for entry in value]) + "]"
    if isinstance(value, float):
        return _number(value)
    return json.dumps(value)


def _number(x: float) -> str:
    if not isfinite(x):
        raise InputError("numbers of a plan must be finite", x, "write the plan anew")
    if x == int(x) and abs(x) < 1e21:
        return str(int(x))
    mantissa, _, exponent = repr(x).partition("e")
    if exponent == "":
        return mantissa
    power = int(exponent)
    if -7 < power < 0:
        sign = "-" if x < 0 else ""
        digits = mantissa.lstrip("-").replace(".", "")
        return f"{sign}0.{'0' * (-power - 1)}{digits}"
    return f"{mantissa}e{'+' if power > 0 else '-'}{abs(power)}"


def hash_of(value: Any) -> str:
    """SHA-256 of the canonical JSON, in hexadecimal digits."""
    return sha256(canonical(value).encode()).hexdigest()
