"""The readers of the old smatch family against what the tools themselves gave.

Recorded with ``AMR.parse_AMR_line`` of sema 0ede9e0, Rematch-RARE 41e1834, amr-metric-suite 711a231 (with and without
``do_not_mark_quotes``) and amr-evaluation 8bc6b2e, their TOP taken out again. sema and Rematch gave what smatch 1.0.4
gives; None: the tool refuses the graph or dies of it.
"""

from typing import NamedTuple

import pytest

from fastmatch import Graph, ReadError, parse

from support.readback import check
from support.refusal import fails

pytestmark = pytest.mark.slow

DIALECTS = ("smatch", "sema", "amrsuite", "amrsuite-unmarked", "damonte")


class Case(NamedTuple):
    text: str
    smatch: str | None
    amrsuite: str | None
    unmarked: str | None
    damonte: str | None


CASES = [
    Case('(a / b :ARG0-of (c / d :mod (e / f)) :mod 5)',
         'c:ARG0=a e:domain=c', 'a:mod=5 c:ARG0=a c:mod=e', 'a:mod=5 c:ARG0=a c:mod=e', 'a:mod=5 c:ARG0=a c:mod=e'),
    Case('(w / want-01 :ARG0 (b / boy) :ARG0-of b :ARG1 (g / go-02 :ARG0 b))',
         'w:ARG0=b w:ARG1=g b:ARG0=w g:ARG0=b', 'w:ARG0-of=b w:ARG1=g g:ARG0=b', 'w:ARG0-of=b w:ARG1=g g:ARG0=b',
         'w:ARG0=b w:ARG0-of=b w:ARG1=g g:ARG0=b'),
    Case('(w / want-01 :ARG1 (g / go-02 :ARG0 (b / boy :ARG1-of w)))', *['w:ARG1=g w:ARG1=b g:ARG0=b'] * 4),
    Case('(p / city :consist-of (s / street) :ARG1-of 5)',
         'p:consist-of=s', 's:consist=p', 's:consist=p', 's:consist=p'),
    Case('(n / name :op1 "New York" :op1 "Rome" :op2 "Ulm")',
         'n:op1=New n:op1=Rome_ n:op2=Ulm_', 'n:op1=Rome_ n:op2=Ulm_', 'n:op1=Rome n:op2=Ulm',
         'n:op1=New n:op1=Rome_ n:op2=Ulm_'),
    Case('(a / and :op1 (b / boy) :op2 b :op3-of b)',
         'a:op1=b a:op2=b b:op3=a', 'a:op2=b b:op3=a', 'a:op2=b b:op3=a', 'a:op1=b a:op2=b b:op3=a'),
    Case('(a / x :ARG0 b :polarity - :ARG1 (b / y) :polarity +)',
         'a:polarity=- a:polarity=+ a:ARG1=b a:ARG0=b', 'a:polarity=+ a:ARG0=b', 'a:polarity=+ a:ARG0=b',
         'a:polarity=- a:polarity=+ a:ARG1=b a:ARG0=b'),
    Case('(a / x :ARG0-of b :ARG1 (b / y))',
         'a:ARG1=b b:ARG0=a', 'a:ARG0-of=b', 'a:ARG0-of=b', 'a:ARG1=b a:ARG0-of=b'),
    Case('(a / x :prep-out-of (b / y :domain (c / z)) :mod-of b)',
         'a:prep-out-of=b b:domain=c b:mod=a', 'b:mod=a b:domain=c', 'b:mod=a b:domain=c',
         'b:prep-out=a b:domain=c b:mod=a'),
    Case('(a / x :b (a / y))', None, None, None, None),
    Case('(a / x :ARG0 :ARG1 (b / y))', None, None, None, None),
    Case('(a / x))', None, None, None, None),
    Case('( / x :ARG0-of b :mod b :z (b / y))', None, ':mod=b', ':mod=b', ':z=b :ARG0-of=b :mod=b'),
    Case('(a / (a / x :ARG0 b) :ARG1 (b / y) :op1 5)',
         'a:op1=5 a:op1=5 a:ARG1=b a:ARG0=b a:ARG1=b a:ARG0=b', 'a:op1=5 a:op1=5 a:ARG0=b a:ARG0=b',
         'a:op1=5 a:op1=5 a:ARG0=b a:ARG0=b', 'a:op1=5 a:op1=5 a:ARG1=b a:ARG0=b a:ARG1=b a:ARG0=b'),
]  # fmt: skip


def shown(graph: Graph) -> str:
    return " ".join(f"{source}{role}={target}" for source, role, target in graph.attributes + graph.relations)


@pytest.mark.parametrize("case", CASES, ids=[case.text for case in CASES])
def test_recorded(case: Case) -> None:
    for dialect, expected in zip(DIALECTS, (case.smatch, *case[1:]), strict=True):
        corpus = parse(case.text, dialect=dialect, on_error="empty")
        check(corpus)
        assert (shown(corpus[0]) if corpus.root[0] == 0 else None) == expected, dialect


def test_messages_name_the_tool() -> None:
    fails(ReadError, "S2match takes '/' only after the variable of a node", parse, "(a / 1/2)", dialect="amrsuite")
    fails(ReadError, "Sema refuses a second node with the same variable", parse, "(a / x :b (a / y))", dialect="sema")
