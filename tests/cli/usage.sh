# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: help, hints, exit statuses, and where output goes.
. "$TACHO_SOURCE/tests/cli/lib.sh"
make_tree "$tmp/tree"

expect 64 '' "$TACHO"
expect 0 '' "$TACHO" --help
[ "$(wc -l <"$tmp/out")" -lt 40 ] || fail '--help does not fit a screen'
expect 0 '' "$TACHO" --version
grep -qx 'tacho [0-9.]*' "$tmp/out" || fail '--version'
expect 64 'did you mean `efficiency`' "$TACHO" eficiency
expect 64 'tacho --help' "$TACHO" qqqqqqqq
expect 64 'did you mean --format' "$TACHO" info --fromat json
expect 64 'text, json' "$TACHO" info --format xml
expect 64 'takes no argument' "$TACHO" info this
expect 64 'did you mean knobs' "$TACHO" list knob
expect 64 'needs the number or name' "$TACHO" show
expect 64 'a measurement makes it' "$TACHO" show 1
expect 0 '' "$TACHO" log
expect 64 'no such file' "$TACHO" log --db "$tmp/none.db"
expect 64 'needs a command' "$TACHO" lab
expect 64 'before the command' "$TACHO" lab -- efficiency --db "$tmp/x.db"
expect 64 'before the command' "$TACHO" lab -- info -o "$tmp/x"
expect 64 'go behind it' "$TACHO" lab --dry-run -- efficiency
expect 64 'no lab inside' "$TACHO" lab -- lab -- info
expect 64 'nowhere' "$TACHO" info --sysroot "$tmp/tree" -o "$tmp/nowhere/file"

expect 0 '' "$TACHO" info --sysroot "$tmp/tree" --format json
json '.machine.policies | length' 2
json '.machine.kernel' '"6.1.0-test"'
json '[.measurements[] | select(.name == "efficiency")][0].available' true
json '[.knobs[] | select(.name == "governor")][0].available' true
json 'has("meters")' true
expect 0 '' "$TACHO" info --sysroot "$tmp/tree" -o "$tmp/file"
[ ! -s "$tmp/out" ] || fail '-o wrote to standard output too'
grep -q acpi-cpufreq "$tmp/file" || fail '-o: no result in the file'
for kind in measurements knobs meters metrics; do
	expect 0 '' "$TACHO" list "$kind" --sysroot "$tmp/tree"
	[ -s "$tmp/out" ] || fail "list $kind is empty"
	expect 0 '' "$TACHO" list "$kind" --sysroot "$tmp/tree" --format json
	json type '"array"'
done
expect 0 '' "$TACHO" list --sysroot "$tmp/tree" --format json
json 'keys | length' 4

# a machine without cpufreq: said, exit status 77
mkdir -p "$tmp/bare/sys/devices/system/cpu" "$tmp/bare/proc"
put "$tmp/bare/sys/devices/system/cpu/present" 0
put "$tmp/bare/sys/devices/system/cpu/online" 0
expect 77 'no cpufreq policies' "$TACHO" efficiency --sysroot "$tmp/bare" --dry-run

# results that cannot be written are a failure
if [ -e /dev/full ]; then
	"$TACHO" info --sysroot "$tmp/tree" >/dev/full 2>"$tmp/err"
	[ $? = 1 ] || fail 'a full device was not noticed'
	grep -q 'standard output' "$tmp/err" || fail 'a full device: no message'
fi
finish
