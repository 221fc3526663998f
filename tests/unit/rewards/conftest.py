"""What tests of rewards begin with."""

import threading

import pytest

from fastmatch.rewards import GraphReward, openrlhf


@pytest.fixture
def port():
    """Where OpenRLHF's server of rewards listens."""
    with openrlhf.server(GraphReward(name="served"), port=0) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running.server_address[1]
        running.shutdown()
        thread.join()
