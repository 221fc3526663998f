"""Benchmarks that judge metrics, and one that judges parsers, as things a user runs on data of their own choice.

``bamboo``
    how well scores of graph pairs agree with people's ratings of the sentences, and how well they withstand paraphrase
    by reification and synonyms, and notice exchanged roles (Opitz, Daza and Frank 2021);
``rare``
    whether scores fall with every pair of edges exchanged in a graph (Kachwala et al. 2024); ``rewiring`` makes the
    graphs;
``judgements``
    do scores agree with judgements of people that a user has: numbers, classes, yes and no, preferences; ``labels``
    and ``concordance`` are its parts, ``overview`` puts it beside the others;
``grapes``
    no benchmark of metrics but of parsers: what they can do, category by category (Groschwitz et al. 2023);
``principles``
    what a similarity of graphs should be on any input: bounded, 1 for equal graphs and for them only, symmetric,
    determinate (Opitz, Parcalabescu and Frank 2020);
``studies``
    further measurements of these papers: local optima, search spaces, what an error touches, rankings of systems.
"""
