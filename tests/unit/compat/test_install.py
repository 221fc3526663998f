"""``fastmatch.compat.install``: what ``import smatch`` gives afterwards, and what is said on standard error."""

import pytest

from support.child import ended


def run(code: str, **variables: str) -> tuple[str, str]:
    """Standard output and standard error of a process."""
    done = ended("-c", code, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


INSTALL = "import sys, fastmatch.compat as compat; compat.install(); "


def test_every_way_to_import_the_package() -> None:
    out, err = run(
        INSTALL + "import smatch, amr, smatch.amr; from smatch import amr as one; from smatch import smatch as two; "
        "from smatch import get_amr_match, compute_f, score_amr_pairs, get_amr_line, get_best_match; "
        "from amr import AMR; import fastmatch.compat.smatch as three, fastmatch.compat.amr as four; "
        "print(smatch is two is three, amr is one is four is smatch.amr, get_amr_match('(a / b)', '(c / b)'), "
        "get_amr_line is AMR.get_amr_line); compat.install(); get_amr_match('(a / b)', '(c / b)')"
    )
    assert out == "True True (2, 2, 2) True\n"
    assert err.count("\n") == 1 and err.startswith("fastmatch: smatch scores are the proven optimum")


def test_the_line_can_be_left_out_and_is_said_by_scoring_alone() -> None:
    scoring = "import smatch; smatch.get_amr_match('(a / b)', '(c / b)'); compat.install()"
    assert run(INSTALL.replace("install()", "install(quiet=True)") + scoring) == ("", "")
    said = "import sys; from fastmatch.compat import smatch; print('imported', file=sys.stderr); "
    out, err = run(f"{said}print(smatch.get_best_match([], [], [], [], [], [], 'a', 'b'))")
    assert out == "([], 0)\n" and err.startswith("imported\nfastmatch: ") and err.count("\n") == 2


@pytest.mark.slow
@pytest.mark.parametrize("way", ["argument", "environment", "variable"])
def test_three_ways_to_the_hill_climber(way: str) -> None:
    install = INSTALL.replace("install()", "install(solver='climb', seed=3)") if way == "argument" else INSTALL
    variables = {"FASTMATCH_SMATCH_SOLVER": "climb"} if way == "environment" else {}
    code = install + "import smatch; "
    if way == "variable":
        code += "smatch.solver = 'climb'; "
    code += (
        "from fastmatch.metrics import run; made = []; kept = smatch.run; "
        "smatch.run = lambda metric, *rest, **named: (made.append(metric), kept(metric, *rest, **named))[1]; "
        "smatch.iteration_num = 7; smatch.get_amr_match('(a / b)', '(c / b)'); "
        "print(made[0].solver, made[0].restarts, made[0].seed)"
    )
    out, err = run(code, **variables)
    assert out == f"climb 6 {3 if way == 'argument' else 0}\n" and ("hill-climber (seed" in err) == (way != "variable")


def test_a_wrong_option_installs_nothing() -> None:
    code = (
        "import sys, fastmatch.compat as compat\ntry: compat.install(solver='best')\nexcept ValueError as e: print(e)\n"
    )
    out, err = run(code + "print('fastmatch.compat.smatch' == getattr(sys.modules.get('smatch'), '__name__', ''))")
    assert "solver" in out and out.endswith("False\n")
    assert err == ""
    done = ended("-c", INSTALL, FASTMATCH_SMATCH_SOLVER="climber")
    assert done.returncode and "solver='climber'" in done.stderr


@pytest.mark.slow
def test_it_comes_too_late_for_what_has_imported_the_package() -> None:
    out, err = run("import smatch as before; " + INSTALL + "import smatch; print(before is smatch, smatch.__name__)")
    assert out == "False fastmatch.compat.smatch\n"
    assert "FastmatchWarning: smatch was imported before fastmatch.compat.install()" in err
    assert "FastmatchWarning" not in run(INSTALL + "compat.install()")[1]


@pytest.mark.slow
def test_uninstalling() -> None:
    left = "print({*sys.modules} & {'smatch', 'amr', 'smatch.amr', 'smatch.smatch'})"
    assert run(f"{INSTALL}compat.uninstall(); compat.uninstall(); {left}")[0] == "set()\n"
    before = "import types, sys; sys.modules['amr'] = mine = types.ModuleType('amr'); "
    after = "compat.install(); compat.uninstall(); print(sys.modules['amr'] is mine)"
    assert run(before + INSTALL + after)[0] == "True\n"


def test_functions_go_to_other_processes() -> None:
    """They are pickled by name, so a pool finds them, also one whose processes are spawned."""
    code = (
        "import pickle, fastmatch.compat; fastmatch.compat.install(quiet=True); import smatch; "
        "print(pickle.loads(pickle.dumps(smatch.get_amr_match)) is smatch.get_amr_match)"
    )
    assert run(code)[0] == "True\n"
