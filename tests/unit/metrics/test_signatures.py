"""Signatures tell apart all that may change a number, for every metric, preset and kind of option."""

# No future import: a metric of another package may be annotated with the types themselves, as those below are.
import pickle
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
import pytest

import fastmatch as fm
from fastmatch import OptionError
from fastmatch.metrics import Metric, available, from_signature, get, make, register, registry
from fastmatch.metrics.base import from_text, option
from fastmatch.metrics.options import described, digest, kinds, read_back, spelled, taking

from support import toy_metric  # noqa: F401 - registers a metric
from support.refusal import fails

if TYPE_CHECKING:
    from nowhere import Missing

METRICS = available()
SETTINGS = [(name, preset) for name in METRICS for preset in (None, *get(name).presets)]
TEXTS = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :polarity -))",
    "(w / want-01 :ARG0 (g / girl) :ARG1 (b / boy :quant 2 :quant 2))",
    "(a / and :op1 (x / x) :op2 (y / x) :op3 (z / x))",
]


def others(metric: Metric) -> dict[str, list[Any]]:
    """Other values that each option may have; not those that name files, nor functions."""
    files, values = taking(type(metric)), {}
    known = kinds(type(metric))
    for entry in fields(metric):
        if entry.name in files or not set(known[entry.name]) <= {"bool", "int", "float", "str", "None"}:
            continue
        now, choices = getattr(metric, entry.name), entry.metadata.get("choices")
        if entry.name == "standard" and choices is None:
            choices = ("default", "smatch", "smatch++", "smatch++/reify", "generic", "none")
        kind = next(kind for kind in ("bool", "int", "float", "str") if kind in known[entry.name])
        numbers = {"bool": [True, False], "int": [1, 2, 3], "float": [0.125, 0.25, 0.5, 2.5]}
        candidates = [*(choices or numbers[kind]), *([None] if "None" in known[entry.name] else [])]
        values[entry.name] = [value for value in candidates if value != now]
    return values


def variants(name: str, preset: str | None) -> list[tuple[str, Metric]]:
    """The metric with one option set to another value, for every option and value that it lets pass."""
    metric, found = make(name, preset), []
    for key, values in others(metric).items():
        for value in values:
            with suppress(OptionError):  # does not go with the other options
                found.append((key, replace(metric, **{key: value})))
    return found


@pytest.mark.parametrize(("name", "preset"), SETTINGS)
def test_other_options_have_another_signature(name, preset):
    """Two settings have equal signatures only if they differ in what has no effect; and then it has none."""
    seen: dict[str, list[tuple[str, Metric]]] = {}
    base = make(name, preset)
    for key, metric in [("", base), *variants(name, preset)]:
        seen.setdefault(str(metric.signature(metric.dialect)), []).append((key, metric))
    assert len(seen) > len(others(base)) / 2 or len(others(base)) <= 2
    for alike in seen.values():
        for key, metric in alike[1:]:
            differing = {e.name for e in fields(metric) if getattr(metric, e.name) != getattr(alike[0][1], e.name)}
            assert differing <= metric.without_effect(), (key, metric)
            expected = fm.score(TEXTS, TEXTS[::-1], metric=alike[0][1], on_error="empty")
            found = fm.score(TEXTS, TEXTS[::-1], metric=metric, on_error="empty")
            assert found.to_dict(pairs=True) == expected.to_dict(pairs=True)


@pytest.mark.parametrize(("name", "preset"), SETTINGS)
def test_a_metric_is_made_again_from_its_signature(name, preset):
    for metric in [make(name, preset), *(metric for _, metric in variants(name, preset))]:
        signature = metric.signature(metric.dialect)
        again = from_signature(str(signature))
        assert again.signature(metric.dialect) == signature
        # what is added to a signature is for metrics that forget an option: of those that are built in none may
        assert not any(key.startswith("option.") for key in signature.fields)
        differing = {e.name for e in fields(metric) if getattr(again, e.name) != getattr(metric, e.name)}
        assert differing <= metric.without_effect() and again.dialect == metric.dialect


