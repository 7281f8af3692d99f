"""
Rounds of a topology over torch.distributed: each rank sends its vector to its targets and mixes what its sources sent.

    mixer = Mixer(equitopo.ou_equidyn(dist.get_world_size()))
    mixer.mix(t, x)                                     # x becomes this rank's row of W(t) X

What all ranks mix (how many numbers, of which type, by which plan) is agreed on once, before the first message. A round of
`complete` is a mean in the order of ranks, and a hierarchy's round goes through one rank of each group; both are waited
for by all that take part. By default the bits are the simulator's (combine.py).
"""

from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

import torch

from ..errors import InputError, integer
from ..rounds import Peers
from ..topology import Topology
from .agree import agree
from .combine import combine, ordered_mean
from .link import TAGS, Link, Message, Pending, timed_out
from .mean import facts_of, mean_among

# The last tags are for what is not a round of its own: means, and mix_with.
ROUND_TAGS = TAGS - 1024
WITH_TAG = TAGS - 512


# Whoever drops an optimiser whose exchange is under way must not drop its buffers: gloo would close the connections, and the
# next call of any kind would wait for ever.
UNDER_WAY: Set["Exchange"] = set()


class Exchange:
    """A round under way. Its vectors must not change before `wait`, which mixes what came into them."""

    def __init__(self, mixer: "Mixer", peers: Peers, vectors: Sequence[torch.Tensor], tag: int, where: Any) -> None:
        self._mixer, self._peers, self._vectors, self._where = mixer, peers, vectors, where
        self._inboxes = [[mixer._inbox(x) for _ in peers.sources] for x in vectors]
        messages: List[Message] = []
        # What is sent first is under way while receives are posted.
        for v, x in enumerate(vectors):
            for j, _ in peers.targets:
                if j not in mixer.gone:
                    messages.append((j, x, tag + v, True))
        for v, inboxes in enumerate(self._inboxes):
            for (j, _), inbox in zip(peers.sources, inboxes):
                if j not in mixer.gone:
                    messages.append((j, inbox, tag + v, False))
        self._pending: Optional[Pending] = mixer.link.post(messages)
        UNDER_WAY.add(self)

    def receive(self) -> List[List[torch.Tensor]]:
        """Waits; for each vector, what came from each source. In place of what will never come: the own vector."""
        mixer, pending, self._pending = self._mixer, self._pending, None
        if pending is None:
            raise InputError("an exchange is waited for once", "a second time", "start another round")
        UNDER_WAY.discard(self)
        failed = mixer.link.wait(pending)
        if failed:
            mixer._lose(failed, self._where)
        if not mixer.gone:
            return self._inboxes
        sources = [j for j, _ in self._peers.sources]
        return [
            [x if j in mixer.gone else inbox for j, inbox in zip(sources, inboxes)]
            for x, inboxes in zip(self._vectors, self._inboxes)
        ]

    def wait(self) -> None:
        """Waits for the round, and mixes it into the vectors."""
        mixer, (own, sources, _) = self._mixer, self._peers
        weights = [weight for _, weight in sources]
        for x, received in zip(self._vectors, self.receive()):
            if mixer.gone:
                received = [x.clone() if row is x else row for row in received]
            combine(x, own, weights, received, mixer.exact)
        self.free()

    def free(self) -> None:
        """Hands the buffers back for later rounds."""
        for inboxes in self._inboxes:
            self._mixer._free(inboxes)


class Deferred:
    """A round that begins when it is waited for: means and hierarchies, in which ranks wait for each other anyway."""

    def __init__(self, run: Any) -> None:
        self._run = run

    def wait(self) -> None:
        self._run()


