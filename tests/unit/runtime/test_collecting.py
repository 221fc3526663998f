"""The search for circles of objects is paused and comes back."""

import gc

import pytest

from fastmatch.runtime.collecting import no_collection


@pytest.fixture
def collector():
    """As it was, afterwards."""
    enabled = gc.isenabled()
    yield
    (gc.enable if enabled else gc.disable)()


@pytest.mark.parametrize("enabled", [True, False])
def test_it_is_paused_and_comes_back(collector, enabled):
    """Who has no collection before has none afterwards."""
    (gc.enable if enabled else gc.disable)()
    with no_collection():
        assert not gc.isenabled()
        with no_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled() == enabled
    with pytest.raises(KeyError), no_collection():
        raise KeyError
    assert gc.isenabled() == enabled
