import pytest

from fastmatch import Corpus

from support.small_corpus import make


@pytest.fixture
def corpus() -> Corpus:
    return make()
