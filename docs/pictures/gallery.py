"""The pictures of the gallery: ``python docs/pictures/gallery.py`` runs the code of ``gallery.md`` on the sample
corpus, keeps the pictures beside this file, and writes what each says of itself into the page, as its alternative text.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import tempfile
from pathlib import Path

import fastmatch as fm

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "gallery.md"
DATA = Path(fm.__file__).parent / "data"


def described(picture: Path) -> str:
    """What a picture says of itself: the text ``Description`` in a PNG file."""
    data = picture.read_bytes()
    place = 8  # behind the signature stand chunks: length, kind, data, checksum
    while place < len(data):
        (length,) = struct.unpack_from(">I", data, place)
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        if kind in (b"tEXt", b"iTXt") and body.startswith(b"Description\0"):
            text = body.partition(b"\0")[2]
            return text.decode("latin-1") if kind == b"tEXt" else text[2:].split(b"\0", 2)[2].decode("utf-8")
        place += 12 + length
    raise ValueError(f"{picture.name} has no description")


def link_text(description: str) -> str:
    """The description on one line, without the brackets that end the text of a link."""
    return " ".join(description.translate(str.maketrans("[]", "()")).split())


def main() -> None:
    """Draw, and write the texts."""
    text = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for side in ("pred", "gold"):
            shutil.copy(DATA / f"sample-{side}.amr", f"{side}.amr")
        names: dict[str, object] = {}
        for block in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            exec(compile(block, PAGE.name, "exec"), names)
        for picture in sorted(Path(folder).glob("gallery-*.png")):
            shutil.copy(picture, FOLDER / picture.name)
        os.chdir(FOLDER)
    for path in FOLDER.glob("gallery-*.png"):
        text = re.sub(
            rf"(?<=!\[)[^\]]*(?=\]\(pictures/{path.name}\))", lambda _, path=path: link_text(described(path)), text
        )
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
