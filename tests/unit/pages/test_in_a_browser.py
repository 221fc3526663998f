"""Why-pages in headless Chromium: what is shown, clicked, filtered; what must not run; what assistive programs see.
And, more briefly, in Firefox.

Needs the extra ``browser`` and a Chromium or Chrome on the path, or named by ``FASTMATCH_CHROMIUM``. The check of
accessibility also needs axe-core: ``FASTMATCH_AXE`` names its ``axe.min.js``. ``ci/browser.sh`` has all of it. Where
``FASTMATCH_SCREENSHOTS`` names a folder, every page is left there as it was last seen.
"""

import os
import re
import shutil
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch.metrics.choosing import chosen_metric
from fastmatch.pages.adjudication import adjudication_page

from support.places import GOLD, PRED

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install '.[browser]'")

pytestmark = pytest.mark.slow

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="module")
def browser():
    path = os.environ.get("FASTMATCH_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium on the path, and FASTMATCH_CHROMIUM is not set")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=path)
        yield chromium
        chromium.close()


def screenshots() -> Path | None:
    """The folder for pictures of pages, if there is one."""
    folder = os.environ.get("FASTMATCH_SCREENSHOTS")
    if not folder:
        return None
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)


@pytest.fixture
def open_page(browser, tmp_path: Path, request: pytest.FixtureRequest):
    """Opens a page, given its text, the part of the address behind "#", what is done before, options of the context.

    Pages are opened as files. Whatever one writes to the console, throws, fetches or pops up fails the test.
    """
    faults: list[str] = []
    contexts = []

    def opened(text: str, address: str = "", before: str = "", **options):
        path = tmp_path / f"page-{len(contexts)}.html"
        path.write_text(text, encoding="ascii")
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 1000}, **options})
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(before)
        page.on("console", lambda message: faults.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: request.url.startswith("file:") or faults.append(f"request: {request.url}"))
        page.goto(f"{path.as_uri()}#{address}")
        page.wait_for_selector("h1")
        return page

    yield opened
    for number, context in enumerate(contexts):
        if (folder := screenshots()) is not None:
            name = re.sub(r"[^\w-]+", "-", f"{request.node.name} {number}")[:100]
            context.pages[0].screenshot(path=folder / f"{name}.png")
        context.close()
    assert not faults


@pytest.fixture(scope="module")
def sample() -> str:
    return fm.pages.html(PRED, GOLD)


@pytest.fixture(scope="module")
def two() -> str:
    """Two systems: the sample's parser, and one that gets every third graph right."""
    pred, gold = (list(fm.read(path)) for path in (PRED, GOLD))
    better = [gold[k] if k % 3 == 0 else pred[k] for k in range(len(gold))]
    return fm.pages.html(pred, gold, better, names=["one", "two"])


def until(page, condition: str) -> None:
    """Wait for a condition. (What playwright has for this evaluates strings in the page, which its policy forbids.)"""
    for _ in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {condition}")


def rows(page) -> list[int]:
    """The numbers of the listed pairs."""
    return [int(text) for text in page.locator(".pairs tbody td:first-child").all_inner_texts()]


def lists(page, wanted: list[int], *, ordered: bool = False) -> None:
    """Wait until these pairs are listed: the page lists them anew after a click."""
    found: list[int] = []
    for _ in range(600):
        found = rows(page) if ordered else sorted(rows(page))
        if found == wanted:
            return
        page.wait_for_timeout(50)
    assert found == wanted


# ---- the table of pairs ----------------------------------------------------------------------------------------------


def test_the_worst_pairs_come_first(open_page, sample) -> None:
    page = open_page(sample)
    result = fm.score(PRED, GOLD)
    assert rows(page) == result.pairs.f1.argsort(kind="stable").tolist()
    assert f"{100 * result.f1:.2f}" in page.locator(".scores .big").inner_text()
    assert page.locator(".bin").count() == 20 and page.title() == "sample-pred.amr against sample-gold.amr"
    assert page.locator(".aspects tbody tr").count() == len(fm.aspects(PRED, GOLD))