#: Presets that need graphs as their program reads them; those of Smatch++ and align-smatch take others, too.
OTHERWISE = [each for each in SETTINGS if make(*each).dialect not in ("penman", "smatchpp", "camr-tuples")]


@pytest.mark.parametrize(("name", "preset"), OTHERWISE)
def test_graphs_that_were_read_otherwise_are_refused(name, preset):
    corpus = fm.parse("(a / b)")
    with pytest.raises(OptionError, match=rf"needs graphs as .* reads? them.*dialect='{make(name, preset).dialect}'"):
        fm.score(corpus, corpus, metric=name, preset=preset)


# ---------------------------------------------------------------- a metric of another package


class _Plain(Metric):
    """What the metrics below share: they count concepts, or nothing."""

    statistics = ("shared", "all")

    def prepare(self, corpus):
        return np.diff(corpus.instance_offsets)

    def score(self, pred, gold, pairs, out):
        for pair, i, j in pairs.each():
            sizes = sorted([pred[i], gold[j]])
            out.statistics[:, pair] = sizes if getattr(self, "roles", True) else (1, 1)

    def combine(self, statistics):
        return {"ratio": np.divide(statistics[0], np.maximum(statistics[1], 1))}


@dataclass(frozen=True)
class Silent(_Plain):
    """Annotated with types, and with fields that leave its options out."""

    roles: bool = option(True, "count something at all")
    depth: int | None = option(None, "how deep")
    rate: float | None = option(0.5, "how fast")
    way: Literal["up", "down"] = option("up", "whither")
    both: int | str = option(1, "a number or a word")
    word: Annotated[str, "any"] = option("plain", "a word")
    table: "Mapping[str, int] | Missing | None" = None
    pair: tuple = (1, 2)
    made: list = field(default_factory=list, hash=False)
    shared: ClassVar[int] = 3

    def fields(self, dialect):
        return {"read": dialect}

    @classmethod
    def options(cls, fields):
        return {}


@dataclass(frozen=True)
class Plain(_Plain):
    """Without fields of a signature of its own."""

    roles: bool = True
    depth: int | None = 3
    read: str = "x"
    word: str | None = "a"


@pytest.fixture(autouse=True)
def third_party():
    register("silent")(Silent)
    register("plain")(Plain)
    yield
    for name in ("silent", "plain"):
        registry._REGISTRY.pop(name)
    make.cache_clear()


def test_kinds_of_options():
    assert kinds(Silent) == {
        "roles": ("bool",),
        "depth": ("int", "None"),
        "rate": ("float", "None"),
        "way": ("str",),
        "both": ("int", "str"),
        "word": ("str",),
        "table": ("Mapping", "Missing", "None"),
        "pair": ("tuple",),
        "made": ("list",),
    }
    assert [each.annotation for each in described(Silent)][:3] == ["bool", "int | None", "float | None"]
    every = {name for metric in METRICS for each in kinds(get(metric)).values() for name in each}
    assert every >= {"bool", "int", "float", "str", "None", "Embeddings"}


ONE_BY_ONE = {
    "roles": [False],
    "depth": [0, 7],
    "rate": [None, 0.1 + 0.2, float("inf")],
    "way": ["down"],
    "both": [2, "2", "yes", "%=2"],
    "word": ["", "none", "a|b:c\nd%7C ", " a"],
    "pair": [(3,), ("a|b", None)],
}
VALUES = [{}, {"roles": False, "depth": 7}, *({key: value} for key in ONE_BY_ONE for value in ONE_BY_ONE[key])]


