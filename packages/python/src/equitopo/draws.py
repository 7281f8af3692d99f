"""Numbers drawn from (seed, stream, round): the same bits as the TypeScript library draws.

Philox 4x32-10 (Salmon, Moraes, Dror and Shaw 2011) with the seed as its key and (index, round,
stream) as its counter: number `index` of any round can be computed by anyone, at any time, alone.
Uniform integers come by Lemire's multiplication with rejection, orders of few things by Fisher and
Yates, orders of all labels by a keyed permutation.
"""

from math import isqrt
from typing import List, Tuple

#: Who draws from where. The numbers are part of what a seed means: they are only ever added to.
SHIFT, ORDER, RELABEL, ROUND_LABELS, PUSH, MATCHINGS = 2, 3, 9, 10, 11, 63

_LOW = 0xFFFFFFFF


def block(seed: int, stream: int, round: int, index: int) -> Tuple[int, int, int, int]:
    """Block `index` of (seed, stream, round): four words of 32 bits.

    >>> hex(block(0, 0, 0, 0)[0])
    '0x6627e8d5'
    """
    k0, k1 = seed & _LOW, seed >> 32
    c0, c1, c2, c3 = index, round & _LOW, stream, round >> 32
    for _ in range(10):
        p0 = 0xD2511F53 * c0
        p1 = 0xCD9E8D57 * c2
        c0, c1, c2, c3 = p1 >> 32 ^ c1 ^ k0, p1 & _LOW, p0 >> 32 ^ c3 ^ k1, p0 & _LOW
        k0 = k0 + 0x9E3779B9 & _LOW
        k1 = k1 + 0xBB67AE85 & _LOW
    return c0, c1, c2, c3


class Stream:
    """The numbers of one (seed, stream, round), read from the first on.

    >>> dice, again = Stream(7, 100, 0), Stream(7, 100, 0)
    >>> [dice.below(6), dice.below(6)] == [again.below(6), again.below(6)]
    True
    """

    def __init__(self, seed: int, stream: int, round: int) -> None:
        self._of = (seed, stream, round)
        self._index = 0
        self._words: List[int] = []

    def word(self) -> int:
        """32 random bits."""
        if not self._words:
            self._words = list(reversed(block(*self._of, self._index)))
            self._index += 1
        return self._words.pop()

    def below(self, range: int) -> int:
        """A uniform integer in [0, range), range at most 2^32."""
        product = self.word() * range
        if product & _LOW < range:
            threshold = (2**32 - range) % range
            while product & _LOW < threshold:
                product = self.word() * range
        return product >> 32

    def uniform(self) -> float:
        """A uniform number in [0, 1), a multiple of 2^-53."""
        high = self.word() >> 5
        return (high * 67108864 + (self.word() >> 6)) / 9007199254740992

    def permutation(self, n: int) -> List[int]:
        """A uniformly random order of 0, ..., n - 1 (Fisher-Yates)."""
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


class KeyedPermutation:
    """A random order o of the labels 0 .. n - 1 for each round: o(i) and its inverse in O(1).

    It is never written out. A label is a pair (x, y) of Z_a x Z_b, a b >= n; half-rounds add a
    keyed hash of one half to the other (a Feistel network on residues), and what is no label is
    walked on from.

    >>> order = KeyedPermutation(1_000_000, 7, 100)
    >>> order.inverse(3, order.forward(3, 123_456))
    123456
    """

    def __init__(self, n: int, seed: int, stream: int) -> None:
        self.n = n
        self._seed, self._stream = seed, stream
        self._a = max(2, isqrt(n - 1) + 1)
        self._b = -(-n // self._a)
        pairs, closeness = 0, 1
        while closeness < 2**32 or 2 * pairs < 6:
            closeness *= self._a * self._b
            pairs += 1
        self._pairs = pairs
        self._round = -1
        self._keys: List[Tuple[int, int, int, int]] = []

    def _at(self, round: int) -> List[Tuple[int, int, int, int]]:
        if round != self._round:
            w = block(self._seed, self._stream, round, 0)
            steps = (0x9E3779B9, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A)
            self._keys = []
            for k in range(self._pairs):
                a, b, c, d = (w[m] + k * steps[m] & _LOW for m in range(4))
                self._keys.append((a, b, c, d))
            self._round = round
        return self._keys

    def forward(self, round: int, i: int) -> int:
        """o(i) of this round."""
        keys, a, b = self._at(round), self._a, self._b
        label = i
        while True:
            y, x = divmod(label, a)
            for k0, k1, k2, k3 in keys:
                x = (x + _below(a, y, k0, k1)) % a
                y = (y + _below(b, x, k2, k3)) % b
            label = a * y + x
            if label < self.n:
                return label

    def inverse(self, round: int, j: int) -> int:
        """The i with o(i) = j."""
        keys, a, b = self._at(round), self._a, self._b
        label = j
        while True:
            y, x = divmod(label, a)
            for k0, k1, k2, k3 in reversed(keys):
                y = (y - _below(b, x, k2, k3)) % b
                x = (x - _below(a, y, k0, k1)) % a
            label = a * y + x
            if label < self.n:
                return label


def _below(range: int, half: int, key: int, other: int) -> int:
    """A number in [0, range) from a label's half and two words of key."""
    h = (half ^ key) * 0x85EBCA6B & _LOW
    return (((h ^ h >> 15) + other) * 0xC2B2AE35 & _LOW) * range >> 32