def test_filters(open_page, sample) -> None:
    page = open_page(sample)
    f1 = fm.score(PRED, GOLD).pairs.f1
    page.fill("#search", "the river")
    until(page, "document.querySelectorAll('.pairs tbody tr').length < 40")
    sentences = [graph.metadata["snt"].lower() for graph in fm.read(GOLD)]
    wanted = [k for k, text in enumerate(sentences) if "the" in text and "river" in text]
    assert wanted
    lists(page, wanted)
    assert page.evaluate("document.activeElement.id") == "search"  # one can go on typing
    page.click(".reset")
    lists(page, list(range(40)))
    page.fill("[name=max]", "70")
    page.press("[name=max]", "Enter")
    lists(page, [k for k in range(40) if f1[k] <= 0.7])
    page.click(".reset")
    page.select_option("[name=proven]", "0")
    lists(page, [])
    page.click(".reset")
    negation = fm.aspects(PRED, GOLD)["Negations"].pairs
    page.get_by_role("button", name="Negations").click()
    lists(page, [k for k in range(40) if negation.n_pred[k] + negation.n_gold[k] and negation.f1[k] < 1])
    assert "aspect=" in page.url  # a link leads here
    again = open_page(sample, page.url.partition("#")[2])
    assert rows(again) == rows(page)


def test_bars_choose_pairs(open_page, sample) -> None:
    page = open_page(sample)
    page.get_by_label(re.compile("^70 to 75 points")).click()
    f1 = fm.score(PRED, GOLD).pairs.f1
    lists(page, [k for k in range(40) if 0.7 <= f1[k] < 0.75])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    lists(page, [k for k in range(40) if 0.75 <= f1[k] < 0.8])


def test_columns_sort(open_page, sample) -> None:
    page = open_page(sample)
    page.get_by_role("button", name="Id", exact=True).click()
    lists(page, list(range(40)), ordered=True)  # sample.2 before sample.10
    page.get_by_role("button", name="Id", exact=False).first.click()
    lists(page, list(range(39, -1, -1)), ordered=True)
    assert page.locator("th[aria-sort=descending]").count() == 1


def test_keys_in_one_moment(open_page, sample) -> None:
    """The browser tells of a new address later: the second key is about what the first one asked for."""
    page = open_page(sample)
    first, second = rows(page)[:2]
    page.evaluate(f"location.hash = 'pair={first}'")
    page.wait_for_selector("main.pair")
    page.evaluate(
        "for (const key of ['j', 'u'])"
        " document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))"
    )
    page.wait_for_selector("main.index")
    until(page, f"(document.activeElement.getAttribute('href') || '').includes('pair={second}')")


def test_keys(open_page, sample) -> None:
    page = open_page(sample)
    first, second = rows(page)[:2]
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("main.pair")
    assert f"pair={first}" in page.url
    page.keyboard.press("j")
    until(page, f"location.hash.includes('pair={second}')")
    page.keyboard.press("u")
    page.wait_for_selector("main.index")
    # back where one was
    until(page, f"(document.activeElement.getAttribute('href') || '').includes('pair={second}')")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1
    page.go_back()
    page.wait_for_selector("main.pair")


# ---- a pair ----------------------------------------------------------------------------------------------------------


def test_a_pair_shows_what_matches(open_page, sample) -> None:
    page = open_page(sample, "pair=7")
    pred, gold = fm.read(PRED)[7], fm.read(GOLD)[7]
    assert page.locator("h1").inner_text() == gold.metadata["snt"]
    panes = page.locator(".pane")
    for pane, graph in ((panes.nth(0), pred), (panes.nth(1), gold)):
        assert pane.locator(".node").count() == len(graph.variables)
        assert pane.locator(".edge").count() == len(graph.relations)
        text = re.sub(r"[+~−]|(?<=\w)\d+(?= /|\)|$)", "", pane.locator("pre").inner_text(), flags=re.MULTILINE)
        for _, role, target in graph.attributes:
            assert f"{role} {target}" in text
    assert page.locator(".node.changed").count() == 2
    words = page.locator(".difference").all_inner_texts()
    assert words == ["Concept nobody where the gold graph has somebody (n and s)", ":polarity - of tell-01"]
    assert "9 triples matched of 10 predicted and 11 gold. Proven" in page.locator(".verdict").inner_text()


