"""How long does exact transport take, by size, with equal and with coprime numbers of nodes, and what do others take?

``uniform`` costs are Euclidean distances of random points in 50 dimensions: no structure to profit from. ``related`` is
a set of points and the same a little moved, as two graphs of one sentence are: most mass goes along the nearest pairs.
``paths`` and ``simplex`` are the two methods of the kernel; by itself it takes the one that wins here. Peers run on the
same costs if they are installed; ``extra_info`` holds the largest difference of the distances.
"""

from __future__ import annotations

from math import gcd

import numpy as np
import pytest

from fastmatch._ext.transport.transport import solve_transport

SIZES = [(8, 9), (14, 14), (14, 15), (20, 40), (40, 41), (100, 100), (100, 101), (300, 301), (1000, 1001)]
PATHS = [size for size in SIZES if max(size) < 300]


def costs(n: int, m: int, kind: str) -> list[np.ndarray]:
    rng = np.random.default_rng([n, m])
    result = []
    for _ in range(20 if n < 200 else 2):
        a, b = rng.normal(size=(n, 50)), rng.normal(size=(m, 50))
        if kind == "related":
            b = a[np.arange(m) % n] + 0.3 * b
        result.append(np.sqrt(((a[:, None] - b[None]) ** 2).sum(axis=2)))
    return result


@pytest.mark.parametrize("kind", ["uniform", "related"])
@pytest.mark.parametrize(("n", "m"), SIZES)
def test_simplex(benchmark, n, m, kind):
    problems = costs(n, m, kind)
    benchmark.extra_info.update(problems=len(problems), n=n, m=m)
    benchmark(lambda: [solve_transport(cost, method="simplex")[0] for cost in problems])


@pytest.mark.parametrize("kind", ["uniform", "related"])
@pytest.mark.parametrize(("n", "m"), PATHS)
def test_paths(benchmark, n, m, kind):
    problems = costs(n, m, kind)
    benchmark.extra_info.update(problems=len(problems), n=n, m=m)
    benchmark(lambda: [solve_transport(cost, method="paths")[0] for cost in problems])


@pytest.mark.parametrize("kind", ["uniform", "related"])
@pytest.mark.parametrize(("n", "m"), SIZES)
def test_pot(benchmark, n, m, kind):
    ot = pytest.importorskip("ot", reason="POT is not installed")
    problems = costs(n, m, kind)
    a, b = np.full(n, 1 / n), np.full(m, 1 / m)
    found = benchmark(lambda: [ot.emd2(a, b, cost, numItermax=10**7) for cost in problems])
    ours = [solve_transport(cost)[0] for cost in problems]
    difference = float(np.abs(np.subtract(found, ours)).max())
    benchmark.extra_info.update(problems=len(problems), n=n, m=m, difference=difference)
    assert np.allclose(found, ours, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("n", "m"), [size for size in SIZES if size[0] * size[1] // gcd(*size) <= 700])
def test_scipy(benchmark, n, m):
    """As an assignment of copies: fast for equal numbers, out of the question for coprime ones."""
    from scipy.optimize import linear_sum_assignment

    problems = costs(n, m, "uniform")
    common = gcd(n, m)
    copies = [cost.repeat(m // common, axis=0).repeat(n // common, axis=1) for cost in problems]
    found = benchmark(lambda: [one[linear_sum_assignment(one)].mean() for one in copies])
    ours = [solve_transport(cost)[0] for cost in problems]
    difference = float(np.abs(np.subtract(found, ours)).max())
    benchmark.extra_info.update(problems=len(problems), n=n, m=m, difference=difference)
    assert np.allclose(found, ours, rtol=0, atol=1e-12)
