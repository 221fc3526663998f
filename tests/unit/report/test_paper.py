"""The table of a paper: numbers, marks and notes, and that names of files are only names in LaTeX and Markdown."""

import re
import shutil
import subprocess

import pytest

import fastmatch as fm
from fastmatch.evaluation.comparison import compare_scores
from fastmatch.report.model import Report, Table
from fastmatch.report.tables import latex, markdown, markdown_code
from fastmatch.results.paper import Line, aspects_table, paper_table

GOLD = [f"(a / c{k} :mod (b / big) :quant {k})" for k in range(30)]
#: Right in all pairs, wrong in a third of them, wrong everywhere, wrong in one pair.
SYSTEMS = {
    "good": GOLD,
    "middling": [text.replace("big", "small") if k % 3 == 0 else text for k, text in enumerate(GOLD)],
    "bad": [text.replace("big", "x").replace("/ c", "/ d") for text in GOLD],
    "near": [text.replace("big", "small") if k == 0 else text for k, text in enumerate(GOLD)],
}
SPECIAL = r"a&b%c$d#e_f{g}h~i^j\k|l<m>n" + '"o`p--q---r[s]*t'


def comparison(against="first", names=tuple(SYSTEMS), **options) -> fm.Comparison:
    return fm.compare(*SYSTEMS.values(), gold=GOLD, names=names, resamples=200, against=against, **options)


def rows_of(report: Report) -> dict:
    """The rows of its only table, by their names."""
    (table,) = report.tables
    return {name: row for name, *row in table.rows}


def cells_of(report: Report) -> list:
    return [*rows_of(report).values()]


# ---- what stands in the table ----------------------------------------------------------------------------------------


def test_marks_against_the_first_system():
    table = comparison().report().paper
    assert tuple(rows_of(table)) == tuple(SYSTEMS) and table.tables[0].header == ["system", "precision", "recall", "F1"]
    assert [cell.interval is not None for cell in cells_of(table)[0]] == [False, False, True]
    assert [row[2].different for row in cells_of(table)] == [False, True, True, False]
    assert [row[2].best for row in cells_of(table)] == [True, False, False, False]
    assert "†: differs from good, p < 0.05 (paired randomisation test, corrected after Holm)." in table.notes[2]


def test_marks_against_the_best_of_each_column():
    """``near`` is best by precision and recall, though not the first."""
    results = comparison().results
    table = compare_scores(results[1:], tuple(SYSTEMS)[1:], resamples=200, against="all").report().paper
    assert [row[2].different for row in cells_of(table)] == [True, True, False]
    assert [row[2].best for row in cells_of(table)] == [False, False, True]
    assert "differs from the best system of the column" in table.notes[2]


def test_the_marks_are_those_of_the_tests():
    made = comparison()
    for confidence in (0.5, 0.99):
        again = compare_scores(made.results, made.names, resamples=200, confidence=confidence)
        table = again.report().paper
        p = [row.adjusted_randomisation for row in again.of("f1")]
        assert [cell[2].different for cell in cells_of(table)[1:]] == [value < 1 - confidence for value in p]
        assert f"p < {1 - confidence:.3g}" in table.notes[2]


def test_several_metrics_have_a_column_each():
    metrics = [comparison(metric="smatch"), comparison(metric="wlk", k=1)]
    named = zip(("smatch", "wlk,k=1"), ("f1", "cosine"), metrics, strict=True)
    table = paper_table(tuple(SYSTEMS), [Line(name, score, made.results, made) for name, score, made in named], "good")
    assert table.tables[0].header == ["system", "smatch F1", "wlk,k=1 cosine"]
    for made, column in zip(metrics, zip(*cells_of(table), strict=True), strict=True):
        assert [cell.value for cell in column] == [result.score for result in made.results]
        assert [cell.interval for cell in column] == [result.intervals[made.headlines[0]] for result in made.results]
    assert table.notes[0].endswith("sums over all pairs (micro), of wlk,k=1 means over the pairs (macro).")
    assert [name for name, _ in table.signatures] == ["smatch", "wlk,k=1"]


def test_aspects_of_systems():
    """A row an aspect; what no graph has is left out, and said."""
    gold = ["(a / b :polarity -)", "(a / c :mod (d / e))"] * 8
    systems = {"good": gold, "bad": ["(a / b)", "(a / c :mod (d / x))"] * 8}
    scores = [fm.aspects(pred, gold, bootstrap=50) for pred in systems.values()]
    names = [name for name in scores[0] if scores[0][name].n_macro]
    lines = []
    for name in names:
        results = [result[name] for result in scores]
        lines.append(Line(name, "f1", results, compare_scores(results, list(systems), resamples=200)))
    signature = ("damonte", str(scores[0].signature))
    table = aspects_table(list(systems), scores, lines, signature)
    assert table.tables[0].header == ["aspect", "good", "bad"]
    row = rows_of(table)
    assert list(row) == names and row["Negations"][1].value == scores[1]["Negations"].f1 == 0
    assert row["Negations"][1].different and row["Negations"][0].best
    assert row["Smatch"][0].interval == scores[0]["Smatch"].intervals["f1"]
    assert any(note.startswith("Nothing of this in any graph: ") and "Wikification" in note for note in table.notes)
    assert "the best system of the row" in " ".join(table.notes)
    check_latex(table.to("latex"))
    alone = [Line(name, score, [scores[1][name]], None) for name in names for score in ("precision", "recall", "f1")]
    table = aspects_table(["bad"], scores[1:], alone, signature)
    assert table.tables[0].header == ["aspect", "precision", "recall", "F1"]
    parts = cells_of(table)[0]
    assert [cell.interval is not None for cell in parts] == [False, False, True]
    assert [cell.value for cell in parts] == [
        scores[1][names[0]].scores[part] for part in ("precision", "recall", "f1")
    ]


