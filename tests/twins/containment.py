"""When GrAPES takes one graph to contain another, by trying every map of nodes (the definition, word for word)."""

from itertools import product

from fastmatch.benchmarks.grapes.views import View, strip


def contains(full: View, part: View, *, labels: bool, senses: bool) -> bool:
    return any(
        _fits(full, part, images, labels, senses) for images in product(range(full.n_nodes), repeat=part.n_nodes)
    )


def _fits(full: View, part: View, images: tuple[int, ...], labels: bool, senses: bool) -> bool:
    for node, image in enumerate(images):
        wanted = _plain(_label(part, node), senses)
        having = [_plain(label, senses) for other, label in full.instances if other == image]
        if wanted not in (having if node == part.top else having[:1]):
            return False
        for owner, role, value in part.attributes:
            if owner == node and not any(
                other == image and (role == its or not labels) and _bare(value) == _bare(same)
                for other, its, same in full.attributes
            ):
                return False
    for source, role, target in part.edges:
        a, b = images[source], images[target]
        if source != target and not any(
            (a, role, b) == edge if labels else {a, b} == {edge[0], edge[2]} for edge in full.edges
        ):
            return False
        if _between(part, source, target) > _between(full, a, b):
            return False
    return True


def _label(view: View, node: int) -> str | None:
    return next(label for other, label in view.instances if other == node)


def _plain(label: str | None, senses: bool) -> str | None:
    return label if senses or label is None else strip(label)


def _bare(value: str | None) -> str | None:
    return None if value is None else value.replace('"', "")


def _between(view: View, a: int, b: int) -> int:
    return sum((source, target) == (a, b) for source, _, target in view.edges) + sum(
        (target, source) == (a, b) for source, _, target in view.edges
    )
