"""The maker of document-sized graphs, which tests and benchmarks lean on."""

import penman

from twins import documents, readers


def test_join_keeps_every_triple_and_renames_apart() -> None:
    """Re-entrancies, inverse roles, aligned atoms and constants survive; no constant becomes a variable."""
    first = '(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b~e.3) :op1 "b" :op2 s2d :quant 5~e.1)'
    second = "(d / dog :ARG0-of (b / bark-01) :value b :op1 doc)"
    joined = readers.read_penman(documents.join([first, second]))
    assert joined.variables == ("docx", "s1w", "s1b", "s1g", "s2dx", "s2b")
    assert joined.top == "docx"
    assert set(joined.relations) == {
        ("docx", ":snt1", "s1w"),
        ("s1w", ":ARG0", "s1b"),
        ("s1w", ":ARG1", "s1g"),
        ("s1g", ":ARG0", "s1b"),
        ("docx", ":snt2", "s2dx"),
        ("s2b", ":ARG0", "s2dx"),
        ("s2dx", ":value", "s2b"),
    }
    assert set(joined.attributes) == {
        ("s1w", ":op1", '"b"'),
        ("s1w", ":op2", "s2d"),
        ("s1w", ":quant", "5"),
        ("s2dx", ":op1", "doc"),
    }
    assert dict(joined.instances)["docx"] == "document"


def test_documents_cut_whole_runs() -> None:
    texts = [f"(a / word-{k})" for k in range(7)]
    made = documents.documents(texts, 3)
    assert [len(penman.decode(text).instances()) for text in made] == [4, 4]
    assert "word-5" in made[1]
    assert "word-6" not in "".join(made)
