"""Reification and its inverse on plain triples, slow and clear."""

from collections.abc import Iterable, Sequence

from fastmatch.graphs.standardization.reification import Rule

Triple = tuple[str | None, str, str | None]


def reify(triples: Iterable[Triple], rules: Sequence[Rule]) -> list[Triple]:
    """Triples with new variables ``new0``, ``new1`` …, in no particular order."""
    result: list[Triple] = []
    count = 0
    for source, role, target in triples:
        turned = role.endswith("-of")
        relation = role[:-3] if turned else role
        rule = next((rule for rule in rules if rule.relation.lower() == relation.lower()), None)
        if rule is None or role == ":instance":
            result.append((source, role, target))
            continue
        first, second = (rule.target, rule.source) if turned else (rule.source, rule.target)
        node = f"new{count}"
        count += 1
        result += [(node, first, source), (node, ":instance", rule.concept), (node, second, target)]
    return result


def dereify(triples: Sequence[Triple], top: str | None, rules: Sequence[Rule]) -> list[Triple]:
    """Decisions look at the triples as they were; in no particular order."""
    variables = {source for source, _, _ in triples}
    gone: set[int] = set()
    made: list[Triple] = []
    for node in variables - {top}:
        own = [k for k, (source, _, _) in enumerate(triples) if source == node]
        concepts = [k for k in own if triples[k][1] == ":instance"]
        rest = [k for k in own if triples[k][1] != ":instance"]
        pointed_at = any(target == node and role != ":instance" for _, role, target in triples)
        from_constant = any(triples[k][1].endswith("-of") and triples[k][2] not in variables for k in rest)
        if len(concepts) != 1 or len(rest) != 2 or pointed_at or from_constant:
            continue
        if not any(triples[k][2] in variables for k in rest):
            continue
        roles = {triples[k][1]: triples[k][2] for k in rest}
        for rule in [*rules, *(Rule(*(word.lower() for word in rule)) for rule in rules)]:
            if rule.concept == triples[concepts[0]][2] and set(roles) == {rule.source, rule.target}:
                source, target = roles[rule.source], roles[rule.target]
                if source in variables:
                    made.append((source, rule.relation, target))
                else:
                    made.append((target, f"{rule.relation}-of", source))
                gone.update((concepts[0], *rest))
                break
    return [triple for k, triple in enumerate(triples) if k not in gone] + made
