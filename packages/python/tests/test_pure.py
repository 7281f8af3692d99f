"""The package without PyTorch: examples, plans from files, refusals, graphs of your own."""

import doctest
import importlib
import json
import os
import pkgutil
import tempfile
import unittest
from typing import Any, Dict

import equitopo
from equitopo import InputError
from equitopo.canonical import canonical, hash_of


def modules() -> Any:
    yield equitopo
    for _, name, is_package in pkgutil.iter_modules(equitopo.__path__):
        if not is_package:
            yield importlib.import_module(f"equitopo.{name}")


def plan(rule: Dict[str, Any], **changed: Any) -> Dict[str, Any]:
    """A plan of this rule with a hash that is right, but for what is changed."""
    core = {"format": "equitopo-plan", "version": 1, "n": 4, "rule": rule}
    core.update({key: changed[key] for key in changed if key in core})
    rest = {"spec": {"name": "own"}, "symmetric": True, "period": 1}
    rates = {"rate": 0.5, "roundsTo1e6": 20}
    return {**core, **rest, **rates, "hash": hash_of(core), **changed}


def one(round: Dict[str, Any]) -> Dict[str, Any]:
    return plan({"name": "table", "rounds": [round]})


PAIRS = {"name": "pairs", "basis": "full", "construction": "euclid", "weight": 0.5, "seed": 0}
MEAN = {"name": "table", "rounds": [{"kind": "mean", "keep": 0}]}


