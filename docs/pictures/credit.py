"""The picture of an answer coloured by credit: ``python docs/pictures/credit.py`` writes ``credit.svg`` beside it."""

from __future__ import annotations

from html import escape
from pathlib import Path

import fastmatch as fm

PICTURE = Path(__file__).with_name("credit.svg")
ANSWER = "It is (w / want-01\n  :ARG0 (b / boy :quant 2)\n  :ARG1 (g / go-01 :ARG0 b))."
GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
WIDTH, HEIGHT, LETTER, LINE = 470, 132, 13.2, 34


def drawn() -> str:
    """The picture; of a letter's place only its line and column count, as the letters are equally wide."""
    found = fm.credit(ANSWER, GOLD)
    matched = {place for entry in found.triples if entry.matched for span in entry.spans for place in range(*span)}
    owned = {place for entry in found.triples for span in entry.spans for place in range(*span)}
    boxes, letters, line, column = [], [], 0, 0
    for place, letter in enumerate(ANSWER):
        if letter == "\n":
            line, column = line + 1, 0
            continue
        x, y = 20 + column * LETTER, 38 + line * LINE
        if place in owned:
            fill, dashes = ("#b7e4c2", "") if place in matched else ("#f6c3c3", ' stroke-dasharray="3 3"')
            boxes.append(f'<rect x="{x:.1f}" y="{y - 20}" width="{LETTER}" height="27" fill="{fill}"/>')
            edge = "#18722f" if place in matched else "#a11616"
            boxes.append(f'<path d="M{x:.1f} {y + 7}h{LETTER}" stroke="{edge}" stroke-width="2"{dashes}/>')
        letters.append(f'<text x="{x:.1f}" y="{y}">{escape(letter)}</text>' if letter != " " else "")
        column += 1
    total = sum(entry.matched for entry in found.triples)
    says = (
        f"An answer of {len(found.triples)} triples. The characters of the {total} that match the gold graph are green "
        f"and underlined; those of the others are red, with a dotted line. The score is {found.score:.4f}."
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
            f"<desc>{says}</desc>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
            *boxes,
            '<g font-family="monospace" font-size="22" fill="#111">',
            *filter(None, letters),
            "</g>",
            "</svg>",
            "",
        ]
    )


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
