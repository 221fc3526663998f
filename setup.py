"""The compiled extensions and their flags; everything else is in pyproject.toml.

Every ``.pyx`` below ``fastmatch/_ext`` becomes one extension; its path gives its name. There are three kinds of build:

- *release* (no variable set): full optimisation; every index is trusted.
- *debug* (``FASTMATCH_DEBUG=1``): bounds checks and C assertions. The whole test suite must pass in such a build before
  a kernel of the release build can be trusted.
- *coverage* (``FASTMATCH_COVERAGE=1``): a debug build in which the C compiler counts how often each line runs
  (``ci/coverage.sh``). GCC only.

Each kind keeps what it built in a folder of its own, ``build/<kind>``, so nothing is compiled twice.
"""

import functools
import gc
import hashlib
import os
import re
import shutil
import sys
import sysconfig
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import Cython
from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

# Cython makes millions of small objects that live as long as a module's translation. Looking for garbage among them so
# often took a third of its time. Set here, and not where it is called, as its worker processes import this file, too.
gc.set_threshold(200_000, 20, 100)
# Kernels are read in their sources. Their docstrings and signatures as text would be a twentieth of all extensions.
Options.docstrings = False

SOURCES = Path("fastmatch", "_ext")
SHARED = "fastmatch._ext._shared"  # holds once the code behind memoryviews that every extension would hold


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "") not in ("", "0")


COVERAGE = _is_set("FASTMATCH_COVERAGE")
DEBUG = COVERAGE or _is_set("FASTMATCH_DEBUG")
FOLDER = Path("build", "coverage" if COVERAGE else "debug" if DEBUG else "release")
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")  # such as .cpython-311-x86_64-linux-gnu.so

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "cdivision": True,
    "freethreading_compatible": True,
    # No methods for pickling but a class's own: Cython's only say why it cannot be pickled, as Python does by itself.
    "auto_pickle": False,
    "emit_code_comments": COVERAGE,  # a report of coverage finds lines by them; otherwise they are only work
}
LINKED = ["--coverage"] if COVERAGE else []
if os.name == "nt":
    FLAGS = ["/Od", "/UNDEBUG"] if DEBUG else ["/O2"]
elif DEBUG:
    FLAGS = ["-O0", "-g", "-UNDEBUG"] + (["--coverage"] if COVERAGE else [])
else:
    # -ffp-contract=off: no sum is fused with a product, so scores have the same last bit on every processor.
    # -g0: Python's own flags ask for debug symbols, which would be most of an extension's size.
    FLAGS = ["-O3", "-fno-math-errno", "-ffp-contract=off", "-g0"]
    if not os.environ.get("CFLAGS"):  # sanitizers want to name the callers
        # Tables for unwinding are a twentieth of all extensions. No exception is thrown through C; a debugger or a
        # profiler that walks the stack does so in a debug build.
        FLAGS += ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
        # To look for warnings takes a twentieth of the time. Those who change kernels get them from a debug build, and
        # those that follow values through a function from the sanitizers' (``ci/sanitizers.sh``).
        FLAGS.append("-w")
    if sys.platform == "linux" and not os.environ.get("LDFLAGS"):  # sanitizers and packagers have their own
        # a table of names that nothing looks up, and gaps between the parts of a file: a sixth of all extensions
        LINKED = ["-Wl,--strip-all", "-Wl,-z,noseparate-code"]
#: Lower levels for what is as fast with them: they take half the time of a compiler, and the extensions are smaller.
#: A pattern is a module, or a room and all its modules; all others have the level of FLAGS. Measured with ``benches/``,
#: one level against the other in turn; climbing, WWLK, AnCast, Penman and box notation lose 8 to 40 % below -O3.
LEVELS = {
    "-O1": ("matching/problem", "matching/score", "matching/solver", "resampling"),
    "-O2": (
        "anchors/graphs",
        "features",
        "index/lists",
        "matching/ascent",
        "matching/cuts",
        "matching/exact",
        "matching/exclusion",
        "matching/forest",
        "matching/local_search",
        "matching/partial",
        "matching/proofs",
        "matching/relaxation",
        "matching/triples",
        "matching/wide",
        "overlap/gradient",
        "overlap/pair",
        "overlap/score",
        "reading/repair",
        "reading/vectors",
        "transport/labels",
        "umr",
        "votes",
    ),
    # for size: what runs once a graph, or once a corpus
    "-Os": (
        "_shared",  # what all extensions share, memory views above all
        "graphs",
        "index/slots",
        "matching/compression",
        "matching/sentences",
        "matching/similarity",
        "overlap/space",
        "reading/camr_tuples",
    ),
}


def _workers() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))  # in a container or under taskset, fewer than the machine has
    return os.cpu_count() or 1


def _flags(module: str) -> list[str]:
    """The compiler's flags for a module, such as ``fastmatch._ext.matching.exact``."""
    name = module.removeprefix("fastmatch._ext.").replace(".", "/")
    if os.name == "nt" or DEBUG:
        return FLAGS
    return [*FLAGS, *(level for level, names in LEVELS.items() if name in names or name.partition("/")[0] in names)]


