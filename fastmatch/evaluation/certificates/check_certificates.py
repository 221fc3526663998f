"""Check certificates of optimal matches: python check_certificates.py CERTIFICATES [PRED GOLD] [--strict] [--summary]

It trusts nothing of the program that wrote them, needs Python only (and penman to read graphs), and rounds no number.
The claim: no one-to-one map of variables of two graphs matches ``matched + step`` or more. Triples give gains: w[ia] if
variable i is mapped to a, g[ia, jb] if j is mapped to b besides. A *candidate* ia has any. A step has D = 2**d and
  cliques  a price >= 0 of elements ia or (ia, jb), of which no map has two: it is taken off D·w or D·g of each of them
  split  for each g[ia, jb] a whole number p[ia, jb]; p[jb, ia] is D·g - p[ia, jb]. Without it all goes to the first
  inner  for some ia and b a whole number s[ia, b] >= 0, as i, a, b, s; for the others it is 0
  u, v   a whole number >= 0 for each variable of both graphs, so that for each candidate
         u[i] + v[a] >= r[ia] = D·w[ia] + Σ_b s[ia, b] + Σ_j max(0, max_b (p[ia, jb] - s[ia, b]))
For each map, Σ (D·w + Σ p) <= Σ r[ia] <= Σ u + Σ v: of the p[ia, ·] that count no two have one j or one b. So D · value
is no more than Σ u + Σ v + Σ prices, and with ia in the map no more than that without u[i] + v[a] - r[ia]. If the first
is below D · (matched + step), the proof ends; if the second is, ia leaves. The last step may be a branch: a proof with
a candidate, where all others of its variables leave, and one without. What is then alone with both variables is taken.
"""

import gzip
import hashlib
import json
import sys
import zlib
from collections import Counter, defaultdict

SIDES, UNPROVEN, MATCHED = ("pred", "gold"), "without a proof", "matched {:.10g}, of {:.10g} and {:.10g}"
LONGEST, HEADER, LARGEST = 1 << 21, 1 << 19, 1 << 62  # characters of a line, of a first line; numbers
MATCHES, WORK = 80_000, 300_000  # matches of triples; variables, candidates and gains of all steps of a proof
BROKEN = (AttributeError, EOFError, LookupError, RecursionError, TypeError, ValueError, gzip.BadGzipFile, zlib.error)


class Refused(Exception):
    """What is wrong with a certificate."""


def need(holds, message, *numbers):
    if not holds:
        raise Refused(message.format(*numbers) if numbers else message)


def whole(value, low=0, high=LARGEST):
    need(type(value) is int and low <= value <= high, "expected a whole number from {} to {}", low, high)
    return value


def reason(error):
    return str(error) if isinstance(error, Refused) else f"not as certificates are written: {error!a:.100}"


def triples_of(graph, unit, repeated, weighted):
    """The triples (source, role, target, weight) of a graph; the target is a variable's number, a text or None."""
    triples, last = [], len(graph["variables"]) - 1
    for source, role, target, *weight in graph["triples"]:
        whole(0 if target is None or type(target) is str else target, 0, max(0, last))
        need(len(weight) == weighted and type(role) is str, f"expected {3 + weighted} entries in a row, a role second")
        triples.append((whole(source, 0, last), role, target, whole(weight[0]) if weighted else unit))
    need(repeated or len({row[:3] for row in triples}) == len(triples), "a triple stands there twice")
    return triples


