"""The value of a pair does not depend on the graphs beside it, whether it is proven or not."""

import re
from itertools import product

import pytest

import fastmatch as fm

from support.hostile import FAMILIES
from support.nightly import by_day


def with_labels_first(text: str) -> str:
    """A graph that holds the labels of another one in reverse, so that they get other ids where it is read first."""
    words = sorted(set(re.findall(r"[^\s()/]+", text)), reverse=True)
    roles = [word for word in words if word.startswith(":")]
    return (
        "(zz / zz "
        + " ".join(f"{role} 1" for role in roles)
        + " :zz ".join(["", *sorted(set(words) - set(roles))])
        + ")"
    )


@pytest.mark.parametrize(
    ("metric", "family"), by_day([*product(("smatch", "smatch++", "softmatch", "s2match"), FAMILIES)], 5)
)
def test_a_pair_alone_and_in_company(metric: str, family: str) -> None:
    pred, gold = FAMILIES[family](1)
    company = [with_labels_first(pred), with_labels_first(gold)]
    alone = fm.score([pred], [gold], metric=metric, effort="low").pairs
    beside = fm.score([*company, pred], [*company, gold], metric=metric, effort="low").pairs
    assert (alone.matched[0], alone.upper[0]) == (beside.matched[2], beside.upper[2])
