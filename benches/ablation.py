"""Which parts of the search for the best map pay? The same work with each part left out, one at a time.

    python benches/ablation.py [--parts annealing,cuts] [--works "trees;tangles"] [--repeat 3] [--all] [--json FILE]
    python benches/ablation.py --check

Sources and build are copied. To leave a part out, a line or two of the copy are replaced (``PARTS``), and it is built
in place. A line that is not found once ends the script; ``--check`` looks for the lines alone. Then all works are done
with the sources as they are and with each of the others, in turn, ``--repeat`` times, each time in a process of its
own. CPU seconds are those of scoring alone, the least of all times; graphs are read and prepared before. What HiGHS
takes is counted, as it runs in the same process here, but neither its start nor its import.

Tables say what the search does as it is, and for each part that is left out the works where that changes something:
pairs certified, triples matched, the gap (the sum of upper bounds less what matches), or time by more than ``--equal``.
With ``--all``, all works. A score that is certified must be the same with and without a part, and no map may match
more than a bound of another search allows: else the exit status is 1.

Where ``FASTMATCH_DATA`` names a folder with corpora, works with those come on top of the made-up ones.

``compression`` is not here, since it gives no other way to the same result: it changes what is counted. Of ``coarse``
only the start that it gives to a search is left out. Pairs too large for any search have nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
#: What a copy needs to be built.
SOURCES = ("fastmatch", "build", "setup.py", "pyproject.toml", "README.md", "LICENSE")
#: The search as it is.
WHOLE = "everything"
#: Works of less CPU seconds are done again and again for so long.
AT_LEAST = 0.5
#: Sums of real gains, and bounds of them, may differ by this.
TOLERANCE = 1e-5


class Edit(NamedTuple):
    """A line of a file in ``fastmatch/``, without its indentation, and what takes its place."""

    file: str
    line: str
    instead: str


#: What is left out, and how.
PARTS: dict[str, list[Edit]] = {
    # maps
    "annealing": [Edit("_ext/matching/local_search.pyx", "while work < limit:", "while False:")],
    "blocks": [Edit("_ext/matching/wide.pyx", "while s.work < until and not out_of_limits(s):", "while False:")],
    "colours": [Edit("_ext/matching/coarse.pyx", "for attempt in range(2):", "for attempt in range(0):")],
    "core": [Edit("_ext/matching/solver.pyx", "s.descend(s, depth, x, keep, CORE_SCALE, CORE_ROUNDS)", "pass")],
    # maps and bounds
    "coarse": [
        Edit(
            "_ext/matching/score.pyx",
            "if status == TOO_LARGE or (status == FINE and problem.n_matches > FEW_MATCHES):",
            "if status == TOO_LARGE:",
        ),
        Edit("_ext/matching/score.pyx", "pair.upper = min(pair.upper, <double> counting_bound(a, b))", "pass"),
    ],
    "small": [Edit("_ext/matching/score.pyx", "if quickly:", "if False:")],
    "wide": [
        Edit("_ext/matching/solver.pyx", "cdef int32_t WIDE_FROM = 500_000", "cdef int32_t WIDE_FROM = INT32_MAX"),
        Edit("_ext/matching/exact.pyx", "cdef double UNRELATED = 0.25", "cdef double UNRELATED = 1.0"),
    ],
    "forest": [
        Edit("_ext/matching/forest.pyx", "if not wide_gap(s, &f) or not forest_init(arena, &f, x):", "if True:"),
        Edit(
            "_ext/matching/exact.pyx",
            "wide = p.n_candidates > s.limits.wide and not (symmetric and makes_forest(arena, &x))",
            "wide = p.n_candidates > s.limits.wide",
        ),
    ],
    # bounds; of dual ascent what takes the place of steps, not what the search of wide problems is made of
    "ascent": [
        Edit(
            "_ext/matching/exact.pyx",
            "elif rounds == TRIED and alike and x.bound > first - FALLEN * (first - s.lower):",
            "elif False:",
        )
    ],
    "cuts": [Edit("_ext/matching/exact.pyx", "separate(&cuts, &s.work)", "pass")],
    # what is left to search
    "exclusion": [Edit("_ext/matching/solver.pyx", "s.work += 2 * x.problem.n_candidates", "return kept")],
    "probing": [
        Edit(
            "_ext/matching/exact.pyx",
            "cdef Py_ssize_t n_doubtful = 0, probes = PROBES if p.n_candidates > FEW else 1",
            "cdef Py_ssize_t n_doubtful = 0, probes = 1",
        )
    ],
    # the hand-over: of everything, and of what linear programs get
    "HiGHS": [
        Edit(
            "_ext/matching/solver.pyx",
            "s.limits.branching = branching if ordinary >= HANDING_OVER else -1",
            "s.limits.branching = -1",
        ),
        Edit("metrics/shared/search.py", "matched = out.matched[pair].item()", "return"),
    ],
    "linear programs": [
        Edit("metrics/shared/linear_programs.py", "if visits > 0 and more_than is not None:", "if False:")
    ],
}


def replaced(source: str, edit: Edit) -> str:
    """The text of a source with a line replaced; ends the script if the line is not there once."""
    lines = source.splitlines(keepends=True)
    places = [k for k, line in enumerate(lines) if line.strip() == edit.line]
    if len(places) != 1:
        sys.exit(f"ablation: fastmatch/{edit.file} has {len(places)} lines that read {edit.line!r}, expected one")
    line = lines[places[0]]
    lines[places[0]] = line[: len(line) - len(line.lstrip())] + edit.instead + "\n"
    return "".join(lines)


def copy_sources(folder: Path) -> None:
    """What a build needs, with what is built already: to build the rest takes seconds instead of minutes."""
    folder.mkdir()
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy2(source, folder / name)


def build(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"], cwd=folder, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"ablation: the copy cannot be built\n{done.stdout}\n{done.stderr}")


def keep(workshop: Path, folder: Path) -> None:
    """Keep a built package: where it can be imported from."""
    ignored = shutil.ignore_patterns("*.pyx", "*.pxd", "*.pyi", "__pycache__")
    shutil.copytree(workshop / "fastmatch", folder / "fastmatch", ignore=ignored)


def make_variants(parts: list[str], folder: Path) -> dict[str, Path]:
    """Folders from which the package can be imported: as it is, and without each of the parts."""
    workshop = folder / "workshop"
    copy_sources(workshop)
    build(workshop)
    variants = {WHOLE: folder / WHOLE}
    keep(workshop, variants[WHOLE])
    for part in parts:
        kept = {edit.file: (workshop / "fastmatch" / edit.file).read_text(encoding="utf-8") for edit in PARTS[part]}
        for edit in PARTS[part]:
            path = workshop / "fastmatch" / edit.file
            path.write_text(replaced(path.read_text(encoding="utf-8"), edit), encoding="utf-8")
        build(workshop)  # even if only Python changes: what the last part left out is to come back
        variants[part] = folder / part.replace(" ", "-")
        keep(workshop, variants[part])
        for file, text in kept.items():
            (workshop / "fastmatch" / file).write_text(text, encoding="utf-8")
    shutil.rmtree(workshop)
    return variants


# Works.

#: Name of a metric (with a preset behind a slash), predictions, gold graphs.
Pairs = tuple[str, list[str], list[str]]


def sides(metric: str, pairs: list[tuple[str, str]]) -> Pairs:
    return metric, [one for one, _ in pairs], [two for _, two in pairs]


def chain(rng: random.Random, n: int) -> str:
    """A chain of n variables of one concept, with two roles."""
    return " ".join(f"(v{i} / c :r{rng.randrange(2)}" for i in range(n)) + ")" * n


def made_up() -> Iterator[tuple[str, Pairs]]:
    """Work that needs no corpora but the sample: a name, and pairs. Those of one name are counted together."""
    from mutants.judge import tangle, tree

    import fastmatch as fm

    from support.hostile import FAMILIES
    from support.sentence_documents import pair

    folder = Path(fm.__file__).parent / "data"
    sample = [[graph.encode() for graph in fm.read(folder / f"sample-{side}.amr")] for side in ("pred", "gold")]
    for metric in ("smatch", "smatch++/reify", "s2match/tool", "wsmatch"):
        yield "sample", (metric, sample[0], sample[1])
        yield "sample", (metric, sample[0], sample[1][1:] + sample[1][:1])
    for kind, sizes in (("parsed", (100, 300, 500)), ("alike", (40, 70, 150)), ("unrelated", (45, 100, 300))):
        yield f"documents, {kind}", sides("smatch", [pair(kind, seed, size) for size in sizes for seed in range(2)])
    yield "documents of 900 variables", sides("smatch", [pair("parsed", 1, 900), pair("unrelated", 1, 900)])
    # more than a million pairs of variables
    yield "documents of 2,000 variables", sides("smatch", [pair("parsed", 1, 2500), pair("unrelated", 1, 2000)])
    rng = random.Random(7)
    trees = [(tree(rng, n, 1, 2), tree(rng, n, 1, 2)) for n in (12, 16, 20, 60, 90) for _ in range(2)]
    tangles = [(tangle(rng, n), tangle(rng, n)) for n in (14, 18, 24, 32, 120)]
    yield "trees", sides("smatch", [*trees, *(FAMILIES["trees"](seed) for seed in (1, 2))])
    yield "trees", sides("wsmatch", [FAMILIES["trees"](1)])
    yield "tangles", sides("smatch", [*tangles, FAMILIES["graphs"](1)])
    yield "stars, chains, copies", sides("smatch", [FAMILIES[name](1) for name in ("stars", "chains", "copies")])
    yield "chains of 1,000", sides("smatch", [(chain(rng, 1000), chain(rng, 1000))])
    for name in ("smatch", "smatch-programs", "s2match", "wsmatch", "docsmatch"):
        one, two = (ROOT / "tests/fuzz/worst" / f"{name}.txt").read_text(encoding="utf-8").split("\n=====\n")
        yield "worst finds", sides("smatch", [(one, two)])


def of_corpora(data: Path) -> Iterator[tuple[str, Pairs]]:
    """Work on the development sets of BAMBOO and on parses of the Little Prince."""
    from data import join, read_blocks

    bamboo = {
        name: [read_blocks(str(data / f"data/bamboo/{name}/main/{side}.dev.amr")) for side in ("src", "tgt")]
        for name in ("sts", "sick")
    }
    parses, gold = (read_blocks(str(data / "data/lpp" / name)) for name in ("parsers.amr", "parsers-gold.amr"))
    for one, two in (*bamboo.values(), (parses, gold)):
        yield "sentences", ("smatch", one, two)
        yield "sentences, unrelated", ("smatch", one, two[1:] + two[:1])
        for metric in ("s2match", "wsmatch"):
            yield "sentences in part", (metric, one, two)

    def joined(size: int, *places: int) -> list[tuple[str, str]]:
        starts = [size * k for k in places]
        return [(join(parses[k : k + size]), join(gold[k : k + size])) for k in starts]

    for size, places in ((12, (0, 1, 2, 3, 4, 5)), (50, (0, 1, 2)), (75, (1,)), (100, (1,)), (200, (0,))):
        yield f"{size} sentences joined", sides("smatch", joined(size, *places))
    yield "12 sentences joined, in part", sides("wsmatch", joined(12, 0, 1, 2, 3))
    for size, places in ((8, tuple(range(10))), (12, (0, 1, 2)), (40, (0, 1))):
        made = joined(size, *places)
        others = [(one, made[k - 1][1]) for k, (one, _) in enumerate(made)]
        yield f"{size} sentences against others", sides("smatch", others)


def works() -> dict[str, list[Pairs]]:
    found: dict[str, list[Pairs]] = {}
    data = os.environ.get("FASTMATCH_DATA")
    for name, pairs in [*made_up(), *(of_corpora(Path(data)) if data else ())]:
        found.setdefault(name, []).append(pairs)
    return found


# What a variant makes of them: in a process of its own.


class Found(NamedTuple):
    """What a search found of the pairs of a work, and its CPU seconds."""

    matched: list[float]
    upper: list[float]
    certified: list[bool]
    seconds: float


def prepared(pairs: Pairs) -> Callable[[], Any]:
    """A function that scores the pairs and does nothing else."""
    import numpy as np

    import fastmatch as fm
    from fastmatch.metrics.registry import make
    from fastmatch.metrics.run import run

    name, pred, gold = pairs
    metric = make(*name.split("/"))
    first = fm.parse("\n\n".join(pred), dialect=metric.dialect)
    second = fm.parse("\n\n".join(gold), dialect=metric.dialect, vocabulary=first.vocabulary)
    index = np.arange(len(first), dtype=np.int32)
    return partial(run, metric, metric.prepare(first), metric.prepare(second), index, index)


def measured(work: list[Pairs]) -> Found:
    calls = [prepared(pairs) for pairs in work]
    spent, least = 0.0, float("inf")
    while spent < AT_LEAST:
        begun = process_time()
        scores = [call() for call in calls]
        seconds = process_time() - begun
        spent, least = spent + seconds, min(least, seconds)
    columns = (
        [value for each in scores for value in getattr(each, name).tolist()]
        for name in ("matched", "upper", "certified")
    )
    return Found(*columns, least)


def measure(folder: str, names: list[str]) -> None:
    """Print as JSON what the package in a folder makes of the works."""
    import numpy as np

    import fastmatch
    from fastmatch.metrics.shared import linear_programs

    assert Path(fastmatch.__file__).is_relative_to(folder), "another package was imported"
    warnings.simplefilter("ignore")
    # as in a program that cannot start others, so that HiGHS runs in this process and its CPU time is known
    sys.frozen = True  # type: ignore[attr-defined]
    empty, one, gain = np.zeros(0, np.int32), np.zeros(1, np.int32), np.ones(1, np.int64)
    linear_programs.solve_until((1, 1, one, one, gain, empty, empty, gain[:0]), np.inf, 0, 0, 0.0, 10**6)
    print(json.dumps({name: measured(work)._asdict() for name, work in works().items() if name in names}))


def measured_apart(folder: Path, names: list[str]) -> dict[str, Found]:
    done = subprocess.run(
        [sys.executable, __file__, "--measure", str(folder), "--works", ";".join(names)],
        env={**os.environ, "PYTHONPATH": str(folder), "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    if done.returncode:
        sys.exit(f"ablation: {folder.name} fails")
    return {name: Found(**values) for name, values in json.loads(done.stdout.splitlines()[-1]).items()}


def disagreements(one: Found, two: Found) -> Iterator[str]:
    """What two searches of the same pairs say that cannot both be true."""
    for k in range(len(one.matched)):
        if one.certified[k] and two.certified[k] and abs(one.matched[k] - two.matched[k]) > TOLERANCE:
            yield f"pair {k} is certified with {one.matched[k]:g} and with {two.matched[k]:g}"
        elif max(one.matched[k], two.matched[k]) > min(one.upper[k], two.upper[k]) + TOLERANCE:
            yield f"pair {k}: a map is above a bound ({one.matched[k]:g}, {two.matched[k]:g})"


def compared(
    variants: dict[str, Path], names: list[str], repeat: int, file: Path | None
) -> tuple[dict[str, dict[str, Found]], int]:
    """What each variant finds, with the least time; and 1 if two of them cannot both be right, else 0."""
    figures: dict[str, dict[str, Found]] = {}
    wrong = 0
    for turn in range(repeat):
        for variant, place in variants.items():
            print(f"{turn + 1} of {repeat}: {variant}", file=sys.stderr)
            for name, found in measured_apart(place, names).items():
                best = figures.setdefault(variant, {}).setdefault(name, found)
                for problem in (*disagreements(found, best), *disagreements(found, figures[WHOLE][name])):
                    print(f"ablation: without {variant}, {name}: {problem}", file=sys.stderr)
                    wrong = 1
                if found.seconds < best.seconds:
                    figures[variant][name] = found
        if file:
            each = {variant: {name: found._asdict() for name, found in by.items()} for variant, by in figures.items()}
            file.write_text(json.dumps(each), encoding="utf-8")
    return figures, wrong


# Tables.


def row(found: Found, whole: Found | None) -> list[str]:
    """Certified pairs, triples that match, gap, seconds; and how much longer it took than the whole search."""
    matched, upper = sum(found.matched), sum(found.upper)
    cells = [f"{sum(found.certified):,} of {len(found.matched):,}", f"{matched:,.7g}", f"{upper - matched:,.4g}"]
    cells.append(f"{found.seconds:.3g}")
    return cells if whole is None else [*cells, f"{found.seconds / whole.seconds:.2f}"]


def changes(found: Found, whole: Found, equal: float) -> bool:
    """Whether leaving a part out makes a difference, in what is found or in time by more than a share of it."""
    same = all(getattr(found, name) == getattr(whole, name) for name in ("matched", "upper", "certified"))
    return not same or abs(found.seconds / whole.seconds - 1.0) > equal


def verdict(part: dict[str, Found], whole: dict[str, Found]) -> list[str]:
    """Over all works: certificates and triples lost, how much the gap grows, the least and the most ratio of time."""
    certified = sum(sum(whole[name].certified) - sum(found.certified) for name, found in part.items())
    matched = sum(sum(whole[name].matched) - sum(found.matched) for name, found in part.items())
    upper = sum(sum(found.upper) - sum(whole[name].upper) for name, found in part.items())
    ratios = [found.seconds / whole[name].seconds for name, found in part.items()]
    total = sum(found.seconds for found in part.values()) / sum(whole[name].seconds for name in part)
    return [
        f"{certified:,}",
        f"{matched:,.4g}",
        f"{matched + upper:,.4g}",
        f"{min(ratios):.2f} to {max(ratios):.2f}",
        f"{total:.2f}",
    ]


def table(head: str, rows: list[list[str]]) -> None:
    print(f"\n| {head} |\n|" + " --- |" * (head.count("|") + 1))
    for cells in rows:
        print("|", " | ".join(cells), "|")


def show(figures: dict[str, dict[str, Found]], everywhere: bool, equal: float) -> None:
    whole = figures[WHOLE]
    table("work | certified | matched | gap | seconds", [[name, *row(found, None)] for name, found in whole.items()])
    parts = {part: found for part, found in figures.items() if part != WHOLE}
    table(
        "left out | certificates lost | triples lost | gap wider by | time, by work | time in all",
        [[part, *verdict(found, whole)] for part, found in parts.items()],
    )
    table(
        "left out | work | certified | matched | gap | seconds | ratio",
        [
            [part, name, *row(found, whole[name])]
            for part, by_work in parts.items()
            for name, found in by_work.items()
            if everywhere or changes(found, whole[name], equal)
        ],
    )


def chosen(wanted: str | None, known: list[str], separator: str = ",") -> list[str]:
    names = known if wanted is None else wanted.split(separator)
    for name in names:
        if name not in known:
            sys.exit(f"ablation: there is no {name!r}; expected some of {', '.join(known)}")
    return names


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--parts", help="what to leave out, with commas between; everything, if not given")
    parser.add_argument("--works", help="which works to do, with semicolons between; all, if not given")
    parser.add_argument("--repeat", type=int, default=3, help="times that all is done")
    parser.add_argument("--all", action="store_true", help="a line for every work, also where nothing changes")
    parser.add_argument("--equal", type=float, default=0.03, help="share by which times may differ and count as equal")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    parser.add_argument("--check", action="store_true", help="look only whether the lines to replace are there")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT / "tests"))
    if arguments.measure:
        measure(arguments.measure, arguments.works.split(";"))
        return 0
    parts = chosen(arguments.parts, list(PARTS))
    for part in parts:
        for edit in PARTS[part]:
            replaced((ROOT / "fastmatch" / edit.file).read_text(encoding="utf-8"), edit)
    if arguments.check:
        return 0
    names = chosen(arguments.works, list(works()), ";")
    with tempfile.TemporaryDirectory() as folder:
        figures, wrong = compared(make_variants(parts, Path(folder)), names, arguments.repeat, arguments.json)
    show(figures, arguments.all, arguments.equal)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
