"""Signatures: printed, read back, compared."""

import copy
import pickle

import pytest

import fastmatch
from fastmatch import OptionError, Signature

from support.refusal import fails

TEXT = "smatch|solver:exact|top:constant|dup:once|std:default|read:penman|v:1.0.0"


def test_printed_in_order_with_the_version_last():
    signature = Signature("toy", {"b": 1, "a": "x", "c": 0.5})
    assert str(signature) == f"toy|b:1|a:x|c:0.5|v:{fastmatch.__version__}"
    assert repr(signature) == f"<Signature: {signature}>"


def test_booleans_are_words_and_none_is_left_out():
    assert str(Signature("toy", {"a": True, "b": False, "c": None, "d": 0}, "1")) == "toy|a:yes|b:no|d:0|v:1"


def test_read_back():
    signature = Signature.parse(TEXT)
    assert str(signature) == TEXT and signature.metric == "smatch" and signature.version == "1.0.0"
    assert signature.fields["top"] == "constant" and "v" not in signature.fields
    assert Signature.parse(f" {TEXT}\n") == signature


def test_values_may_hold_colons():
    signature = Signature("toy", {"time": "12:30"}, "1")
    assert Signature.parse(str(signature)).fields == {"time": "12:30"}


def test_equality_and_hash():
    signature = Signature.parse(TEXT)
    assert signature == Signature.parse(TEXT) == TEXT and hash(signature) == hash(Signature.parse(TEXT))
    assert signature != Signature.parse(TEXT.replace("once", "multiply")) and signature != 3


def test_copies():
    signature = Signature.parse(TEXT)
    assert pickle.loads(pickle.dumps(signature)) == copy.copy(signature) == copy.deepcopy(signature) == signature


def test_it_cannot_be_changed():
    signature = Signature.parse(TEXT)
    with pytest.raises(AttributeError, match="cannot be changed"):
        signature.metric = "other"
    with pytest.raises(AttributeError, match="cannot be changed"):
        del signature.metric


@pytest.mark.parametrize(
    "text",
    [
        "", "smatch", "smatch|v", "smatch|top:|v:1", "smatch|:x|v:1", "smatch|top:a|top:b|v:1", "smatch|v:1|top:a",
        "a:b|v:1", "smatch|top:a\nb|v:1",
    ],
)  # fmt: skip
def test_what_is_no_signature(text):
    fails(OptionError, "expected", Signature.parse, text)


@pytest.mark.parametrize(
    ("metric", "fields"),
    [
        ("a|b", {}), ("a:b", {}), ("", {}), ("a", {"k|": 1}), ("a", {"k:": 1}), ("a", {"k": "x|y"}),
        ("a", {"k": ""}), ("a", {"": 1}),
    ],
)  # fmt: skip
def test_what_could_not_be_read_back(metric, fields):
    fails(ValueError, "signature", Signature, metric, fields)
