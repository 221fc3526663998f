"""The compiled extensions and their flags; everything else is in pyproject.toml.

``FASTMATCH_DEBUG=1`` builds with bounds checks, assertions and no optimisation: the whole test suite must pass in
such a build before the release flags, which trust every index, are worth anything.
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("FASTMATCH_DEBUG", "") not in ("", "0")

directives = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "cdivision": True,
    "freethreading_compatible": True,
    "embedsignature": True,
}
if os.name == "nt":
    flags = ["/Od"] if DEBUG else ["/O2"]
else:
    flags = ["-O0", "-g"] if DEBUG else ["-O3", "-fno-math-errno"]

extensions = [
    Extension(f"fastmatch._ext.{source.stem}", [str(source)], extra_compile_args=flags)
    for source in sorted(Path("fastmatch/_ext").glob("*.pyx"))
]

setup(ext_modules=cythonize(extensions, compiler_directives=directives, force=DEBUG))
