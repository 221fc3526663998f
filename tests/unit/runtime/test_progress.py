"""Who is told how far long work is, and when."""

import sys
from types import SimpleNamespace

import pytest

from fastmatch.runtime.progress import Bar, Steps

from support.terminal import standard_error


def test_a_callable_gets_every_step_once():
    seen: list[tuple[int, int]] = []
    with Steps(lambda done, total: seen.append((done, total)), 3) as report:
        report.step()
        report.step()
        report(2)
        report.step()
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_parts_count_from_where_they_begin():
    seen: list[tuple[int, int]] = []
    report = Steps(lambda done, total: seen.append((done, total)), 10)
    first, second = report.part(0), report.part(4)
    first(4, 4)
    second(3, 6)
    second(6, 6)
    assert seen == [(4, 10), (7, 10), (10, 10)]


@pytest.mark.parametrize("wish", [None, False, True])
def test_nothing_is_drawn_where_there_is_no_terminal(wish, capsys):
    with Steps(wish, 2) as report:
        report.step()
        report.step()
    assert capsys.readouterr() == ("", "")


def test_a_bar_says_what_is_counted(monkeypatch):
    terminal = standard_error(monkeypatch)
    with Steps(True, 1_000, "graphs") as report:
        report(1)
        assert report.bar._shown is not None
    assert "graphs" in terminal.getvalue() and "1,000" in terminal.getvalue()


def test_a_log_gets_a_line_each_half_minute(monkeypatch, capsys):
    now = 100.0
    monkeypatch.setattr("fastmatch.runtime.progress.monotonic", lambda: now)
    with Bar("graphs") as bar:
        for second in range(100):
            now = 100.0 + second
            bar(500 + 10 * second, 2_000, "note" if second == 99 else "")
        now = 220.0
        bar(2_000, 2_000)
    assert capsys.readouterr().err.splitlines() == [
        "fastmatch: graphs: 800 of 2,000, about 2 min left",
        "fastmatch: graphs: 1,100 of 2,000, about 90 s left",
        "fastmatch: graphs: 1,400 of 2,000, about 60 s left",
        "fastmatch: graphs: 2,000 of 2,000",
    ]


def test_a_bar_in_a_notebook(monkeypatch, capsys):
    """As in a kernel: no terminal, but outputs of cells that can be replaced."""
    shown: list[str] = []
    display = SimpleNamespace(HTML=str, display=lambda html, display_id: SimpleNamespace(update=shown.append))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=object())))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr("fastmatch.runtime.progress.APPEARS_AFTER", 0.0)
    with Steps(True, 2, "<b>") as report:
        report.step()
        report.step()
    assert shown[0].startswith('<progress value="2" max="2" aria-label="&lt;b&gt;: 2 of 2">') and shown[-1] == ""
    assert capsys.readouterr() == ("", "")


def test_a_quiet_bar_draws_nothing_on_a_terminal(monkeypatch):
    terminal = standard_error(monkeypatch)
    with Bar("graphs", quiet=True) as bar:
        bar(1, 2)
    assert terminal.getvalue() == ""
