#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the launcher says and leaves when something goes wrong.
. "$(dirname "$0")/lib.sh"

usage() { # WHAT ARGUMENTS: refused before anything is fetched or started
	what=$1
	shift
	lab "$@"
	is "exit status of $what" "$status" 64
	is "standard output of $what" "$(cat "$dir/stdout")" ''
	[ -s "$dir/stderr" ] || fail "$what: no message"
}
usage 'an unknown option' --nonsense -- true
usage 'an unknown machine' --machine nonsense -- true
usage 'a bad kernel version' --kernel '6.12;reboot' -- true
usage 'a bad timeout' --timeout soon -- true
usage 'no program'

# Without the emulator: everything else is on PATH.
mkdir "$dir/bin"
for folder in /bin /sbin /usr/bin /usr/sbin; do
	for file in "$folder"/*; do
		case ${file##*/} in qemu-*) ;; *) ln -sf "$file" "$dir/bin/" ;; esac
	done
done
PATH=$dir/bin lab -- /bin/true
is 'exit status without QEMU' "$status" 77
grep -q 'qemu-system-x86' "$dir/stderr" || fail 'the message does not name the package'
is 'lines of the message' "$(wc -l <"$dir/stderr")" 1

# Nothing fetched before and no network: told, and nothing half made is left.
printf '#!/bin/sh\nexit 100\n' >"$dir/apt-get"
chmod +x "$dir/apt-get"
if command -v apt-cache >/dev/null; then
	PATH=$dir:$PATH TACHO_LAB_CACHE=$dir/cache lab --prepare
	is 'exit status without network' "$status" 77
	grep -q 'no kernel' "$dir/stderr" || fail 'the message does not say what is missing'
	is 'left in the cache' "$(ls -A "$dir/cache")" lock
fi

need_lab
lab -- "$dir/no-such-program"
is 'exit status with no such program' "$status" 64
grep -q no-such-program "$dir/stderr" || fail 'the message does not name the program'

printf '#!/bin/sh\necho c >/proc/sysrq-trigger\nsleep 60\n' >"$dir/panic.sh"
lab -- "$dir/panic.sh"
is 'exit status of a panic' "$status" 1
grep -q 'sysrq: Trigger a crash\|Kernel panic' "$dir/stderr" || fail 'the panic is not shown'

printf '#!/bin/sh\nwhile :; do :; done\n' >"$dir/endless.sh"
lab --timeout 3 -- "$dir/endless.sh"
is 'exit status of a machine that does not end' "$status" 1
grep -q 'within 3 s' "$dir/stderr" || fail 'the timeout is not told'

# Interrupted: QEMU ends too, and nothing is left.
sh "$launcher" -- "$dir/endless.sh" >/dev/null 2>"$dir/stderr" </dev/null &
launch=$!
machines() { # processes of QEMU that this launch started
	for p in /proc/[0-9]*; do
		[ -r "$p/cmdline" ] && tr '\0' ' ' 2>/dev/null <"$p/cmdline" | grep -q "^qemu-system.*$TMPDIR" && echo "${p#/proc/}"
	done
}
tries=0
while [ -z "$(machines)" ] && [ $tries -lt 300 ]; do
	sleep 0.2
	tries=$((tries + 1))
done
[ -n "$(machines)" ] || fail 'no machine was started'
kill -TERM $launch
status=0
wait $launch || status=$?
is 'exit status when interrupted' "$status" 130
tries=0
while [ -n "$(machines)" ] && [ $tries -lt 50 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
is 'machines left running' "$(machines)" ''
is 'files left' "$(ls -A "$TMPDIR")" ''
finish