def test_the_root_is_on_top_and_no_boxes_overlap(open_page, sample) -> None:
    page = open_page(sample)
    for k in range(0, 40, 3):
        page.evaluate(f"location.hash = 'pair={k}'")
        until(page, f"document.title.startsWith('{k}:')")
        for pane in range(2):
            boxes = page.evaluate(
                "n => [...document.querySelectorAll('.drawing')[n].querySelectorAll('.node')].map(node => {"
                "const box = node.querySelector('.box').getBBox();"
                "return [box.x, box.y, box.width, box.height, node.classList.contains('root')]})",
                pane,
            )
            (top,) = [box[1] for box in boxes if box[4]]
            assert top == min(box[1] for box in boxes)
            for i, (x, y, width, height, _) in enumerate(boxes):
                for left, upper, other, tall, _ in boxes[:i]:
                    assert x >= left + other or left >= x + width or y >= upper + tall or upper >= y + height


def test_pointing_shows_the_partner(open_page, sample) -> None:
    page = open_page(sample, "pair=7")
    node = page.locator(".pane").nth(0).locator(".node", has_text="nobody")
    node.hover()
    hot = page.evaluate("[...document.querySelectorAll('.node.hot .concept')].map(e => e.textContent)")
    assert hot == ["nobody", "somebody"]
    assert "another concept" in page.locator("#detail").inner_text()
    page.mouse.move(2, 2)
    assert page.locator(".hot").count() == 0
    node.click()  # keeps it
    page.mouse.move(2, 2)
    assert page.locator(".node.hot").count() == 2 and page.locator(".box[aria-pressed=true]").count() == 2


def test_the_keyboard_reaches_every_node(open_page, sample) -> None:
    page = open_page(sample, "pair=7")
    page.locator(".box").first.focus()
    names = []
    for _ in range(5):
        names.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
        assert page.locator(".node.hot").count() >= 1
        page.keyboard.press("ArrowDown")
    assert len(set(names)) == 5 and names[0].startswith("root: tell-01 (variable t), prediction; matched as number 1")
    assert page.locator(".box[tabindex='0']").count() == 2  # one stop a graph


BIG = " :mod (b / big)"


def see(cat: str = "", dog: str = "") -> str:
    """A cat sees a dog; what is said of them besides."""
    return f"(s / see :ARG0 (c / cat{cat}) :ARG1 (d / dog{dog}))"


@pytest.mark.parametrize(
    ("pred", "gold", "words"),
    [
        ("(w / cat)", "(w / dog)", "Concept cat where the gold graph has dog (w and w)"),
        ("(w / cat :quant 2)", "(w / cat :quant 3)", ":quant of cat is 2, in the gold graph 3"),
        ("(w / cat :quant 2)", "(w / cat :age 2)", "2 of cat is its :quant, in the gold graph its :age"),
        ("(s / see :ARG0 (c / cat))", "(s / see :ARG1 (c / cat))", "cat is :ARG0 of see, in the gold graph :ARG1"),
        (
            "(s / see :ARG0 (c / cat))",
            "(s / see :ARG1-of (c / cat))",
            "cat is :ARG0 of see; in the gold graph it is the other way round, with :ARG1",
        ),
        (see(cat=BIG), see(dog=BIG), "big is :mod of cat, in the gold graph of dog"),
        (see(cat=BIG), see(dog=" :size (b / big)"), "big is :mod of cat, in the gold graph :size of dog"),
        (see(cat=" :poss c"), see(cat=" :poss d"), ":poss of cat is cat, in the gold graph dog"),
        (see(cat=" :quant 2"), see(dog=" :quant 2"), ":quant 2 stands at cat, in the gold graph at dog"),
        ("(s / see :ARG0 (c / cat))", "(s / see)", "cat (c), :ARG0 of see"),
        ("(s / see)", "(s / see :polarity -)", ":polarity - of see"),
        (
            "(s / see :ARG0 (c / cat :ARG0-of (p / purr)))",
            "(p / purr :ARG0 (c / cat :ARG0-of (s / see)))",
            "The root is see, in the gold graph purr",
        ),
    ],
)
def test_differences_in_words(open_page, pred: str, gold: str, words: str) -> None:
    page = open_page(fm.pages.html(pred, gold, aspects=False, bootstrap=1), "pair=0")
    assert page.locator(".difference").all_inner_texts() == [words]


