"""A slow, plain reader of the old smatch family: smatch 1.0.4, S2match, amr-evaluation.

Made from the description of what these tools do; the compiled reader is compared with it, and both with what the tools
themselves gave (``tests/parity/test_old_readers.py``).
"""

from collections.abc import Iterator

from support.readback import Lists

NEVER_TURNED = ("prep-on-behalf-of", "prep-out-of", "consist-of")


class RefusedError(ValueError):
    """The tool gives up on this graph, or dies of it."""


def glued_blocks(text: str) -> Iterator[str]:
    """The graphs of a text, each on one line: blank lines divide, comments go, lines are joined with nothing."""
    lines: list[str] = []
    for line in [*text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), ""]:
        line = line.strip()
        if line and not line.startswith("#"):
            lines.append(line)
        elif not line and lines:
            yield "".join(lines)
            lines = []


def directed(source: str, role: str, target: str, partial: bool, last: bool) -> tuple[str, str, str]:
    """(under whose name an edge is filed, its role, its other end)."""
    if partial:
        return (target, role[:-3], source) if last and role.endswith("-of") else (source, role, target)
    if role.endswith("-of") and role not in NEVER_TURNED:
        return target, role[:-3], source
    return (target, "domain", source) if role == "mod" else (source, role, target)


def read_old(line: str, *, partial: bool = False, keyed: bool = False, mark: bool = True) -> Lists:
    """The three lists of one glued line, without TOP; roles with a colon in front.

    ``partial``: only what leads to a new node or stands last in its node is turned around. ``keyed``: one relation for
    each (source, target), one attribute for each (source, role). ``mark``: a closing quote leaves an underscore.
    """
    after, letters, role, quoted = "start", "", "", False
    open_nodes: list[str] = []
    order: list[str] = []
    concepts: dict[str, str] = {}
    certain: dict[str, list[tuple[str, str]]] = {}
    uncertain: dict[str, list[tuple[str, str]]] = {}

    def file_value(last: bool) -> None:
        words = letters.split()
        if len(words) < 2 or not open_nodes:
            raise RefusedError(line)
        holder, name, other = directed(open_nodes[-1], words[0], words[1], partial, last)
        turned_at_once = partial and last and words[0].endswith("-of")
        lists = certain if words[1] in concepts or turned_at_once else uncertain
        lists.setdefault(holder, []).append((name, other))

    for char in line.strip():
        if char == " ":
            letters += " " if after == ":" else ""
        elif char == '"':
            letters += "_" if quoted and mark else ""
            quoted = not quoted
        elif quoted or char not in "(:/)":
            letters += char
        elif char == "(":
            if after == ":":
                if role:
                    raise RefusedError(line)
                role, letters = letters.strip(), ""
            after = "("
        elif char == ":":
            if after == "/":
                concepts[open_nodes[-1]], letters = letters, ""
            elif after == ":":
                file_value(last=False)
                letters = ""
            after = ":"
        elif char == "/":
            if after != "(" or letters in concepts:
                raise RefusedError(line)
            open_nodes.append(letters)
            order.append(letters)
            if role:
                if len(open_nodes) < 2:
                    raise RefusedError(line)
                holder, name, other = directed(open_nodes[-2], role, letters, partial, last=True)
                certain.setdefault(holder, []).append((name, other))
            after, letters, role = "/", "", ""
        else:
            if not open_nodes:
                raise RefusedError(line)
            if after == ":":
                file_value(last=True)
                letters = ""
            elif after == "/":
                concepts[open_nodes[-1]], letters = letters, ""
            open_nodes.pop()
            after, role = "start", ""
    if not order or any(name not in concepts for name in order):
        raise RefusedError(line)
    found = Lists([], [], [])
    for node in order:
        found.instances.append((node, concepts[node]))
        relations = [(node, f":{name}", other) for name, other in certain.get(node, [])]
        attributes = []
        for name, other in uncertain.get(node, []):
            if not other:
                raise RefusedError(line)
            (relations if other in concepts else attributes).append((node, f":{name}", other))
        if keyed:
            relations = list({target: (source, name, target) for source, name, target in relations}.values())
            attributes = list({name: (source, name, value) for source, name, value in attributes}.values())
        found.relations.extend(relations)
        found.attributes.extend(attributes)
    return found
