"""Scripts under benches/ that no other test runs: that they run, and say what is amiss."""

import json
import re
import shutil
from pathlib import Path

import pytest

import fastmatch

from support.child import ended, printed

PACKAGE = Path(fastmatch.__file__).parent
BENCHES = Path(__file__).parents[3] / "benches"
pytestmark = pytest.mark.skipif(not BENCHES.exists(), reason="benches are not beside the tests")

#: Every graph scores 0.25 with every other one.
PROGRAM = """
from amr import AMR

class Sema:
    def compute_sema(self, test, gold):
        assert (test.nodes[0], gold.nodes[0]) == ("a0", "b0")

    def get_sema_value(self):
        return 0.5, 0.5, 0.25
"""


def test_every_line_that_the_ablation_replaces_is_there() -> None:
    done = ended(str(BENCHES / "ablation.py"), "--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_line_of_the_ablation_that_has_changed_is_named(tmp_path: Path) -> None:
    (tmp_path / "benches").mkdir()
    copy = shutil.copy2(BENCHES / "ablation.py", tmp_path / "benches")
    shutil.copytree(
        BENCHES.parent / "fastmatch", tmp_path / "fastmatch", ignore=shutil.ignore_patterns("*.so", "*.pyd", "data")
    )
    path = tmp_path / "fastmatch" / "_ext" / "matching" / "local_search.pyx"
    path.write_text(path.read_text(encoding="utf-8").replace("while work < limit:", "while work <= limit:"), "utf-8")
    done = ended(copy, "--check")
    assert done.returncode == 1
    assert "fastmatch/_ext/matching/local_search.pyx has 0 lines that read 'while work < limit:'" in done.stderr


@pytest.mark.slow
def test_the_package_ancast_finds_the_same() -> None:
    """On the packaged sample."""
    pytest.importorskip("ancast", reason="needs the package ancast")
    files = [str(PACKAGE / "data" / f"sample-{side}.amr") for side in ("pred", "gold")]
    script = str(BENCHES / "peers" / "compare_ancast.py")
    found = printed(script, *files, "--rounds", "1", "--step", "2", OPENBLAS_NUM_THREADS="1")
    differences = [float(text) for text in re.findall(r"largest difference (\S+)", found)]
    assert len(differences) == 3  # sentences, documents of 80 nodes, siblings; too few sentences for 300
    assert max(differences) < 1e-12


@pytest.mark.slow
def test_a_checkout_is_measured_and_what_is_not_given_left_out(tmp_path: Path) -> None:
    """A program in a checkout made up for the purpose; its reader is that of smatch, as in the published one."""
    from support.published_smatch import amr

    corpus, figures = tmp_path / "corpus.amr", tmp_path / "figures.json"
    graphs = [f"# ::id {k}\n(a / and :op1 (b{k} / boy :quant {k % 3}))" for k in range(12)]
    corpus.write_text("\n\n".join(graphs) + "\n", encoding="utf-8")
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    shutil.copy(amr.__file__, checkout / "amr.py")
    (checkout / "sema.py").write_text(PROGRAM, encoding="utf-8")
    script = str(BENCHES / "peers" / "compare_alignment_free.py")
    command = [script, str(corpus), "--pairs", "20", "--repeat", "1", "--json", str(figures)]
    assert "sema: 12 graphs, 20 pairs" in printed(*command, "--sema", str(checkout))
    assert sorted(path.name for path in checkout.iterdir()) == ["amr.py", "sema.py"]
    [(name, record)] = json.loads(figures.read_text(encoding="utf-8")).items()
    assert name == "sema"
    assert record["largest difference"] > 0.25 and set(record["ours"]["tool"]) >= {"reading", "features", "random"}
    nothing = ended(*command)
    assert nothing.returncode == 2 and "name at least one checkout, such as --sema DIR" in nothing.stderr