def test_two_systems(open_page, two) -> None:
    page = open_page(two)
    f1 = fm.score(PRED, GOLD).pairs.f1
    assert page.locator(".scores .system").count() == 2
    page.get_by_role("button", name="B − A").click()
    first = min(range(0, 40, 3), key=lambda k: f1[k])  # gains most
    until(page, f"document.querySelector('.pairs tbody td').innerText == '{first}'")  # the page lists them anew
    assert rows(page)[0] == first
    page.locator(".pairs tbody a").first.click()
    page.wait_for_selector("main.pair")
    assert page.locator(".pane").count() == 3
    assert "all triples match" in page.locator(".differences").nth(1).inner_text()
    page.locator(".chooser select").nth(1).select_option("")
    until(page, "document.querySelectorAll('.pane').length == 2")
    page.locator(".chooser select").nth(0).select_option("1")
    until(page, "document.querySelector('.pane h2').textContent.includes('two')")


TOOLS = ["sembleu/tool", "rematch/tool", "sema/tool", "wlk/tool"]


@pytest.mark.parametrize("metric", ["wwlk", "sembleu", "rematch", "sema", "wlk", "ancast", "s2match", *TOOLS])
def test_what_other_metrics_show(open_page, metric: str) -> None:
    dialect = chosen_metric(metric, None, {}).dialect
    pair = fm.read(PRED, dialect=dialect)[12:14], fm.read(GOLD, dialect=dialect)[12:14]
    page = open_page(fm.pages.html(*pair, metric=metric), "pair=0")
    assert page.locator(".drawing").count() == 2
    if metric == "wwlk":
        assert page.locator(".flows tbody tr").count() == len(fm.align(*(c[:1] for c in pair), metric=metric).flows)
    elif metric in ("ancast", "s2match"):
        assert page.locator(".difference").count() > 0
    else:
        page.locator(".features li").first.hover()
        assert page.locator(".drawing .hot").count() >= 1 and page.locator(".features li.hot").count() == 1


def test_unreadable_and_mended_graphs_are_named(open_page) -> None:
    page = open_page(fm.pages.html(["(a / cat", "(a / cat)", None], ["(a / cat)"] * 3, on_error="repair"))
    assert "1 graph could not be read or found, counted as empty; 1 graph mended" in page.locator("main").inner_text()
    page.evaluate("location.hash = 'pair=0'")
    until(page, "document.querySelectorAll('.pane').length == 2")
    assert "mended" in page.locator(".problems").inner_text()
    page.evaluate("location.hash = 'pair=1'")
    until(page, "document.title.startsWith('1:')")
    assert page.locator(".problems").count() == 0


def test_rewritten_graphs_are_drawn_whole(open_page) -> None:
    """Reification adds nodes behind all others, in no order of a text; tree and text reach them all the same."""
    pred, gold = fm.read(PRED), fm.read(GOLD)
    page = open_page(fm.pages.html(pred, gold, preset="smatch++/reify"), "pair=15")
    metric = chosen_metric("smatch", "smatch++/reify", {})
    for pane, corpus in ((0, pred), (1, gold)):
        graph = metric.standardized(corpus[15:16])[0]
        holder = page.locator(".pane").nth(pane)
        assert holder.locator(".node").count() == len(graph.variables) > len(corpus[15].variables)
        text = holder.locator("pre").inner_text()
        assert text.count("(") == text.count(")") == len(graph.variables)
        assert text.index("(") == 0 and "\n(" not in text  # one root


def test_frames_are_described(open_page, tmp_path: Path) -> None:
    (tmp_path / "frames.txt").write_text("tell-01  ARG0: speaker  ARG2: hearer\n", encoding="utf-8")
    page = open_page(fm.pages.html(PRED, GOLD, frames=tmp_path / "frames.txt"), "pair=7")
    page.locator(".node.root").first.hover()
    assert "ARG0 is speaker, ARG2 is hearer" in page.locator("#detail").inner_text()


# ---- odd data --------------------------------------------------------------------------------------------------------

