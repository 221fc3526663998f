# cython: language_level=3
cdef enum:
    # Classes of labels, in the order of CLASSES in labels.pyx.
    FRAME, SPECIAL_FRAME, WORD, PRONOUN, GENERIC, CONJUNCTION, COMPOUND, STRING, NUMERAL, MINUS, NONE
