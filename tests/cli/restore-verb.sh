# SPDX-License-Identifier: GPL-2.0-or-later
# `tacho restore` on a made-up tree, with journals written here by the format that src/knob/journal.h gives.
. "$TACHO_SOURCE/tests/cli/lib.sh"
tree=$tmp/tree state=$tmp/state tab=$(printf '\t')
mkdir -p "$tree/sys" "$tree/proc/sys/kernel/random" "$tree/etc" "$state"
chmod 700 "$state"
echo boot-one >"$tree/proc/sys/kernel/random/boot_id"
real=$(cd "$tree" && pwd -P)

# record FIELDS...: one line, tabs between the fields, their CRC-32 (which gzip computes) before
record() {
	text=$1
	shift
	for field; do text=$text$tab$field; done
	crc=$(printf %s "$text" | gzip -c | tail -c 8 | od -An -tx1 | awk '{ print $4 $3 $2 $1; exit }')
	printf '%s %s\n' "$crc" "$text"
}

# journal BOOT ROOT PID
journal() { record T 1 "$1" "$(uname -n)" "$2" "$3" 1; }

sh -c 'exit 0' &
dead=$!
wait $dead

restore() { # STATUS STDERR-PATTERN [ARGS]
	status=$1 pattern=$2
	shift 2
	expect "$status" "$pattern" "$TACHO" restore --sysroot "$tree" --state "$state" "$@"
}
is() { [ "$(cat "$1")" = "$2" ] || fail "$1 has '$(cat "$1")', expected '$2'"; }

restore 0 ''
grep -q 'nothing to put back' "$tmp/out" || fail "nothing to put back: $(cat "$tmp/out")"

# two changes of one file, undone from the last one on; one was undone already
echo 3 >"$tree/sys/a"
echo 5 >"$tree/sys/b"
{
	journal boot-one "$real" "$dead"
	record C 1 write text 0 'file:/sys/a' /sys/a 1 2
	record C 2 write text 0 'file:/sys/a' /sys/a 2 3
	record C 3 write text 0 'file:/sys/b' /sys/b 4 6
	record U 3
} >"$state/journal.$dead.1"
restore 0 '' --format json
json .restored 2
is "$tree/sys/a" 1
is "$tree/sys/b" 5
[ -z "$(ls "$state")" ] || fail "left in the state folder: $(ls "$state")"

# a torn last record was never made
echo 2 >"$tree/sys/a"
echo 6 >"$tree/sys/b"
{
	journal boot-one "$real" "$dead"
	record C 1 write text 0 a /sys/a 1 2
	record C 2 write text 0 b /sys/b 4 6 | head -c 20
} >"$state/journal.$dead.1"
restore 0 ''
grep -q '^1 setting put back' "$tmp/out" || fail "one setting: $(cat "$tmp/out")"
is "$tree/sys/a" 1
is "$tree/sys/b" 6

# someone else's value is left and said, once
echo 9 >"$tree/sys/a"
{
	journal boot-one "$real" "$dead"
	record C 1 write text 0 a /sys/a 1 2
} >"$state/journal.$dead.1"
restore 4 "someone else set .9. since"
is "$tree/sys/a" 9
restore 0 ''

# a file that is gone stays in the journal
{
	journal boot-one "$real" "$dead"
	record C 1 write text 0 c /sys/gone 1 2
} >"$state/journal.$dead.1"
restore 4 '/sys/gone'
[ -f "$state/journal.$dead.1" ] || fail 'the journal of what could not be put back is gone'
echo 2 >"$tree/sys/gone"
restore 0 ''
is "$tree/sys/gone" 1

# another boot: only what is on disk, and commands
echo 2 >"$tree/sys/a"
printf 'new' >"$tree/etc/conf"
{
	journal boot-none "$real" "$dead"
	record C 1 write text 0 a /sys/a 1 2
	record C 2 write text 0 conf /etc/conf 'two\nlines\t' new
	record C 3 command text 0 command:x x 'echo undone >"$TACHO_SYSROOT/undone"' true
} >"$state/journal.$dead.1"
restore 0 ''
is "$tree/sys/a" 2
[ "$(od -An -c "$tree/etc/conf" | tr -d ' \n')" = 'two\nlines\t' ] || fail "conf: $(od -An -c "$tree/etc/conf")"
is "$tree/undone" undone

# another root's, another machine's and a living owner's are none of ours
echo 2 >"$tree/sys/a"
{
	journal boot-one / "$dead"
	record C 1 write text 0 a /sys/a 1 2
} >"$state/journal.$dead.1"
{
	record T 1 boot-one "not-$(uname -n)" "$real" "$dead" 1
	record C 1 write text 0 a /sys/a 1 2
} >"$state/journal.$dead.2"
restore 0 ''
is "$tree/sys/a" 2
[ "$(ls "$state" | wc -l)" -eq 2 ] || fail "left in the state folder: $(ls "$state")"
rm "$state"/journal.*

# damage in the middle: what is whole is done, the file is kept aside
{
	journal boot-one "$real" "$dead"
	echo 'nonsense'
	record C 1 write text 0 a /sys/a 1 2
} >"$state/journal.$dead.1"
restore 4 'damaged'
is "$tree/sys/a" 1
restore 0 ''
expect 64 'restore takes no argument' "$TACHO" restore now
finish
