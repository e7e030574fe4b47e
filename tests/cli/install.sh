# SPDX-License-Identifier: GPL-2.0-or-later
# An installation has the program, its man pages, and the lab that it finds from there.
. "$TACHO_SOURCE/tests/cli/lib.sh"
build=$(dirname "$(dirname "$TACHO_RELEASE")")
DESTDIR=$tmp/root meson install -C "$build" --no-rebuild >"$tmp/log" 2>&1 || { cat "$tmp/log"; fail 'meson install'; }
prefix=$tmp/root$(meson introspect "$build" --buildoptions | jq -r '.[] | select(.name == "prefix") | .value')
expect 0 '' "$prefix/bin/tacho" --version
for page in man1/tacho.1 man1/tacho-efficiency.1 man1/tacho-lab.1 man5/tacho-results.5; do
	[ -s "$prefix/share/man/$page" ] || fail "no man page $page"
done
lab=$prefix/libexec/tacho/lab
[ -x "$lab/lab.sh" ] && [ -x "$lab/init" ] && [ -f "$lab/machines/smp.conf" ] && [ -f "$lab/module/Kbuild" ] || fail 'the lab is not whole'
for file in "$TACHO_SOURCE"/lab/module/*; do
	cmp -s "$file" "$lab/module/$(basename "$file")" || fail "$(basename "$file") of the kernel module is not installed"
done
strings -a "$prefix/bin/tacho" 2>/dev/null | grep -F "$TACHO_SOURCE" && fail 'the program names the folder that it was built in'
finish
