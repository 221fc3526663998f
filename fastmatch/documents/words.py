"""Word lists that decide how mentions are merged: those of docAMR 0.1.1 (Apache License 2.0), in its order."""

from __future__ import annotations

_PRONOUNS = (
    "i we you he she that this these those it they all another anybody anyone anything any both each either everybody "
    "everyone everything neither nobody none nothing one few most many other several some somebody someone something "
    "such whatever whichever whoever whomever"
)

_TYPES = (
    "medical-condition disease taxon species cell-line cell dna-sequence gene pathway nucleic-acid enzyme "
    "macro-molecular-complex amino-acid protein-segment protein-family protein small-molecule "
    "molecular-physical-entity program variable writing-script food-dish musical-note music-key treaty court-decision "
    "law award natural-object journal magazine newspaper book publication broadcast-program show music picture "
    "work-of-art car-make spaceship aircraft-type aircraft ship vehicle product festival game conference war "
    "earthquake natural-disaster incident event amusement-park zoo park market sports-facility worship-place hotel "
    "palace museum theater building canal railway-line road bridge tunnel port station airport facility constellation "
    "star planet moon forest desert island canyon valley volcano mountain peninsula strait bay gulf river lake sea "
    "ocean continent world-region country-region local-region country territory province state county city-district "
    "city location league team research-institute university school market-sector political-party "
    "criminal-organization military government-organization company organization political-movement religious-group "
    "regional-group ethnic-group nationality language animal family person thing"
)

#: Concepts of mentions that say nothing of whom they mention. Of several in a chain, the foremost is kept.
PRONOUNS = _PRONOUNS.split()

#: Types of named entities, from special to general: the foremost among the mentions of a chain becomes its head.
ENTITY_TYPES = _TYPES.split()
