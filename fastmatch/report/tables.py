"""What all reports are made of: tables for people, and text as each form takes it.

Tables are plain text; on a terminal rich draws them, and only then is it imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, TextIO
from unicodedata import normalize

from fastmatch.runtime.streams import CONTROL, printable

if TYPE_CHECKING:
    from rich.console import Console


def print_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    file: TextIO,
    *,
    right: bool = False,
    styles: Sequence[str] = (),
) -> None:
    """Print a table.

    Parameters
    ----------
    header : sequence of str
    rows : sequence of sequences of str
        Each as long as the header. What would move the cursor is shown as :func:`printable` says, in the header, too.
    file : TextIO
    right : bool
        Columns after the first are aligned to the right: numbers.
    styles : sequence of str
        rich's style of each row, for terminals.
    """
    header, *rows = ([*map(printable, row)] for row in (header, *rows))
    console = console_of(file)
    if console is not None:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        drawn = Table(box=box.SIMPLE_HEAD, show_edge=False)
        for number, name in enumerate(header):
            drawn.add_column(name, justify="right" if right and number else "left", overflow="fold")
        for number, row in enumerate(rows):
            drawn.add_row(*map(Text, row), style=styles[number] if styles else "")
        console.print(drawn)
        return
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    for row in (header, *rows):
        cells = [
            cell.rjust(width) if right and number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print(("  " + "  ".join(cells)).rstrip(), file=file)


def latex(text: str) -> str:
    """Text in LaTeX, whatever its font encoding: each character stands for itself.

    Brackets and stars are put in braces, for behind ``\\\\`` they would be an option of the line break. Greek letters
    and signs of mathematics, which pdfLaTeX has no text for, are set as mathematics. Letters of other scripts stay as
    they are: pdfLaTeX refuses those that no package has declared; XeLaTeX and LuaLaTeX take them from the font. A
    letter and an accent behind it become one character, which pdfLaTeX knows; file names on macOS have them apart.
    """
    text = normalize("NFC", _NO_LATEX.sub(" ", text))
    return re.sub("-(?=-)", "-\0", text).translate(_LATEX)  # two hyphens would become a dash


def latex_needs(text: str) -> list[str]:
    """What a document needs for a table with this text, which is LaTeX already: a line for each thing."""
    letters = "".join(dict.fromkeys(_OTHER_SCRIPTS.findall(text)))
    needs = [f"XeLaTeX or LuaLaTeX, with a font that has them: {letters}"] if letters else []
    return ["\\usepackage{booktabs}", *needs]


#: The letters that differ from Latin ones, and their commands in mathematics.
_LETTERS = "αβγδεζηθικλμνξπρςστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"
_COMMANDS = (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho varsigma sigma tau upsilon "
    "varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {character: f"{{{character}}}" for character in "[]*"}
    | {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "|": r"\textbar{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        '"': r"\char34{}",
        "`": "{`}",
        "\0": "{}",
        "×": r"$\times$",
        "–": "--",
        "−": "$-$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "≠": r"$\neq$",
        "≈": r"$\approx$",
        "∞": r"$\infty$",
    }
    | {letter: f"$\\{name}$" for letter, name in zip(_LETTERS, _COMMANDS.split(), strict=True)}
    # without width, and those that turn the text around
    | dict.fromkeys("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", "")
    | dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "")
)
#: What pdfLaTeX does not know, after the translation: letters of other scripts, accents that stay apart, pictures.
_OTHER_SCRIPTS = re.compile("[^\x00-\u024f\u1e00-\u27ff\u3008\u3009\ufb00-\ufb06]")

#: What moves the cursor or turns the text around, and halves of characters (bytes of file names that are no text).
_UNPRINTABLE = re.compile(f"(?:{CONTROL.pattern}|[\ud800-\udfff])+")
#: The same without what turns the text around, which LaTeX gets nothing of.
_NO_LATEX = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def for_programs(text: str, file: IO[str]) -> str:
    """Text for programs as it is; a terminal gets it as :func:`printable` says, but with its tabs and line breaks."""
    return CONTROL.sub(lambda found: found[0] if found[0] in "\t\n" else "\ufffd", text) if file.isatty() else text


def print_row(cells: Iterable[object], file: IO[str]) -> None:
    """Print a line of a table for programs: its cells with tabs between them."""
    print(for_programs("\t".join(map(str, cells)), file), file=file)


def markdown(text: str) -> str:
    """Text in Markdown, also in a cell of a table: each character stands for itself."""
    return re.sub(r"([\\`*_\[\]<>|~#&$])", r"\\\1", _UNPRINTABLE.sub(" ", text))


def markdown_code(text: str) -> str:
    """Text in the letters of a program, in Markdown, but not in a table."""
    text = _UNPRINTABLE.sub(" ", text)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " * ("`" in text)
    return f"{fence}{space}{text}{space}{fence}"


def console_of(file: TextIO) -> Console | None:
    """A rich console if ``file`` is a terminal and rich is there."""
    if not file.isatty():
        return None
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(file=file, highlight=False, markup=False, soft_wrap=True)
