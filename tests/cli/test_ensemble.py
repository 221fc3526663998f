"""``fastmatch ensemble``: what it writes, its report, and what it refuses."""

import csv
import json

import pytest

import fastmatch as fm

from support.command_line import fastmatch, refused, run

TEXTS = (
    "# ::id a\n(s / sing-01 :ARG0 (b / bird))\n\n# ::id b\n(r / run-02 :ARG0 (d / dog :mod (b / big)))\n",
    "# ::id a\n(s / sing-01 :ARG0 (c / cat))\n\n# ::id b\n(r / run-02 :ARG0 (d / dog))\n",
    "# ::id a\n(h / hum-02 :ARG0 (b / bird))\n\n# ::id b\n(w / walk-01 :ARG0 (d / dog :mod (b / big)))\n",
)
FILES = ("a.amr", "b.amr", "c.amr")


@pytest.fixture
def folder(tmp_path):
    for name, text in zip(FILES, TEXTS, strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_graphs_are_those_of_the_python_interface(folder):
    lines = run("ensemble", *FILES, "-o", "out.amr", cwd=folder).stdout.splitlines()
    made = fm.ensemble([folder / name for name in FILES])
    assert fm.read(folder / "out.amr") == made.graphs and made.graphs.ids == ["a", "b"]
    assert lines[0] == "smatch, merge: 2 sentences, 3 candidates"
    assert f"{100 * made.score:.2f}; no graphs reach more than {100 * made.upper:.2f}" in lines[2]
    assert [line.split()[0] for line in lines[5:8]] == list(FILES)


def test_graphs_on_standard_output(folder):
    shown = run("ensemble", *FILES, "-o", "-", "--method", "select", "--weights", "1,9,1", cwd=folder).stdout
    assert fm.parse(shown) == fm.read(folder / "b.amr")


def test_pairs_by_id(folder):
    first, second = TEXTS[1].split("\n\n")
    (folder / "b.amr").write_text(f"{second}\n\n{first}\n", encoding="utf-8")
    run("ensemble", *FILES, "-o", "out.amr", "--pair-by", "id", cwd=folder)
    assert fm.read(folder / "out.amr") == fm.ensemble([folder / name for name in FILES], pair_by="id").graphs
    (folder / "b.amr").write_text(f"{second}\n", encoding="utf-8")
    assert "id" in refused("ensemble", *FILES, "-o", "none.amr", "--pair-by", "id", cwd=folder)
    run("ensemble", *FILES, "-o", "out.amr", "--pair-by", "id", "--unpaired", "empty", "--quiet", cwd=folder)
    made = fm.ensemble([folder / name for name in FILES], pair_by="id", unpaired="empty")
    assert [(one.sentence, one.candidate) for one in made.unreadable] == [(0, 1)]


def test_votes(folder):
    run("ensemble", *FILES, "-o", "out.amr", "--votes", "votes.tsv", cwd=folder)
    with open(folder / "votes.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    made = fm.ensemble([folder / name for name in FILES])
    assert len(rows) == sum(len(made.votes(k)) + len(made.left_out(k)) for k in range(2))
    top = next(row for row in rows if row["role"] == ":TOP")
    assert (top["id"], top["in_graph"], top["share"], top["candidates"]) == ("a", "1", "1", ",".join(FILES))


def test_gold_gives_scores_of_all_with_tests(folder):
    done = run("ensemble", *FILES, "-o", "out.amr", "--gold", "a.amr", "--resamples", "100", "--json", cwd=folder)
    record = json.loads(done.stdout)
    assert [system["name"] for system in record["gold"]["systems"]] == ["ensemble", *FILES]
    assert [row["second"] for row in record["gold"]["differences"] if row["score"] == "f1"] == list(FILES)
    assert record["candidates"] == list(FILES) and len(record["sentences"]) == 2


def test_lists_of_answers(folder):
    graphs = [str(graph).partition("\n")[2] for text in TEXTS for graph in fm.parse(text)]
    rows = [
        {"samples": [f"I think so. <answer>{text}</answer>" for text in graphs[::2]]},
        {"samples": ["nothing", *(f"```\n{text}\n```" for text in graphs[1::2])]},
        {"samples": ["nothing"]},
    ]
    (folder / "out.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    given = ("ensemble", "out.jsonl", "--pred-field", "samples", "--extract", "-o", "out.amr")
    assert "out.jsonl: row 1 (line 2), field 'samples': no graph was found" in refused(*given, cwd=folder)
    assert not (folder / "out.amr").exists()
    assert fastmatch(*given, "--on-error", "empty", cwd=folder).stderr.count("does not vote") == 2
    made = fm.ensemble([graphs[::2], graphs[1::2], []], by="sentence")
    assert (folder / "out.amr").read_text(encoding="utf-8") == "\n\n".join(map(str, made.graphs)) + "\n"
    assert str(made.graphs[2]) == "()"
    assert "gold" in refused(*given, "--on-error", "empty", "--gold", "a.amr", cwd=folder)


def test_a_candidate_without_a_text(folder):
    """Parts that nothing connects can be read from MRP, but not written; the message says where they are."""
    nodes = '"nodes":[{"id":0,"label":"a"},{"id":1,"label":"b"}]'
    whole, parts = (
        f'{{"id":"1","flavor":2,"framework":"amr","tops":[0],{nodes},"edges":[{edges}]}}\n'
        for edges in ('{"source":0,"target":1,"label":"x"}', "")
    )
    (folder / "some.mrp").write_text(whole + parts, encoding="utf-8")
    given = ("ensemble", "some.mrp", "some.mrp", "--dialect", "mrp", "-o", "out.amr")
    message = refused(*given, "--method", "select", cwd=folder)
    assert "sentence 1: variable 'n1' is not connected" in message and "--method merge" in message
    assert not (folder / "out.amr").exists()
    run(*given, "--quiet", cwd=folder)
    assert len(fm.read(folder / "out.amr")) == 2


def test_a_page_for_adjudication(folder):
    run("ensemble", *FILES, "-o", "out.amr", "--page", "page.html", cwd=folder)
    text = (folder / "page.html").read_text(encoding="ascii")
    assert text.startswith("<!doctype html>") and text.count("<section") == 2
