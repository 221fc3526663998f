"""The verb ``align``: which pairs, side by side, pages."""

import json
import re

import pytest

import fastmatch as fm
from fastmatch.metrics.choosing import chosen_metric

from support.command_line import needs_signals, on_terminal, printed, refused, run, table
from support.nightly import by_day

FILES = ("pred.amr", "gold.amr")


def test_the_worst_pairs(folder):
    order = fm.score(folder / "pred.amr", folder / "gold.amr").pairs.f1.argsort(kind="stable")[:3].tolist()
    out = run("align", *FILES, "--worst", "3", cwd=folder).stdout
    assert re.findall(r"^pair (\d+), (\S+)$", out, re.MULTILINE) == [(str(k), f"sample.{k + 1}") for k in order]
    records = json.loads(run("align", *FILES, "--worst", "3", "--json", cwd=folder).stdout)
    assert [record["index"] for record in records] == order
    single = json.loads(run("align", *FILES, "--index", str(order[0]), "--json", cwd=folder).stdout)
    assert records[0] == {"index": order[0], **single}
    assert len(json.loads(run("align", *FILES, "--worst", "99", "--json", cwd=folder).stdout)) == 40
    flows = run("align", *FILES, "--worst", "1", "--metric", "wwlk", cwd=folder).stdout
    assert flows.startswith("pair ") and "distance" in flows


def test_rows_for_programs(folder):
    """A row a variable, then one a triple; of several pairs each row says of which."""
    found = table(run("align", *FILES, "--index", "7", "--tsv", cwd=folder).stdout)
    alignment = fm.align(*(fm.read(folder / name)[7] for name in FILES))
    assert {(row["pred_id"], row["gold_id"]) for row in found} == {("sample.8", "sample.8")}
    nodes = [row for row in found if row["what"] == "variable"]
    mapped = {row["pred_source"]: row["gold_source"] for row in nodes if row["status"] in ("matched", "other concept")}
    assert mapped == alignment.mapping
    assert [row["pred_source"] for row in nodes if row["status"] == "other concept"] == ["n"]
    triples = [row["status"] for row in found if row["what"] == "triple"]
    assert triples.count("matched") == alignment.matched
    assert triples.count("only predicted") == len(alignment.unmatched_pred)
    assert triples.count("only gold") == len(alignment.unmatched_gold)
    several = run("align", *FILES, "--worst", "2", "--csv", cwd=folder).stdout.splitlines()
    assert several[0] == ",".join(("index", *found[0]))
    worst = [str(pair.index) for pair in fm.score(*(folder / name for name in FILES)).worst(2)]
    assert list(dict.fromkeys(row.split(",")[0] for row in several[1:])) == worst
    assert run("align", *FILES, "--worst", "2", "--latex", cwd=folder).stdout.count("\\begin{tabular}{lll}") == 4


def test_no_label_writes_to_the_terminal(tmp_path):
    """Characters of a label that move the cursor, change colours or turn the text around could hide or forge lines."""
    bad = "\x1b[31mred\x1b[0m \x07\x08\x9b2J \u202e\u2066 \u2028\u2029 \r\n\x0b"
    graphs = fm.Corpus.from_edges(
        [{"n" + bad: "a" + bad, "m": "猫\u3000は\u00a0👩‍👧"}],
        [[("n" + bad, "r" + bad, "m")]],
        attributes=[[("m", "s" + bad, bad)]],
        tops=["n" + bad],
        metadata=[{"id": bad.replace("\n", ""), "snt": bad.replace("\n", "")}],
    )
    graphs.save(tmp_path / "g.fastmatch")
    two = ("g.fastmatch", "g.fastmatch")
    for arguments in (
        ("align", *two),
        ("align", *two, "--metric", "wlk"),
        ("align", *two, "--metric", "wwlk"),
        ("score", *two, "--worst", "1"),
        ("search", *two, "--metric", "wlk", "-k", "1"),
    ):
        shown = run(*arguments, cwd=tmp_path).stdout
        assert not set(bad) - set("[31mred0m 2J") & set(shown.replace("\n", "")), arguments
        assert "\ufffd[31mred" in shown
    assert "猫\u3000は\u00a0👩‍👧" in run("align", *two, cwd=tmp_path).stdout
    assert "\x1b" not in refused("score", "a\x1b[31m.amr", "b.amr", cwd=tmp_path)


