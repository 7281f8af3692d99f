"""Every rule of OuterStep over gloo ranks against its equations, written down a second time over all rows at once."""

import copy
import unittest
from typing import Any, Callable, Dict

import numpy
import torch

import equitopo
from equitopo.torch import OuterStep
from ranks import good, in_a_child, run_ranks
from world import World, gradient, mixed, model_of, numbers

N, EVERY, STEPS = 5, 3, 12


def adamw(parameters: Any) -> torch.optim.Optimizer:
    return torch.optim.AdamW(parameters, lr=0.02)


def over() -> Any:
    return equitopo.od_equidyn(N, eta=0.6)


CASES: Dict[str, Dict[str, Any]] = {
    "diloco": dict(rule="diloco"),
    "gossip": dict(rule="gossip-diloco", rate=0.8, momentum=0.6),
    "gossip twice": dict(rule="gossip-diloco", mix_momentum=True, rounds=2),
    "noloco": dict(rule="noloco", pull=0.4),
    "noloco released": dict(rule="noloco", form="released"),
    "slowmo": dict(rule="slowmo"),
    "slowmo over W": dict(rule="slowmo", by="topology", momentum=0.3),
    "slowmo published": dict(rule="slowmo", by="topology", form="published", momentum=0.3, rate=0.9),
    "gasloc": dict(rule="gasloc", pull=0.7),
    "gasloc mix-first": dict(rule="gasloc", form="mix-first"),
}


def equations(rounds: int = 1, rule: str = "", **o: Any) -> Callable[..., Any]:
    """(X, A, M, k, inner rate) -> (A, M): all rows in float64 but for what is mixed."""
    usual = {"diloco": (0.7, 0.9), "gossip-diloco": (0.7, 0.9), "noloco": (0.7, 0.5), "slowmo": (1, 0.6), "gasloc": (0.7, 0.5)}
    s, b = o.get("rate", usual[rule][0]), o.get("momentum", usual[rule][1])

    def W(rows: Any, k: int) -> Any:
        rows = list(rows)
        for t in range(rounds * k, rounds * (k + 1)):
            rows = mixed(over(), t, rows)
        return numpy.stack(rows)

    def J(rows: Any) -> Any:
        return numpy.broadcast_to(rows.mean(0), rows.shape)

    def step(X: Any, A: Any, M: Any, k: int, lr: float) -> Any:
        if rule == "diloco":
            M = b * M + (J(X) - A)
            return A + s * (J(X) - A + b * M), M
        if rule == "gossip-diloco":
            M = b * M + (X - A)
            A = W(A + s * (X - A + b * M), k)
            return A, W(M, k) if o.get("mix_momentum") else M
        if rule == "noloco":
            if o.get("form") == "released":
                M = b * M + s * (W(X, k) - A)
                return A + M, M
            M = b * M + s * W(X - A, k) - o["pull"] * (A - W(A, k))
            return A + M, M
        if rule == "slowmo":
            gamma = lr if o.get("form") == "published" else 1
            M = b * M + ((W(X, k) if o.get("by") else J(X)) - A) / gamma
            return A + gamma * s * M, M
        Y, g = A + s * (X - A), o.get("pull", 1)
        lazy = (1 - g) * Y + g * W(Y, k)
        if o.get("form") == "mix-first":
            return lazy + b * (lazy - M), lazy
        return lazy + b * (Y - M), Y

    return step


def train(rank: int, options: Dict[str, Any], stop: int) -> numpy.ndarray:
    def make(model: Any) -> Any:
        inner = adamw(model.parameters())
        return OuterStep(inner, over(), every=EVERY, unchecked=True, broadcast=False, **options)

    model = model_of(rank, torch.float64)
    optimizer = make(model)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 4, 0.5)
    for t in range(STEPS):
        if t == stop:
            saved = copy.deepcopy([model.state_dict(), optimizer.state_dict()])
            model = model_of(rank, torch.float64)
            model.load_state_dict(saved[0])
            optimizer = make(model)
            optimizer.load_state_dict(saved[1])
            again = torch.optim.lr_scheduler.StepLR(optimizer, 4, 0.5)
            again.load_state_dict(schedule.state_dict())
            schedule = again
        gradient(model, rank, t)
        optimizer.step()
        schedule.step()
    return numbers(model)


