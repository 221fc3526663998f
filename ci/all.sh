#!/usr/bin/env bash
# Every step, even if one fails; then a line a step, and the closing line of the tests last.
#
# Two lanes run side by side, because most steps use one processor for most of their time: the test suite against the
# release build, and everything else. What a step prints is shown when the step has ended.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
logs=$(mktemp -d "${TMPDIR:-/tmp}/fastmatch-logs.XXXXXX")
lanes=()
trap 'rm -rf "$logs"' EXIT
trap 'kill "${lanes[@]}" 2>/dev/null; exit 130' INT TERM

# lane STEP...: the steps one after the other.
lane() {
    local step start verdict running
    trap 'kill "$running" 2>/dev/null; exit 130' INT TERM
    for step; do
        start=$SECONDS
        bash "$here/$step.sh" >"$logs/$step" 2>&1 &
        running=$!
        if wait "$running"; then verdict=ok; else verdict=FAILED; fi
        printf 'ci: %-8s %-6s %4d s\n' "$step" "$verdict" $((SECONDS - start)) >"$logs/$step.summary"
        printf '\n##### %s\n%s\n' "$step" "$(cat "$logs/$step" "$logs/$step.summary")"
    done
}

# Made by the first step, used again by benches and types.
export FASTMATCH_VENV="$logs/venv"
echo "ci: test beside lint, debug, package, benches and types"
lane test &
lanes+=($!)
{
    lane lint debug package
    until [ -e "$FASTMATCH_VENV/installed" ] || [ -e "$logs/test.summary" ]; do sleep 1; done
    lane benches types
} &
lanes+=($!)
wait "${lanes[@]}"

printf '\n'
for step in lint types package benches debug test; do
    cat "$logs/$step.summary" 2>/dev/null || printf 'ci: %-8s FAILED (did not run)\n' "$step"
done
grep -E '^=+ .*(passed|failed|error|no tests ran).* =+$' "$logs/test" | tail -n 2
# No pipe into `grep -q`: it ends at the first hit, and the signal that ends the other side would count as no hit.
if grep -q FAILED "$logs"/*.summary; then exit 1; fi
[ "$(cat "$logs"/*.summary | wc -l)" -eq 6 ]
