"""Optimisers and the averager over gloo ranks against one process that holds all models: to the bit, after a resume, too."""

import copy
import unittest
from typing import Any

import numpy
import torch
from torch.distributed.optim import PostLocalSGDOptimizer

import equitopo
from equitopo.torch import DecentralizedOptimizer, GossipAverager, GradientTracking, consensus_distance
from ranks import good, in_a_child, run_ranks
from world import World, gradient, mixed, model_of, numbers, set_numbers

N, STEPS = 5, 12


def sgd(parameters: Any) -> torch.optim.Optimizer:
    return torch.optim.SGD(parameters, lr=0.2, momentum=0.9, weight_decay=1e-3)


def adamw(parameters: Any) -> torch.optim.Optimizer:
    return torch.optim.AdamW(parameters, lr=0.05)


def plain(parameters: Any) -> torch.optim.Optimizer:
    return torch.optim.SGD(parameters, lr=0.1)


def over(n: int = N) -> Any:
    return equitopo.ou_equidyn(n, construction="euclid", eta=0.6)


def scheduled(optimizer: Any) -> Any:
    # PostLocalSGDOptimizer keeps the groups of before a load_state_dict: rates must be set at the optimiser inside.
    inner = optimizer.optim if isinstance(optimizer, PostLocalSGDOptimizer) else optimizer
    return torch.optim.lr_scheduler.StepLR(inner, 4, 0.5)


def train(rank: int, wrap: Any, make: Any, dtype: torch.dtype, stop: int) -> numpy.ndarray:
    """STEPS steps, and at step `stop` everything is made anew from what was saved."""
    model = model_of(rank, dtype)
    optimizer = wrap(make(model.parameters()))
    schedule = scheduled(optimizer)
    for t in range(STEPS):
        if t == stop:
            saved = copy.deepcopy([model.state_dict(), optimizer.state_dict(), schedule.state_dict()])
            model = model_of(rank + 100, dtype)
            model.load_state_dict(saved[0])
            optimizer = wrap(make(model.parameters()))
            optimizer.load_state_dict(saved[1])
            schedule = scheduled(optimizer)
            schedule.load_state_dict(saved[2])
        gradient(model, rank, t)
        optimizer.step()
        schedule.step()
    return numbers(model)


def atc(optimizer: Any) -> Any:
    return DecentralizedOptimizer(optimizer, over(), broadcast=False, every=2)


def cta(optimizer: Any) -> Any:
    return DecentralizedOptimizer(optimizer, over(), order="combine-then-adapt", broadcast=False, every=2)


def overlapped(optimizer: Any) -> Any:
    return DecentralizedOptimizer(optimizer, over(), order="combine-then-adapt")


def dropped(rank: int) -> list:
    """A training in a function of its own, twice: its optimiser goes away with an exchange under way."""
    apart = []
    for _ in range(2):
        train(rank, overlapped, sgd, torch.float32, -1)
        apart.append(consensus_distance(torch.full((3,), float(rank))))
    return apart


def averager(optimizer: Any) -> Any:
    return PostLocalSGDOptimizer(optimizer, GossipAverager(over(), period=2))


def tracking(optimizer: Any) -> Any:
    return GradientTracking(optimizer, over(), broadcast=False)


class AgainstOneProcess(unittest.TestCase):
    def held(self, wrap: Any, make: Any, dtype: torch.dtype, want: list, stop: int = -1) -> None:
        answers = good(run_ranks(N, train, wrap, make, dtype, stop))
        for rank in range(N):
            self.assertTrue(numpy.array_equal(answers[rank], want[rank]), f"rank {rank}")
        self.assertFalse(numpy.array_equal(answers[0], answers[1]))

    def world(self, *case: Any) -> list:
        return in_a_child(self.alone, *case)

    def alone(self, order: str, make: Any, dtype: torch.dtype) -> list:
        world = World(N, make, dtype)
        schedules = [torch.optim.lr_scheduler.StepLR(o, 4, 0.5) for o in world.optimizers]
        for t in range(STEPS):
            k = (t + 1) // 2 - 1 if (t + 1) % 2 == 0 else None
            if order == "cta" and k is not None:
                for rank, model in enumerate(world.models):
                    gradient(model, rank, t)
                world.mix(over(), k)
                for optimizer in world.optimizers:
                    optimizer.step()
            else:
                world.steps(t)
                if k is not None:
                    world.mix(over(), k)
            for schedule in schedules:
                schedule.step()
        return world.rows()

    def test_adapt_then_combine(self) -> None:
        for make in (sgd, adamw):
            for dtype in (torch.float32, torch.float64):
                want = self.world("atc", make, dtype)
                self.held(atc, make, dtype, want)
        self.held(atc, adamw, dtype, want, stop=5)
        self.held(averager, adamw, dtype, want)
        self.held(averager, adamw, dtype, want, stop=6)

    def test_combine_then_adapt_with_overlap(self) -> None:
        want = self.world("cta", sgd, torch.float32)
        self.held(cta, sgd, torch.float32, want)
        for stop in (5, 7):  # while an exchange is under way, and while none is
            self.held(cta, sgd, torch.float32, want, stop)

    def test_an_optimiser_that_goes_away_leaves_nobody_waiting(self) -> None:
        for apart in good(run_ranks(N, dropped)):
            self.assertEqual(apart[0], apart[1])

    def test_gradient_tracking(self) -> None:
        want = in_a_child(self.tracked)
        self.held(tracking, plain, torch.float32, want)
        self.held(tracking, plain, torch.float32, want, stop=7)

    def tracked(self) -> list:
        world = World(N, plain)
        schedules = [torch.optim.lr_scheduler.StepLR(o, 4, 0.5) for o in world.optimizers]
        trackers, lasts = [[numpy.zeros_like(row) for row in world.rows()] for _ in "yg"]
        for t in range(STEPS):
            for rank, model in enumerate(world.models):
                gradient(model, rank, t)
                now = numpy.concatenate([p.grad.reshape(-1).numpy() for p in model.parameters()])
                trackers[rank] = trackers[rank] + (now - lasts[rank])
                lasts[rank] = now
                start = 0
                for p in model.parameters():
                    p.grad = torch.from_numpy(trackers[rank][start : start + p.numel()].copy()).view(p.shape)
                    start += p.numel()
                world.optimizers[rank].step()
                schedules[rank].step()
            world.mix(over(), t)
            trackers = mixed(over(), t, trackers)
        return world.rows()


def begin(rank: int) -> list:
    model = model_of(rank)
    optimizer = DecentralizedOptimizer(sgd(model.parameters()), over(3))
    alike = numbers(model)
    gradient(model, rank, 0)
    optimizer.step()
    # A state of another optimiser is refused, and so is a second set of parameters.
    refused = []
    for what in (lambda: optimizer.load_state_dict({"state": {}, "param_groups": []}), lambda: optimizer.add_param_group({})):
        try:
            what()
        except equitopo.InputError as error:
            refused.append(str(error))
    return [alike, numbers(model), refused]


class Begin(unittest.TestCase):
    def test_all_begin_with_rank_0(self) -> None:
        answers = good(run_ranks(3, begin))
        for alike, later, refused in answers:
            self.assertTrue(numpy.array_equal(alike, numbers(model_of(0))))
            self.assertFalse(numpy.array_equal(alike, later))
            self.assertEqual(len(refused), 2)


if __name__ == "__main__":
    unittest.main()