HOSTILE = [
    "</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "<!--<script>", "javascript:alert(1)",
    "a\x01\x1b[31mb\x7f", "\u202eevil\u2066", "__proto__", "constructor", "${alert(1)}", "&lt;b&gt;",
]  # fmt: skip


def test_nothing_in_the_data_runs(open_page) -> None:
    texts = [
        [f'# ::id {text}\n# ::snt {text}\n({v} / "{text.replace(chr(34), chr(39))}" :name {v})' for text in HOSTILE]
        for v in ("a", "toString")
    ]
    page = open_page(fm.pages.html(*texts, names=[HOSTILE[1], HOSTILE[0]], title=HOSTILE[0]))
    shown = page.locator(".pairs td.sentence").all_inner_texts()
    assert set(HOSTILE[:4]) <= set(shown)
    assert page.locator("img, script:not([type]):not(:nth-last-of-type(-n+2))").count() == 0
    assert all(not re.search("[\x00-\x08\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]", text) for text in shown)
    for k in range(len(HOSTILE)):
        page.evaluate(f"location.hash = 'pair={k}'")
        until(page, f"document.title.startsWith('{k}:')")
        assert page.locator(".node").count() == 2
        page.locator(".node").first.hover()
    page.evaluate("location.hash = 'id=__proto__'")
    until(page, "document.title.startsWith('6:')")


def test_a_long_word_does_not_make_the_page_wide(open_page) -> None:
    """As an id, a sentence, a concept, a role, a constant, the name of a system and the title."""
    word = "W" * 5000
    graph = f'# ::id {word}\n# ::snt {word}\n(a / {word} :{word} (b / {word}) :mod "{word}")'
    other = graph.replace(f"(b / {word})", "(b / c)")
    pages = [fm.pages.html([graph], [other], metric=metric, names=[word], title=word) for metric in ("smatch", "wlk")]
    for text, address in [(text, address) for text in pages for address in ("", "pair=0")]:
        page = open_page(text, address)
        page.wait_for_selector("main.pair" if address else "main.index")
        if page.locator(".node").count():
            page.locator(".node").first.hover()  # shows its partner below
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


DEEP = "".join(f"(v{k} / x :ARG0 " for k in range(3000)) + "(z / y" + ")" * 3001
ODD = [
    DEEP,
    "(a / and " + " ".join(f":op{k} (b{k} / leaf-{k})" for k in range(300)) + ")",
    "(a / x :ARG0 (b / y :ARG0 a :ARG1 b) :ARG1 a)",
    "()",
    "(a)",
    "(a / x :ARG0 b)",
    "(a / x :ARG0 (b / y) :ARG1 (b / z))",
    '(a / "' + "long " * 400 + '")',
]


def test_odd_graphs(open_page) -> None:
    page = open_page(fm.pages.html(ODD, ODD[:3] + ODD[:2:-1], effort="low"))
    for k in range(len(ODD)):
        page.evaluate(f"location.hash = 'pair={k}'")
        until(page, f"location.hash == '#pair={k}' && document.querySelectorAll('.pane').length == 2")
        assert page.locator("pre").count() == 2
    assert "too large to be drawn" in open_page(fm.pages.html(DEEP, DEEP), "pair=0").locator(".pane").first.inner_text()


def test_graphs_without_a_root(open_page) -> None:
    """In pieces, with labels that are no Penman notation: every node is drawn, and none is called the root."""
    nodes = [{"n1": 'cat ("a/b": c)', "n2": "mat / <b>rug</b>", "n3": "alone"}, {"x": "one", "y": "two"}]
    gold = fm.Corpus.from_edges(nodes, [[("n1", "on top of", "n2")], [("x", "r", "y"), ("y", "r", "x")]])
    pred = fm.Corpus.from_edges(nodes, [[("n1", "under", "n2")], [("x", "r", "y")]])
    for metric in ("smatch", "rematch"):
        page = open_page(fm.pages.html(pred, gold, metric=metric), "pair=0")
        page.wait_for_selector(".drawing")
        for side in range(2):
            drawing = page.locator(".drawing").nth(side)
            assert drawing.locator("g.node").count() == 3 and drawing.locator("g.node.root").count() == 0
        text = page.locator("body").inner_text()
        assert 'cat ("a/b": c)' in text and "mat / <b>rug</b>" in text