@pytest.mark.parametrize("name", ["silent", "plain"])
def test_no_two_values_alike(name):
    made = [make(name, **values) for values in VALUES if set(values) <= set(kinds(get(name)))]
    texts = [str(metric.signature("penman")) for metric in made]
    assert len(set(texts)) == len(set(made)) == len(made) > 5
    for metric, text in zip(made, texts, strict=True):
        assert from_signature(text) == metric and fm.Signature.parse(text) == text
        assert pickle.loads(pickle.dumps(metric.signature("penman"))) == text


def test_a_metric_without_fields_of_its_own():
    assert make("plain").signature("penman") == f"plain|roles:yes|depth:3|word:a|read:penman|v:{fm.__version__}"
    text = str(make("plain", read="y", depth=None, word=None).signature("smatch"))
    assert text.startswith("plain|roles:yes|depth:none|word:none|read:smatch|option.read:y|v:")
    assert from_signature(text) == make("plain", read="y", depth=None, word=None)


def test_what_cannot_be_read_back_is_named():
    one, two, three = (Silent(table={"f": k}, pair=(lambda x, k=k: x + k,)) for k in (1, 1, 2))
    assert one.signature("penman") == two.signature("penman") != three.signature("penman")
    fails(OptionError, "from which it cannot be made", from_signature, three.signature("penman"))
    for said, message in (("nothing:1", "has no option 'nothing'"), ("depth:x", "expected int or None, found 'x'")):
        fails(OptionError, message, from_signature, f"silent|read:penman|option.{said}|v:{fm.__version__}")


def test_digests_of_functions():
    def maker(k):
        return lambda a, b: float(a == b) * k

    def outer(a, b):
        return sum(x + 1 for x in (a, b))

    def other(a, b):
        return sum(x + 2 for x in (a, b))

    alike = [maker(1), maker(1)]
    different = [maker(1), maker(2), outer, other, partial(max, 1), partial(max, 2), max, {"a": 1}, {"a": 2}, object]
    assert digest(alike[0]) == digest(alike[1]) and len({digest(each) for each in different}) == len(different)
    one, two = (make("softmatch", similarity=maker(k)) for k in (0.5, 0.25))
    assert one.signature("penman") != two.signature("penman")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"roles": "False"}, "roles='False': expected True or False"),
        ({"roles": 0}, "roles=0: expected True or False"),
        ({"depth": "3"}, "depth='3': expected a whole number or None"),
        ({"depth": 2.0}, "depth=2.0: expected a whole number or None"),
        ({"rate": True}, "rate=True: expected a number or None"),
        ({"word": None}, "word=None: expected a string"),
    ],
)
def test_values_of_another_type(options, message):
    fails(OptionError, f"^{message}$", make, "silent", **options)


def test_numbers_of_numpy():
    metric = make("silent", roles=np.bool_(False), depth=np.int64(3), rate=np.float32(0.5))
    assert metric == make("silent", roles=False, depth=3, rate=0.5)
    assert [type(value) for value in (metric.roles, metric.depth, metric.rate)] == [bool, int, float]
    assert make("ancast", alpha=1).signature("penman") == make("ancast", alpha=1.0).signature("penman")
    assert make("smatch", time_limit=5).signature("penman") == make("smatch", time_limit=5.0).signature("penman")


def test_spelling():
    for value, of in (("none", ("str", "None")), ("yes", ("bool", "str")), ("1e3", ("float", "str")), (None, ("str",))):
        text = spelled(value, of)
        if value is not None:
            assert read_back(text, of) == value and type(read_back(text, of)) is str
    assert spelled(None, ("str", "None")) == "none"
    assert read_back("none", ("str",)) == "none"


def test_options_in_one_word_with_the_metric():
    fields = from_text("silent,roles=no,depth=3,both=x").signature("penman").fields
    assert fields == {"read": "penman", "option.roles": "no", "option.depth": "3", "option.both": "x"}
    assert from_text("silent,roles=False") == from_text("silent,roles=no") != from_text("silent")
    fails(OptionError, "roles is yes or no, found '0'", from_text, "silent,roles=0")
