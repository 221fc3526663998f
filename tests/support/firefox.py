"""Firefox without a window, driven over WebDriver BiDi, the protocol that every Firefox speaks.

(Playwright needs a Firefox of its own, or a newer one than the long-term releases that distributions have.)
"""

import base64
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from websockets.sync.client import connect

#: Seconds after which a browser that says nothing counts as broken: no test waits for them.
_PATIENCE = 120


class Firefox:
    """One tab of a browser that runs.

    Attributes
    ----------
    faults : list of str
        What pages wrote to the console, threw, or asked of a network.
    """

    def __init__(self, socket) -> None:
        self.faults: list[str] = []
        self._socket = socket
        self._number = 0
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self._tab = self._send("browsingContext.getTree")["contexts"][0]["context"]
        self._send("browsingContext.setViewport", context=self._tab, viewport={"width": 1400, "height": 1000})

    def _send(self, method: str, **parameters):
        """The result of a command; what happens before it arrives is noted."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(_PATIENCE))
            if message.get("id") == self._number:
                assert message["type"] == "success", message
                return message["result"]
            self._note(message)

    def _note(self, message) -> None:
        if message.get("method") == "log.entryAdded":
            self.faults.append(f"{message['params']['level']}: {message['params']['text']}")
        elif message.get("method") == "network.beforeRequestSent":
            url = message["params"]["request"]["url"]
            if not url.startswith(("file:", "data:")):  # Firefox shows icons of its own from data: addresses
                self.faults.append(f"request: {url}")

    def open(self, path: Path) -> None:
        """Open a file and wait until it is there."""
        self._send("browsingContext.navigate", context=self._tab, url=path.as_uri(), wait="complete")

    def evaluate(self, expression: str):
        """The value of an expression of JavaScript, or of the promise that it is, as plain Python."""
        found = self._send("script.evaluate", expression=expression, target={"context": self._tab}, awaitPromise=True)
        assert found["type"] == "success", found
        return _plain(found["result"])

    def until(self, condition: str) -> None:
        """Wait for a condition."""
        self.evaluate(
            "new Promise((done, fail) => { let left = 600; const look = () => "
            f"({condition}) ? done(true) : left-- ? setTimeout(look, 50) : fail('never true'); look(); }})"
        )

    def picture(self) -> bytes:
        """What is to be seen, as PNG."""
        return base64.b64decode(self._send("browsingContext.captureScreenshot", context=self._tab)["data"])


def _plain(value):
    if value["type"] == "array":
        return [_plain(item) for item in value["value"]]
    return value.get("value")


@contextmanager
def started(program: str, profile: Path, *, dark: bool = False) -> Iterator[Firefox]:
    """A Firefox with a fresh profile in this folder; it ends with the block."""
    profile.mkdir()
    scheme = f'user_pref("layout.css.prefers-color-scheme.content-override", {0 if dark else 1});\n'
    (profile / "user.js").write_text(scheme, encoding="ascii")
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            addresses = (re.search(r"WebDriver BiDi listening on (ws://\S+)", line) for line in process.stderr)
            address = next(filter(None, addresses), None)
            assert address is not None, f"{program} ended"
            with connect(f"{address[1]}/session", max_size=None, open_timeout=_PATIENCE, proxy=None) as socket:
                yield Firefox(socket)
        finally:
            process.terminate()
