# SPDX-License-Identifier: GPL-2.0-or-later
# What disturbs a measurement is said, and never becomes a number: a frequency that has no effect, a governor or a limit that
# someone else changes, a second tacho. And a signal puts everything back.
. "$TACHO_SOURCE/tests/lab/tacho.sh"

cat >"$tmp/guest.sh" <<'END'
policy=/sys/devices/system/cpu/cpufreq/policy1
export TACHO_DB=/tmp/tacho.db
short='--run 100ms --sleep 100ms --loops 3 --settle 100ms --seed 1'
state() { for f in /sys/devices/system/cpu/cpufreq/policy*/scaling_*_freq /sys/devices/system/cpu/cpufreq/policy*/scaling_governor; do
	case $f in *cur_freq) ;; *) cat "$f" ;; esac; done; ls /sys/devices/system/cpu/cpufreq; cut -d' ' -f1 /proc/modules | sort; }
state >/tmp/before
same() { state >/tmp/after; cmp -s /tmp/before /tmp/after && echo "$1 restored" || { echo "$1 left changed"; diff /tmp/before /tmp/after; }; }

# no effect: everything at the lowest frequency
./tacho efficiency $short --repeat 2 --governor schedutil --set max_freq=min >/tmp/none 2>/tmp/none.err
echo "none $? $(wc -l </tmp/none) $(grep -c 'no efficiency to give' /tmp/none.err)"
same none

# someone sets another governor in the middle of a block
(sleep 1; echo powersave >$policy/scaling_governor) &
./tacho efficiency $short --repeat 3 --governor schedutil --format json >/tmp/governor 2>/tmp/governor.err
echo "governor $?"
grep -c 'discarded and repeated:.*governor' /tmp/governor.err
cp /tmp/governor /out/governor.json
echo schedutil >$policy/scaling_governor # what that someone set is not ours to undo
rmmod cpufreq_powersave 2>/dev/null
same governor

# someone lowers a limit
(sleep 1; echo 900000 >$policy/scaling_max_freq; sleep 1; echo 1800000 >$policy/scaling_max_freq) &
./tacho efficiency $short --repeat 3 --governor schedutil --format json >/tmp/limit 2>/tmp/limit.err
echo "limit $? $(grep -c 'discarded and repeated: the highest frequency' /tmp/limit.err | sed 's/[1-9]/some/')"
wait
same limit

# a second one is refused, with the pid of the first
./tacho efficiency $short --repeat 50 --governor schedutil >/dev/null 2>&1 &
first=$!
sleep 1
./tacho efficiency $short --repeat 1 --governor schedutil >/dev/null 2>/tmp/second.err
echo "second $? $(grep -c "$first" /tmp/second.err)"
for signal in TERM HUP PIPE; do
	kill -$signal $first
	wait $first
	echo "$signal $?"
	same $signal
	./tacho efficiency $short --repeat 50 --governor conservative,ondemand >/dev/null 2>&1 &
	first=$!
	sleep 2
done
kill -9 $first
wait $first 2>/dev/null
sleep 2
timeout -s INT 2 ./tacho efficiency $short --repeat 50 --governor conservative >/dev/null 2>&1 # in the background, INT is ignored
echo "INT $?"
same INT
./tacho efficiency $short --repeat 50 --governor conservative,ondemand >/dev/null 2>&1 &
first=$!
sleep 2
kill -9 $first
wait $first 2>/dev/null
sleep 2
./tacho restore >/dev/null
same KILL
./tacho log --format json >/out/log.json
END
script "$tmp/guest.sh" --out "$tmp/home" || fail "the guest script: $(tail -3 "$tmp/err")"
cat >"$tmp/expected" <<'END'
none 1 0 1
none restored
governor 0
1
governor restored
limit 0 some
limit restored
second 1 1
TERM 130
TERM restored
HUP 130
HUP restored
PIPE 130
PIPE restored
INT 130
INT restored
KILL restored
END
diff "$tmp/expected" "$tmp/out" || fail 'not as expected (above: < expected, > found)'
json '.discarded | length' 1 "$tmp/home/governor.json"
json '[.experiments[] | select(.status == "interrupted")] | length' 6 "$tmp/home/log.json"
finish