def test_what_is_open_or_unreadable_is_in_the_notes():
    texts = ["(a / b", *GOLD[1:]]
    result = fm.score(texts, GOLD, on_error="empty", bootstrap=20)
    open_pairs = result.pairs.certified.copy()
    open_pairs[:3] = False
    object.__setattr__(result.pairs, "certified", open_pairs)
    table = paper_table(("x",), [Line("smatch", "f1", [result], None)])
    assert "smatch of x: 3 pairs not proven optimal." in table.notes
    assert "smatch of x: 1 graph missing or unreadable, counted as empty." in table.notes
    assert not any(cell.best for row in cells_of(table) for cell in row)
    table = paper_table(("x",), [Line("smatch", "f1", [fm.score(texts, GOLD, on_error="repair", bootstrap=20)], None)])
    assert table.notes[-1] == "smatch of x: 1 graph repaired." and "|on_error:repair|" in table.signatures[0][1]
    table = paper_table(("x",), [Line("smatch", "f1", [fm.score(GOLD, GOLD, bootstrap=20)], None)])
    assert table.notes[-1] == "Certified: all pairs. Invalid graphs: none. Repaired graphs: none."


# ---- LaTeX -----------------------------------------------------------------------------------------------------------


def tokens(text: str) -> list[str]:
    """Commands, special characters, and other characters one by one, as TeX reads them; comments are gone."""
    text = re.sub(r"(?<!\\)%.*\n", "", text)
    return re.findall(r"\\[a-zA-Z]+|\\.|[^\\]", text, re.DOTALL)


def check_latex(text: str) -> list[list[str]]:
    """Braces and environments are closed, special characters stand where they may; returns the cells of the rows."""
    depth, environments, rows = 0, [], [[[]]]
    found = tokens(text)
    inside = False
    for place, token in enumerate(found):
        if token in ("\\begin", "\\end"):
            name = "".join(found[place + 2 : found.index("}", place)])
            if token == "\\begin":
                environments.append(name)
            else:
                assert environments.pop() == name
            inside = "tabular" in environments
            rows = [[[]]] if token == "\\begin" and inside else rows
        depth += (token == "{") - (token == "}")
        assert depth >= 0
        assert token not in ("#", "~", "^", "_") or (token == "^" and found[place - 1] == "$"), token
        assert token.isascii(), token
        if token == "\\\\" and depth == 0:
            following = "".join(found[place + 1 : place + 3]).strip()
            assert not following.startswith(("[", "*")), "an option of the line break"
            rows.append([[]])
        elif token == "&" and depth == 0:
            assert inside
            rows[-1].append([])
        elif inside or rows:
            rows[-1][-1].append(token)
    assert not environments and depth == 0
    assert found.count("$") % 2 == 0
    return rows


def test_every_special_character_is_escaped():
    assert latex(SPECIAL) == (
        r"a\&b\%c\$d\#e\_f\{g\}h\textasciitilde{}i\textasciicircum{}j\textbackslash{}k\textbar{}l\textless{}m"
        r"\textgreater{}n\char34{}o{`}p-{}-q-{}-{}-r{[}s{]}{*}t"
    )
    check_latex(latex(SPECIAL))
    assert latex("a\x00\n\udc80b") == "a b"


def test_signs_that_pdflatex_has_no_text_for():
    assert latex("θ-model −1 ≥ Σ\u200b") == r"$\theta$-model $-$1 $\geq$ $\Sigma$"
    assert latex("Zoë … é") == "Zoë … é"  # which it knows
    assert latex("Zoe\u0308") == "Zoë"  # a file name on macOS
    assert latex("\u202egold\u2069\u2028new\u200f") == "gold new"


#: Names that pdfLaTeX has letters for, and what they look like; the others are for XeLaTeX.
NAMES = {
    SPECIAL: None, "100%_a&b": None, r"back\slash{x}": "back\\slash{x}", r"\end{tabular}": r"\end{tabular}",
    r"\input{x}": r"\input{x}", r"\\[3cm]x": r"\\[3cm]x", "^^M^^5c": None, "[opt]*": "[opt]*", "*star": "*star",
    "?`!`": None, "new\n\nline": "new line", "Zoe\u0308\u202e_gold": None, "α−∞ ≥ ½…": None, "": None,
}  # fmt: skip


