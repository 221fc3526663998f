"""How verl and OpenRLHF call a reward, by their documented interfaces."""

import http.client
import json
import re
import subprocess
import sys
import types

import pytest

import fastmatch as fm
from fastmatch.rewards import GraphReward, openrlhf, verl

from support.refusal import fails

GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
PRED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))"


def test_verl_gets_the_same_keys_for_every_sample() -> None:
    found = [
        verl.compute_score("amr", solution, gold, extra_info={"index": 0}, reward_router_address=None)
        for solution, gold in [(PRED, GOLD), ("hm", GOLD), (PRED, "broken"), ("", ""), (None, GOLD)]
    ]
    assert len({tuple(one) for one in found}) == 1
    assert all(isinstance(value, float) for one in found for value in one.values())
    assert [one["score"] for one in found] == [fm.score(PRED, GOLD).f1, 0.0, 0.0, 0.0, 0.0]
    assert [one["gold_valid"] for one in found] == [1.0, 1.0, 0.0, 0.0, 1.0]


def test_verl_passes_options() -> None:
    """Those of the reward and of the metric, not those of verl; misspelt ones are refused."""

    def scored(text: str = PRED, **options: object) -> dict[str, float]:
        return verl.compute_score("amr", text, GOLD, **options)

    assert scored(PRED[:-1], repair=True)["repaired"] == 1.0 and scored("hm", on_invalid=-1.0)["score"] == -1.0
    assert scored(top="none", effort="low")["score"] == fm.score(PRED, GOLD, top="none").f1
    assert scored(metric="sembleu", k=2)["recall"] == 0.0
    assert scored(reward_model_tokenizer=object(), concurrent=[1])["valid"] == 1.0
    fails(fm.OptionError, "weights", scored, metric="sembleu", weights=[0.5, 0.5])  # a list cannot be hashed
    fails(fm.OptionError, "no option 'formatbonus'; did you mean 'format_bonus'", scored, formatbonus=1.0)
    fails(fm.OptionError, "effort", scored, effort="most")


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in: the door only calls ``torch.tensor`` with rows of numbers, and takes the rows of what it gives."""
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(tensor=lambda rows: tuple(map(tuple, rows))))


def test_openrlhf_cuts_the_prompt_off(torch: None) -> None:
    prompt = f"Parse it. An example: {GOLD}\n"
    found = openrlhf.reward_func([f"<s>{prompt}"], [prompt], [GOLD])
    assert found["rewards"] == found["scores"] == (0.0,)
    found = openrlhf.reward_func([prompt + PRED, prompt + "hm"], [prompt] * 2, [GOLD] * 2, extra=1)
    assert found["rewards"] == (fm.score(PRED, GOLD).f1, 0.0)
    assert found["extra_logs"] == {"valid": (1.0, 0.0), "repaired": (0.0, 0.0), "certified": (1.0, 0.0)}


@pytest.mark.parametrize("cut", [0, 1, 30, 150])
@pytest.mark.parametrize("blanks", ["  ", "\n", ""])
def test_openrlhf_finds_a_prompt_that_a_tokenizer_changed(cut: int, blanks: str) -> None:
    """Too long a prompt loses its beginning, perhaps in the middle of a character, and blanks may change."""
    prompt = f"Ein Käse. {GOLD} Now parse: the boy wants to go, but the girl does not want him to.\n{GOLD}\n"
    for written in ("", PRED, GOLD, " " + GOLD):
        end = ("\ufffd" if cut else "") + prompt[cut:].replace(" ", blanks)
        assert openrlhf.completion(end + written, prompt).strip() == written.strip()
        assert openrlhf.completion("<s>" + prompt.replace(" ", blanks) + written, prompt).strip() == written.strip()
    assert openrlhf.completion("x y", "") == "x y"


def test_openrlhf_finds_the_longest_end_of_a_prompt() -> None:
    """Also where beginnings end as they begin, for which the search is made."""
    for text, other in [("a" * 3000 + "b", "a" * 3000 + "c"), ("ab" * 2000, "ab" * 1000 + "c"), ("a" * 5000, "a" * 50)]:
        assert openrlhf._overlap(text, other) == max(k for k in range(len(other) + 1) if text.endswith(other[:k]))
    assert openrlhf._overlap("", "a") == openrlhf._overlap("a", "") == 0


def test_openrlhf_says_where_a_query_lacks_its_prompt(torch: None) -> None:
    fails(fm.OptionError, "does not hold its prompt: 'abc', 'xyz'", openrlhf.reward_func, ["abc"], ["xyz"], [GOLD])
    assert openrlhf.completion("3456789abcdefghi!", "0123456789abcdefghi") == "!"  # 16 characters are enough
    fails(fm.OptionError, "does not hold", openrlhf.completion, "456789abcdefghi!", "0123456789abcdefghi")


def test_openrlhf_server_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--host", "127.0.0.1", "--port", "0", "--metric", "sema", "--preset", "tool", "--repair"]
    fails(SystemExit, "^0$", openrlhf.main, ["--help"])
    listed = set(re.findall(r"--(?!help)[a-z]+", capsys.readouterr().out))
    assert listed == {flag for flag in flags if flag.startswith("--")}
    command = [sys.executable, "-m", "fastmatch.rewards.openrlhf", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            signature, _, address = process.stdout.readline().strip().partition(" at http://")
            assert signature == GraphReward("sema", preset="tool").signature
            connection = http.client.HTTPConnection(address, timeout=600)
            asked = {"query": ["p" + PRED[:-1]], "prompts": ["p"], "labels": [GOLD]}
            connection.request("POST", "/", json.dumps(asked))
            found = json.loads(connection.getresponse().read())
            assert found["rewards"] == [fm.score(PRED, GOLD, metric="sema", preset="tool").pairs.score[0]]
            assert found["extra_logs"]["repaired"] == [1.0]
        finally:
            process.terminate()


def test_openrlhf_server(port: int) -> None:
    def ask(body: bytes) -> tuple[int, dict[str, object]]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        connection.request("POST", "/get_reward", body)
        response = connection.getresponse()
        return response.status, json.loads(response.read())

    right = {"query": [f"p {PRED}", "p"], "prompts": ["p", "p"], "labels": [GOLD, "broken"]}
    status, found = ask(json.dumps(right).encode())
    assert status == 200
    assert found["rewards"] == found["scores"] == [fm.score(PRED, GOLD).f1, 0.0]
    unequal = json.dumps({**right, "labels": []}).encode()
    for wrong in (b"{", b"[" * 100_000, b"[]", b"{}", unequal, b'{"query": [1]}'):
        status, found = ask(wrong)
        assert (status, [*found]) == (400, ["error"])
