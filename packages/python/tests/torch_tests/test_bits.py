"""Eight ranks go through the rounds of plans that the library wrote, and must come to its simulator's rows, bit for bit."""

import base64
import json
import os
import unittest

import numpy
import torch

import equitopo
from equitopo.torch import Mixer
from ranks import good, run_ranks

VECTORS = os.environ.get("EQUITOPO_VECTORS")


def rows_of(text: str, dtype: str, n: int) -> numpy.ndarray:
    return numpy.frombuffer(base64.b64decode(text), dtype=dtype).reshape(n, -1)


def rounds(rank: int, cases: list) -> list:
    found = []
    for case in cases:
        mixer = Mixer(equitopo.from_plan(case["plan"]))
        x = torch.from_numpy(rows_of(case["start"], case["dtype"], mixer.topology.n)[rank].copy())
        pair = mixer.topology.pair(0) is not None
        for t in range(case["first"], case["first"] + case["rounds"]):
            if pair:
                mixer.mean(x)
                break
            mixer.mix(t, x)
        found.append(x.numpy())
    return found


class Bits(unittest.TestCase):
    @unittest.skipIf(VECTORS is None, "EQUITOPO_VECTORS names no file of the library's rows")
    def test_rows_are_the_simulators(self) -> None:
        with open(VECTORS) as file:
            cases = json.load(file)
        self.assertGreaterEqual(len(cases), 20)
        answers = good(run_ranks(8, rounds, cases))
        for k, case in enumerate(cases):
            with self.subTest(name=case["plan"]["spec"], dtype=case["dtype"]):
                want = rows_of(case["end"], case["dtype"], 8)
                start = rows_of(case["start"], case["dtype"], 8)
                self.assertFalse(numpy.array_equal(want, start))
                for rank in range(8):
                    differ = int((answers[rank][k].view(numpy.uint8) != want[rank].view(numpy.uint8)).sum())
                    self.assertEqual(differ, 0, f"rank {rank}: {differ} bytes differ")


def halves(rank: int, dtype: torch.dtype, exact: bool) -> list:
    draw = torch.Generator().manual_seed(rank)
    x = torch.randn(3000, generator=draw).to(dtype)
    mixer = Mixer(equitopo.static_exp(5), exact=exact)
    start = x.float().numpy().copy()
    mixer.mix(0, x)
    return [start, x.float().numpy()]


class Halves(unittest.TestCase):
    """float16 and bfloat16: sums in float32 in the same order, one rounding."""

    def test_sums_are_in_float32(self) -> None:
        for dtype in (torch.float16, torch.bfloat16):
            answers = good(run_ranks(5, halves, dtype, True))
            for i in range(5):
                own, sources, _ = equitopo.static_exp(5).peers(0, i)
                sums = numpy.float32(own) * answers[i][0]
                for j, weight in sources:
                    sums = sums + numpy.float32(weight) * answers[j][0]
                want = torch.from_numpy(sums).to(dtype).float().numpy()
                self.assertTrue(numpy.array_equal(answers[i][1], want))

    def test_fused_is_near_and_other(self) -> None:
        exact, fused = (good(run_ranks(5, halves, torch.float32, exact)) for exact in (True, False))
        both = [(a[1], b[1]) for a, b in zip(exact, fused)]
        self.assertTrue(all(numpy.allclose(a, b, atol=1e-6) for a, b in both))


if __name__ == "__main__":
    unittest.main()
