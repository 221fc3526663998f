"""The comparison with published programs runs: with a checkout made up for the purpose, for they are in no registry."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import fastmatch

SCRIPT = Path(__file__).parents[3] / "benches" / "peers" / "compare_alignment_free.py"

#: A reader as the program's: a graph a call, nothing at the end.
READER = """
class AMR:
    @staticmethod
    def get_amr_line(file):
        lines = []
        for line in file:
            if line.strip() and not line.startswith("#"):
                lines.append(line)
            elif lines:
                break
        return "".join(lines)

    @staticmethod
    def parse_AMR_line(line):
        graph = AMR()
        graph.text = line
        return graph

    def rename_node(self, prefix):
        self.prefix = prefix
"""

#: Every graph scores 0.25 with every other one.
PROGRAM = """
from amr import AMR

class Sema:
    def compute_sema(self, test, gold):
        assert (test.prefix, gold.prefix) == ("a", "b")

    def get_sema_value(self):
        return 0.5, 0.5, 0.25
"""


@pytest.mark.slow
@pytest.mark.skipif(not SCRIPT.exists(), reason="benches are not beside the tests")
def test_a_checkout_is_measured_and_what_is_not_given_left_out(tmp_path: Path) -> None:
    corpus, figures = tmp_path / "corpus.amr", tmp_path / "figures.json"
    graphs = [f"# ::id {k}\n(a / and :op1 (b{k} / boy :quant {k % 3}))" for k in range(12)]
    corpus.write_text("\n\n".join(graphs) + "\n", encoding="utf-8")
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "amr.py").write_text(READER, encoding="utf-8")
    (checkout / "sema.py").write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, str(SCRIPT), str(corpus), "--pairs", "20", "--repeat", "1", "--json", str(figures)]
    environment = {**os.environ, "PYTHONPATH": str(Path(fastmatch.__file__).parents[1])}
    run = subprocess.run(
        [*command, "--sema", str(checkout)], capture_output=True, text=True, env=environment, check=True
    )
    assert "sema: 12 graphs, 20 pairs" in run.stdout
    assert sorted(path.name for path in checkout.iterdir()) == ["amr.py", "sema.py"]
    [(name, record)] = json.loads(figures.read_text(encoding="utf-8")).items()
    assert name == "sema"
    assert record["largest difference"] > 0.25 and set(record["ours"]["tool"]) >= {"reading", "features", "random"}
    nothing = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert nothing.returncode == 2 and "name at least one checkout, such as --sema DIR" in nothing.stderr