@needs_signals
@pytest.mark.parametrize(
    "arguments",
    by_day(
        [
            ("agreement", "{0}", "{1}", "--tsv"),
            ("agreement", "{0}", "{1}", "--json"),
            ("agreement", "{0}", "{1}", "--pair-by", "id", "--unpaired", "skip"),
            ("compare", "{0}", "{1}", "gold.amr", "--resamples", "20"),
            ("score", "{0}", "gold.amr", "--per-pair", "-", "--quiet"),
            ("score", "{0}", "{1}", "gold.amr", "--markdown", "--bootstrap", "20"),
            ("score", "{0}", "gold.amr", "--worst", "2"),
            ("score", "{2}", "gold.amr", "--on-error", "empty"),
            ("score", "{2}", "gold.amr"),
            ("search", "{0}", "gold.amr", "-k", "1", "--tsv"),
            ("align", "{0}", "gold.amr", "--page", "x\x1b[31mFORGED\u202e.html"),
            ("align", "{0}", "gold.amr", "--id", "\x1b[31mFORGED\u202e1", "--json"),
            ("matrix", "{0}", "-o", "x\x1b[31mFORGED\u202e.npy"),
            ("matrix", "{2}", "-o", "x.npy", "--on-error", "empty"),
            ("standardize", "{2}", "--steps", "drop-wiki", "--on-error", "repair"),
            ("bench", "ranking", "{0}", "{1}", "gold.amr", "--metric", "smatch", "--metric", "wlk"),
            ("{0}", "gold.amr"),
            ("align", "{0}", "gold.amr", "{1}"),
        ],
        6,
    ),
    ids=" ".join,
)
def test_no_name_of_a_file_and_no_id_writes_to_the_terminal(tmp_path, arguments):
    bad = "\x1b[31mFORGED\u202e"
    names = [f"{bad}{k}.amr" for k in range(3)]
    graphs = ("(a / cat :mod (b / big))", "(d / dog)")
    for name in (*names, "gold.amr"):
        texts = [f"# ::id {bad}{k}\n{graph}" for k, graph in enumerate(graphs)]
        (tmp_path / name).write_text("\n\n".join(texts), "utf-8")
    (tmp_path / names[1]).write_text(f"# ::id {bad}0\n(a / cat)\n\n# ::id {bad}7\n(c / cow)", "utf-8")
    (tmp_path / names[2]).write_text(f"# ::id {bad}0\n(a / cat\n\n# ::id {bad}1\n(c / cow", "utf-8")
    refused = (("{0}", "gold.amr"), ("align", "{0}", "gold.amr", "{1}"), ("score", "{2}", "gold.amr"))
    status = 2 if arguments in refused else 0
    # such a terminal gets no colours from rich
    shown = on_terminal(*(part.format(*names) for part in arguments), cwd=tmp_path, status=status, TERM="dumb")
    assert "FORGED" in shown and not set("\x1b\u202e") & set(shown)


def test_a_pair_by_its_id(folder):
    by_place = run("align", *FILES, "--index", "7", cwd=folder).stdout
    assert run("align", *FILES, "--id", "sample.8", cwd=folder).stdout == by_place
    twice = (folder / "gold.amr").read_text("utf-8").replace("::id sample.2\n", "::id sample.1\n")
    (folder / "twice.amr").write_text(twice, "utf-8")
    assert "::id of one pair, found 2" in refused("align", "pred.amr", "twice.amr", "--id", "sample.1", cwd=folder)


def test_side_by_side(folder):
    out = run("align", *FILES, "--index", "7", "--view", "sides", cwd=folder).stdout
    assert re.search(r"^  :ARG0 \(n / nobody\) +~    :ARG0 \(s / somebody\)$", out, re.MULTILINE)
    assert re.search(r"^ +\+    :polarity -$", out, re.MULTILINE) and "\x1b" not in out
    assert out.splitlines()[-1].startswith("signature: smatch|")
    # piped, tables are the default, as ever
    tables = run("align", *FILES, "--index", "7", "--view", "tables", cwd=folder).stdout
    assert run("align", *FILES, "--index", "7", cwd=folder).stdout == tables


