# SPDX-License-Identifier: GPL-2.0-or-later
# The database as the verbs meet it: files that are none are refused with their name and left alone, one that is there is
# listed and shown, also where it may only be read.
. "$TACHO_SOURCE/tests/cli/lib.sh"

refuses() { # PATTERN FILE: by every verb that reads it
	expect 64 "$1" "$TACHO" log --db "$2"
	expect 64 "$1" "$TACHO" show 1 --db "$2"
	[ ! -s "$tmp/out" ] || fail "$2: something on standard output"
}

# other things under that name
echo "a text that somebody wrote, longer than nothing" >"$tmp/text"
cp "$tmp/text" "$tmp/before"
refuses "text: is not a tacho database" "$tmp/text"
cmp -s "$tmp/text" "$tmp/before" || fail "a file that is no database was changed"
mkdir "$tmp/folder"
refuses "folder: is a folder" "$tmp/folder"
mkfifo "$tmp/fifo"
refuses "fifo: is not a regular file" "$tmp/fifo"
refuses "no such\|no folder\|Not a directory" "$tmp/text/below.db"

# nothing measured yet
expect 0 "" "$TACHO" log
expect 0 "" "$TACHO" log --format json
json '.experiments | length' 0
[ ! -e "$TACHO_DB" ] || fail "reading made a database"
: >"$tmp/empty.db"
expect 0 "" "$TACHO" log --db "$tmp/empty.db"
expect 64 "no experiment" "$TACHO" show 1 --db "$tmp/empty.db"

command -v sqlite3 >/dev/null || {
	echo "sqlite3 is not there: a database of another program and one of a newer tacho were not tried"
	finish
}
sqlite3 "$tmp/other.db" "CREATE TABLE t (x)"
refuses "other.db: is a database of another program" "$tmp/other.db"
sqlite3 "$tmp/newer.db" "PRAGMA application_id = 0x74616368; PRAGMA user_version = 1000; CREATE TABLE t (x)"
refuses "newer.db: was written by a newer tacho (schema 1000" "$tmp/newer.db"
sqlite3 "$tmp/damaged.db" "PRAGMA application_id = 0x74616368; PRAGMA user_version = 1; CREATE TABLE t (x)"
refuses "damaged.db: the database is damaged" "$tmp/damaged.db"
finish
