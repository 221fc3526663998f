"""The parser of a verb: one line for bad usage, with what may have been meant; flags of metrics, and their presets."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from fastmatch.errors import OptionError, meant
from fastmatch.metrics.common_options import COMMON
from fastmatch.metrics.names import BUILT_IN

#: What the destinations of a metric's own flags begin with, to keep them apart from all others.
OWN = "option "

#: Lines of help that are read at once.
_TWO_SCREENS = 84

#: What ``--help`` lists where all flags of a verb need more than two screens.
_EVERYDAY = {
    *("--help", "--help-all", "--metric", "--preset", "--embeddings", "--aspects", "--pair-by", "--bootstrap"),
    *("--resamples", "--workers", "--on-error", "--quiet", "--pred-field", "--gold-field", "--label-field", "--json"),
    *("--tsv", "--latex", "--html", "--page", "--per-pair", "--worst", "--plot", "--fail-under", "--output"),
    *("--gold", "--index", "--text", "-k", "--cutoff", "--method", "--votes"),
}

#: What other programs call a flag → what it is called here.
_MEANT = {
    **dict.fromkeys(("--vectors", "--word-vectors", "--glove"), "--embeddings"),
    **dict.fromkeys(("--threads", "--jobs", "--n-jobs"), "--workers"),
    **dict.fromkeys(("--lenient", "--ignore-errors"), "--on-error"),
    "--timeout": "--time-limit",
}


class Parser(argparse.ArgumentParser):
    """Bad usage is one line that says what is wrong, what may have been meant, and where the usage is explained.

    A flag is written in full: a short form could become another flag in a later version, in silence.

    Attributes
    ----------
    metrics : tuple of str
        The help text ends with the presets of these metrics.
    named : bool
        They were named, and are not those by default: their options are everyday ones.
    more : str
        What ``--help-all`` ends with.
    besides : str
        What to do with more files than the verb takes; the error of such files ends with it.
    """

    metrics: tuple[str, ...] = ()
    named = False
    more = ""
    besides = ""

    def __init__(self, **named: Any) -> None:
        super().__init__(**{**named, "allow_abbrev": False, "add_help": False})
        self.set_defaults(parser=self)  # of a verb that was chosen, that of the verb
        self.add_argument("-h", "--help", action="help", help="show this help message and exit")
        if " " in self.prog:
            self.add_argument("--help-all", action=_HelpAll, help="list every option, and exit")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, rest = self.parse_known_args(args, namespace)
        if rest and not found.parser.place(found, rest):
            found.parser.refuse(rest)
        return found

    def place(self, found: argparse.Namespace, rest: Sequence[str]) -> bool:
        """Give files behind an option to the positional arguments that have room; whether all could be given.

        argparse fills optional positional arguments at the first file that it meets, so it would refuse GOLD in
        ``score PRED --json GOLD``, or C in ``compare A B --json C``.
        """
        if any(word.startswith("-") and word != "-" for word in rest):
            return False
        words = list(rest)
        for action in self._get_positional_actions():
            value = getattr(found, action.dest)
            if isinstance(value, list):
                value += [self._get_value(action, word) for word in words]
                return True
            if value is None and words:
                setattr(found, action.dest, self._get_value(action, words.pop(0)))
        return not words

    def refuse(self, rest: Sequence[str]) -> NoReturn:
        """End the program because of arguments that nothing takes."""
        flag = next((word.partition("=")[0] for word in rest if word.startswith("-") and word != "-"), None)
        if flag is None:
            names = " ".join(str(action.metavar) for action in self._get_positional_actions() if action.metavar)
            self.error(
                f"expected {names or 'no file'}, found {' '.join(rest)!r} besides{self.besides and f'; {self.besides}'}"
            )
        owners = [name for name in BUILT_IN if flag.startswith(flag_prefix(name)) and name not in self.metrics]
        if owners and self.metrics:
            self.error(f"{flag} is an option of {owners[0]}: it needs --metric {owners[0]}")
        longer = [known for known in self._option_string_actions if known.startswith(flag) and flag.startswith("--")]
        closest = min(longer, key=len, default=None)
        if closest is None and _MEANT.get(flag) in self._option_string_actions:
            closest = _MEANT[flag]
        hint = f"; did you mean {closest!r}?" if closest else meant(flag, self._option_string_actions)
        self.error(f"unknown option {flag!r}{hint}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = list(map(str, action.choices))
            if action.dest == "verb":  # there are too many to list
                raise argparse.ArgumentError(None, f"unknown verb {str(value)!r}{meant(value, known)}")
            message = f"expected one of {', '.join(known)}, found {str(value)!r}{meant(value, known)}"
            raise argparse.ArgumentError(action, message)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")

    def in_flags(self, message: str) -> str:
        """What the Python interface says, with the flags of this verb instead of Python's options."""
        import re

        flags = {
            action.dest.removeprefix(OWN).rpartition(" ")[2]: action.option_strings[-1 if action.nargs != 0 else 0]
            for action in self._actions
            if action.option_strings
        }
        flags.setdefault("metric", "--metric")
        if "aspects" in flags:
            flags["kind"] = flags["aspects"]
        switches = {action.option_strings[0] for action in self._actions if action.option_strings and action.nargs == 0}

        def flag(found: re.Match[str]) -> str:
            name = flags.get(found[1])
            if name is None:
                return found[0]
            return name if name in switches and found[2] else f"{name} {found[2] or ''}"

        return re.sub(r"\b([a-z][a-z_]*)= ?(True\b)?", flag, message)

    def list_under(self, headings: Mapping[str, Iterable[str]], verbs: Any) -> None:
        """List the verbs, which ``add_subparsers`` gave, under headings instead of all in one list."""
        listed = {action.dest: action for action in verbs._get_subactions()}
        groups = []
        for heading, names in headings.items():
            group = self.add_argument_group(heading)
            group._group_actions.extend(listed[name] for name in names if name in listed)
            groups.append(group)
        self._positionals._group_actions.clear()
        self._action_groups = [*groups, self._optionals]

    def format_help(self) -> str:
        """What ``--help`` prints: everything where that is at most two screens, else what is everyday.

        The options of a metric are everyday where the metric was named.
        """
        whole = self.whole_help()
        if whole.count("\n") <= _TWO_SCREENS:
            return whole
        shown = _EVERYDAY.union(*map(_flags, self.metrics)) if self.named else _EVERYDAY
        rare = {
            action: action.help
            for action in self._actions
            if action.option_strings and not shown & {*action.option_strings}
        }
        for action in rare:
            action.help = argparse.SUPPRESS
        text = super().format_help() + ("".join(map(_presets, self.metrics)) if self.named else "")
        for action, said in rare.items():
            action.help = said
        return f"{text}\n{len(rare)} more options: {self.prog} --help-all\n"

    def whole_help(self) -> str:
        """What ``--help-all`` prints."""
        return super().format_help() + "".join(map(_presets, self.metrics)) + self.more