@pytest.mark.parametrize(
    "address", ["pair=99", "pair=-1", "pair=x", "a=7&b=7", "page=1e9", "sort=constructor", "min=x&aspect=99", "%"]
)
def test_odd_addresses(open_page, sample, address: str) -> None:
    assert len(rows(open_page(sample, address))) == 40


def test_a_damaged_page_says_so(open_page, sample) -> None:
    damaged = re.sub('(id="data-summary">.{400}).*?<', r"\1<", sample)
    assert "cannot be shown" in open_page(damaged).locator("h1").inner_text()


def test_an_old_browser_says_so(open_page, sample) -> None:
    page = open_page(sample, before="delete window.DecompressionStream")
    page.wait_for_selector("h1:has-text('cannot be shown')")
    assert "older than 2023" in page.locator("main").inner_text()


@pytest.mark.filterwarnings("ignore::fastmatch.PairingWarning")
def test_no_pairs(open_page) -> None:
    assert "There are no pairs" in open_page(fm.pages.html([], [])).locator("main").inner_text()


# ---- many pairs ------------------------------------------------------------------------------------------------------


def test_ten_thousand_pairs(open_page) -> None:
    """What the page does before it is shown is little: the graphs of no pair are unpacked, 100 rows are made."""
    pred, gold = fm.read(PRED), fm.read(GOLD)
    many = [fm.Corpus.concatenate([corpus] * 250) for corpus in (pred, gold)]
    text = fm.pages.html(*many, aspects=False, bootstrap=20)
    assert len(text) < 8e6
    page = open_page(text)
    until(page, "document.querySelectorAll('.pairs tbody tr').length === 100")
    page.get_by_role("button", name="Next").click()
    until(page, "location.hash.includes('page=1')")
    until(page, "document.querySelectorAll('.pairs tbody tr').length === 100")
    page.evaluate("location.hash = 'pair=9999'")
    page.wait_for_selector("main.pair")
    assert page.locator("h1").inner_text() == gold[39].metadata["snt"]


# ---- for everybody ---------------------------------------------------------------------------------------------------


def violations(page) -> list[tuple[str, list[str]]]:
    """What hinders assistive programs, by axe-core."""
    path = os.environ.get("FASTMATCH_AXE")
    if not path:
        pytest.skip("FASTMATCH_AXE is not set: the path of axe-core's axe.min.js")
    page.add_script_tag(path=path)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)")
    return [(v["id"], [node["html"][:120] for node in v["nodes"]]) for v in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["", "pair=7", "pair=37", "aspect=5&sort=aspect"])
def test_accessibility(open_page, two, sample, scheme: str, address: str) -> None:
    for text in (sample, two):
        assert violations(open_page(text, address, color_scheme=scheme, bypass_csp=True)) == []


@pytest.fixture(scope="module")
def adjudication() -> str:
    """Three systems: the sample's parser, the gold graphs, and every third of these."""
    pred, gold = (list(fm.read(path)) for path in (PRED, GOLD))
    mixed = [gold[k] if k % 3 == 0 else pred[k] for k in range(len(gold))]
    return "".join(adjudication_page(fm.ensemble([pred[:9], gold[:9], mixed[:9]]), ["parser", "gold", "mixed"]))


def test_adjudication_by_keyboard(open_page, adjudication) -> None:
    page = open_page(adjudication)
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.dataset.number") == "1"
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.dataset.number") == "0"
    page.get_by_label("left out").check()
    rows = "[...document.querySelectorAll('tbody tr')]"
    shown = page.evaluate(f"{rows}.filter(r => r.offsetParent).map(r => r.className)")
    assert shown and all(name == "out some" for name in shown)
    page.get_by_label("all triples").check()
    until(page, "document.getElementById('says').textContent.endsWith('triples are shown')")


def test_adjudication_is_saved(open_page, adjudication) -> None:
    page = open_page(adjudication)
    assert page.locator("#decided").inner_text() == "as the ensemble has it"
    box = page.locator("tr.out input").first
    triple = box.get_attribute("aria-label").removeprefix("keep ")
    box.check()
    assert page.locator("#decided").inner_text().startswith("1 of ")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save decisions.tsv").click()
    header, *lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert header.split("\t") == ["sentence", "id", "source", "role", "target", "in_graph", "keep"]
    changed = [cells for cells in (line.split("\t") for line in lines) if cells[5] != cells[6]]
    assert [" ".join(cells[2:5]) for cells in changed] == [triple]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_adjudication_is_accessible(open_page, adjudication, scheme: str) -> None:
    assert violations(open_page(adjudication, color_scheme=scheme, bypass_csp=True)) == []


