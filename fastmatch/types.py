"""Names for the shapes that travel between the rooms."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Int32Array = NDArray[np.int32]
    Int64Array = NDArray[np.int64]
    FloatArray = NDArray[np.float64]
    ByteArray = NDArray[np.uint8]
    BoolArray = NDArray[np.bool_]
    #: What selects graphs of a corpus: positions (negative ones count from the end) or one truth value a graph.
    Selection = Sequence[int] | NDArray[np.integer] | BoolArray
    #: Whether and where long work says how far it is: True draws a bar, a callable gets (done, in all).
    Progress = bool | Callable[[int, int], object] | None

#: How the text was read: a name in :data:`fastmatch.dialects.DIALECTS`.
Dialect = str

#: (source, role, target) as ``penman.decode`` gives it; the source is None only for the node ``()``.
Triple = tuple[str | None, str, str | None]
