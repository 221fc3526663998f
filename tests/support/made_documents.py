"""Texts of documents with whatever joins sentences: chains, names, bridges, re-entrancies, repeated relations."""

from random import Random

CONCEPTS = ("person", "city", "boy", "it", "he", "i", "we", "country", "see-01", "x-y")
ROLES = ("ARG0", "ARG1", "mod", "poss", "consist", "ARG0-of", "mod-of", "consist-of", "time", "quant")


def document(random: Random, pairs: bool = False) -> str:
    """Text of a document with chains, names, wikis, bridges, re-entrancies, repeated and odd relations."""
    plan = [[f"s{k}.v{i}" for i in range(random.randint(1, 5))] for k in range(1, random.randint(2, 5))]
    nodes = [node for sentence in plan for node in sentence]
    chains = [f"c{i}" for i in range(random.randint(0, 4))]
    opened: set[str] = set()

    def of_chain() -> str:
        if not chains or random.random() < 0.45:
            return ""
        if pairs:
            return f" :same-as{random.choice(('', '-of'))} {random.choice(nodes)}"
        chain = random.choice(chains)
        if chain in opened:
            return f" :coref-of {chain}"
        opened.add(chain)
        bridge = f" :{random.choice(('part-of', 'subset-of'))} {random.choice(nodes)}" if random.random() < 0.2 else ""
        return f" :coref-of ({chain} / coref-entity{bridge})"

    def named(node: str) -> str:
        if random.random() < 0.6:
            return ""
        parts = " ".join(f":op{i} {word}" for i, word in enumerate(random.sample(('"A"', '"B"', '"C"'), 2), 1))
        wiki = f" :wiki {random.choice(('-', chr(34) + 'A_B' + chr(34)))}" if random.random() < 0.5 else ""
        return f" :name (n{node} / name {parts}){wiki}"

    def text(node: str, children: dict[str, list[str]]) -> str:
        parts = [f" :{random.choice(ROLES)} {text(child, children)}" for child in children[node]]
        if random.random() < 0.4:
            parts.append(f" :{random.choice(ROLES)} {random.choice(nodes)}")
        if random.random() < 0.3:
            parts.append(random.choice((" :quant 2", ' :time "x y"', " :polarity -")))
        random.shuffle(parts)
        return f"({node} / {random.choice(CONCEPTS)}{named(node)}{''.join(parts)}{of_chain()})"

    lines = []
    for k, sentence in enumerate(plan, 1):
        children: dict[str, list[str]] = {node: [] for node in sentence}
        for i, node in enumerate(sentence[1:], 1):
            children[random.choice(sentence[:i])].append(node)
        lines.append(f"    :snt{k} {text(sentence[0], children)}")
    return "# ::id x\n(d / document\n" + "\n".join(lines) + ")"
