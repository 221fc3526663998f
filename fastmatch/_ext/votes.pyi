from collections.abc import Sequence

from typing_extensions import disjoint_base

@disjoint_base
class Votes:
    def __new__(
        cls,
        graphs: Sequence[tuple[int, int, list[tuple[int, int, int, int, int]], list[tuple[int, int, int, int]]]],
        weights: Sequence[float], sizes: Sequence[float],
    ) -> Votes: ...
    @property
    def rooted(self) -> bool: ...
    def merged(
        self, maps: list[list[int]], n_nodes: int, size: float, matched: Sequence[float], *, top: int, rounds: int,
        similar: dict[tuple[int, int], float] | None = ...,
    ) -> tuple[
        int, list[tuple[int, int, int, int, int]], list[tuple[int, int, int, int]], float, float, list[float]
    ]: ...
