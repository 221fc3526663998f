import pytest

from support.small_corpus import make


@pytest.fixture
def corpus():
    return make()
