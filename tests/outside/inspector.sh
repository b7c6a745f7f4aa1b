#!/usr/bin/env bash
# The MCP Inspector's command line (npm, pinned in tests/outside/package.json) against the server, in both eras.
#
#   inspector.sh BINARY        mcp-inspector must be on the PATH
set -uo pipefail
binary=$(realpath "$1")
cd "$(dirname "$0")/../.."
command -v mcp-inspector >/dev/null || {
    echo "mcp-inspector is missing: npm install in a copy of tests/outside, then put node_modules/.bin on the PATH" >&2
    exit 1
}
corpora=$(realpath -m "${LYCEUM_CORPORA:-../shared/corpora}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work # the Inspector keeps a catalogue there
passed=0 failed=0 skipped=0

inspect() { # FOLDER ERA ARGUMENT…: one run of the Inspector; what it prints goes to $work/out
    local folder=$1 era=$2
    shift 2
    mcp-inspector --cli "$binary" serve mcp --protocol-era "$era" --cwd "$folder" "$@" >"$work/out" 2>"$work/err"
}

expect() { # WHAT JAVASCRIPT: the expression over the printed JSON `it` must hold
    if node -e 'const it = JSON.parse(require("fs").readFileSync(0, "utf8")); process.exit(eval(process.argv[1]) ? 0 : 1)' \
        "$2" <"$work/out" 2>/dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1"
        head -c 600 "$work/out" "$work/err"
        echo
    fi
}

visit() { # FOLDER PAPER
    local folder=$1 paper=$2 name
    name=$(basename "$folder")
    (cd "$folder" && "$binary" call check_text "{\"paths\":[\"$paper\"]}") >"$work/called"
    export CALLED=$work/called
    for era in legacy modern; do
        inspect "$folder" "$era" --method tools/list --strict
        expect "$era $name: list" 'it.tools.map(t => t.name).join().startsWith("check_text,check_rules,academic_review_create,")'
        expect "$era $name: titles" 'it.tools.every(t => t.title && t.description && t.inputSchema.type === "object")'
        inspect "$folder" "$era" --method tools/call --tool-name check_text --tool-arg "paths=[\"$paper\"]"
        expect "$era $name: call" "!it.isError && it.structuredContent.summary.main === '$paper'"
        expect "$era $name: text is the structure" \
            'JSON.stringify(JSON.parse(it.content[0].text)) === JSON.stringify(it.structuredContent)'
        expect "$era $name: same as lyceum call" \
            'it.content[0].text === require("fs").readFileSync(process.env.CALLED, "utf8").trim()'
        inspect "$folder" "$era" --method tools/call --tool-name check_text --tool-arg 'profile="novel"'
        expect "$era $name: wrong argument" 'it.isError && it.structuredContent.error.code === "invalid_arguments"'
    done
}

visit "$PWD/examples/paper" paper.tex
real=$corpora/manuscripts/joss_emcee
paper=$(find "$real" -name paper.md 2>/dev/null | head -1)
if [ -n "$paper" ]; then
    visit "$(dirname "$paper")" paper.md
else
    skipped=$((skipped + 1))
    echo "skipped: joss_emcee (corpora absent)"
fi
echo "inspector: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
