"""The figures of docs/judging-metrics.md for the principles, on The Little Prince: they are what comes out."""

from pathlib import Path

import pytest

from fastmatch.benchmarks.principles import principles

from support.nightly import by_day

PAGE = Path(__file__).parents[3] / "docs" / "judging-metrics.md"
#: Rows that need no vectors; the rest came from the same command.
CHECKED = "smatch smatch,solver=climb sembleu sembleu/tool sema/tool ancast/tool rematch wlk/tool".split()  # noqa: SIM905
STARTS = tuple(f"restarts={number}" for number in (0, 1, 2, 4, 9))


@pytest.fixture(scope="module")
def tables() -> dict[str, list[list[str]]]:
    """Metric → its cells in the two tables of the section."""
    if not PAGE.exists():
        pytest.skip("no docs beside these tests")
    section = PAGE.read_text(encoding="utf-8").partition("## The principles")[2]
    rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"
    ]
    return {name: [row[1:] for row in rows if row[0] == name] for name in (*CHECKED, *STARTS)}


def power(value: float) -> str:
    return f"{value:.1e}" if value else "0"


@pytest.mark.slow
@pytest.mark.parametrize("metric", by_day(CHECKED, 4))
def test_figures(metric, tables, data_dir):
    folder = data_dir / "data" / "lpp"
    found = principles(folder / "parsers.amr", folder / "parsers-gold.amr", metric)
    first = [
        *map(str, (found.n_out_of_bounds, found.n_self_different, found.n_disguised_different, found.n_false_equal)),
        f"{100 * found.svr:.1f}",
        f"{100 * found.msv:.2f}",
        power(found.corpus_error),
        power(found.pair_error),
    ]
    second = [
        *(str(probe.n_unseen) for probe in found.probes.values()),
        f"{100 * found.disguise_ratio:.1f}",
        *(f"{100 * probe.loss:.1f}" for probe in found.places.values()),
        f"{100 * found.jaccard_order:.1f}",
    ]
    assert tables[metric] == [first, second]


@pytest.mark.parametrize("starts", STARTS)
def test_determinacy_by_starts(starts, tables, data_dir):
    folder = data_dir / "data" / "lpp"
    metric = f"smatch/smatch,solver=climb,{starts}"
    found = principles(folder / "parsers.amr", folder / "parsers-gold.amr", metric, probes=1)
    assert tables[starts] == [[power(found.corpus_error), power(found.pair_error)]]
