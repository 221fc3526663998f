#!/usr/bin/env bash
# The tests against the release build with AddressSanitizer and UndefinedBehaviorSanitizer: a kernel that reads or writes
# outside its memory, or whose arithmetic is undefined, ends the run with a report. Linux and GCC only.
#
# Arguments go to pytest. Without any, these are the tests that are not slow and reach kernels: the fuzz corpus, the tests
# of kernels, properties, metrics and readers. The command line, reports and Dask reach no others, and each process of
# theirs would load the sanitizers again. FASTMATCH_FUZZ_SEEDS is the number of pairs of arbitrary corpora, more here than
# elsewhere: most of what they can find is seen by a sanitizer only. FASTMATCH_FUZZ_COUNT is the number of damaged inputs
# for each reader, loader and cache; `FASTMATCH_FUZZ_COUNT=1000000 ci/sanitizers.sh tests/fuzz/test_campaign.py -k mrp`
# is a campaign for one kind of them.
#
# `ci/sanitizers.sh --threads` is another build, with ThreadSanitizer: two threads that use the same memory, one of them to
# write, without a lock between them, end the run with a report. It sees kernels, not Python or numpy. Without further
# arguments these are the tests in which threads share something.
. "$(dirname "$0")/common.sh"
fresh_venv sanitizers
copy_sources "$TEMPORARY/source" # its own build folder, so no object without sanitizers can slip in
loaded=(libasan.so libubsan.so libstdc++.so)
tests=(-m "not slow" "${KERNEL_TESTS[@]}")
launch=()
# -fno-wrapv: Python's own flags define what C leaves undefined, overflow and shifts of negative numbers, and would hide it.
flags='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -fno-wrapv'
if [ "${1:-}" = --threads ]; then
    shift
    loaded=(libtsan.so)
    tests=(tests/properties/test_{threads,pieces}.py tests/unit/{runtime/test_threads,rewards/test_reward}.py
        tests/kernels/reading/test_interner.py)
    launch=(setarch --addr-no-randomize) # ThreadSanitizer wants certain addresses for itself
    flags='-fsanitize=thread -fno-omit-frame-pointer'
fi
# The compiler is asked for -O1 behind all else: with the sanitizers, -O3 takes GCC several times as long, minutes for one
# file, and finds nothing more.
printf '#!/bin/sh\nexec "%s" "$@" -O1\n' "${CC:-gcc}" >"$TEMPORARY/cc"
chmod +x "$TEMPORARY/cc"
CC=$TEMPORARY/cc CFLAGS=$flags LDFLAGS=$flags python -m pip install --quiet "$TEMPORARY/source[check]"

# The interpreter itself has no sanitizers, so their libraries are loaded before it; libstdc++ as well, because the
# sanitizer must find the function that throws C++ exceptions, which scipy and pyarrow use.
preload=
for name in "${loaded[@]}"; do preload+="$("${CC:-gcc}" -print-file-name="$name") "; done
# No search for leaks: Python frees little at its end. A huge allocation must fail with a MemoryError, as it does without.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
export PYTHONMALLOC=malloc # Python's own allocator would hide what surrounds the text that a reader scans
export FASTMATCH_FUZZ_SEEDS=${FASTMATCH_FUZZ_SEEDS:-100}
if [ $# -eq 0 ]; then set -- "${tests[@]}"; fi
LD_PRELOAD=$preload "${launch[@]}" pytest -m "slow or not slow" "$@"
