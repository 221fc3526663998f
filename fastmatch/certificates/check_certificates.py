#!/usr/bin/env python3
"""Check certificates of optimal matches: python check_certificates.py CERTIFICATES [PRED GOLD] [--strict] [--summary]

This program trusts nothing of the program that wrote the certificates. It needs Python's standard library, and penman
to read graphs. All numbers are whole, so nothing is rounded.

The claim: no one-to-one map of the variables of the prediction to those of the gold graph matches ``matched + step`` or
more. A certificate holds the triples of both graphs as they are compared. They give the gains: w[ia] is what mapping
variable i to variable a matches by itself (concept, attributes, top, loops), g[ia, jb] what mapping i to a and j to b
matches besides (relations). A *candidate* ia has any of these. A proof is a list of steps. A step has D = 2**d and, for
the candidates that are left,
  split  for each g[ia, jb] a whole number p[ia, jb]; p[jb, ia] is D·g - p[ia, jb]. None stands for all of it
  u, v   a whole number >= 0 for each variable of the prediction and of the gold graph, so that for each candidate
         u[i] + v[a] >= r[ia] = D·w[ia] + the smaller of Σ_j max(0, max_b p[ia, jb]) and Σ_b max(0, max_j p[ia, jb])
For each map, D · value = Σ (D·w + Σ p) <= Σ r[ia] <= Σ u + Σ v: of the p[ia, ·] that count no two have one j or one b.
If Σ u + Σ v < D · (matched + step), the proof ends. If not, a candidate of which Σ u + Σ v - (u[i] + v[a] - r[ia]) is
below that is in no better map, and leaves. The last step may be a branch instead: a proof with a candidate taken, and
one without it.
"""

import argparse
import gzip
import hashlib
import json
import sys

LONGEST, DEEPEST, LARGEST = 1 << 25, 200, 1 << 62  # characters of a line, branches in one another, numbers


class Refused(Exception):
    """What is wrong with a certificate."""


def need(holds, message):
    if not holds:
        raise Refused(message)


def whole(value, low=0, high=LARGEST):
    need(type(value) is int and low <= value <= high, f"expected a whole number from {low} to {high}")
    return value


def listed(value, size=None):
    need(type(value) is list and size in (None, len(value)), f"expected a list of {'any' if size is None else size}")
    return value