class Examples(unittest.TestCase):
    def test_doctests(self) -> None:
        attempted = 0
        for module in modules():
            result = doctest.testmod(module, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
            self.assertEqual(result.failed, 0, module.__name__)
            attempted += result.attempted
        self.assertGreater(attempted, 20)


class Plans(unittest.TestCase):
    def test_from_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "graph.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(plan(MEAN), file)
            topology = equitopo.load(path)
            self.assertEqual((topology.n, topology.rate, topology.rounds_to_1e6), (4, 0.5, 20))
            self.assertEqual(topology.hash, equitopo.complete(4).hash)
            with open(path, "w", encoding="utf-8") as file:
                file.write("{")
            with self.assertRaisesRegex(InputError, "a plan must be JSON"):
                equitopo.load(path)

    def test_refusals(self) -> None:
        table = {"name": "table", "rounds": []}
        cases = [
            ("format", plan(MEAN, format="graph"), 'a plan must have format "equitopo-plan"'),
            ("list", [], "a plan must have format"),
            ("newer", plan(MEAN, version=2), "version of a plan must be 1, got 2; update equitopo"),
            ("hash", plan(MEAN, hash="0"), "the hash of a plan must be that of its rule"),
            ("n", {**plan(MEAN), "n": 5}, "the hash of a plan"),
            ("small", plan(MEAN, n=1), "n of a plan must be an integer from 2"),
            ("rate", plan(MEAN, rate="slow"), "rate of a plan must be a number or null, got slow"),
            ("no rate", {k: v for k, v in plan(MEAN).items() if k != "rate"}, "plan is damaged"),
            ("rule", plan({"name": "chance"}), "the rule of a plan must be one of table"),
            ("kind", plan({"name": "table", "rounds": [{"kind": "x"}]}), "the plan is damaged"),
            ("empty", plan(table), "the plan is damaged"),
            ("no rule", {**plan(MEAN), "rule": None}, "the plan is damaged"),
            ("weight", plan({**PAIRS, "weight": 7}), r"weight must lie in \[0, 1\], got 7"),
            ("text", plan({**PAIRS, "weight": "half"}), "weight must lie in"),
            ("construction", plan({**PAIRS, "construction": "any"}), "the plan is damaged"),
            ("basis", plan({**PAIRS, "basis": [4]}), "index of the basis must be .* 1 to 3, got 4"),
            ("seed", plan({**PAIRS, "seed": "x"}), "seed must be an integer from 0 on, got x"),
            ("sum", one({"kind": "circulant", "self": 0.5, "shifts": [1], "weights": [1]}), "sum to 1"),
            ("row", one({"kind": "sparse", "weights": [1], "rows": [[0], [0, 9, 0], [0], [0]]}), "0 to 3"),
            ("partner", one({"kind": "matching", "weight": 0.5, "partner": [1, 2, 0, 3]}), "each other"),
            ("outer", plan(MEAN, outer={"rule": "noloco"}), "outer of a plan must have largest, rule, settings, stable"),
            ("nan", {**plan(MEAN), "rule": {**MEAN, "x": float("nan")}}, "finite"),
        ]
        for name, given, message in cases:
            with self.subTest(name), self.assertRaisesRegex(InputError, message):
                equitopo.from_plan(given)

    def test_rounds_of_a_plug_in_end(self) -> None:
        topology = equitopo.from_plan(plan({"name": "rounds", "rounds": MEAN["rounds"] * 2}))
        self.assertEqual(topology.peers(1, 0).self_weight, 0.25)
        with self.assertRaisesRegex(InputError, "has its 2 rounds written out, and no more, got 2"):
            topology.peers(2, 0)

    def test_numbers_as_javascript_writes_them(self) -> None:
        numbers = {
            "1e-7": 1e-7,
            "0.000001": 1e-6,
            "0.000012345": 1.2345e-5,
            "-0.00001": -1e-5,
            "1.5e-10": 1.5e-10,
            "100000000000000000000": 1e20,
            "1e+21": 1e21,
            "1.2345e+25": 1.2345e25,
            "0.30000000000000004": 0.1 + 0.2,
            "9007199254740991": 2**53 - 1,
            "0": -0.0,
            "5e-324": 5e-324,
        }
        for text, value in numbers.items():
            self.assertEqual(canonical(value), text)


class Networkx:
    """What from_networkx asks of a graph: networkx itself need not be there."""

    def __init__(self, nodes: Any, edges: Any, directed: bool = False) -> None:
        self.nodes, self._edges, self._directed = nodes, edges, directed

    def is_directed(self) -> bool:
        return self._directed

    def edges(self, data: str, default: Any) -> Any:
        return [(a, b, rest[0] if rest else default) for a, b, *rest in self._edges]


class Own(unittest.TestCase):
    def test_metropolis(self) -> None:
        path = equitopo.from_networkx(Networkx(["a", "b", "c"], [("a", "b"), ("b", "c")]))
        matrix = equitopo.from_matrix([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
        self.assertEqual(path.hash, matrix.hash)
        self.assertEqual(path.peers(9, 0), (1 - 1 / 3, ((1, 1 / 3),), ((1, 1 / 3),)))
        self.assertEqual((path.symmetric, path.period, path.rate), (True, 1, None))

    def test_weights(self) -> None:
        edges = [(0, 1, 0.25), (1, 2, 0.25), (2, 0, 0.25), (1, 1, 0.75)]
        circle = equitopo.from_networkx(Networkx([0, 1, 2], edges, directed=True))
        self.assertEqual(circle.peers(0, 1), (0.75, ((0, 0.25),), ((2, 0.25),)))
        self.assertFalse(circle.symmetric)
        same = equitopo.from_matrix([[0.75, 0, 0.25], [0.25, 0.75, 0], [0, 0.25, 0.75]])
        self.assertEqual(circle.hash, same.hash)
        # One edge a node: a permutation, and a matrix of weights.
        swap = equitopo.from_matrix([[0, 1], [1, 0]])
        self.assertEqual(swap.peers(0, 0), (0.0, ((1, 1.0),), ((1, 1.0),)))

    def test_nodes_keep_their_numbers(self) -> None:
        star = equitopo.from_networkx(Networkx([2, 0, 1], [(2, 0), (2, 1)]))
        self.assertEqual([j for j, _ in star.peers(0, 2).sources], [1, 0])

    def test_two_levels(self) -> None:
        two = equitopo.hierarchy([[0, 2], [1, 3]], between=equitopo.ring(2))
        self.assertEqual(two.peers(0, 0).sources, ((3, 0.25), (2, 0.25), (1, 0.25)))
        self.assertEqual(two.grouped.groups, ((0, 2), (1, 3)))  # type: ignore[union-attr]
        self.assertEqual(two.grouped.between(0, 0), (0.5, ((1, 0.5),), ((1, 0.5),)))  # type: ignore
        alone = equitopo.hierarchy([3])
        self.assertEqual(alone.peers(0, 1).self_weight, 1 / 3)

    def test_matrix_where_numpy_is(self) -> None:
        try:
            import numpy
        except ImportError:
            self.skipTest("no numpy")
        for topology in (equitopo.ring(5), equitopo.od_equidyn(5), equitopo.complete(4)):
            matrix = topology.round_matrix(3)
            self.assertTrue(numpy.allclose(matrix.sum(axis=0), 1))
            source, weight = topology.peers(3, 1).sources[0]
            self.assertEqual(matrix[1, source], weight)
        weights = equitopo.ring(5).round_matrix(0)
        again = equitopo.from_matrix(weights)
        self.assertEqual(again.peers(0, 2)[:2], equitopo.ring(5).peers(0, 2)[:2])

    def test_refusals(self) -> None:
        with_loop = Networkx([0, 1], [(0, 1), (1, 1)])
        cases = [
            (lambda: equitopo.from_matrix([[1, 0]]), "a weight matrix must be square"),
            (lambda: equitopo.from_matrix([[0.5, 0.5], [0.4, 0.5]]), "but row 1 does not, got 0.9"),
            (lambda: equitopo.from_matrix([[1.5, -0.5], [-0.5, 1.5]]), "must be a nonnegative"),
            (
                lambda: equitopo.from_matrix([[0.5, 0.5, 0], [0.5, 0.5, 0], [0.5, 0, 0.5]]),
                "but column 0 does not, got 1.5",
            ),
            (lambda: equitopo.from_networkx(with_loop), "must join two nodes, got 1"),
            (
                lambda: equitopo.from_networkx(Networkx([0, 1], [(0, 1)], directed=True)),
                "edges without weights must be undirected",
            ),
            (
                lambda: equitopo.from_networkx(Networkx([0, 1, 2], [(0, 1, 0.5), (1, 2)])),
                "where one edge has a weight, all must, got 1 to 2",
            ),
            (lambda: equitopo.hierarchy([[0, 1], [1]]), "every rank must be in one group"),
            (lambda: equitopo.hierarchy([2, 2], equitopo.ring(3)), "between 2 groups must have"),
        ]
        for call, message in cases:
            with self.subTest(message), self.assertRaisesRegex(InputError, message):
                call()


class Refusals(unittest.TestCase):
    def test_of_callers(self) -> None:
        ring = equitopo.ring(5)
        cases = [
            (lambda: ring.peers(-1, 0), "t must be an integer from 0 on, got -1"),
            (lambda: ring.peers(0, 5), "rank must be an integer from 0 to 4, got 5"),
            (lambda: ring.peers(0.5, 0), "t must be an integer"),
            (lambda: equitopo.ring(1), "n must be an integer from 2"),
            (lambda: equitopo.od_equidyn(5, eta=1.5), r"eta must be in \(0, 1\], got 1.5"),
            (lambda: equitopo.od_equidyn(5, basis=[5]), "a basis index must be an integer from 1"),
            (lambda: equitopo.od_equidyn(5, basis=[]), "basis must be indices from 1 to n - 1"),
            (lambda: equitopo.od_equidyn(5, seed=-1), "seed must be an integer from 0 on"),
            (lambda: equitopo.ou_equidyn(5, construction="x"), "must be greedy or euclid"),
            (lambda: equitopo.one_peer_exp(5, order="x"), "order must be cyclic or random"),
        ]
        for call, message in cases:
            with self.subTest(message), self.assertRaisesRegex(InputError, message):
                call()


if __name__ == "__main__":
    unittest.main()