@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "lualatex"])
@pytest.mark.parametrize("encoding", ["OT1", "T1"])
def test_tables_compile(engine, encoding, tmp_path):
    """Names of systems are only names, and stand in the table."""
    if shutil.which(engine) is None:
        pytest.skip(f"no {engine} on the path")
    names = [*NAMES] if engine == "pdflatex" else [*NAMES, "名前", "x\u0304", "🦊"]
    table = fm.compare(*[GOLD] * len(names), gold=GOLD, names=names, resamples=20).report().paper.to("latex")
    matrix = fm.agreement([GOLD[:3]] * 3, names=names[:3])
    form = f"\\documentclass{{article}}\\usepackage{{booktabs}}\\usepackage[{encoding}]{{fontenc}}"
    body = f"\\begin{{document}}\n{table}\n\n{matrix.report().to('latex')}\n\\end{{document}}\n"
    (tmp_path / "t.tex").write_text(f"{form}\n{body}", encoding="utf-8")
    made = subprocess.run([engine, "-halt-on-error", "-no-shell-escape", "t.tex"], cwd=tmp_path, capture_output=True)
    assert made.returncode == 0, made.stdout.decode(errors="replace")[-2000:]
    if encoding == "T1" and shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", "-layout", "t.pdf", "-"], cwd=tmp_path, capture_output=True).stdout.decode()
        for name in filter(None, NAMES.values()):
            assert name in text


def test_letters_of_other_scripts_need_another_engine():
    names = ("α", "名前", "🦊", "Zoë")
    needs = "% \\usepackage{booktabs}\n% XeLaTeX or LuaLaTeX, with a font that has them: 名前🦊\n\\begin{tabular}"
    assert comparison(names=names).report().paper.to("latex").startswith(needs)


def test_a_line_break_in_a_name_does_not_end_the_comment():
    report = Report("n", [Table(["a"], [["b"]], "x\ny_z")], (), (), {})
    assert report.to("latex").startswith("% \\usepackage{booktabs}\n% n: x y\\_z\n\\begin{tabular}{l}\n")


def test_notes_are_as_wide_as_the_page():
    """Where the table begins a paragraph, the notes below it would be indented, and stand out on the right."""
    assert "\\noindent\\begin{minipage}{\\linewidth}" in comparison().report().paper.to("latex")


def test_latex():
    text = comparison(names=(SPECIAL, "[x]", "*", "%")).report().paper.to("latex")
    rows = check_latex(text.split("\\bottomrule")[0] + "\\end{tabular}")
    assert check_latex(text)
    form = re.search(r"\\begin\{tabular\}\{(.*)\}\n", text)[1]
    n_columns = len(re.sub(r"@\{[^}]*\}", "", form))
    assert n_columns == 5
    # the header spans two columns with one cell
    assert len(rows[0]) == n_columns - 1 and [len(row) for row in rows[1:-1]] == [n_columns] * 4
    assert "".join(rows[1][0]).replace("\\midrule", "").strip() == latex(SPECIAL)
    assert "\\textbf{100.00} & {\\footnotesize [100.00, 100.00]}" in text
    assert re.search(r"\n\{\*\} & .*\\rlap\{\$\^\{\\dagger\}\$\} & ", text)
    assert "smatch\\textbar\\allowbreak{}solver:exact" in text


def test_one_system_without_intervals():
    """One pair has no interval."""
    result = fm.score(GOLD[:1], GOLD[:1], bootstrap=10)
    text = paper_table(("one",), [Line("smatch", score, [result], None) for score in ("recall", "f1")]).to("latex")
    check_latex(text)
    assert "one & 100.00 & 100.00 & \\\\" in text and "dagger" not in text


# ---- Markdown --------------------------------------------------------------------------------------------------------


def test_markdown():
    table, notes = comparison(names=(SPECIAL, "a|b", "c", "d")).report().paper.to("markdown").split("\n\n")
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table.splitlines()]
    assert {len(row) for row in rows} == {4} and re.sub(r"\\(.)", r"\1", rows[2][0].strip()) == SPECIAL
    assert rows[2][3].strip() == "**100.00** [100.00, 100.00]"
    assert re.fullmatch(r"\d\d\.\d\d† \[\d\d\.\d\d, \d\d\.\d\d\]", rows[3][3].strip())
    assert all(line.startswith("- ") for line in notes.splitlines())
    assert notes.splitlines()[-1].startswith("- smatch: `smatch|solver:exact|")


def test_markdown_escapes():
    assert markdown("a_b*c<d>|\\") == r"a\_b\*c\<d\>\|" + "\\\\"
    for text, code in (("a|b", "`a|b`"), ("`x``", "``` `x`` ```"), ("a\nb", "`a b`")):
        assert markdown_code(text) == code
