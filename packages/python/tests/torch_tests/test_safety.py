"""What would hang, abort or go wrong quietly in torch alone: every case ends in time, with a sentence that names the rank."""

import os
import unittest
from typing import Any

import numpy
import torch
import torch.distributed as dist

import equitopo
from equitopo.torch import (
    DecentralizedOptimizer,
    GossipAverager,
    Mixer,
    broadcast,
    consensus_distance,
    estimate_batch_norm,
    evenly,
    mean_of,
)
from ranks import Failed, good, run_ranks
from world import gradient, model_of, numbers


def sgd(model: Any) -> Any:
    return torch.optim.SGD(model.parameters(), lr=0.1)


def differs(rank: int, what: str) -> None:
    odd = rank == 2
    topology = equitopo.od_equidyn(4, seed=7 if odd and what == "plan" else 0)
    mixer = Mixer(topology, exact=not (odd and what == "settings"))
    dtype = torch.float64 if odd and what == "dtypes" else torch.float32
    mixer.mix(0, torch.zeros(11 if odd and what == "lengths" else 10, dtype=dtype))


def longer_later(rank: int) -> None:
    mixer = Mixer(equitopo.complete(3))
    mixer.mix(0, torch.zeros(10))
    mixer.mix(1, torch.zeros(10 if rank else 11))


class Alike(unittest.TestCase):
    def test_ranks_that_differ_are_named(self) -> None:
        for what in ("plan", "lengths", "dtypes", "settings"):
            with self.subTest(what):
                for answer in run_ranks(4, differs, what):
                    self.assertEqual(answer.kind, "InputError")
                    self.assertIn(f"all ranks must have the same {what}, got something else on rank 2", answer.text)

    def test_other_lengths_never_reach_gloo(self) -> None:
        answers = run_ranks(3, longer_later)
        self.assertIn("a mixer mixes what its ranks agreed on, 10 x torch.float32, got 11", answers[0].text)
        # The others are told that rank 0 ended; without the check gloo would have aborted them.
        self.assertEqual([answer.kind for answer in answers[1:]], ["PeerGone", "PeerGone"])


class FakeScaler:
    """Calls step as GradScaler of torch 1.13 or of torch 2 does with an optimiser that scales by itself."""

    def __init__(self, modern: bool, optimizer: Any) -> None:
        self.modern, self.optimizer = modern, optimizer
        stage = type("Stage", (), {"value": 1})()
        self._per_optimizer_states = {id(optimizer): {"stage": stage, "found_inf_per_device": {}}}

    def step(self, scale: float, inf: bool) -> None:
        optimizer = self.optimizer
        assert optimizer._step_supports_amp_scaling
        found = torch.tensor(float(inf))
        if self.modern:
            optimizer.grad_scale, optimizer.found_inf = torch.tensor(scale), found
            optimizer.step()
            del optimizer.grad_scale, optimizer.found_inf
        else:
            for p in optimizer.flat.parameters:
                p.grad.div_(scale)
            self._per_optimizer_states[id(optimizer)]["found_inf_per_device"] = {"cpu": found}
            optimizer.step(grad_scaler=self)


def scaled(rank: int, modern: bool) -> list:
    topology = equitopo.ring(3)
    model, twin = model_of(0), model_of(0)
    optimizer, other = (DecentralizedOptimizer(sgd(m), topology) for m in (model, twin))
    scaler = FakeScaler(modern, optimizer)
    for t in range(6):
        inf = (t + rank) % 3 == 0
        for m in (model, twin):
            gradient(m, rank, t)
        for p in model.parameters():
            p.grad.mul_(1024.0)
        scaler.step(1024.0, inf)
        other.skip() if inf else other.step()
    return [numbers(model), numbers(twin), optimizer.k]


def really_scaled(rank: int) -> list:
    model, twin = model_of(0), model_of(0)
    optimizer, other = (DecentralizedOptimizer(sgd(m), equitopo.ring(3)) for m in (model, twin))
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=1000)
    for t in range(6):
        for m in (model, twin):
            gradient(m, rank, t)
        inf = (t + rank) % 3 == 0
        # A power of two, which undoing takes away to the bit.
        for p in model.parameters():
            p.grad.mul_(float("inf") if inf else scaler.get_scale())
        scaler.scale(torch.ones(()))  # the scaler begins with its first loss
        if t % 2:
            scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
        other.skip() if inf else other.step()
    return [numbers(model), numbers(twin), optimizer.k]


def uneven(rank: int, fair: bool) -> int:
    model = model_of(0)
    optimizer = DecentralizedOptimizer(sgd(model), equitopo.ring(3), timeout=2)
    loader = list(range(5 + (rank == 1)))
    for t in evenly(loader) if fair else loader:
        gradient(model, rank, t)
        optimizer.step()
    dist.barrier()
    return optimizer.k


