"""JSON, lines and texts for programs: on a terminal they cannot move the cursor; a file is whole or absent."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from fastmatch.report.tables import for_programs
from fastmatch.runtime.files import new_text
from fastmatch.runtime.streams import CONTROL


def plain(value: Any) -> Any:
    """Plain Python values, ready for JSON: arrays become lists, and numbers that are not finite None."""
    if isinstance(value, dict):
        return {name: plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if hasattr(value, "tolist"):  # an array or a number of numpy
        return plain(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value


def attributes(of: object, *names: str) -> dict[str, Any]:
    """These attributes of an object, by name."""
    return {name: getattr(of, name) for name in names}


def print_json(record: dict[str, Any] | list[dict[str, Any]], file: TextIO) -> None:
    """Exactly one JSON object, or one list of objects, and a line break."""
    import json

    text = json.dumps(record, ensure_ascii=False)
    if file.isatty():  # escapes mean the same in JSON, and do not move the cursor
        text = CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    print(text, file=file)


def in_table(name: str | None) -> str:
    """An id without what would break a table: on one line, without tabs; nothing for None."""
    return " ".join((name or "").split())


def write_texts(texts: Sequence[str], path: str) -> None:
    """Texts of graphs, a blank line between two; as :func:`write_lines` writes it."""
    write_lines(("\n" * (number > 0) + text + "\n" for number, text in enumerate(texts)), path)


def write_lines(lines: Iterable[str], path: str) -> None:
    """Text, UTF-8, as :func:`fastmatch.runtime.files.new_text` writes it; ``-`` is standard output."""
    if path == "-":
        sys.stdout.writelines(for_programs(line, sys.stdout) for line in lines)
        sys.stdout.flush()  # before anything else goes to standard error
        return
    with new_text(path) as file:
        file.writelines(lines)
