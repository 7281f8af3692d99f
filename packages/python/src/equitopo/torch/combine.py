"""
What one rank does in a round:  y_i = w_ii x_i + sum over sources j of w_ij x_j.

The order of additions is the library's definition, so that ranks get the bits of the simulator: own weight first, then the
sources by ascending (i - j) mod n, products and sums in float64, and one rounding at the end. float16 and bfloat16, which the
simulator does not have, are summed in float32 in the same order.
"""

from typing import Sequence

import torch

from ..errors import InputError

# Numbers that are widened at a time: what is widened should stay in the cache.
CHUNK = 1 << 15


def wide(dtype: torch.dtype) -> torch.dtype:
    """The type that sums are made in."""
    if not dtype.is_floating_point:
        remedy = "convert it with x.float(), complex numbers with torch.view_as_real(x)"
        raise InputError("what is mixed must have real floating-point numbers", str(dtype), remedy)
    return torch.float64 if dtype in (torch.float32, torch.float64) else torch.float32


def combine(
    x: torch.Tensor, self_weight: float, weights: Sequence[float], received: Sequence[torch.Tensor], exact: bool = True
) -> None:
    """x becomes the weighted sum, in place; `received` are the sources' vectors in the order of additions.

    exact=False lets torch fuse products and sums in x's own type: faster, and other bits on other processors.
    """
    width = wide(x.dtype)
    if not weights and self_weight == 1.0:
        return
    if len(weights) == 1 and self_weight == 0.5 and weights[0] == 0.5 and width == torch.float64:
        # Halving is exact, and so the sum's one rounding is all that happens either way: the same bits, without widening.
        x.add_(received[0]).mul_(0.5)
    elif not exact or x.dtype == torch.float64:
        _in_place(x, self_weight, weights, received, exact)
    else:
        for start in range(0, x.numel(), CHUNK):
            part = slice(start, start + CHUNK)
            sums = x[part].to(width)
            _in_place(sums, self_weight, weights, [r[part].to(width) for r in received], exact)
            x[part] = sums


def _in_place(
    sums: torch.Tensor, own: float, weights: Sequence[float], received: Sequence[torch.Tensor], exact: bool
) -> None:
    sums.mul_(own)
    for weight, row in zip(weights, received):
        if exact:
            # Not add(alpha=): it fuses product and sum into one rounding.
            sums.add_(row * weight)
        else:
            sums.add_(row, alpha=weight)


def ordered_mean(rows: Sequence[torch.Tensor]) -> torch.Tensor:
    """The mean in the wide type: rows added up in the order of labels, then one division."""
    sums = torch.zeros_like(rows[0], dtype=wide(rows[0].dtype))
    for row in rows:
        sums.add_(row)
    return sums.div_(len(rows))
