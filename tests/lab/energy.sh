#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Idle states that take their time to leave, and energy counters that agree with the described power: one boot.
. "$(dirname "$0")/lib.sh"
cc=$(command -v cc || command -v gcc || command -v gcc-12) || skip 'no C compiler'
need_lab
"$cc" -O2 -static -o "$dir/work" "$here/work.c" || exit 1

# wake CPU INTERVAL-US COUNT: mean microseconds from the instant that a task asked to be woken at until it runs
cat >"$dir/wake.c" <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
	cpu_set_t set;
	struct timespec t, now;
	long interval, count;
	double sum = 0;

	if (argc != 4)
		return 64;
	CPU_ZERO(&set);
	CPU_SET(atoi(argv[1]), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return 1;
	interval = atol(argv[2]) * 1000;
	count = atol(argv[3]);
	clock_gettime(CLOCK_MONOTONIC, &t);
	for (long i = -10; i < count; i++) {
		t.tv_nsec += interval;
		t.tv_sec += t.tv_nsec / 1000000000;
		t.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (i >= 0)
			sum += (double)(now.tv_sec - t.tv_sec) * 1e6 + (double)(now.tv_nsec - t.tv_nsec) / 1e3;
	}
	printf("%.0f\n", sum / (double)count);
	return 0;
}
END
"$cc" -O2 -static -o "$dir/wake" "$dir/wake.c" || exit 1

cat >"$dir/guest.sh" <<'END'
#!/bin/sh
cpus=/sys/devices/system/cpu
governor() {
	for p in $cpus/cpufreq/policy*; do echo $1 >$p/scaling_governor; done
	sleep 0.2
}
for h in /sys/class/hwmon/hwmon*; do [ "$(cat $h/name)" = tacho_lab ] && break; done
zone=/sys/class/powercap/tacho-lab:0
energy() { cat $h/energy$1_input; }
cat $h/energy*_label >/out/labels
cat $cpus/cpu1/cpuidle/state*/latency >/out/latencies
cat $cpus/cpuidle/current_driver $zone/name >/out/names
governor performance
for interval in 300 1500 15000; do echo "$interval $(./wake 1 $interval 200)"; done >/out/wake
cat $cpus/cpu1/cpuidle/state*/usage >/out/usage
for g in performance powersave; do
	governor $g
	one=$(energy 2)
	ns=$(./work 1 20000000 5 0 | awk '{ s += $1 } END { printf "%.0f", s * 6 / 5 }')
	echo "$g $ns $(($(energy 2) - one))"
done >/out/busy
one=$(energy 1) two=$(energy 2) all=$(energy 3) wrapping=$(cat $zone/energy_uj)
sleep 10
echo "$(($(energy 1) - one)) $(($(energy 2) - two)) $(($(energy 3) - all)) $(($(cat $zone/energy_uj) - wrapping))" >/out/idle
# until the zone's counter has wrapped
governor performance
range=$(cat $zone/max_energy_range_uj)
all=$(energy 3) n=0
echo "$all $(cat $zone/energy_uj) $range" >/out/wrap
while [ $(($(energy 3) / (range + 1))) = $((all / (range + 1))) ] && [ $n -lt 40 ]; do
	./work 1 80000000 1 0 >/dev/null
	n=$((n + 1))
done
echo "$(energy 3) $(cat $zone/energy_uj) $range" >>/out/wrap
exit 0
END
chmod +x "$dir/guest.sh"
lab --kernel "${TACHO_LAB_KERNEL:-6.12}" --out "$dir/home" --add "$dir/work" --add "$dir/wake" -- "$dir/guest.sh"
is 'exit status' "$status" 0
cd "$dir/home" || { cat "$dir/stderr"; exit 1; }

is 'sensors' "$(tr '\n' ' ' <labels)" 'cluster0 cluster1 total '
is 'latencies of the idle states' "$(tr '\n' ' ' <latencies)" '2 100 700 '
is 'names' "$(tr '\n' ' ' <names)" 'tacho-lab package-0 '

cat wake
wake() { awk -v i="$1" '$1 == i { print $2 }' wake; }
# each deeper state adds the difference of the latencies, or most of it where the idle governor is not always of one mind
holds 'wake-up latencies in steps' "$(wake 1500) > $(wake 300) + 40 && $(wake 15000) > $(wake 1500) + 500"
awk '$1 == 0 { exit 1 }' usage || fail "an idle state was never used: $(tr '\n' ' ' <usage)"

# the power of one CPU that runs, which the description gives, whatever the time took
while read -r governor ns uj; do
	mw=$(awk "BEGIN { printf \"%.0f\", $uj * 1e6 / $ns }")
	echo "$governor: $mw mW"
	case $governor in
	performance) holds 'mW at the highest frequency' "$mw > 2010 * 0.96 && $mw < 2010 * 1.06" ;;
	powersave) holds 'mW at the lowest' "$mw > 147 * 0.96 && $mw < 147 * 1.06" ;;
	esac
done <busy
read -r one two all wrapping <idle
echo "idle for 10 s: $one uJ, $two uJ, in all $all uJ"
# 3 mW each in the deepest state, and what wakes them now and then
holds 'idle energy of a CPU' "$one > 30000 && $one < 200000 && $two > 30000 && $two < 200000"
holds 'the total' "$all >= ($one + $two) * 0.99 && $all < ($one + $two) * 1.1"
range=$(awk '{ print $3; exit }' wrap)
[ "$wrapping" -ge 0 ] || wrapping=$((wrapping + range + 1))
holds 'the zone against the sensor' "$wrapping > $all * 0.99 && $wrapping < $all * 1.1"
while read -r all zone range; do
	holds 'the zone is the total, wrapped' "($zone - $all % ($range + 1)) >= 0 && ($zone - $all % ($range + 1)) < 100000"
done <wrap
awk 'NR == 1 { n = int($1 / ($3 + 1)) } NR == 2 { exit !(int($1 / ($3 + 1)) > n && $2 < $1) }' wrap || fail "the zone did not wrap: $(cat wrap)"
finish
