"""Programs that call the package smatch, run as they are with the package and with fastmatch in its place.

On the sample corpus the package reaches the optimum, so both must print the same. amrlib's modules run unmodified, from
an installed amrlib (its evaluation alone: the rest of it needs torch and spacy). The other callers are written anew,
from what is known of how they call the package.
"""

import importlib.util
import os
import shutil

import pytest

from support.places import SAMPLE
from support.published_smatch import run_script

CALLERS = {
    # AMRBART's trainers, and SPRING's: one score of two open files, and zeros if anything at all is raised
    "amrbart": """
import smatch

def scores(pred, gold):
    try:
        with open(pred) as first, open(gold) as second:
            precision, recall, f1 = next(smatch.score_amr_pairs(first, second))
    except Exception:
        precision, recall, f1 = 0.0, 0.0, 0.0
    return "%.10f %.10f %.10f" % (precision, recall, f1)

print(scores("pred.amr", "gold.amr"), scores("broken.amr", "gold.amr"), scores("pred.amr", "nowhere.amr"))
""",
    # programs that align graphs by hand, and rewards: a reader of lines, a renamer, the classes of triples by flags
    "aligner": """
import smatch
from amr import AMR

def lines(name):
    with open(name) as file:
        while line := AMR.get_amr_line(file):
            yield line

for one, two in zip(lines("pred.amr"), lines("gold.amr")):
    smatch.match_triple_dict.clear()
    first, second = AMR.parse_AMR_line(one), AMR.parse_AMR_line(two)
    first.rename_node("t")
    second.rename_node("g")
    mine, theirs = first.get_triples(), second.get_triples()
    for wanted in ((True, True, True), (True, False, False), (False, True, True)):
        smatch.match_triple_dict.clear()
        _, number = smatch.get_best_match(*mine, *theirs, "t", "g", doinstance=wanted[0], doattribute=wanted[1],
                                          dorelation=wanted[2])
        print(number)
    smatch.match_triple_dict.clear()
    print(smatch.get_amr_match(one, two, justinstance=True), len(smatch.print_alignment([0], mine[0], theirs[0])))
    smatch.match_triple_dict.clear()
""",
}


@pytest.fixture
def folder(tmp_path):
    for side in ("pred", "gold"):
        shutil.copy(SAMPLE / f"sample-{side}.amr", tmp_path / f"{side}.amr")
    (tmp_path / "broken.amr").write_text("(a / b))\n\n" * 40, encoding="utf-8")
    return tmp_path


def both(folder, name, code):
    """What a program prints, which must be the same with the package and with fastmatch."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    outputs = []
    for installed in (None, "quiet=True"):
        done = run_script(f"{name}.py", cwd=folder, installed=installed)
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    return outputs[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLERS)
def test_caller(name, folder):
    assert both(folder, name, CALLERS[name])


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="amrlib's pool needs a main module that can be imported")
def test_amrlib(folder):
    """``compute_smatch`` and ``compute_scores`` of amrlib, whose processes of a pool are forked."""
    found = importlib.util.find_spec("amrlib")
    if found is None:
        pytest.skip("needs amrlib (PyPI), without what it depends on: pip install --no-deps amrlib")
    places = list(found.submodule_search_locations or ())
    code = f"""
import multiprocessing, sys, types
multiprocessing.set_start_method("fork")
package = sys.modules["amrlib"] = types.ModuleType("amrlib")  # its own beginning imports what downloads models
package.__path__ = {places!r}
from amrlib.evaluate import smatch_enhanced
smatch_enhanced.redirect_smatch_errors("errors.txt")
entries = [smatch_enhanced.get_entries(name) for name in ("pred.amr", "gold.amr")]
print(*smatch_enhanced.compute_smatch(*entries))
print(*smatch_enhanced.compute_smatch(entries[0] + ["(a / b))", ""], entries[1] + ["(a / b)", "(a / b)"]))
smatch_enhanced.compute_scores("pred.amr", "gold.amr")
"""
    lines = both(folder, "amrlib_scores", code).splitlines()
    assert len(lines) == 14
    assert lines[0] == lines[1]  # what cannot be read is caught and counts nothing
    assert lines[2].startswith("Smatch           -> P: 0.")
