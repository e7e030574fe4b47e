# SPDX-License-Identifier: GPL-2.0-or-later
# The work loop under other compilers and flags: none folds or deletes it.
. "$TACHO_SOURCE/tests/cli/lib.sh"
cd "$TACHO_SOURCE" || exit 1
built=0
for cc in gcc clang; do
	command -v "$cc" >/dev/null || continue
	for flags in -O0 -O1 -O2 -O3 -Ofast -Os "-O3 -flto" "-O3 -funroll-loops -march=native"; do
		# shellcheck disable=SC2086
		"$cc" $flags -std=gnu17 -D_GNU_SOURCE -Isrc -Itests/unit tests/unit/test-work.c src/lib/work.c -lcmocka -o "$tmp/work" 2>"$tmp/log" || {
			grep -q 'plugin\|LTO\|lto' "$tmp/log" && continue # this compiler has no link-time optimisation here
			fail "$cc $flags does not build"
			cat "$tmp/log"
			continue
		}
		built=$((built + 1))
		"$tmp/work" >"$tmp/log" 2>&1 || { fail "$cc $flags"; cat "$tmp/log"; }
	done
done
[ "$built" -ge 6 ] || fail "only $built variants were built"
finish
