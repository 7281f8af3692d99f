"""Node i's partner for label difference v and start s, itself where it is idle.

The paper's Algorithms 4 and 5, with true nonnegative mod.
"""

from typing import Tuple


def greedy_partner(n: int, v: int, s: int, i: int) -> int:
    """Alg. 4: from s on each node is joined to the one v further, unless one is taken. O(1).

    >>> [greedy_partner(7, 2, 0, i) for i in range(7)]
    [2, 3, 0, 1, 6, 5, 4]
    """
    q = v if 2 * v <= n else n - v
    k = (i - s if 2 * v <= n else i - s + q) % n
    d, r = divmod(k, q)
    last = (n - 1 - r) // q
    if last % 2 == 0 and d == last:
        return i
    return (i + q if d % 2 == 0 else i - q) % n


def euclid_partner(n: int, v: int, s: int, i: int) -> int:
    """Alg. 5: the cycles of i -> i + v are cut into consecutive pairs. O(log n).

    >>> [euclid_partner(7, 2, 0, i) for i in range(7)]
    [2, 3, 0, 1, 6, 5, 4]
    """
    d, b = _bezout(v, n)
    length = n // d
    m = (i - s) % n // d * b % length
    if length % 2 == 1 and m == length - 1:
        return i
    return (i + v if m % 2 == 0 else i - v) % n


def _bezout(v: int, n: int) -> Tuple[int, int]:
    """d = gcd(v, n), and the b in [0, n/d) with b v = d (mod n)."""
    d, b, next_d, next_b = v, 1, n, 0
    while next_d:
        quotient = d // next_d
        d, b, next_d, next_b = next_d, next_b, d - quotient * next_d, b - quotient * next_b
    return d, b % (n // d)