class Mixer:
    """The rounds of a topology, over the ranks of a process group (the default one where it is left out).

    exact=True, the default, gives float32 and float64 vectors the simulator's bits; exact=False is faster where weights are
    not 1/2, and says nothing about bits.

    A rank that ended is an error that names it (PeerGone); with on_death="keep" the others go on, and the weight of what
    would have come from it stays at home. What is gone is gone: it cannot come back into a process group. `timeout`, in
    seconds, ends waits for ranks that live but do not come, and this rank's connections with them; without it the
    process group's own time holds, half an hour if nothing was said.
    """

    def __init__(
        self,
        topology: Topology,
        process_group: Any = None,
        *,
        exact: bool = True,
        on_death: str = "raise",
        timeout: Optional[float] = None,
    ) -> None:
        if on_death not in ("raise", "keep"):
            raise InputError("on_death must be raise or keep", on_death, 'try on_death = "raise"')
        self.topology, self.exact, self.on_death = topology, exact, on_death
        self.link = Link(process_group, timeout)
        if topology.n != self.link.size:
            raise InputError(
                f"the topology must have as many nodes as the group has ranks, {self.link.size}",
                topology.n,
                f"make it with n = {self.link.size}",
            )
        #: Ranks that ended, as far as this rank knows.
        self.gone: Set[int] = set()
        # Two vectors a rank (CECA), or two levels: asked once, not in every round.
        self._two, self._levels = topology.pair(0) is not None, topology.grouped is not None
        self._agreed: Optional[Tuple[Tuple[int, torch.dtype], ...]] = None
        self._buffers: Dict[Tuple[int, torch.dtype, torch.device], List[torch.Tensor]] = {}

    @property
    def rank(self) -> int:
        return self.link.rank

    def agree(self, vectors: Sequence[torch.Tensor], settings: Optional[Dict[str, Any]] = None) -> None:
        """Agrees with all ranks on what is mixed from now on: a refusal names the rank that differs, on every rank.

        The first round does this by itself. Every later round must have vectors like these.
        """
        shared = {"exact": self.exact, "on_death": self.on_death, **(settings or {})}
        agree(self.link, facts_of(vectors, self.topology.hash, shared))
        self._agreed = tuple((x.numel(), x.dtype) for x in vectors)

    def mix(self, t: int, *vectors: torch.Tensor) -> None:
        """Round t: each vector becomes this rank's row of W(t) X, in place."""
        self.start(t, *vectors).wait()

    def mixed(self, t: int, x: torch.Tensor) -> torch.Tensor:
        """Round t into a new tensor."""
        y = x.detach().clone()
        self.mix(t, y)
        return y

    def start(self, t: int, *vectors: torch.Tensor) -> Any:
        """Begins round t, and returns what its `wait()` ends. The vectors must not change in between."""
        integer("t", t, 0)
        flat = self._checked(vectors)
        topology = self.topology
        if self._two:
            raise InputError(
                "a round needs one vector a rank", topology.spec.get("name"), "take mean(): its whole period is an exact mean"
            )
        if self._levels:
            return Deferred(lambda: [self._grouped(t, v, x) for v, x in enumerate(flat)])
        keep = topology.keep(t)
        if keep is not None:
            return Deferred(lambda: [self._mean(x, keep, t) for x in flat])
        return Exchange(self, topology.peers(t, self.link.rank), flat, len(flat) * t % ROUND_TAGS, t)

    def mix_with(self, peers: Peers, *vectors: torch.Tensor) -> None:
        """A round of your own weights: every source must have this rank among its targets, or both wait in vain."""
        Exchange(self, peers, self._checked(vectors), WITH_TAG, "mix_with").wait()

    def gather(self, t: int, x: torch.Tensor) -> Dict[int, torch.Tensor]:
        """What the sources of round t sent, unmixed, by rank."""
        (flat,) = self._checked((x,))
        peers = self.topology.peers(t, self.rank)
        exchange = Exchange(self, peers, [flat], t % ROUND_TAGS, t)
        (received,) = exchange.receive()
        found = {j: row.clone().view(x.shape) for (j, _), row in zip(peers.sources, received) if j not in self.gone}
        exchange.free()
        return found

    def mean(self, *vectors: torch.Tensor) -> None:
        """The mean of all ranks, in place: of a topology over two vectors (CECA) by its whole period, else `exact_mean`."""
        if not self._two:
            self.exact_mean(*vectors)
        else:
            for v, x in enumerate(self._checked(vectors)):
                self._period(v, x)

    def exact_mean(self, *vectors: torch.Tensor) -> None:
        """The mean of all ranks, in place, added up in the order of ranks."""
        for x in self._checked(vectors):
            self._mean(x, 0.0, "a mean")

    # Rounds of each kind.

    def _mean(self, x: torch.Tensor, keep: float, where: Any) -> None:
        self._everybody()
        mean_among(self.link, range(self.link.size), x, keep, where)

    def _period(self, v: int, x: torch.Tensor) -> None:
        """x and z, of which one travels, over a period: z is a second vector that starts as x and is dropped at the end."""
        self._everybody()
        z = x.clone()
        for t in range(self.topology.period or 1):
            pair = self.topology.pair(t)
            assert pair is not None
            sent = (x if pair.sends == "x" else z).clone()
            exchange = Exchange(self, self.topology.peers(t, self.rank), [sent], WITH_TAG + 1 + v, t)
            (received,) = exchange.receive()
            if received:
                combine(x, pair.x.own, [pair.x.heard], received, self.exact)
                combine(z, pair.z.own, [pair.z.heard], received, self.exact)
            elif pair.z.own == 0:
                z.copy_(x)
            exchange.free()

    def _grouped(self, t: int, v: int, x: torch.Tensor) -> None:
        """Means inside groups in the order of ranks, a round between the groups' speakers, and the result to all members.

        Speakers take turns with t, so that the work goes round.
        """
        self._everybody()
        grouped, rank, where = self.topology.grouped, self.rank, t
        assert grouped is not None
        speakers = [members[t % len(members)] for members in grouped.groups]
        g = next(k for k, members in enumerate(grouped.groups) if rank in members)
        members, speaker = grouped.groups[g], speakers[g]
        tag = WITH_TAG + 2 + v
        others = [j for j in members if j != speaker]
        if rank != speaker:
            self._finish([(speaker, x, tag, True)], where)
            self._finish([(speaker, x, tag, False)], where)
            return
        rows = {j: self._inbox(x) for j in others}
        self._finish([(j, row, tag, False) for j, row in rows.items()], where)
        x.copy_(ordered_mean([x if j == rank else rows[j] for j in members]))
        self._free(list(rows.values()))
        keep = grouped.between_keep(t)
        if keep is not None:
            mean_among(self.link, speakers, x, keep, where)
        else:
            own, sources, targets = grouped.between(t, g)
            links = Peers(own, *(tuple((speakers[h], weight) for h, weight in side) for side in (sources, targets)))
            Exchange(self, links, [x], tag, where).wait()
        self._finish([(j, x, tag, True) for j in others], where)

    # What they have in common.

    def _finish(self, messages: List[Message], where: Any) -> None:
        failed = self.link.wait(self.link.post(messages))
        if failed:
            raise self.link.explain(failed, where)

    def _checked(self, vectors: Sequence[torch.Tensor]) -> List[torch.Tensor]:
        for x in vectors:
            if not x.is_contiguous():
                raise InputError("a vector must be contiguous", f"strides {x.stride()}", "call contiguous()")
        if self._agreed is None:
            self.agree(vectors)
        kinds = tuple([(x.numel(), x.dtype) for x in vectors])
        if kinds != self._agreed:
            raise InputError(
                "a mixer mixes what its ranks agreed on, "
                + " and ".join(f"{length} x {dtype}" for length, dtype in self._agreed or ()),
                " and ".join(f"{length} x {dtype}" for length, dtype in kinds),
                "make another Mixer",
            )
        return [x if x.dim() == 1 and not x.requires_grad else x.detach().view(-1) for x in vectors]

    def _lose(self, failed: Dict[int, str], where: Any) -> None:
        """Ranks that ended: an error, or from now on their weight stays at home."""
        error = self.link.explain(failed, where)
        # After a timeout gloo has closed all connections of this rank: nothing to go on with.
        if self.on_death == "raise" or timed_out(failed):
            raise error
        self.gone.update(failed)

    def _everybody(self) -> None:
        if self.on_death == "keep":
            name = self.topology.spec.get("name")
            raise InputError("only rounds between neighbours go on without a rank", name, 'use on_death = "raise"')

    def _inbox(self, x: torch.Tensor) -> torch.Tensor:
        free = self._buffers.get((x.numel(), x.dtype, x.device))
        return free.pop() if free else torch.empty_like(x)

    def _free(self, inboxes: Sequence[torch.Tensor]) -> None:
        for buffer in inboxes:
            self._buffers.setdefault((buffer.numel(), buffer.dtype, buffer.device), []).append(buffer)

