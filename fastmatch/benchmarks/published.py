"""Published results on BAMBOO, to be printed beside one's own.

``published.tsv`` holds them. Twelve numbers a row, in points: STS, SICK, PARA of main, then of reify, syno and role
confusion. Three tables exist:

``paper``
    Opitz, Daza and Frank (2021), table 4. Role confusion is a correlation (protocol 0.1), not comparable with
    accuracies.
``site``
    the table on the benchmark's page, as of 7 December 2023: protocol 0.2, role confusion as accuracy.
``rematch``
    Kachwala et al. (2024), table 4: rank correlations.
``ancast``
    Sun and Xue (2024), table 2. Only its first half, main and reify, could be read for this table.

A row stands beside a setting that is the metric's default or a preset of it, but for options that name the row (k, the
weights learnt) or with which it was published (vectors, Smatch's root triple). Any other setting, such as
``direction=top-down``, is another metric, about which nothing was published.

The first two agree on the first nine numbers, with two exceptions. WLK, WWLK and the alignments of Smatch and S2match
were run anew for the site. For SemBleu with k = 3 the site has the prediction and the gold graph exchanged; here
``direction=gold-pred`` does the same. S2match's own row is of two settings: a cutoff of 0.9 for STS and SICK, 0 for
PARA; ``diffsense`` is 0.95 for both.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, cast

from fastmatch.metrics.base import Metric

#: Metric, then the options that tell its rows apart.
Key = tuple[Any, ...]


class Published(NamedTuple):
    """One published row: where it stands, what it is called there, its numbers; None where none is comparable."""

    source: str
    label: str
    values: tuple[float | None, ...]


def _tables() -> dict[str, dict[Key, str]]:
    """Name of a table → its rows, of ``published.tsv``."""
    found: dict[str, dict[Key, str]] = {}
    for line in Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()[1:]:
        table, key, numbers = line.split("\t")
        found.setdefault(table, {})[tuple(int(part) if part.isdecimal() else part for part in key.split())] = numbers
    return found


_TABLES = _tables()
#: Protocol → the tables made by it, the first of which is preferred.
_SOURCES = {"0.2": ("site", "paper", "ancast"), "0.1": ("paper", "ancast"), "spearman": ("rematch",)}
#: Options that may differ from a metric's default and from all its presets.
_FREE = frozenset(("k", "weights", "embeddings", "frames", "cutoff", "diffsense", "stability", "clip", "top", "keys"))
#: Those of the search for a best map, which may differ as well.
_SEARCH = frozenset(("effort", "restarts", "seed", "solver", "time_limit"))
#: Presets that are the program of a row, or the paper's metric.
_PROGRAMS = ("tool", "core", "bamboo", "smatch")
#: STS, SICK and PARA by their places.
_ALL = (0, 1, 2)
#: S2match's cutoff → the sets for which its own row was made with it.
_TUNED_FOR: dict[Any, tuple[int, ...]] = {0.9: (0, 1), 0.0: (2,)}


def lookup(metric: Metric, protocol: str) -> Published | None:
    """The published row of the metric whose options are most like these, or None.

    Under protocol ``0.2`` the site's row is preferred; only the first nine numbers of the paper's are comparable.
    """
    key = _key(metric)
    exchanged = (*key, getattr(metric, "direction", None))
    turned = protocol == "0.2" and exchanged in _TABLES["site"]
    if not _is_known(metric, _FREE | _SEARCH | ({"direction"} if turned else set())):
        return None
    key = exchanged if turned else key
    source = next((name for name in _SOURCES.get(protocol, ()) if key in _TABLES[name]), None)
    if source is None:
        return None
    compared = 9 if (protocol, source) == ("0.2", "paper") else 12
    sets = _TUNED_FOR.get(getattr(metric, "cutoff", None), _ALL) if key == ("s2match", "tuned") else _ALL
    values = tuple(
        float(value) if place < compared and place % 3 in sets and value != "-" else None
        for place, value in enumerate(_TABLES[source][key].split())
    )
    return Published(source, _label(key), values)


def _is_known(metric: Metric, free: frozenset[str]) -> bool:
    """Whether the metric is its default or a preset, but for the ``free`` options."""
    made = type(metric)
    names = [option.name for option in fields(cast("Any", metric)) if option.name not in free]
    bases = [made(), *(made(**options) for name, options in made.presets.items() if name in _PROGRAMS)]
    return any(all(getattr(metric, name) == getattr(base, name) for name in names) for base in bases)


def _key(metric: Metric) -> Key:
    if metric.name in ("sembleu", "wlk", "wwlk"):
        trained = ("trained",) if getattr(metric, "weights", None) and metric.name == "wwlk" else ()
        return metric.name, getattr(metric, "k", None), *trained
    if metric.name == "s2match":
        settings: Any = getattr(metric, "cutoff", None), getattr(metric, "diffsense", None)
        return metric.name, {(0.5, 0.5): "default", (0.9, 0.95): "tuned", (0.0, 0.95): "tuned"}.get(settings)
    if metric.name == "smatch++":
        reified = getattr(metric, "standard", None) != "smatch++"
        return (metric.name, "reify") if reified else (metric.name,)
    return (metric.name,)


def _label(key: Key) -> str:
    return " ".join(f"k={part}" if isinstance(part, int) else str(part) for part in key)