def problem_of(record, header):
    """w {ia: gain}, g {(ia, jb): gain} with ia < jb, and both graphs' totals; a whole match is ``unit`` units."""
    unit, weights, soft = whole(header["unit"], 1, 1 << 40), header.get("weights"), {":instance", ":top"}
    repeated, table = header["duplicates"] == "multiply" and not header["plain"], type(weights) is dict and weights
    pred, gold = (triples_of(record[side], unit, repeated, bool(weights)) for side in SIDES)
    theirs, w, g, matches, apart, soft = defaultdict(list), {}, {}, 0, set(), soft & {*header["similarities"][:2]}
    many = [Counter(row[0] for row in side if row[1] == ":instance") for side in (pred, gold)]
    own = [{r[0]: r[2] for r in side if r[1] == ":instance" and n[r[0]] == 1} for n, side in zip(many, (pred, gold))]
    for a, role, b, weight in gold:  # equal triples share the role and the value, or whether a relation is a loop
        theirs[role, type(b) is int, a == b if type(b) is int else b].append((a, b, weight))
    for i, role, j, weight in pred:
        # only concepts that differ match in part; not of variables with several, of which one would match twice
        alike = record.get("similar", {}).get(j, {}) if role in soft and own[0].get(i) == j else {}
        for value, share in {**alike, j: unit}.items():
            found = theirs.get((role, type(value) is int, i == value if type(value) is int else value), ())
            matches += 1 + len(found)
            need(matches <= MATCHES, f"more than {MATCHES} matches of triples")
            for a, b, other in found if value == j else [row for row in found if own[1].get(row[0]) == value]:
                edge = tuple(sorted(((i, a), (j, b)))) if type(j) is int and i != j else (i, a)
                gains = w if edge == (i, a) else g
                both = whole(table[role][weight][other]) if table else min(weight, other)
                least, rest = divmod(whole(share, 0, unit) * both, unit)
                gains[edge] = gains.get(edge, 0) + least + (2 * rest + least % 2 > unit)  # halves go to even numbers
    if header.get("sentences") and all("sentences" in record[side] for side in SIDES):
        here, there = ([{whole(x, -LARGEST) for x in some} for some in record[side]["sentences"]] for side in SIDES)
        need(sum(min(len(here[i]), len(there[a])) for i, a in set(w).union(*g)) <= WORK, "too many sentences")
        apart = {(i, a) for i, a in set(w).union(*g) if here[i].isdisjoint(there[a])}
    w, g = ({k: x for k, x in sorted(gains.items()) if x and apart.isdisjoint((k, *k))} for gains in (w, g))
    return w, g, [sum(whole(table[role][x][x]) if table else x for _, role, _, x in side) for side in (pred, gold)]


def left(w, g, goal, gone):
    """The gains and the goal without some candidates, and with those taken that are alone with their variables."""
    w = {ia: gain for ia, gain in w.items() if ia not in gone}
    g = {edge: gain for edge, gain in g.items() if gone.isdisjoint(edge)}
    here, there = (Counter(ia[side] for ia in set(w).union(*g)) for side in (0, 1))
    alone = {(i, a) for i, a in set(w).union(*g) if here[i] == there[a] == 1}
    for edge in [edge for edge in g if not alone.isdisjoint(edge)]:
        open_end = edge[edge[0] in alone]  # if both are alone, any of them
        w[open_end] = w.get(open_end, 0) + g.pop(edge)
    return {ia: gain for ia, gain in w.items() if ia not in alone}, g, goal - sum(w.get(ia, 0) for ia in alone)


def gone_after(step, w, g, goal):
    """The candidates that leave after a step; None if its bound is below the goal."""
    scale, best, inner = 1 << whole(step.get("d", 0), 0, 40), {}, {}
    u, v = ([whole(x) for x in step[name]] for name in "uv")
    r, gains = {ia: scale * w.get(ia, 0) for ia in set(w).union(*g)}, {edge: scale * gain for edge, gain in g.items()}
    most = sum(u) + sum(v) - scale * goal  # so much a candidate may cost
    for price, *members in step.get("cliques", ()):
        most += whole(price)
        for k, one in enumerate(members):
            ia, *jb = ((whole(i), whole(a)) for i, a in one)
            (gains if jb else r)[(ia, *jb) if jb else ia] -= price
            need(all(any((i == j) != (a == b) for i, a in one for j, b in two) for two in members[:k]), "not a clique")
    for i, a, b, s in step.get("inner", ()):  # as keys they have bounds: else thousands could have one hash
        inner[(whole(i, 0, len(u)), whole(a, 0, len(v))), whole(b, 0, len(v))] = whole(s)
    for ((ia, jb), gain), share in zip(gains.items(), step.get("split", gains.values()), strict=True):
        for here, (j, b), p in ((ia, jb, whole(share, -LARGEST)), (jb, ia, gain - share)):
            if p > 0 and (p := p - inner.get((here, b), 0) if inner else p) > best.get((here, j), 0):
                best[here, j] = p
    for (ia, _), gain in [*best.items(), *inner.items()]:
        r[ia] += gain
    for (i, a), least in r.items():
        need(u[i] + v[a] >= least, "u[{}] + v[{}] is {}, below {}", i, a, u[i] + v[a], least)
    return None if most < 0 else {(i, a) for (i, a), least in r.items() if u[i] + v[a] - least > most}


