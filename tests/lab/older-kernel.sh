# SPDX-License-Identifier: GPL-2.0-or-later
# The same with Debian's 6.1 kernel; its modules are loaded as needed and gone afterwards.
kernel=6.1
. "$TACHO_SOURCE/tests/lab/tacho.sh"
inside 0 -- efficiency --governor ondemand,conservative --loops 2 --repeat 3 --seed 5 --format json
json '[.configurations[].name]' '["ondemand","conservative","performance","powersave"]'
json '.machine.kernel | startswith("6.1.")' true
json '.blocks | length' 3
cat >"$tmp/modules.sh" <<'END'
before=$(cut -d' ' -f1 /proc/modules | sort | tr '\n' ' ')
./tacho efficiency --governor conservative --loops 2 --repeat 1 -q >/dev/null || echo "tacho: $?"
after=$(cut -d' ' -f1 /proc/modules | sort | tr '\n' ' ')
[ "$before" = "$after" ] && echo same || echo "modules before: $before, after: $after"
END
script "$tmp/modules.sh" || fail 'the guest script'
[ "$(cat "$tmp/out")" = same ] || fail "$(cat "$tmp/out" "$tmp/err")"
finish
