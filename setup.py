"""The compiled extensions and their flags; everything else is in pyproject.toml.

``FASTMATCH_DEBUG=1`` builds with bounds checks, assertions and no optimisation: the whole test suite must pass in
such a build before the release flags, which trust every index, are worth anything.
"""

import os
import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

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
    flags = ["-O0", "-g", "-UNDEBUG"] if DEBUG else ["-O3", "-g0", "-fno-math-errno", "-ffp-contract=off"]

# Debug and release keep their C apart, and the stamp (rewritten only when the flags change) makes setuptools rebuild
# extensions that were compiled the other way: it looks at time stamps only, so a "debug" install would otherwise
# quietly reuse the release build left in build/.
stamp = Path("build/flags.txt")
wanted = f"{flags} {sorted(directives.items())}\n"
if not stamp.exists() or stamp.read_text() != wanted:
    stamp.parent.mkdir(exist_ok=True)
    stamp.write_text(wanted)


class BuildExtensions(build_ext):
    """``build_ext`` that says in one sentence what is missing when there is no C compiler."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()  # threads that wait for one C compiler each

    def build_extensions(self) -> None:
        command = getattr(self.compiler, "compiler_so", None)  # unset on Windows, where setuptools says it well itself
        if command and shutil.which(command[0]) is None:
            raise SystemExit(
                f"fastmatch: building from source needs a C compiler, but {command[0]!r} was not found; "
                "install one (for instance the packages gcc and python3-dev) or set CC to yours"
            )
        super().build_extensions()


extensions = [
    Extension(
        ".".join(source.with_suffix("").parts),
        [str(source)],
        extra_compile_args=flags,
        depends=[str(stamp)],
    )
    for source in sorted(Path("fastmatch/_ext").rglob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        compiler_directives=directives,
        build_dir="build/cython-debug" if DEBUG else "build/cython",
    ),
    cmdclass={"build_ext": BuildExtensions},
)
