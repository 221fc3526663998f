"""Signatures: printed, read back, compared."""

import copy
import pickle

import pytest

import fastmatch
from fastmatch import OptionError, Signature

from support.refusal import fails

TEXT = "smatch|solver:exact|top:constant|dup:once|std:default|read:penman|v:1.0.0"


def test_printed_in_order_with_the_version_last():
    """Booleans are words, and None is left out."""
    signature = Signature("toy", {"b": 1, "a": "x", "c": 0.5, "d": True, "e": False, "f": None, "g": 0})
    assert str(signature) == f"toy|b:1|a:x|c:0.5|d:yes|e:no|g:0|v:{fastmatch.__version__}"
    assert repr(signature) == f"<Signature: {signature}>"


def test_read_back():
    signature = Signature.parse(TEXT)
    assert str(signature) == TEXT and signature.metric == "smatch" and signature.version == "1.0.0"
    assert signature.fields["top"] == "constant" and "v" not in signature.fields
    assert Signature.parse(f" {TEXT}\n") == signature
    assert Signature.parse("toy|time:12:30|v:1").fields == {"time": "12:30"}


def test_a_value():
    signature = Signature.parse(TEXT)
    assert signature == Signature.parse(TEXT) == TEXT and hash(signature) == hash(Signature.parse(TEXT))
    assert signature != Signature.parse(TEXT.replace("once", "multiply")) and signature != 3
    assert pickle.loads(pickle.dumps(signature)) == copy.copy(signature) == copy.deepcopy(signature) == signature
    fails(AttributeError, "cannot be changed", setattr, signature, "metric", "other")
    fails(AttributeError, "cannot be changed", delattr, signature, "metric")


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