def every_rule(rank: int, stop: int) -> Any:
    return {name: train(rank, options, stop) for name, options in CASES.items()}


def alone(options: Dict[str, Any]) -> Any:
    """All rows after the same steps, by the equations."""
    world = World(N, adamw, torch.float64)
    schedules = [torch.optim.lr_scheduler.StepLR(o, 4, 0.5) for o in world.optimizers]
    step = equations(**options)
    A = numpy.stack(world.rows())
    M = A.copy() if options["rule"] == "gasloc" else numpy.zeros_like(A)
    for t in range(STEPS):
        world.steps(t)
        if (t + 1) % EVERY == 0:
            lr = world.optimizers[0].param_groups[0]["lr"]
            A, M = step(numpy.stack(world.rows()), A, M, (t + 1) // EVERY - 1, lr)
            world.put(list(A))
        for schedule in schedules:
            schedule.step()
    return A


class Rules(unittest.TestCase):
    def test_equations_and_resume(self) -> None:
        answers = good(run_ranks(N, every_rule, -1))
        again = good(run_ranks(N, every_rule, 7))
        for name, options in CASES.items():
            with self.subTest(name):
                A = in_a_child(alone, options)
                for rank in range(N):
                    numpy.testing.assert_allclose(answers[rank][name], A[rank], rtol=0, atol=1e-11)
                    self.assertTrue(numpy.array_equal(answers[rank][name], again[rank][name]))

    def test_rules_differ(self) -> None:
        first = good(run_ranks(N, every_rule, -1))[0]
        self.assertEqual(len({row.tobytes() for row in first.values()}), len(CASES))


def refusals(rank: int) -> list:
    def verdict(**outer: Any) -> Any:
        topology = over()
        topology.outer = outer or None
        return topology

    settings = {"outerRate": 0.7, "outerMomentum": 0.5, "pull": 0.7, "form": "published", "rounds": 1}
    stable = verdict(rule="noloco", settings=settings, stable=True, largest={})
    unstable = verdict(rule="noloco", settings=settings, stable=False, largest={"outerMomentum": 0.6})
    tries = [
        (verdict(), dict(rule="noloco")),
        (verdict(), dict(rule="gasloc")),
        (verdict(), dict(rule="slowmo", by="topology")),
        (stable, dict(rule="gasloc")),
        (stable, dict(rule="noloco", momentum=0.6)),
        (unstable, dict(rule="noloco")),
        (verdict(), dict(rule="adam")),
        (verdict(), dict(rule="diloco", pull=0.5)),
        (verdict(), dict(rule="gossip-diloco", momentum=1.0)),
        (verdict(), dict(rule="noloco", form="released", pull=0.1)),
        (verdict(), dict(rule="noloco", momentum=0.0, pull=5.0)),
        (verdict(), dict(rule="slowmo", by="topology", momentum=0.0, rate=9.0)),
        (verdict(), dict(rule="gasloc", unchecked=True, pull=1.5)),
        # and these are accepted:
        (stable, dict(rule="noloco")),
        (verdict(), dict(rule="noloco", unchecked=True)),
        (verdict(), dict(rule="slowmo", by="mean")),
        (verdict(), dict(rule="gossip-diloco", momentum=0.99)),
        (verdict(), dict(rule="noloco", momentum=0.0)),
    ]
    found = []
    for topology, options in tries:
        try:
            OuterStep(adamw(model_of(rank).parameters()), topology, **options)
            found.append("accepted")
        except equitopo.InputError as error:
            found.append(str(error))
    return found


class Verdicts(unittest.TestCase):
    def test_what_no_plan_calls_stable_is_refused(self) -> None:
        for found in good(run_ranks(N, refusals)):
            self.assertEqual(found[13:], ["accepted"] * 5)
            self.assertNotIn("accepted", found[:13])
            self.assertRegex(found[0], "no verdict in its plan; .*equitopo plan .*--outer noloco .*unchecked=True")
            self.assertRegex(found[4], "holds for its own settings")
            self.assertRegex(found[5], "stable is at most outerMomentum 0.6")


if __name__ == "__main__":
    unittest.main()