def check_proof(proof, size, w, g, goal, work):
    """Refused, unless the proof shows that no map has a value of ``goal`` or more; ``size`` variables in all."""
    for step in proof:
        work[0] += size + len(set(w).union(*g)) + len(g) + sum(len(some) ** 2 for some in step.get("cliques", ()))
        need(work[0] <= WORK, "the proof is too long")
        if "take" in step:
            i, a = step["take"]
            others = {(j, b) for j, b in set(w).union(*g) if (j == i) != (b == a)}
            for name, gone in (("with", others), ("without", {(i, a)})):
                check_proof(step[name], size, *left(w, g, goal, gone), work)
            return
        if (gone := gone_after(step, w, g, goal)) is None:
            return
        w, g, goal = left(w, g, goal, gone)
    raise Refused("nothing is proven: the last bound is not below the goal")


def check_pair(record, header):
    """The optimum and the totals of both graphs, in units, and whether it is proven; an error if something is wrong."""
    if record.get("skipped"):  # by its own word: it counts for nothing
        return 0, 0, 0, False
    w, g, totals = problem_of(record, header)
    n, m = (len(record[side]["variables"]) for side in SIDES)
    chosen = {(i, whole(a, 0, m - 1)) for i, a in enumerate(record["map"]) if a != -1}
    need(len({a for _, a in chosen}) == len(chosen), "two variables are mapped to one")
    matched = sum(w.get(ia, 0) for ia in chosen) + sum(gain for edge, gain in g.items() if chosen.issuperset(edge))
    claimed, found = [whole(record[name]) for name in ("matched", "n_pred", "n_gold")], [matched, *totals]
    need(claimed == found, f"matched, n_pred, n_gold: {claimed} claimed, {found} counted")
    if record["proof"] is not None:
        goal = matched + whole(header["step"], 1, max(1, header["unit"] >> 20))  # of a real number a millionth
        check_proof(record["proof"], n + m, w, g, goal, [0])
    return (*found, record["proof"] is not None)


def compared(text, names):
    """The triples that penman reads in a text, as Smatch compares them by default; variables by their places."""
    import penman.models.amr

    penman.layout.logger.parent.setLevel("ERROR")  # repeated triples are nothing to warn of here
    (graph,) = penman.loads(text.decode("utf-8-sig"), model=penman.models.amr.model)
    at, found = {name and str(name): k for k, name in enumerate(names)}, set()
    need(at.keys() <= graph.variables(), "a variable that is none in the text")
    for source, role, target in [(graph.top, ":top", '"top"'), *graph.triples]:
        if target in at and (role := role.lower()) != ":instance":
            found.add((at[target], ":mod", at[source]) if role == ":domain" else (at[source], role, at[target]))
        elif source is not None:
            value = target if target is None or len(target) < 2 or target[0] + target[-1] != '""' else target[1:-1]
            found.add((at[source], role.lower(), value if value is None else value.lower()))
    return found if len(found) > 2 or any(r == ":instance" and x is not None for _, r, x in found) else set()


