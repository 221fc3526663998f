"""The reader of UMR files as the program reads them; what it reads is compared in parity/test_jumatch.py."""

import pickle

import numpy as np
import pytest

from fastmatch._ext.umr.reading import Reader
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.umr.columns import read_as_tool

from support.umr_sides import sides_as_tool


@pytest.mark.parametrize("letter", ["(", "a", '"', " ", "\n", "1-1,", "(a / b :c ", "(a /)) b ", "((a :b c) "])
def test_long_texts_take_linear_time(letter: str) -> None:
    """A quadratic reader would not end."""
    for text in (letter * 100_000, f"x\n\n{letter * 100_000}", f"x\n\n(a / b\n\na: {letter * 100_000}"):
        sentences, lines, _ = read_as_tool(text, Vocabulary())
        assert len(sentences) == len(lines) <= 1


def test_a_lone_surrogate_is_a_character() -> None:
    (side,) = sides_as_tool("Words: \ud800\n\n(a / \ud800)")
    assert (side.tokens, side.nodes["a"].concept) == (["\ud800"], "\ud800")


def test_strings_are_shared_with_those_that_were_read_before() -> None:
    vocabulary = Vocabulary()
    first, _, _ = read_as_tool("Words: a\n\n(a / b :c d)\n", vocabulary)
    n = len(vocabulary)
    second, _, _ = read_as_tool("Words: a\n\n(a / b :c d)\n", vocabulary)
    assert n == len(vocabulary)
    np.testing.assert_array_equal(first.nodes, second.nodes)


def test_a_reader_cannot_be_pickled():
    """Kernels are built without the methods by which Cython would say so; Python says it too."""
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(Reader(Vocabulary().interner, False))
