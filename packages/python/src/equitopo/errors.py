"""Errors say the rule, the value that broke it, and what to do instead."""


class InputError(ValueError):
    """What a caller passed in breaks a rule.

    >>> raise InputError("n must be 2 or more", 1, "try n = 2")
    Traceback (most recent call last):
    equitopo.errors.InputError: n must be 2 or more, got 1; try n = 2
    """

    def __init__(self, rule: str, value: object, remedy: str) -> None:
        shown = value if isinstance(value, str) else repr(value)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        super().__init__(f"{rule}, got {shown}; {remedy}")
        self.rule = rule
        self.value = value
        self.remedy = remedy


def share(name: str, value: object) -> float:
    """The number, which must lie in [0, 1]."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise InputError(f"{name} must lie in [0, 1]", value, f"try {name} = 0.5")


def integer(name: str, value: object, least: int, most: int = 2**53 - 1) -> int:
    """The integer, which must lie in [least, most]."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    rule = f"{name} must be an integer from {least}"
    rule += " on" if most == 2**53 - 1 else f" to {most}"
    raise InputError(rule, value, f"try {name} = {least}")