def texts_of(name):
    """The SHA-256 of a file, and each text in it with half of its own: lines between empty ones, without comments."""
    with open(name, "rb") as file:
        data = file.read()
    lines = [line for line in map(bytes.strip, data.split(b"\n")) if line[:1] != b"#"]
    texts = filter(None, [text.strip(b"\n") for text in b"\n".join(lines).split(b"\n\n")])
    return hashlib.sha256(data).hexdigest(), [(hashlib.sha256(text).hexdigest()[:32], text) for text in texts]


def check_texts(record, header, number, files):
    """Refused, unless the texts of a pair are those that were compared, and have these triples."""
    for side, _, digest, texts in files if not record.get("skipped") else ():
        graph, (own, text) = record[side], texts[number] if number < len(texts) else (b"", b"")  # no hash is b""
        same = own == graph["sha256"] if "sha256" in graph else digest == header[side]["sha256"]
        need(same, f"{side}: not the text that was compared")
        same = not header["plain"] or {tuple(row[:3]) for row in graph["triples"]} == compared(text, graph["variables"])
        need(same, f"{side}: other triples than those of the text")


def check(certificates, graphs=(), strict=False, summary=False):
    """0 if no pair of a file is refused, 1 if one is; Refused, or an OSError, if it cannot be checked at all."""
    place, refused, header = certificates, 0, None
    try:
        need(len(graphs) in (0, 2), "expected two files of graphs besides, or none")
        files = [(side, name, *texts_of(name)) for side, name in zip(SIDES, graphs)]
        with (gzip.open if str(certificates).endswith(".gz") else open)(certificates, "rt", encoding="utf-8") as lines:
            for line in iter(lambda: lines.readline(HEADER), ""):
                header, place = json.loads(line), certificates
                need(header.get("fastmatch_certificates") == 1, "no certificates of version 1, or too many lines")
                unit = whole(header["unit"], 1, 1 << 40)
                for side, name, digest, texts in files:
                    same = len(texts) == header["pairs"] or (header[side]["sha256"] == digest and not header["plain"])
                    need(same, f"{name} is not the file that was compared")
                if "aspect" in header:
                    print(ascii(header["aspect"])[1:80].rstrip("'") + ":")
                trusted = ["triples"] * (not files or not header["plain"])
                trusted += [name for name in ("similarities", "weights", "sentences") if header.get(name)]
                sums, counts = [0, 0, 0], {"checked": 0, UNPROVEN: 0, "skipped": 0, "refused": 0}
                for number in range(whole(header["pairs"])):
                    place, record = f"{certificates}: pair {number}", None  # the last one leaves the memory first
                    line = lines.readline(LONGEST)
                    need(line.endswith("\n"), "the file ends before the end of this line, or it is longer than 2 MiB")
                    try:
                        record = json.loads(line)
                        need(record["pair"] == number, f"expected pair {number}")
                        *found, proven = check_pair(record, header)
                        check_texts(record, header, number, files)
                        says = "checked" if proven else "skipped" if record.get("skipped") else UNPROVEN
                        text = MATCHED.format(*(x / unit for x in found))
                        sums = [one + two for one, two in zip(sums, found)]
                    except Exception as error:  # also of penman: whatever it is, nothing is known of the pair
                        says, text, refused = "refused", reason(error), 1
                    counts[says] += 1
                    if not summary or says == "refused":
                        print(f"pair {number}: {says}: {text}")
                    if strict and says != "checked":
                        return 1
                print(", ".join(f"{count} {says}" for says, count in counts.items()), end=", ")
                print(MATCHED.format(*(x / unit for x in sums)), end=", ")
                print(f"F1 {2 * sums[0] / max(1, sums[1] + sums[2]):.6f}, on trust: {', '.join(trusted) or 'nothing'}")
        need(header, "an empty file")
        return refused
    except (Refused, *BROKEN) as error:
        raise Refused(f"{place}: {reason(error)}") from None


if __name__ == "__main__":
    names = [name for name in sys.argv[1:] if name not in ("--strict", "--summary", "--help")]
    try:
        sys.exit(check(names[0], names[1:], "--strict" in sys.argv, "--summary" in sys.argv) if names else __doc__)
    except (Refused, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
