# SPDX-License-Identifier: GPL-2.0-or-later
# Plans: which configurations a command line gives, in which order, and what is refused before anything is changed.
. "$TACHO_SOURCE/tests/cli/lib.sh"
make_tree "$tmp/tree"
cp -a "$tmp/tree" "$tmp/before"
plan() { expect 0 '' "$TACHO" efficiency --sysroot "$tmp/tree" --dry-run --seed 7 "$@"; }
refuse() { # PATTERN OPTIONS...
	pattern=$1
	shift
	expect 64 "$pattern" "$TACHO" efficiency --sysroot "$tmp/tree" --dry-run "$@"
	[ "$(wc -l <"$tmp/err")" = 1 ] || { fail "$*: more than one line"; cat "$tmp/err"; }
}
configurations() { sed -n 's/^  [a-z]\{1,2\}  //p' "$tmp/out" | tr '\n' ';'; }
is() { [ "$(configurations)" = "$1" ] || fail "configurations: $(configurations), expected $1"; }

plan --repeat 6
is 'ondemand  (baseline);conservative;performance  (reference);powersave  (reference);schedutil;'
grep -q '^6 blocks of 5 configurations, seed 7' "$tmp/out" || fail 'no summary'
sed -n '/^order/,$p' "$tmp/out" >"$tmp/order"
[ "$(wc -l <"$tmp/order")" = 7 ] || fail 'not 6 blocks'
plan --repeat 6
sed -n '/^order/,$p' "$tmp/out" | cmp -s - "$tmp/order" || fail 'the same seed gave another order'
expect 0 '' "$TACHO" efficiency --sysroot "$tmp/tree" --dry-run --seed 8 --repeat 6
sed -n '/^order/,$p' "$tmp/out" | cmp -s - "$tmp/order" && fail 'another seed gave the same order'
# every block has every configuration once
sed -n 's/^ *[0-9]*: //p' "$tmp/order" | while read -r line; do echo "$line" | tr ' ' '\n' | sort | tr -d '\n'; echo; done | sort -u >"$tmp/sets"
[ "$(cat "$tmp/sets")" = abcde ] || fail "blocks: $(cat "$tmp/sets")"

plan --governor schedutil,ondemand
is 'schedutil  (baseline);ondemand;performance  (reference);powersave  (reference);'
plan --vary ondemand/sampling_down_factor=1,10 # the governor is implied
is 'ondemand sampling_down_factor=1  (baseline);ondemand sampling_down_factor=10;performance  (reference);powersave  (reference);'
plan --governor ondemand,schedutil --vary ondemand/sampling_rate=10000,20000
is 'ondemand sampling_rate=10000  (baseline);ondemand sampling_rate=20000;schedutil;performance  (reference);powersave  (reference);'
grep -q 'governor=ondemand ondemand/sampling_rate=20000' "$tmp/out" || fail 'the tunable is not set'
plan --vary governor=ondemand,ondemand
is 'ondemand  (baseline);ondemand;performance  (reference);powersave  (reference);'
plan --governor userspace@1500MHz,performance
is 'userspace@1500MHz  (baseline);performance  (reference);powersave  (reference);'
plan --governor schedutil --set max_freq=1500000
grep -c 'max_freq=1500000' "$tmp/out" | grep -qx 3 || fail '--set is not in every configuration'
plan --governor schedutil --vary cpus=0+1,2
is 'schedutil cpus=0+1  (baseline);schedutil cpus=2;performance {"cpus":"0+1"}  (reference);powersave {"cpus":"0+1"}  (reference);performance {"cpus":"2"}  (reference);powersave {"cpus":"2"}  (reference);'

# the upper limit is lowered where the name powersave does not mean the lowest frequency
put "$tmp/tree/sys/devices/system/cpu/cpufreq/policy0/scaling_min_freq" 1500000
plan --governor schedutil
is 'schedutil  (baseline);performance  (reference);lowest frequency  (reference);'
put "$tmp/tree/sys/devices/system/cpu/cpufreq/policy0/scaling_min_freq" 1000000

refuse 'turbo.*ondemand' --governor turbo
refuse '99' --cpus 99
refuse 'offline' --cpus 3
refuse '0-3,8' --cpus 1-
refuse 'out of range' --run 0
refuse 'parsecs' --run 100parsecs
refuse 'unit' --run 100
refuse '--loops' --loops 0
refuse '--loops' --loops many
refuse 'did you mean --governor' --govenor all
refuse 'no knob and no option' --vary colour=red,blue
refuse 'empty value' --vary governor=ondemand,
refuse 'twice' --vary boost=0,1 --vary boost=1,0
refuse 'one of them' --governor ondemand --vary governor=ondemand,schedutil
refuse 'one of them' --set max_freq=1500000 --vary max_freq=1500000,2000000
refuse '--class' --class realtime
refuse '--seed' --seed minus
refuse 'takes no argument' extra
refuse 'sampling_ratio' --governor ondemand --set ondemand/sampling_ratio=5
expect 64 'cannot be measured' "$TACHO" efficiency --sysroot "$tmp/tree"
expect 64 'no-such-folder' "$TACHO" info --sysroot "$tmp/no-such-folder"
diff -r "$tmp/tree" "$tmp/before" >"$tmp/diff" || { fail 'planning changed something'; cat "$tmp/diff"; }
[ ! -e "$TACHO_DB" ] || fail 'planning made a database'
finish