def _flags(metric: str) -> set[str]:
    """The flags of the options that a metric has; loads the metric."""
    from fastmatch.metrics.options import described
    from fastmatch.metrics.registry import get

    try:
        return {flag_of(metric, option.name) for option in described(get(metric))}
    except OptionError:
        return set()  # the metric is unknown; making it says so


class _HelpAll(argparse.Action):
    """``--help-all``."""

    def __init__(self, option_strings: Sequence[str], dest: str, **named: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=named["help"])

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option: str | None = None) -> None:
        parser._print_message(parser.whole_help(), sys.stdout)
        parser.exit()


def _presets(metric: str) -> str:
    """The presets of a metric with the options that each stands for; loads the metric."""
    import shutil

    from fastmatch.metrics.registry import get

    try:
        presets = get(metric).presets
    except OptionError:
        return ""  # the metric is unknown; making it says so
    if not presets:
        return f"\n{metric} has no presets.\n"
    width, columns = max(map(len, presets)) + 4, shutil.get_terminal_size().columns - 2
    rows = (
        entry(f"  {name}", ", ".join(f"{option}={value}" for option, value in options.items()), width, columns)
        for name, options in presets.items()
    )
    return "\n".join((f"\npresets of {metric}:", *rows, ""))


def entry(head: str, text: str, width: int, columns: int) -> str:
    """A head and a text beside it, in as many lines as this number of columns asks for."""
    import textwrap

    lines = textwrap.TextWrapper(max(columns, width + 30), break_long_words=False, break_on_hyphens=False)
    lines.initial_indent, lines.subsequent_indent = head.ljust(width), " " * width
    return lines.fill(text)


def flag_of(metric: str, option: str) -> str:
    """The flag of an option of this metric."""
    return ("--" if option in COMMON else flag_prefix(metric)) + option.replace("_", "-")


def flag_prefix(metric: str) -> str:
    """What the flags of the metric's own options begin with."""
    return "--" + metric.replace("+", "p").replace("_", "-") + "-"
