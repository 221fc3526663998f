# cython: language_level=3
cdef enum:
    # Classes of labels, in the order of CLASSES in labels.pyx.
    FRAME = 0
    SPECIAL_FRAME = 1
    WORD = 2
    PRONOUN = 3
    GENERIC = 4
    CONJUNCTION = 5
    COMPOUND = 6
    STRING = 7
    NUMERAL = 8
    MINUS = 9
    NONE = 10
