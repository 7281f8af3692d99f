"""
All ranks must mean the same thing before the first message: a vector longer than its receiver's buffer aborts a process of
gloo, and two plans never meet. So every rank hashes what it is about to do, and all compare.
"""

import hashlib
import json
from collections import Counter
from typing import Mapping

import torch
import torch.distributed as dist

from ..errors import InputError
from .link import Link

# In this order, always all of them: the comparison itself must not have unequal lengths.
FACTS = ("plan", "lengths", "dtypes", "settings")


def agree(link: Link, facts: Mapping[str, object]) -> None:
    """Refuses, on every rank alike, what not all ranks have in common; says which rank differs, and in what."""
    digests = [hashlib.sha256(json.dumps(facts[name], sort_keys=True).encode()).digest() for name in FACTS]
    device = torch.device("cuda", torch.cuda.current_device()) if link.backend == "nccl" else torch.device("cpu")
    mine = torch.tensor(list(b"".join(digests)), dtype=torch.uint8, device=device)
    every = [torch.empty_like(mine) for _ in range(link.size)]
    dist.all_gather(every, mine, group=link.group)
    for k, name in enumerate(FACTS):
        seen = [bytes(row[32 * k : 32 * (k + 1)].tolist()) for row in every]
        # Where two are equally common the one of the lowest rank counts: most_common keeps the order of appearance.
        usual = Counter(seen).most_common(1)[0][0]
        odd = [rank for rank, digest in enumerate(seen) if digest != usual]
        if odd:
            rule = f"all ranks must have the same {name}"
            who = f"rank {odd[0]}" if len(odd) == 1 else f"ranks {', '.join(map(str, odd))}"
            raise InputError(rule, f"something else on {who}", f"rank {link.rank} has {_short(facts[name])}")


def _short(fact: object) -> str:
    text = json.dumps(fact)
    return text if len(text) <= 200 else text[:197] + "..."
