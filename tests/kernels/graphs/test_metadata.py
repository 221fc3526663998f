"""The comparison of metadata, byte by byte, against the parser of metadata that people get."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.graphs.metadata import differing
from fastmatch.evaluation.checks import _same_sentence
from fastmatch.graphs.notation import parse_metadata

from support.nightly import examples

COMMENTS = st.text(st.sampled_from(":: \n\tidsnAé#1"), max_size=40) | st.lists(
    st.sampled_from(["# ", "::id ", "::id", "::snt ", "a", "A", " ", "7", ":", "\n", "é", ".", "\t"]), max_size=12
).map("".join)


def columns(comments):
    """A corpus of graphs of which only the comments are given."""
    pieces = [text.encode() for text in comments]
    offsets, text = np.cumsum([0, *map(len, pieces)]), np.frombuffer(b"".join(pieces), np.uint8)
    return fm.parse(["()"] * len(pieces)).with_columns(comment_offsets=offsets, comments=text).columns


@examples(60)
@example([("# :::id x::id y", "# ::id y")], "id")
@example([("::id:::a ::id b", "::id::a")], "id")
@given(st.lists(st.tuples(COMMENTS, COMMENTS), max_size=6), st.sampled_from(["id", "snt"]))
def test_as_the_parser_has_it(pairs, key):
    values = [tuple(parse_metadata(text).get(key) for text in pair) for pair in pairs]
    both = [k for k, pair in enumerate(values) if None not in pair]
    expected = [k for k in both if values[k][0] != values[k][1]]
    mine, its = (columns([pair[side] for pair in pairs]) for side in range(2))
    places, sure, n_both = differing(mine, its, key.encode(), False)
    assert (places.tolist(), n_both) == (expected, len(both) if expected else 0)
    assert sure.all()


SENTENCES = st.text(st.sampled_from("aA é.-ſ1"), max_size=30) | st.lists(
    st.sampled_from(["-LRB-", "-rsb-", "(", "-", "a-b-c", "The boy", " wants to go home", ".", "é"])
).map("".join)


@examples(60)
@example("-LRB- a", "(A")
@example("a-LRB", "a(")
@example("The boy wants to go home", "the boy wants to go home again")  # nineteen letters: cut off from twenty on
@example("The boys want to go home", "the boys want to go home and stay")
@given(SENTENCES, SENTENCES)
def test_sentences_are_compared_as_the_warning_compares_them(one, two):
    """What the kernel says for sure is what :func:`_same_sentence` says; it is sure of all that is plain ASCII."""
    pair = [f"# ::snt {text}" for text in (one, two)]
    texts = [parse_metadata(text)["snt"] for text in pair]
    places, sure, _ = differing(columns(pair[:1]), columns(pair[1:]), b"snt", True)
    if not len(places):
        assert _same_sentence(*texts)
    elif sure[0]:
        assert not _same_sentence(*texts)
    else:
        assert not all(text.isascii() and "-" not in text for text in texts)


def test_refused():
    with pytest.raises(ValueError, match="1 graphs on one side, 2 on the other"):
        differing(columns(["# ::id 1"]), columns(["# ::id 1", "# ::id 2"]), b"id", False)