@functools.cache
def _named_in(file: Path) -> frozenset[Path]:
    """The package's files that a ``.pyx``, ``.pxd`` or ``.h`` names: what it cimports, its own ``.pxd``, headers.

    ``from a.b cimport c`` may name a file ``a/b.pxd`` or ``a/b/c.pxd``. Cython's own search passes over the latter
    where c has another name behind ``as``, and takes more time than to translate four modules.
    """
    text = file.read_text(encoding="utf-8")
    found = {file.with_suffix(".pxd")}
    for header in re.findall(r'(?:#\s*include|extern\s+from)\s+"([^"]+\.h)"', text):
        found.add(Path(os.path.normpath(file.parent / header)))
    for module, cimported in re.findall(
        r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?cimport[ \t]+(\([^)]*\)|[^\n]*)", text, re.MULTILINE
    ):
        parts = [each.split()[0] for each in re.sub(r"#.*|[()]", "", cimported).split(",") if each.strip()]
        for name in [module, *(f"{module}.{part}" for part in parts)] if module else parts:
            found |= {Path(*name.split(".")).with_suffix(".pxd"), Path(*name.split("."), "__init__.pxd")}
    return frozenset(filter(Path.exists, found))


def _extension(source: Path) -> Extension:
    """The extension of a ``.pyx``, or of the C that Cython writes for all of them; it depends on all its files."""
    name = ".".join(source.with_suffix("").parts)
    files: set[Path] = set()
    pending = [source] if source.suffix == ".pyx" else []
    while pending:
        file = pending.pop()
        if file not in files:
            files.add(file)
            pending.extend(_named_in(file))
    return Extension(
        name,
        [str(source)],
        depends=sorted(map(str, files)),
        include_dirs=sorted({str(file.parent) for file in files if file.suffix == ".h"}),
        extra_compile_args=_flags(name),
        extra_link_args=LINKED,
    )


def _extensions() -> list[Extension]:
    shared = Path(*SHARED.split(".")).with_suffix(".c")
    return [_extension(source) for source in (*sorted(SOURCES.rglob("*.pyx")), shared)]


def _digest(extension: Extension) -> str:
    """A name for all that an extension is made of."""
    environment = [os.environ.get(name) for name in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "LDSHARED")]
    made_by = Cython.__version__, DIRECTIVES, extension.extra_compile_args, LINKED, environment
    digest = hashlib.sha256(repr(made_by).encode())
    for name in extension.depends:
        digest.update(f"\n{Path(name).as_posix()}\n".encode() + Path(name).read_bytes())
    return digest.hexdigest()[:16]


def _translate(extensions: list[Extension]) -> None:
    """Translate the sources of the extensions to C, several at a time."""
    options = {
        "compiler_directives": DIRECTIVES,
        "build_dir": str(FOLDER / "c"),
        "shared_utility_qualified_name": SHARED,
        "force": True,
    }
    try:
        cythonize(extensions, nthreads=_workers(), **options)
    except (BrokenProcessPool, ImportError, NotImplementedError, OSError):
        cythonize(extensions, **options)  # where other processes, or what they need, are not to be had
    for extension in extensions:
        extension.sources = [str(FOLDER / "c" / Path(extension.sources[0]).with_suffix(".c"))]


class Build(build):
    """``build`` into an empty folder: a module that was moved or deleted must not come back in the next wheel."""

    def run(self) -> None:
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


class BuildExtensions(build_ext):
    """``build_ext``, for every way to install, of what is not in ``build/<kind>`` yet.

    A file there has the digest of all that it was made of in its name. Cython and setuptools compare the times of files
    instead. Those lie: an installer brings its own, new copy of Cython, whose declarations every kernel reads, so a
    second ``pip install`` would compile everything again; and a file that was put back from elsewhere may be older than
    what was built from another one.
    """

    def finalize_options(self) -> None:
        super().finalize_options()
        self.build_temp = str(FOLDER / "objects")
        self.force = True  # whether to build is known here
        if self.parallel is None:
            self.parallel = _workers()  # threads that wait for one C compiler each

    def run(self) -> None:
        # Here and not earlier: installers run this file several times only to ask for names, and an sdist needs no C.
        self.kept = {each.name: FOLDER / f"{each.name}-{_digest(each)}{SUFFIX}" for each in self.extensions}
        new = [extension for extension in self.extensions if not self.kept[extension.name].exists()]
        _translate(new)
        # the largest first: none is left to be compiled alone at the end
        new.sort(key=lambda extension: os.path.getsize(extension.sources[0]), reverse=True)
        self.extensions = [*new, *(extension for extension in self.extensions if extension not in new)]
        super().run()
        if self.inplace:
            self._delete_orphans()

    def build_extension(self, ext: Extension) -> None:
        kept, built = self.kept[ext.name], Path(self.get_ext_fullpath(ext.name))
        if not kept.exists():
            super().build_extension(ext)
            for old in FOLDER.glob(f"{ext.name}-*{SUFFIX}"):
                old.unlink()
            shutil.copyfile(built, kept)
        else:
            built.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kept, built)

    def _delete_orphans(self) -> None:
        """Delete extensions among the sources whose own source was moved or deleted: they could still be imported."""
        known = {Path(self.get_ext_filename(extension.name)) for extension in self.extensions}
        for path in SOURCES.rglob("*" + SUFFIX):
            if path not in known:
                path.unlink()

    def build_extensions(self) -> None:
        command = getattr(self.compiler, "compiler_so", None)  # unset on Windows, where setuptools says it well itself
        if command and shutil.which(command[0]) is None:
            raise SystemExit(
                f"fastmatch: building from source needs a C compiler, but {command[0]!r} was not found; "
                "install one (for instance the packages gcc and python3-dev) or set CC to yours"
            )
        super().build_extensions()


if __name__ == "__main__":  # Cython's worker processes may import this file once more
    setup(ext_modules=_extensions(), cmdclass={"build": Build, "build_ext": BuildExtensions})
