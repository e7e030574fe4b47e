#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What goes into and comes out of the emulated machine: arguments, both outputs, files, the exit status.
. "$(dirname "$0")/lib.sh"
need_lab

cat >"$dir/guest.sh" <<'END'
#!/bin/sh
printf '[%s]\n' "$@" >/out/arguments
mkdir '/out/a folder' && echo deep >'/out/a folder/file'
dd if=/dev/urandom of=/tmp/noise bs=65536 count=160 2>/dev/null
echo first >&2
md5sum </tmp/noise >/out/sum
cat /tmp/noise
printf 'no newline at the end' >&2
exit 130
END

set -- 'two words' "it's" 'say "no"' '' "\$HOME" '*' 'back\slash' 'two
lines' -x
lab --out "$dir/home" -- "$dir/guest.sh" "$@"
is 'exit status' "$status" 130
is 'arguments' "$(cat "$dir/home/arguments")" "$(printf '[%s]\n' "$@")"
is 'a file in a folder' "$(cat "$dir/home/a folder/file")" deep
is 'ten megabytes of standard output' "$(md5sum <"$dir/stdout")" "$(cat "$dir/home/sum")"
is 'their length' "$(wc -c <"$dir/stdout")" 10485760
is 'standard error' "$(grep -v '^tacho lab: ' "$dir/stderr")" 'first
no newline at the end'

# A program that needs shared libraries, a file beside it, and what a guest has.
cat >"$dir/program.c" <<'END'
#include <math.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	char line[64] = "";
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;

	if (!f || !fgets(line, sizeof(line), f))
		return 1;
	printf("%.0f %s", sqrt(argc * 8.0), line);
	return 3;
}
END
cc=$(command -v cc || command -v gcc || command -v gcc-12) || skip 'no C compiler'
"$cc" -o "$dir/program" "$dir/program.c" -lm || exit 1
echo beside >"$dir/data.txt"
lab --add "$dir/data.txt" -- "$dir/program" data.txt
is 'exit status of a program' "$status" 3
is 'its output' "$(cat "$dir/stdout")" '4 beside'
finish