def record_of(line):
    def unique(pairs):
        need(len(dict(pairs)) == len(pairs), "a key stands there twice")
        return dict(pairs)

    def no_number(text):
        raise Refused(f"{text[:20]}: expected a whole number")

    need(len(line) < LONGEST, f"a line of {LONGEST} characters or more")
    try:
        record = json.loads(line, object_pairs_hook=unique, parse_float=no_number, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise Refused(f"no JSON: {str(error)[:80]}") from None
    need(type(record) is dict, "expected an object")
    return record


def triples_of(graph, repeated):
    """The triples (source, role, target, weight) of a graph; the target is a variable's number, or a value."""
    n, triples = len(listed(graph["variables"])), []
    for row in listed(graph["triples"]):
        source, role, target, weight = (*listed(row), 1) if len(row) == 3 else listed(row, 4)
        need(type(role) is str and (target is None or type(target) in (int, str)), "no triple")
        need(type(target) is not int or 0 <= target < n, "no such variable")
        triples.append((whole(source, 0, n - 1), role, target, whole(weight)))
    need(repeated or len({row[:3] for row in triples}) == len(triples), "a triple stands there twice")
    return triples


def gains_of(pred, gold, unit, similar, soft):
    """w {ia: gain} and g {(ia, jb): gain} with ia < jb, in units, of which a whole match is ``unit`` ones."""
    theirs, w, g = {}, {}, {}
    for source, role, target, weight in gold:
        kind = target if type(target) is not int else (source == target,)
        theirs.setdefault((role, kind), []).append((source, target, weight))
    for i, role, j, weight in pred:
        for a, b, other in theirs.get((role, j if type(j) is not int else (i == j,)), ()):
            gain = unit * min(weight, other)
            if type(j) is int and i != j:
                edge = tuple(sorted(((i, a), (j, b))))
                g[edge] = g.get(edge, 0) + gain
            else:
                w[i, a] = w.get((i, a), 0) + gain
    if similar:  # values that differ; not of variables with several concepts, of which one would match twice
        concepts = [[row[0] for row in side if row[1] == ":instance"] for side in (pred, gold)]
        for i, role, value, weight in pred:
            for a, its, other, its_weight in gold if role in soft and concepts[0].count(i) == 1 else ():
                if role == its and concepts[1].count(a) == 1 and (value, other) in similar:
                    w[i, a] = w.get((i, a), 0) + similar[value, other] * min(weight, its_weight)
    return {ia: gain for ia, gain in w.items() if gain}, {edge: gain for edge, gain in g.items() if gain}


def without(w, g, gone):
    left = {edge: gain for edge, gain in g.items() if edge[0] not in gone and edge[1] not in gone}
    return {ia: gain for ia, gain in w.items() if ia not in gone}, left


def taken(w, g, i, a):
    """The gains of the others where ia is taken, and what it adds by itself."""
    left = {jb: gain for jb, gain in w.items() if jb[0] != i and jb[1] != a}
    for edge, gain in g.items():
        if (i, a) in edge:
            jb = edge[edge[0] == (i, a)]
            left[jb] = left.get(jb, 0) + gain
    return left, {edge: gain for edge, gain in g.items() if all(j != i and b != a for j, b in edge)}, w.get((i, a), 0)


def after(step, n, m, w, g, goal):
    """The gains of the candidates that are left after a step; None if its bound is below the goal."""
    scale = 1 << whole(step["d"], 0, 40)
    edges, r, best = sorted(g), {ia: scale * gain for ia, gain in w.items()}, {}
    split = [scale * g[edge] for edge in edges] if step["split"] is None else listed(step["split"], len(edges))
    for edge, share in zip(edges, split):
        for (ia, jb), p in ((edge, whole(share, -LARGEST)), (edge[::-1], scale * g[edge] - share)):
            for side, most in enumerate(best.setdefault(ia, ({}, {}))):
                most[jb[side]] = max(0, p, most.get(jb[side], 0))
    for ia, (rows, columns) in best.items():
        r[ia] = r.get(ia, 0) + min(sum(rows.values()), sum(columns.values()))
    u, v = ([whole(x) for x in listed(step[name], size)] for name, size in (("u", n), ("v", m)))
    total = sum(u) + sum(v)
    for (i, a), least in r.items():
        need(u[i] + v[a] >= least, f"u[{i}] + v[{a}] is {u[i] + v[a]}, below {least}")
    if total < scale * goal:
        return None
    return without(w, g, {(i, a) for (i, a), least in r.items() if total - u[i] - v[a] + least < scale * goal})


def check_proof(proof, n, m, w, g, goal, depth=0):
    """Refused, unless the proof shows that no map has a value of ``goal`` or more."""
    need(depth <= DEEPEST, "too many branches in one another")
    for number, step in enumerate(listed(proof)):
        if "take" in step:
            need(number == len(proof) - 1, "a branch is the last step")
            i, a = whole(listed(step["take"], 2)[0], 0, n - 1), whole(step["take"][1], 0, m - 1)
            check_proof(step["without"], n, m, *without(w, g, {(i, a)}), goal, depth + 1)
            w, g, gain = taken(w, g, i, a)
            return check_proof(step["with"], n, m, w, g, goal - gain, depth + 1)
        left = after(step, n, m, w, g, goal)
        if left is None:
            return None
        w, g = left
    raise Refused("nothing is proven: the last bound is not below the goal")


def check_pair(record, header):
    """The optimum and the totals of both graphs, in units, and whether it is proven; Refused if something is wrong."""
    try:
        unit, sides = whole(header["unit"], 1, 1 << 40), (record["pred"], record["gold"])
        pred, gold = (triples_of(side, header["duplicates"] == "multiply") for side in sides)
        similar = {(one, two): whole(gain, 1, unit) for one, two, gain in record.get("similar", ()) if one != two}
        w, g = gains_of(pred, gold, unit, similar, header.get("soft", ()))
        n, m = (len(side["variables"]) for side in sides)
        partner = [whole(a, -1, m - 1) for a in listed(record["map"], n)]
        need(len({a for a in partner if a >= 0}) == sum(a >= 0 for a in partner), "two variables are mapped to one")
        matched = sum(gain for (i, a), gain in w.items() if partner[i] == a)
        matched += sum(gain for edge, gain in g.items() if all(partner[i] == a for i, a in edge))
        totals = [unit * sum(row[3] for row in side) for side in (pred, gold)]
        found = [matched, *totals]
        claimed = [whole(record[name]) for name in ("matched", "n_pred", "n_gold")]
        need(claimed == found, f"matched, n_pred, n_gold: {claimed} claimed, {found} counted")
        if record["proof"] is not None:
            check_proof(record["proof"], n, m, w, g, matched + whole(header["step"], 1, unit))
        return (*found, record["proof"] is not None)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise Refused(f"not as certificates are written: {type(error).__name__} {str(error)[:80]}") from None


def compared(graph):
    """The triples of a graph that penman read, as Smatch compares them by default, and its variables."""
    names, found = list(dict.fromkeys(source for source, _, _ in graph.triples)), {}
    for source, role, target in [(graph.top, ":top", "top"), *graph.triples]:
        role = role.lower()
        if target in names and role != ":instance":
            source, role, target = (target, ":mod", source) if role == ":domain" else (source, role, target)
            found[names.index(source), role, names.index(target)] = 1
        elif source is not None:
            value = target if target is None or len(target) < 2 or target[0] + target[-1] != '""' else target[1:-1]
            found[names.index(source), role, value if value is None else value.lower()] = 1
    bare = len(found) < 3 and all(value is None for _, role, value in found if role == ":instance")
    return [names, [] if bare else sorted(found, key=str)]


def check_texts(record, number, graphs):
    for side, side_graphs in zip(("pred", "gold"), graphs):
        need(number < len(side_graphs), f"{side} has {len(side_graphs)} graphs only")
        rows = sorted((tuple(row[:3]) for row in record[side]["triples"]), key=str)
        need([record[side]["variables"], rows] == compared(side_graphs[number]), f"{side}: other triples than the text")


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Check certificates of optimal matches.")
    parser.add_argument("certificates", help="what `fastmatch score --certificate` wrote, packed by gzip or not")
    parser.add_argument("graphs", nargs="*", metavar="PRED GOLD", help="the two files that were compared")
    parser.add_argument("--strict", action="store_true", help="stop at the first pair that is wrong or has no proof")
    parser.add_argument("--summary", action="store_true", help="one line for all pairs")
    given, number = parser.parse_args(arguments), -1
    sums, counts, graphs = [0, 0, 0], {"checked": 0, "without a proof": 0, "refused": 0}, []
    try:
        with open(given.certificates, "rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with (gzip.open if packed else open)(given.certificates, "rt", encoding="utf-8") as lines:
            header = record_of(lines.readline(LONGEST))
            need(header.get("fastmatch_certificates") == 1, "no certificates of version 1")
            need(len(given.graphs) in (0, 2), "expected two files of graphs, or none")
            for side, name in zip(("pred", "gold"), given.graphs):
                with open(name, "rb") as text:
                    digest = hashlib.sha256(text.read()).hexdigest()
                need(digest == header[side]["sha256"], f"{name} is another file than the one that was compared")
            if given.graphs and header["plain"]:
                from penman import load
                from penman.models.amr import model

                graphs = [load(name, model=model) for name in given.graphs]
            for number in range(whole(header["pairs"])):
                try:
                    record = record_of(lines.readline(LONGEST))
                    need(record.get("pair") == number, f"expected pair {number}")
                    if graphs:
                        check_texts(record, number, graphs)
                    *found, proven = check_pair(record, header)
                    says = "checked" if proven else "without a proof"
                    text = "{} of {} and {}, in units of 1/{}".format(*found, header["unit"])
                    sums = [one + two for one, two in zip(sums, found)]
                except Refused as error:
                    says, text = "refused", str(error)
                counts[says] += 1
                if not given.summary or says == "refused":
                    print(f"pair {number}: {says}: {text}")
                if given.strict and says != "checked":
                    return 1
            need(not lines.readline(1), "more lines than pairs")
    except (Refused, KeyError, TypeError, OSError, EOFError, ValueError) as error:
        print(f"{given.certificates}: pair {number}: {error}" if number >= 0 else f"{given.certificates}: {error}")
        return 1
    f1 = 2 * sums[0] / max(1, sums[1] + sums[2])
    print(", ".join(f"{n} {says}" for says, n in counts.items()) + "; F1 {:.6f} ({} {} {})".format(f1, *sums))
    return int(counts["refused"] > 0)


if __name__ == "__main__":
    sys.exit(main())
