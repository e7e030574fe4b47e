# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of the emulated machine share; sourced. $TACHO_LAB is the launcher, lab/lab.sh unless given. A test has
# $dir, a folder of its own that is removed at the end, and nothing of a launch may be left in $TMPDIR inside it.
here=$(cd "$(dirname "$0")" && pwd)
launcher=${TACHO_LAB:-$here/../../lab/lab.sh}
dir=$(mktemp -d "${TMPDIR:-/tmp}/test-lab.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
mkdir "$dir/tmp" || exit 1
export TMPDIR="$dir/tmp" LC_ALL=C
failures=0

skip() {
	echo "skipped: $*"
	exit 77
}

fail() {
	failures=$((failures + 1))
	echo "not as expected: $*"
}

# is WHAT FOUND EXPECTED
is() { [ "$2" = "$3" ] || fail "$1: found '$2', expected '$3'"; }

# holds WHAT EXPRESSION: an arithmetic comparison, of real numbers too
holds() { awk "BEGIN { exit !($2) }" || fail "$1: $2"; }

# lab ARGUMENTS: a launch; its results in $dir/stdout, $dir/stderr and $status
lab() {
	status=0
	sh "$launcher" "$@" >"$dir/stdout" 2>"$dir/stderr" </dev/null || status=$?
	left=$(ls -A "$TMPDIR")
	[ -z "$left" ] || fail "the launch left $left in TMPDIR"
}

# Skips the test where the machine cannot be prepared here, which is not what it is about.
need_lab() {
	lab --prepare
	[ "$status" -ne 77 ] || skip "$(tail -1 "$dir/stderr")"
	[ "$status" -eq 0 ] || { cat "$dir/stderr"; echo "--prepare ends with $status"; exit 1; }
	is 'standard output of --prepare' "$(cat "$dir/stdout")" ''
}

finish() {
	[ "$failures" -eq 0 ] || { sed 's/^/    /' "$dir/stderr" | tail -30; exit 1; }
	exit 0
}
