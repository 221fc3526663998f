"""Published results on BAMBOO, to be printed beside one's own.

Twelve numbers a row, in points: STS, SICK, PARA of main, then of reify, syno and role confusion. Three tables exist:

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
from typing import Any, NamedTuple, cast

from fastmatch.metrics.base import Metric

#: Metric, then the options that tell its rows apart.
Key = tuple[Any, ...]


class Published(NamedTuple):
    """One published row: where it stands, what it is called there, its numbers; None where none is comparable."""

    source: str
    label: str
    values: tuple[float | None, ...]


_PAPER: dict[Key, str] = {
    ("smatch",): "58.45 59.72 41.25 57.98 61.81 39.66 56.14 57.39 39.58 48.05 70.53 24.75",
    ("wsmatch",): "53.06 59.24 38.64 53.39 61.17 37.49 51.41 57.56 37.85 42.47 66.79 22.68",
    ("s2match", "default"): "56.38 58.15 42.16 55.65 60.04 40.41 56.05 57.17 40.92 46.51 70.90 26.58",
    ("s2match", "tuned"): "58.82 60.42 42.55 58.08 62.25 40.60 56.70 57.92 41.22 48.79 71.41 27.83",
    ("sema",): "55.90 53.32 33.43 55.51 56.16 32.33 50.16 48.87 29.11 49.73 68.18 22.79",
    ("sembleu", 1): "66.03 62.88 39.72 61.76 62.10 38.17 61.83 58.83 37.10 1.99 1.47 1.40",
    ("sembleu", 2): "60.62 59.86 36.88 57.68 59.64 36.24 57.34 56.18 33.26 44.54 67.54 16.60",
    ("sembleu", 3): "56.49 57.76 32.47 54.84 57.70 33.25 52.82 53.47 28.44 49.06 69.49 24.27",
    ("sembleu", 4): "53.19 56.69 29.61 52.28 56.12 30.11 49.31 52.11 25.56 49.75 69.58 29.44",
    ("wlk", 2): "64.86 61.52 37.35 62.69 62.55 36.49 59.41 56.60 33.71 45.89 64.70 19.47",
    ("wwlk", 2): "63.15 65.58 37.55 59.78 65.53 35.81 59.40 59.98 32.86 13.98 42.79 7.16",
    ("wwlk", 2, "trained"): "66.94 67.64 37.91 64.34 65.49 39.23 60.11 62.29 35.15 55.03 75.06 29.64",
}
_SITE: dict[Key, str] = {
    ("smatch",): "58.39 59.75 41.32 58.03 61.79 39.47 56.13 57.37 39.54 89.87 98.32 88.14",
    ("smatch++",): "58.54 59.75 41.38 58.35 59.75 41.39 56.28 57.37 39.66 89.87 98.32 88.31",
    ("s2match", "default"): "56.39 58.11 42.40 55.78 59.97 40.67 56.04 57.15 40.93 93.67 98.32 91.26",
    ("s2match", "tuned"): "58.70 60.47 42.52 58.19 62.37 40.55 56.62 57.88 41.15 89.87 98.32 92.24",
    ("sema",): "55.90 53.32 33.43 55.51 56.16 32.33 50.16 48.87 29.11 78.48 90.76 74.93",
    ("sembleu", 1): "66.03 62.88 39.72 61.76 62.10 38.17 61.83 58.83 37.10 7.59 3.36 17.48",
    ("sembleu", 2): "60.62 59.86 36.88 57.68 59.64 36.24 57.34 56.18 33.26 81.01 93.28 77.88",
    ("sembleu", 3, "gold-pred"): "56.54 58.06 32.82 54.96 58.53 33.66 53.19 53.72 28.96 81.01 93.28 77.79",
    ("wlk", 2): "65.57 61.36 36.21 63.77 62.55 36.23 60.14 56.40 32.51 79.75 90.76 77.61",
    ("wwlk", 2): "67.31 67.53 38.37 64.56 67.16 37.17 62.10 61.89 34.30 92.41 99.16 86.53",
    ("wwlk", 2, "trained"): "67.90 67.89 38.62 64.95 67.38 37.78 62.42 62.25 34.44 92.41 100.00 91.26",
}
_ANCAST: dict[Key, str] = {("ancast",): "56.46 57.17 36.09 55.31 58.67 36.09 - - - - - -"}
#: Options that may differ from a metric's default and from all its presets.
_FREE = frozenset(("k", "weights", "embeddings", "frames", "cutoff", "diffsense", "stability", "clip", "top", "keys"))
#: Those of the search for a best map, which may differ as well.
_SEARCH = frozenset(("effort", "restarts", "seed", "solver", "time_limit"))
#: Presets that are the program of a row, or the paper's metric.
_PROGRAMS = ("tool", "core", "bamboo", "smatch")
_RANKS: dict[Key, str] = {
    ("smatch",): "53.01 57.65 40.96 53.02 59.74 40.08 51.76 55.42 39.60 54.03 75.20 24.78",
    ("s2match", "default"): "55.87 57.38 41.92 55.41 59.46 40.78 54.86 56.12 40.59 48.23 73.89 26.19",
    ("sembleu", 3): "57.02 58.76 31.95 54.73 59.92 31.92 53.42 54.66 27.95 45.69 66.74 21.36",
    ("wlk", 2): "63.68 62.32 35.18 61.31 63.03 35.65 57.90 56.60 31.43 44.72 66.39 17.46",
    ("wwlk", 2): "64.89 62.92 37.72 61.90 63.63 37.39 59.94 57.47 33.35 5.50 43.55 0.09",
    ("rematch",): "64.72 66.54 34.88 63.49 62.55 35.82 59.75 61.54 32.70 42.38 67.28 15.37",
}
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
    turned = protocol == "0.2" and exchanged in _SITE
    if not _is_known(metric, _FREE | _SEARCH | ({"direction"} if turned else set())):
        return None
    if protocol == "0.2" and (turned or key in _SITE):
        key = exchanged if turned else key
        source, row, compared = "site", _SITE[key], 12
    elif protocol == "spearman" and key in _RANKS:
        source, row, compared = "rematch", _RANKS[key], 12
    elif protocol in ("0.1", "0.2") and key in _PAPER:
        source, row, compared = "paper", _PAPER[key], 12 if protocol == "0.1" else 9
    elif protocol in ("0.1", "0.2") and key in _ANCAST:
        source, row, compared = "ancast", _ANCAST[key], 12
    else:
        return None
    sets = _TUNED_FOR.get(getattr(metric, "cutoff", None), _ALL) if key == ("s2match", "tuned") else _ALL
    values = tuple(
        float(value) if place < compared and place % 3 in sets and value != "-" else None
        for place, value in enumerate(row.split())
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
