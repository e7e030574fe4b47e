# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of tacho in the lab share; sourced. The lab is that of the sources, its kernels in the user's cache.
. "$TACHO_SOURCE/tests/cli/lib.sh"
TACHO_LAB=$TACHO_SOURCE/lab/lab.sh
export TACHO_LAB
kernel=${kernel:-6.12}
"$TACHO_LAB" --prepare --kernel "$kernel" >"$tmp/prepare" 2>&1
case $? in
0) ;;
77) skip "$(tail -1 "$tmp/prepare")" ;;
*)
	cat "$tmp/prepare"
	exit 1
	;;
esac

# inside STATUS [OPTIONS OF LAB] -- ARGUMENTS: tacho in the emulated machine; output in $tmp/out and $tmp/err
inside() {
	want=$1
	shift
	"$TACHO_RELEASE" lab --kernel "$kernel" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	got=$?
	[ "$got" = "$want" ] || {
		fail "tacho lab $*: exit status $got, expected $want"
		tail -20 "$tmp/err"
	}
}

# script FILE [OPTIONS OF THE LAUNCHER]: a shell script in the emulated machine, with tacho beside it
script() {
	file=$1
	shift
	"$TACHO_LAB" --kernel "$kernel" --add "$TACHO_RELEASE" "$@" -- "$file" >"$tmp/out" 2>"$tmp/err" </dev/null
}
