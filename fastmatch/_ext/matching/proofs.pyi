from typing import Any

def prices(
    n: int,
    m: int,
    candidates: list[tuple[int, int]],
    own: list[int],
    edges: list[tuple[int, int]],
    gains: list[int],
    unit: float,
    goal: float,
    step: float,
    limit: int,
) -> tuple[dict[str, Any] | None, bool, int, int]: ...