def skipping(rank: int) -> int:
    model = model_of(0)
    optimizer = DecentralizedOptimizer(sgd(model), equitopo.ring(3), timeout=5)
    for t in range(6):
        if (t + rank) % 2:
            optimizer.skip()
            continue
        gradient(model, rank, t)
        optimizer.step()
    return optimizer.k


class Calls(unittest.TestCase):
    """Exchanges are counted by calls: `skip` and `evenly` keep them equal, a timeout names who did not come."""

    def test_scalers_skipped_step_exchanges(self) -> None:
        for modern in (False, True):
            for ours, twin, k in good(run_ranks(3, scaled, modern)):
                self.assertEqual(k, 6)
                self.assertTrue(numpy.array_equal(ours, twin))

    @unittest.skipUnless(hasattr(torch, "amp") and hasattr(torch.amp, "GradScaler"), "GradScaler needs CUDA in this torch")
    def test_a_real_scaler(self) -> None:
        for ours, twin, k in good(run_ranks(3, really_scaled)):
            self.assertEqual(k, 6)
            self.assertTrue(numpy.array_equal(ours, twin))

    def test_uneven_loaders(self) -> None:
        self.assertEqual(good(run_ranks(3, uneven, True)), [5, 5, 5])
        answers = run_ranks(3, uneven, False, seconds=8)
        self.assertEqual(answers[1].kind, "PeerGone")
        self.assertRegex(answers[1].text, r"ranks 0, 2 did not come to round 5 in time \(rank 1 waited\).*skip\(\).*evenly")
        self.assertLess(answers[1].seconds, 6)

    def test_early_continue(self) -> None:
        self.assertEqual(good(run_ranks(3, skipping)), [6, 6, 6])


def dying(rank: int, on_death: str) -> Any:
    mixer = Mixer(equitopo.ring(5), on_death=on_death)
    x = torch.full((1000,), float(rank))
    for t in range(40):
        if rank == 2 and t == 4:
            os._exit(1)
        mixer.mix(t, x)
    return [x.numpy(), sorted(mixer.gone)]


def refuses_keep(rank: int) -> None:
    Mixer(equitopo.complete(3), on_death="keep").mix(0, torch.zeros(3))


class Deaths(unittest.TestCase):
    def test_a_dead_rank_is_named(self) -> None:
        answers = run_ranks(5, dying, "raise")
        self.assertEqual(answers[2].kind, "Died")
        for rank in (1, 3):
            self.assertEqual(answers[rank].kind, "PeerGone")
            self.assertRegex(answers[rank].text, r"rank 2 ended before round \d+ \(rank \d was told: .*on_death")
        # And those who depended on them learn it in turn.
        self.assertTrue(all(isinstance(answer, Failed) for answer in answers))

    def test_the_others_go_on(self) -> None:
        answers = run_ranks(5, dying, "keep")
        self.assertEqual(answers[2].kind, "Died")
        left = [answers[k] for k in (0, 1, 3, 4)]
        rows = numpy.stack([row for row, _ in good(left)])
        # The ring of five became a path of four, whose weights are symmetric: it agrees on the survivors' mean.
        self.assertLess(abs(rows - rows.mean(0)).max(), 0.05)
        self.assertEqual([gone for _, gone in left], [[], [2], [2], []])

    def test_means_do_not_go_on(self) -> None:
        for answer in run_ranks(3, refuses_keep):
            self.assertIn("only rounds between neighbours go on without a rank", answer.text)


def plain_refusals(rank: int) -> list:
    model = model_of(0)
    optimizer = DecentralizedOptimizer(sgd(model), equitopo.ring(3))
    mixer = Mixer(equitopo.ring(3))
    shards = torch.nn.Parameter(torch.zeros(4))
    shards._fsdp_flattened = True
    averager = GossipAverager(equitopo.ring(3))
    averager.average_parameters(model_of(1).parameters())
    refused = []

    def moved() -> None:
        next(model.parameters()).data = torch.zeros(9, 6)
        optimizer.step()

    for what in (
        lambda: Mixer(equitopo.ring(4)),
        lambda: mixer.mix(0, torch.zeros(6, 6).t()),
        lambda: DecentralizedOptimizer(torch.optim.SGD([shards], lr=0.1), equitopo.ring(3)),
        lambda: averager.average_parameters(model_of(2).parameters()),
        lambda: Mixer(equitopo.ring(3)).mix(0, torch.tensor([rank, 10])),
        lambda: Mixer(equitopo.ring(3), exact=False).mix(0, torch.zeros(2, dtype=torch.complex64)),
        lambda: mean_of(torch.tensor([rank])),
        lambda: Mixer(equitopo.complete(3)).mix(-1, torch.zeros(2)),
        lambda: DecentralizedOptimizer(sgd(model), equitopo.ring(3), order="combine"),
        lambda: DecentralizedOptimizer(sgd(model), equitopo.ring(3), perid=2),
        moved,
    ):
        try:
            what()
            refused.append("accepted")
        except equitopo.InputError as error:
            refused.append(str(error))
    return refused