@pytest.mark.parametrize("metric", ["sembleu", "rematch/tool", "sema", "wlk"])
def test_features(folder, metric, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    record = json.loads(printed(capsys, "align", *FILES, "--index", "7", "--metric", metric, "--json")[0])
    made = chosen_metric(metric, None, {})
    pred, gold = fm.Corpus.together([fm.read(path, dialect=made.dialect)[7:8] for path in FILES])
    rows = made.named_features(pred, gold, 0, 0)
    features = [(row.group, row.text, row.shared, len(row.pred), len(row.gold)) for row in rows]
    assert [tuple(row.values()) for row in record["features"]] == features
    assert record["gold_id"] == "sample.8" and record["signature"].startswith(made.name)
    assert record["scores"] == fm.score(pred, gold, metric=made).scores
    out = printed(capsys, "align", *FILES, "--index", "7", "--metric", metric)[0]
    assert out.startswith("Nobody told the pilot that the runway was closed.\n")
    for group in {row.group for row in rows}:
        shared = [bool(row.shared) for row in rows if row.group == group]
        assert f"{group}: {sum(shared)} of {len(shared)} in both graphs" in out
    lines = [line.split() for line in out.splitlines() if re.search(r" [-+=~] +\d+ +\d+$", line)]
    assert len(lines) == len(rows)
    assert {tuple(cells[-3:]) for cells in lines if cells[0] == "nobody"} <= {("-", "1", "0")}
    out = printed(capsys, "align", *FILES, "--worst", "2", "--metric", metric)[0]
    assert out.count(" in both graphs") >= 2 and out.splitlines()[-1].startswith("signature: ")


@needs_signals
@pytest.mark.parametrize(("variables", "columns"), [({}, 60), ({"NO_COLOR": "1"}, 100), ({"TERM": "dumb"}, 60)])
def test_on_a_terminal(folder, variables, columns):
    text = on_terminal("align", *FILES, "--index", "7", cwd=folder, COLUMNS=str(columns), **variables)
    assert (re.search(r"\x1b\[3\dm", text) is not None) == (not variables)
    graphs = re.sub(r"\x1b\[[0-9;]*m", "", text).split("\n\n")[1]
    assert max(map(len, graphs.splitlines())) <= columns
    assert ("\n- " in graphs) == (columns == 60)  # one column where there is no room for two


def test_pages(folder):
    out = run("align", *FILES, "--page", "why.html", cwd=folder).stdout
    assert re.fullmatch(r"why.html: \d\.\d MB, pred.amr against gold.amr as gold graphs\n", out)
    page = (folder / "why.html").read_text("ascii")
    assert page == run("align", *FILES, "--page", "-", cwd=folder).stdout
    assert page == fm.pages.html(fm.read(folder / "pred.amr"), fm.read(folder / "gold.amr"))
    out = run("align", *FILES, "--more", "pred.amr", "--page", "two.html", cwd=folder).stdout
    assert "pred.amr, pred.amr against gold.amr as gold graphs" in out
    run("align", *FILES, "--id", "sample.8", "--page", "one.html", cwd=folder)
    assert len((folder / "one.html").read_text("ascii")) < len(page)
    run("align", "-e", "(a / cat)", "(b / dog)", "--page", "text.html", cwd=folder)
    assert "prediction against gold" in (folder / "text.html").read_text("ascii")
    stdin = (folder / "pred.amr").read_text("utf-8")
    out = run("align", "-", "gold.amr", "--page", "piped.html", cwd=folder, stdin=stdin).stdout
    assert "standard input against gold.amr" in (folder / "piped.html").read_text("ascii")


def test_a_page_by_id(folder):
    texts = (folder / "pred.amr").read_text("utf-8").strip().split("\n\n")
    (folder / "shuffled.amr").write_text("\n\n".join(texts[::-1]), "utf-8")
    run("align", "shuffled.amr", "gold.amr", "--pair-by", "id", "--page", "a.html", cwd=folder)
    run("align", *FILES, "--page", "b.html", cwd=folder)
    pages = [(folder / name).read_text("ascii") for name in ("a.html", "b.html")]
    blocks = [re.findall(r'id="data-\d+">([^<]*)<', page) for page in pages]
    assert len(blocks[0]) == 2 and blocks[0] == blocks[1]


def test_documents(own_data, folder):
    """Of UMR documents the sentence graphs are aligned, by AnCast if no metric is named."""
    pred, gold = (str(own_data / name) for name in ("umr-pred.umr", "umr-gold.umr"))
    out = run("align", pred, gold, "--index", "1", cwd=folder).stdout
    assert out.startswith("He shouted before the animal ran away .\n")
    assert out.splitlines()[-1].startswith("signature: ancast|")
    assert out == run("align", pred, gold, "--id", "snt2", cwd=folder).stdout
    graphs = fm.umr.sentences(own_data / "umr-pred.umr", own_data / "umr-gold.umr")
    record = json.loads(run("align", pred, gold, "--index", "1", "--json", "--metric", "smatch", cwd=folder).stdout)
    assert (record["pred_id"], record["gold_id"]) == ("snt2", "snt2")
    assert {**fm.align(graphs[0][1], graphs[1][1]).to_dict(), "pred_id": "snt2", "gold_id": "snt2"} == record
    page = run("align", pred, gold, "--more", pred, "--page", "-", cwd=folder).stdout
    assert "umr-gold.umr" in page and len(page) > len(run("align", pred, gold, "--page", "-", cwd=folder).stdout)
    tool = run("align", pred, gold, "--preset", "tool", cwd=folder).stdout
    assert "|std:tool|" in tool and "|read:ancast-umr|" in tool
