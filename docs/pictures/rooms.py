"""The picture of the architecture: ``python docs/pictures/rooms.py`` writes ``rooms.svg`` beside this file.

It is made of the imports, as ``tests/test_layers.py`` reads them. A room stands one floor above the highest room that
it imports from. An arrow is left out where a way over other rooms leads to the same room, or where it leads to a room
that all others use.
"""

from __future__ import annotations

import functools
import math
import runpy
from pathlib import Path

PICTURE = Path(__file__).with_name("rooms.svg")
LAYERS = Path(__file__).parents[2] / "tests" / "test_layers.py"
BY_ALL = ("version.py", "errors.py", "types.py")
WIDTH, FLOOR, BOX = 940, 66, 26


def imports() -> dict[str, set[str]]:
    """Room → the rooms that its modules import from, in the order of the table, without those that all use."""
    read = runpy.run_path(str(LAYERS))
    room_of = read["room_of"]
    found: dict[str, set[str]] = {room: set() for room in read["ROOMS"] if room not in BY_ALL}
    for module, targets in read["arrows"]().items():
        if (room := room_of(module)) in found:
            found[room] |= {room_of(target) for target in targets} - {room, *BY_ALL}
    return found


def floors(below: dict[str, set[str]]) -> list[list[str]]:
    """The rooms of each floor, lowest first; each near the middle of the rooms that it imports from."""

    @functools.cache
    def floor(room: str) -> int:
        return 1 + max((floor(target) for target in below[room]), default=-1)

    rows: list[list[str]] = [[] for _ in range(1 + max(map(floor, below)))]
    for room in below:
        rows[floor(room)].append(room)
    place: dict[str, float] = {}
    for row in rows:
        row.sort(key=lambda room: math.fsum(place[each] for each in below[room]) / max(1, len(below[room])))
        place |= {room: (k + 0.5) / len(row) for k, room in enumerate(row)}
    return rows


def direct(below: dict[str, set[str]]) -> list[tuple[str, str]]:
    """The imports that no way over other rooms makes."""

    @functools.cache
    def reached(room: str) -> frozenset[str]:
        return frozenset(below[room]).union(*(reached(target) for target in below[room]))

    return [
        (room, target)
        for room, targets in below.items()
        for target in sorted(targets)
        if not any(target in reached(other) for other in targets)
    ]


def drawn() -> str:
    """The rooms and arrows as SVG."""
    below = imports()
    rows = floors(below)
    height = FLOOR * (len(rows) + 1)
    box = {
        room: ((k + 0.5) / len(row) * WIDTH, height - FLOOR * (number + 1.5), 7.2 * len(room) + 16)
        for number, row in enumerate(rows)
        for k, room in enumerate(row)
    }
    arrows = direct(below)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="monospace" font-size="12" text-anchor="middle" fill="#222">',
        f"<title>The rooms of fastmatch</title><desc>{len(below)} rooms on {len(rows)} floors; every arrow runs "
        "down.</desc>",
        f'<rect width="{WIDTH}" height="{height}" rx="6" fill="#fff"/>',
    ]
    for room, target in arrows:
        (x, y, _), (to_x, to_y, _) = box[room], box[target]
        y, to_y = y + BOX / 2, to_y - BOX / 2
        bend = (to_y - y) / 2
        parts.append(
            f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {y + bend:.0f} {to_x:.0f} {to_y - bend:.0f} {to_x:.0f} {to_y:.0f}" '
            'fill="none" stroke="#9aa7b5"/>'
            f'<path d="M{to_x - 4:.0f} {to_y - 7:.0f}h8l-4 7z" fill="#9aa7b5"/>'
        )
    for room, (x, y, width) in box.items():
        compiled = room.startswith("_ext")
        parts.append(
            f'<rect x="{x - width / 2:.0f}" y="{y - BOX / 2:.0f}" width="{width:.0f}" height="{BOX}" rx="4" '
            f'fill="{"#fdebd8" if compiled else "#e3eefb"}" stroke="{"#b3541e" if compiled else "#1f5fa8"}"/>'
            f'<text x="{x:.0f}" y="{y + 4:.0f}">{room}</text>'
        )
    used = f"{', '.join(BY_ALL)}: used by all"
    parts.append(f'<text x="{WIDTH / 2:.0f}" y="{height - FLOOR / 2:.0f}">{used}</text></svg>')
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
