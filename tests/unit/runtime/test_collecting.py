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


def test_it_is_paused_and_comes_back(collector):
    gc.enable()
    with no_collection():
        assert not gc.isenabled()
        with no_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(KeyError), no_collection():
        raise KeyError
    assert gc.isenabled()


def test_who_has_none_keeps_none(collector):
    gc.disable()
    with no_collection():
        pass
    assert not gc.isenabled()
