"""The check of arrays that come from elsewhere finds what could lead a kernel out of its arrays."""

from __future__ import annotations

import numpy as np
import pytest

from fastmatch.errors import ReadError
from fastmatch.graphs.corpus import Corpus

DAMAGE = [
    ("root", (0,), 3, "root"),
    ("root", (0,), -2, "root"),
    ("root", (0,), -1, "no root"),
    ("lines", (0,), -1, "line"),
    ("variable_names", (0,), 10**6, "variable name"),
    ("variable_names", (0,), -2, "variable name"),
    ("variable_offsets", (0,), 1, "variable_offsets"),
    ("variable_offsets", (-1,), 10**6, "variable_offsets"),
    ("relation_offsets", (1,), 10**12, "relation_offsets"),
    ("comment_offsets", (1,), -5, "comment_offsets"),
    ("instances", (0, 0), 3, "row 0 of instances"),
    ("instances", (0, 3), 2, "row 0 of instances"),
    ("instances", (0, 0), -1, "row 0 of instances"),
    ("instances", (1, 0), -2, "row 1 of instances"),
    ("instances", (1, 0), 10**6, "row 1 of instances"),
    ("instances", (2, 0), -1, "position"),
    ("attributes", (0, 0), 3, "row 0 of attributes"),
    ("attributes", (1, 0), -1, "row 1 of attributes"),
    ("attributes", (2, 0), -2, "row 2 of attributes"),
    ("relations", (0, 0), 3, "row 0 of relations"),
    ("relations", (1, 0), -1, "row 1 of relations"),
    ("relations", (2, 0), 2**31 - 1, "row 2 of relations"),
    ("relations", (4, 0), 2, "flag"),
    ("surface", (0, 0), -1, "position"),
    ("surface", (1, 0), 5, "flag"),
    ("surface", (2, 0), -1, "row 2 of surface"),
]


@pytest.mark.parametrize(("name", "place", "value", "message"), DAMAGE)
def test_damage_is_found(corpus, tmp_path, name, place, value, message):
    array = getattr(corpus, name).copy()
    array[place] = value
    damaged = corpus.with_columns(**{name: array})
    with pytest.raises(ReadError, match=message):
        damaged.validate()
    damaged.save(tmp_path / "x")
    with pytest.raises(ReadError, match=message):
        Corpus.load(tmp_path / "x")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"root": np.zeros(4, np.int64)}, "root is not an array of int32"),
        ({"root": [0, 0, 0, 0]}, "root is not an array"),
        ({"root": np.zeros((4, 1), np.int32)}, "root has 2 dimensions"),
        ({"lines": np.zeros(3, np.int32)}, "lines and root"),
        ({"root": np.zeros(5, np.int32), "lines": np.zeros(5, np.int32)}, "does not divide"),
        ({"instances": np.zeros((4, 9), np.int32)}, "instances has not 3 rows"),
        ({"instances": np.zeros((9, 3), np.int32).T}, "instances is not contiguous"),
        ({"problems": ((4, "x"),)}, "problem"),
        ({"dialect": "klingon"}, "unknown dialect 'klingon'"),
        ({"vocabulary": None}, "no vocabulary"),
    ],
)
def test_wrong_arrays_are_found(corpus, changed, message):
    with pytest.raises(ReadError, match=message) as caught:
        corpus.with_columns(**changed).validate("the source")
    assert str(caught.value).startswith("the source: damaged corpus: ")


def test_validate_returns_the_corpus(corpus):
    assert corpus.validate() is corpus
