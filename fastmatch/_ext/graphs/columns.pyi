from typing import final

import numpy as np
from numpy.typing import NDArray

@final
class Columns:
    def __new__(
        cls,
        root: NDArray[np.int32],
        variable_offsets: NDArray[np.int64],
        variable_names: NDArray[np.int32],
        instance_offsets: NDArray[np.int64],
        instances: NDArray[np.int32],
        attribute_offsets: NDArray[np.int64],
        attributes: NDArray[np.int32],
        relation_offsets: NDArray[np.int64],
        relations: NDArray[np.int32],
        surface_offsets: NDArray[np.int64],
        surface: NDArray[np.int32],
        comment_offsets: NDArray[np.int64],
        comments: NDArray[np.uint8],
    ) -> Columns: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_labels(self) -> int: ...
    @property
    def n_names(self) -> int: ...
    @property
    def n_bare(self) -> int: ...
    def __len__(self) -> int: ...