class Refusals(unittest.TestCase):
    def test_rule_value_remedy(self) -> None:
        for refused in good(run_ranks(3, plain_refusals)):
            for text, part in zip(
                refused,
                (
                    "as many nodes as the group has ranks, 3, got 4; make it with n = 3",
                    "must be contiguous",
                    "must be whole on every rank, got a sharded one",
                    "an averager averages one model",
                    "real floating-point numbers, got torch.int64; convert it",
                    "real floating-point numbers, got torch.complex64",
                    "real floating-point numbers, got torch.int64",
                    "t must be an integer from 0 on, got -1",
                    "order must be adapt-then-combine or combine-then-adapt",
                    "other options are process_group, exact, on_death, timeout, got perid",
                    "parameters must stay where the optimiser put them",
                ),
            ):
                self.assertIn(part, text)


def far_rounds(rank: int) -> list:
    mixer = Mixer(equitopo.od_equidyn(4))
    x, y = torch.full((5,), float(rank)), torch.full((7,), -float(rank), dtype=torch.bfloat16)
    for t in (2**31 - 2, 2**31 - 1, 2**31, 2**40, 2**40 + 1, 2**53 - 1):
        mixer.mix(t, x, y)
    two = [mixer.start(0, x, y), mixer.start(1, x.clone(), y.clone())]
    two[1].wait()
    two[0].wait()
    mixed = Mixer(equitopo.od_equidyn(4)).mixed(0, x)
    return [x.sum().item(), mixed.numel()]


def means(rank: int) -> Any:
    group = [dist.new_group([0, 2]), dist.new_group([1, 3])][rank % 2]
    x = torch.full((10,), float(rank))
    Mixer(equitopo.ring(2), group).mix(0, x)
    small = torch.full((3,), float(rank), dtype=torch.bfloat16)
    torch.manual_seed(rank)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Dropout(0.5))
    broadcast(model, root=1)
    alike = consensus_distance(model)
    model[0].weight.data.fill_(rank + 1.0)
    apart = consensus_distance(model)
    model.load_state_dict(mean_of(model), strict=False)
    inputs = [torch.randn(16, 3) for _ in range(4)]
    estimate_batch_norm(model, [(batch, None) for batch in inputs])
    seen = model[0](torch.cat(inputs))
    return [
        x[0].item(),
        mean_of(small).float().tolist(),
        alike,
        apart,
        model[0].weight[0, 0].item(),
        model[1].running_mean.tolist(),
        seen.mean(0).tolist(),
        model.training,
    ]


class Means(unittest.TestCase):
    def test_tags_of_far_rounds(self) -> None:
        sums = good(run_ranks(4, far_rounds))
        self.assertEqual(sum(total for total, _ in sums), 5 * (0 + 1 + 2 + 3))

    def test_means_broadcast_and_batch_norm(self) -> None:
        answers = good(run_ranks(4, means))
        self.assertEqual([answer[0] for answer in answers], [1.0, 2.0, 1.0, 2.0])
        for _, small, alike, apart, weight, running, _, training in answers:
            self.assertEqual(small, [1.5] * 3)
            self.assertEqual(alike, 0.0)
            self.assertAlmostEqual(apart, (12 * (2.25 + 0.25) * 2) ** 0.5, 5)
            self.assertEqual(weight, 2.5)
            self.assertEqual(running, answers[0][5])
            self.assertTrue(training)
        found = numpy.mean([answer[6] for answer in answers], axis=0)
        numpy.testing.assert_allclose(answers[0][5], found, atol=1e-5)

    def test_hierarchy_keeps_the_mean(self) -> None:
        rows = numpy.array(good(run_ranks(7, levels)))
        numpy.testing.assert_allclose(rows.mean(0), 3.0, atol=1e-6)
        self.assertLess(rows.std(), 1.5)


def levels(rank: int) -> list:
    mixer = Mixer(equitopo.hierarchy([[0, 3], [1, 5, 6], [2, 4]], equitopo.ring(3)))
    x = torch.full((4,), float(rank), dtype=torch.float64)
    mixer.mix(0, x)
    return x.tolist()


if __name__ == "__main__":
    unittest.main()
