# SPDX-License-Identifier: GPL-2.0-or-later
# tacho is killed with SIGKILL at random moments, 200 times, in the emulated machine (its watchdog and the one that restores
# sometimes too): governors, tunables, limits, scheduler features and loaded modules are as they were after each.
. "$TACHO_SOURCE/tests/lab/tacho.sh"
for try in 1 2 3; do
	script "$TACHO_SOURCE/tests/lab/guest-kill.sh" --env ROUNDS="${ROUNDS:-200}"
	status=$?
	# a panic of the emulated kernel says nothing of what this tests; it is told, and tried again
	grep -q 'Kernel panic' "$tmp/err" || break
	echo "the emulated kernel crashed in try $try:"
	tail -n 5 "$tmp/err"
done
[ "$status" = 0 ] || {
	fail 'the script in the emulated machine failed'
	tail -n 40 "$tmp/out"
	tail -n 20 "$tmp/err"
}
tally=$(grep '^rounds ' "$tmp/out")
echo "$tally"
count() { echo "$tally" | sed -n "s/.*\\b$1 \\([0-9]*\\).*/\\1/p"; }
[ "$(count bad)" = 0 ] || fail "settings were left changed"
[ "0$(count killed)" -ge $((${ROUNDS:-200} * 8 / 10)) ] || fail "too few were killed before their end"
[ "0$(count dirty)" -ge $((${ROUNDS:-200} / 10)) ] || fail "too few left something to put back"
[ "0$(count watchdogs)" -ge 1 ] || fail 'no watchdog was killed'
grep -q '^last exit 0$' "$tmp/out" || fail "a run after all that does not end well: $(tail -3 "$tmp/out")"
finish
