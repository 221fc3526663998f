"""A little of the campaign of damaged input, and what it has found so far.

``FASTMATCH_FUZZ_COUNT`` says how many inputs each target is tried with. This is how the campaign runs in a build with
sanitizers (``ci/sanitizers.sh``).
"""

import io
import os

import pytest
from fuzz import campaign

import fastmatch as fm

COUNT = int(os.environ.get("FASTMATCH_FUZZ_COUNT", "300"))


@pytest.mark.parametrize("name", [name for name in campaign.TARGETS if name != "arbitrary"])
def test_damaged_input(name: str) -> None:
    if name in ("fields/parquet", "tables"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    read, finds = campaign.run(name, count=COUNT, seed=1)
    assert not finds
    assert 0 < read < COUNT, "some of the input is good still, and some is not"


@pytest.mark.parametrize(("name", "data"), campaign.KEPT)
def test_finds_of_earlier_runs(name: str, data: bytes) -> None:
    """As often as it takes for all that is done with some of the inputs."""
    target, _ = campaign.TARGETS[name]()
    for number in range(campaign.EVERYTHING):
        target(data, number)


def test_a_broken_graph_leaves_no_bytes_in_the_vocabulary(tmp_path):
    """Else nothing could be folded, nor a saved corpus be loaded: --on-error empty would end in a traceback."""
    corpus = fm.read(io.BytesIO(b'(a / x)\n\n(b / y\xc9 :ARG0 c~e.1\xe9 :\xe9 "d\xe9")\n\n(e / Z)'), on_error="empty")
    assert [g for g, _ in corpus.problems] == [1] and "Z" in list(corpus.vocabulary)
    corpus.save(tmp_path / "corpus")
    assert fm.Corpus.load(tmp_path / "corpus") == corpus and fm.score(corpus, corpus).pairs.score.tolist() == [1, 1, 1]
