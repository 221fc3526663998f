"""Corpora in files: what is written is read again, and what is no corpus is refused."""

import hashlib
import os
import pickle

import pytest

from fastmatch import Corpus, ReadError
from fastmatch.graphs.storage import MAGIC

from support.refusal import fails


@pytest.mark.parametrize("mmap", [True, False])
def test_save_and_load(corpus, tmp_path, mmap):
    marked = corpus.with_columns(problems=((1, "bäd"),), source="é.amr", dialect="smatch")
    marked.save(tmp_path / "x.corpus")
    loaded = Corpus.load(str(tmp_path / "x.corpus"), mmap=mmap)
    assert loaded == marked and loaded.problems == marked.problems and loaded.source == "é.amr"
    assert list(loaded.vocabulary) == list(corpus.vocabulary) and not loaded.instances.flags.writeable
    assert list(loaded[[1, 0]] + loaded) == list(marked[[1, 0]] + marked)
    assert pickle.loads(pickle.dumps(loaded)) == marked
    assert os.listdir(tmp_path) == ["x.corpus"]


def test_the_format_of_files_does_not_change(corpus, tmp_path):
    """Byte for byte what the first version wrote: a change would need another number in :data:`MAGIC`."""
    corpus.with_columns(problems=((1, "bäd"),), source="é.amr").save(tmp_path / "x")
    digest = "fe32e8145fefb0c592745a3c08dfa0f3312a2130b5de4282eb85019888a68853"
    assert hashlib.sha256((tmp_path / "x").read_bytes()).hexdigest() == digest


def test_an_empty_corpus_has_a_file_too(tmp_path):
    Corpus.from_graphs([]).save(tmp_path / "x")
    assert len(Corpus.load(tmp_path / "x")) == 0


def test_saving_over_a_mapped_file_leaves_the_map_alone(corpus, tmp_path):
    corpus.save(tmp_path / "x")
    loaded = Corpus.load(tmp_path / "x")
    corpus[:1].save(tmp_path / "x")
    assert loaded == corpus
    assert len(Corpus.load(tmp_path / "x")) == 1


def test_a_failed_save_leaves_nothing(corpus, tmp_path):
    (tmp_path / "x").mkdir()
    fails(IsADirectoryError if os.name != "nt" else PermissionError, None, corpus.save, tmp_path / "x")
    assert os.listdir(tmp_path) == ["x"]
    # the error names one file: not the one that was to take its place
    assert str(fails(FileNotFoundError, None, corpus.save, tmp_path / "nowhere" / "x")).endswith("/x'")
    fails(FileNotFoundError, None, Corpus.load, tmp_path / "nowhere" / "x")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a corpus"),
        (b"(a / b)\n", "not a corpus"),
        (MAGIC, "ends within its header"),
        (MAGIC + b"\xff" * 8, "ends within its header"),
        (MAGIC + (2).to_bytes(8, "little") + b"{}", "KeyError"),
        (MAGIC + (2).to_bytes(8, "little") + b"[]", "TypeError"),
        (MAGIC + (2).to_bytes(8, "little") + b"\xff{", "Error"),
        (MAGIC + (200_000).to_bytes(8, "little") + b"[" * 200_000, "Error"),
    ],
)
@pytest.mark.parametrize("mmap", [True, False])
def test_no_corpus(tmp_path, content, message, mmap):
    (tmp_path / "x").write_bytes(content)
    assert str(fails(ReadError, message, Corpus.load, tmp_path / "x", mmap=mmap)).startswith(f"{tmp_path / 'x'}: ")
