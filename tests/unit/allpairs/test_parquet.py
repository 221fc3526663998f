"""Tables that others changed, or that are damaged: what is read from them holds together, or one line says why."""

import errno
import os

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.allpairs.parquet import read_pairs

from support.child import ended
from support.refusal import fails
from support.written import TEXTS, neighbours, pairs

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")


def changed(path, column: str, values: object, **metadata: str) -> None:
    """Write a table again with another column, or without it, and with other metadata."""
    table = parquet.read_table(path)
    kept = {**table.schema.metadata, **{name.encode(): value.encode() for name, value in metadata.items()}}
    if column:
        place = table.column_names.index(column)
        table = table.remove_column(place)
        if values is not None:
            table = table.add_column(place, column, values)
    parquet.write_table(table.replace_schema_metadata(kept), path)


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="threads are not listed there")
def test_no_thread_of_arrow_holds_an_object_of_python(tmp_path):
    """Such a thread aborts the program at its end, seldom: a run ended with -6 behind a whole file."""
    code = """if True:
        import os, sys, pyarrow.parquet, fastmatch as fm
        from fastmatch.allpairs.parquet import read_neighbours, read_pairs

        text = "".join(f"(a / b :value {k})\\n\\n" for k in range(40))
        corpus = fm.parse(text)
        begun = len(os.listdir("/proc/self/task"))
        for _ in range(2):
            fm.top_k(corpus, k=3, metric="wlk", out="top.parquet", resume=True)
            fm.cdist(corpus, metric="wlk", score_cutoff=0.1, sparse=True, out="pairs.parquet", resume=True)
        read_neighbours("top.parquet"), read_pairs("pairs.parquet")
        print(len(os.listdir("/proc/self/task")) - begun)
    """
    assert ended("-c", code, cwd=tmp_path).stdout == "0\n"


def check_refused(path, read, column, value, kind, metadata, says):
    """With one value in all rows of a column, or without it if there is no kind of value."""
    count = parquet.read_metadata(path).num_rows
    changed(path, column, pyarrow.array([value] * count, kind) if kind else None, **metadata)
    caught = str(fails(fm.OptionError, None, read, path))
    assert caught.startswith(f"{path} is ") and says in caught and "\n" not in caught


@pytest.mark.parametrize(
    ("column", "value", "kind", "metadata", "says"),
    [
        ("row", 8, "int64", {}, "row 8 or 8 is not one of 8"),
        ("row", -1, "int64", {}, "row -1 or -1 is not one of 8"),
        ("column", 2**40, "int64", {}, "column 1099511627776 or 1099511627776 is not one of 8"),
        ("row", None, "int64", {}, "a number is missing"),
        ("score", None, "float64", {}, "a number is missing"),
        ("score", float("nan"), "float64", {}, "a score is not a number"),
        ("score", float("inf"), "float64", {}, "a score is not a number"),
        ("row", "x", "string", {}, "no Parquet file, or damaged: Failed to parse string"),
        ("row", 1.5, "float64", {}, "no Parquet file, or damaged: "),
        ("score", None, "", {}, "no Parquet file, or damaged: "),
        ("row", 7, "int64", {}, "a pair stands below the diagonal of a symmetric matrix"),
        ("column", 7, "int64", {}, "a pair stands there twice"),
        ("", None, "", {"shape": "8"}, "its shape is not what"),
        ("", None, "", {"shape": "8 x"}, "its shape is not what"),
        ("", None, "", {"shape": "8 -8"}, "its shape is not what"),
        ("", None, "", {"shape": "8 \u0668"}, "its shape is not what"),
        ("", None, "", {"shape": f"8 {2**31}"}, "its shape is not what"),
        ("", None, "", {"shape": "9" * 5000 + " 8"}, "its shape is not what"),
        ("", None, "", {"shape": "8 9"}, "below the diagonal of a symmetric matrix"),
        ("", None, "", {"shape": "3 3"}, "row 0 or 7 is not one of 3"),
    ],
)
def test_pairs(column, value, kind, metadata, says, tmp_path):
    check_refused(pairs(tmp_path / "p"), read_pairs, column, value, kind, metadata, says)


def test_one_pair_twice(tmp_path):
    path = pairs(tmp_path / "p")
    table = parquet.read_table(path)
    parquet.write_table(pyarrow.concat_tables([table, table[:1]]), path)
    fails(fm.OptionError, "a pair stands there twice", read_pairs, path)


@pytest.mark.parametrize(
    ("column", "value", "kind", "metadata", "says"),
    [
        ("query", 8, "int64", {}, "query 8 or 8 is not one of 8"),
        ("rank", 3, "int32", {}, "rank 3 or 3 is not one of 3"),
        ("rank", -1, "int32", {}, "rank -1 or -1 is not one of 3"),
        ("rank", 0, "int32", {}, "a rank of a query stands there twice"),
        ("index", -2, "int64", {}, "index -2 or -2 is not one of 8"),
        ("index", None, "int64", {}, "a number is missing"),
        ("score", float("nan"), "float64", {}, "a score is not a number"),
        ("id", None, "", {}, "no Parquet file, or damaged: "),
        ("id", b"\xff", "binary", {}, "no Parquet file, or damaged: Invalid UTF8"),
        ("", None, "", {"k": "x"}, "its k is not what"),
        ("", None, "", {"k": "1"}, "is not one of 1"),
        ("", None, "", {"shape": ""}, "its shape is not what"),
    ],
)
def test_neighbours(column, value, kind, metadata, says, tmp_path):
    neighbours(tmp_path / "n")
    check_refused(tmp_path / "n", fm.TopK.read, column, value, kind, metadata, says)


def test_other_types_that_hold_the_same(tmp_path):
    """Programs that read and write tables may choose narrower types."""
    path = tmp_path / "n"
    wanted = neighbours(path)
    table = parquet.read_table(path)
    for column, kind in (("query", "uint8"), ("index", "int16"), ("id", "large_string")):
        changed(path, column, table[column].cast(kind))
    assert fm.TopK.read(path) == wanted


def test_a_damaged_page_in_a_folder_names_its_file(tmp_path):
    """What Dask's workers wrote: one file a block."""
    (tmp_path / "folder").mkdir()
    for name in ("00000000", "00000001"):
        pairs(tmp_path / "folder" / f"{name}.parquet")
        (tmp_path / "folder" / f"{name}.parquet.journal").unlink()
    (tmp_path / "folder" / "00000001.parquet").write_bytes(b"PAR1")
    fails(fm.OptionError, r"00000001\.parquet is no Parquet file, or damaged", read_pairs, tmp_path / "folder")


def test_names_of_folders_are_no_columns(tmp_path):
    """``row=3`` in a path is a column to programs that read many files at once."""
    (tmp_path / "row=3").mkdir()
    path = pairs(tmp_path / "row=3" / "p")
    assert read_pairs(path).toarray().tolist() == fm.cdist(TEXTS, metric="toy", dtype=np.float64).tolist()


def test_no_such_file(tmp_path):
    caught = fails(FileNotFoundError, None, read_pairs, tmp_path / "none")
    assert (caught.errno, caught.filename) == (errno.ENOENT, str(tmp_path / "none"))
