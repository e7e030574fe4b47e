# SPDX-License-Identifier: GPL-2.0-or-later
# What `tacho info` says about copies of real machines' trees, against facts read off their files (info-expected.tsv).
. "$TACHO_SOURCE/tests/cli/lib.sh"
machines=$TACHO_SOURCE/../shared/data/machines
[ -d "$machines" ] || skip "no copies of machines in ../shared/data/machines"
command -v jq >/dev/null || skip "jq is not installed"

unpacked() { # NAME: unpacks it and prints the root, which is NAME or what holds sys and proc
	mkdir -p "$tmp/$1"
	tar -xzf "$machines/$1.tar.gz" -C "$tmp/$1" --exclude='*/cache' --exclude='*/acpi_cppc' || return 1
	if [ -d "$tmp/$1/sys" ]; then echo "$tmp/$1"; else echo "$tmp/$1/$1"; fi
}

checked=0
for name in $(cut -f1 "$TACHO_SOURCE/tests/cli/info-expected.tsv" | grep -v '^#' | uniq); do
	root=$(unpacked "$name") || {
		fail "$name: cannot be unpacked"
		continue
	}
	expect 0 '' "$TACHO" info --sysroot "$root" --format json
	# all expressions of a machine in one jq: a list of what differs
	grep "^$name	" "$TACHO_SOURCE/tests/cli/info-expected.tsv" >"$tmp/rows"
	program=$(cut -f2 "$tmp/rows" | sed 's/.*/(.machine | (&)),/; $s/,$//')
	jq -c "$program" "$tmp/out" >"$tmp/got" 2>"$tmp/err" || fail "$name: jq: $(cat "$tmp/err")"
	# numbers may be written in several ways, so the expected values pass through jq too
	cut -f3 "$tmp/rows" | jq -c . >"$tmp/want"
	if ! cmp -s "$tmp/want" "$tmp/got"; then
		cut -f2 "$tmp/rows" | paste - "$tmp/want" "$tmp/got" |
			awk -F'\t' '$2 != $3 { print $1 "\n    expected " $2 "\n    got      " $3 }'
		fail "$name: differs from info-expected.tsv"
	fi
	checked=$((checked + $(wc -l <"$tmp/rows")))
	expect 0 '' "$TACHO" info --sysroot "$root"
	grep -q '^what this machine cannot do:' "$tmp/out" || fail "$name: the text does not end with what it cannot do"
	rm -rf "${tmp:?}/$name"
done
[ "$checked" -ge 100 ] || fail "only $checked facts were checked"
finish
