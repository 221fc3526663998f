#!/usr/bin/env bash
# Every step, one after the other, even if one fails; then a line a step, and the closing line of the tests last.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
logs=$(mktemp -d "${TMPDIR:-/tmp}/fastmatch-logs.XXXXXX")
trap 'rm -rf "$logs"' EXIT

failed=0
summary=()
for step in lint types package debug test; do
    printf '\n##### %s\n' "$step"
    start=$SECONDS
    if bash "$here/$step.sh" 2>&1 | tee "$logs/$step"; then verdict=ok; else verdict=FAILED failed=1; fi
    summary+=("$(printf 'ci: %-8s %-6s %4d s' "$step" "$verdict" $((SECONDS - start)))")
done

printf '\n'
printf '%s\n' "${summary[@]}"
grep -E '^=+ .*(passed|failed|error|no tests ran).* =+$' "$logs/test" | tail -n 1
exit "$failed"