def test_adjudication_without_scripts(open_page, adjudication) -> None:
    page = open_page(adjudication, java_script_enabled=False)
    assert page.locator("section").count() == 9 and page.locator("form").is_hidden()


def test_marks_tell_without_colour(open_page, sample) -> None:
    """Every state has its mark or number, and its own line; partners have the same number."""
    page = open_page(sample, "pair=37")
    marks = page.evaluate(
        "[...document.querySelectorAll('.node')].map(n => [n.dataset.key, n.querySelector('.badge-text').textContent])"
    )
    by_key: dict[str, set[str]] = {}
    for key, mark in marks:
        by_key.setdefault(key, set()).add(mark)
    assert all(len(found) == 1 for found in by_key.values())
    numbers = [next(iter(found)) for found in by_key.values() if found != {"+"}]
    assert len(set(numbers)) == len(numbers)
    dashes = {
        state: page.evaluate(
            "s => { const e = document.querySelector(`.edge.${s} .line`); const c = getComputedStyle(e);"
            "return [c.strokeDasharray, c.strokeWidth] }",
            state,
        )
        for state in ("same", "extra", "missing")
    }
    assert len({tuple(style) for style in dashes.values()}) == 3


def test_print_and_dark(open_page, sample) -> None:
    page = open_page(sample, "pair=7", color_scheme="dark")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(paper) == "rgb(23, 25, 28)"
    page.emulate_media(media="print")
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    assert not page.locator(".pair-nav").is_visible() and page.locator(".drawing").first.is_visible()


def test_without_scripts(open_page, sample, browser, tmp_path: Path) -> None:
    path = tmp_path / "plain.html"
    path.write_text(sample, encoding="ascii")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert "JavaScript" in page.locator("noscript").inner_text()
    context.close()


# ---- another engine --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_firefox(scheme: str, sample, tmp_path: Path) -> None:
    program = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
    if program is None:
        pytest.skip("no Firefox on the path")
    pytest.importorskip("websockets", reason="websockets is not installed: pip install '.[browser]'")
    from support.firefox import started

    path = tmp_path / "page.html"
    path.write_text(sample, encoding="ascii")
    f1 = fm.score(PRED, GOLD).pairs.f1
    with started(program, tmp_path / "profile", dark=scheme == "dark") as page:
        page.open(path)
        page.until("document.querySelector('h1')")
        listed = "[...document.querySelectorAll('.pairs tbody td:first-child')].map(e => +e.innerText)"
        assert page.evaluate(listed) == f1.argsort(kind="stable").tolist()
        assert page.evaluate("document.querySelectorAll('.bin').length") == 20
        page.evaluate("document.querySelector('#search').value = 'river'")
        page.evaluate("document.querySelector('#search').dispatchEvent(new Event('input', {bubbles: true})), 0")
        page.until("document.querySelectorAll('.pairs tbody tr').length < 40")
        sentences = [graph.metadata["snt"].lower() for graph in fm.read(GOLD)]
        assert sorted(page.evaluate(listed)) == [k for k, text in enumerate(sentences) if "river" in text] != []
        index = page.picture()
        page.evaluate("location.hash = 'pair=7'")
        page.until("document.querySelectorAll('.pane .node').length")
        assert page.evaluate("document.querySelectorAll('.pane .node').length") == sum(
            len(fm.read(side)[7].variables) for side in (PRED, GOLD)
        )
        page.evaluate("document.querySelector('.pane .node').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        assert page.evaluate("document.querySelectorAll('.node.hot').length") == 2
        dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(23, 25, 28)"
        assert dark == (scheme == "dark")
        pair = page.picture()
        assert page.faults == []
    if (folder := screenshots()) is not None:
        for name, picture in (("index", index), ("pair", pair)):
            (folder / f"firefox-{scheme}-{name}.png").write_bytes(picture)
