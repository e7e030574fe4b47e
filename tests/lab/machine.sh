#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The emulated machine is as slow as its frequency says, and the kernel's own governors drive it: one boot, of the kernel
# $TACHO_LAB_KERNEL, or 6.12.
. "$(dirname "$0")/lib.sh"
cc=$(command -v cc || command -v gcc || command -v gcc-12) || skip 'no C compiler'
need_lab
"$cc" -O2 -static -o "$dir/work" "$here/work.c" || exit 1

cat >"$dir/guest.sh" <<'END'
#!/bin/sh
p=/sys/devices/system/cpu/cpufreq/policy1
stolen() { awk '$1 == 1 { print $2 }' /sys/kernel/tacho_lab/stolen_ns; }
uname -n >/out/name
ls /boot >/out/boot
cat $p/affected_cpus >/out/policy
cat $p/scaling_available_frequencies >/out/frequencies
# Every governor attaches when its name is written: the kernel finds the module.
for g in conservative ondemand powersave schedutil userspace performance; do
	echo $g >$p/scaling_governor
	cat $p/scaling_governor
done >/out/governors
# The same work at every frequency.
echo userspace >$p/scaling_governor
for f in 1800000 900000 300000 600000 1500000 1200000 1800000 300000; do
	echo $f >$p/scaling_setspeed
	sleep 0.1
	before=$(stolen)
	./work 1 4000000 5 0 | sed "s/^/$(cat $p/scaling_cur_freq) /" >>/out/speed
	echo "$f $(($(stolen) - before))" >>/out/stolen
done
# Short activations lose as much as long ones.
for f in 1800000 300000; do
	echo $f >$p/scaling_setspeed
	sleep 0.1
	./work 1 20000 400 1 | awk -v f=$f '{ s += $1 } END { printf "%d %.0f\n", f, s }' >>/out/short
done
# Work that starts and stops, 100 ms at the highest frequency; residencies are the kernel's.
echo 1800000 >$p/scaling_setspeed
sleep 0.1
steps=$(./work 1 1000000 1 0 | awk '{ printf "%.0f", 1e6 * 1e8 / $1 }')
for g in performance powersave ondemand schedutil conservative slow-ondemand; do
	echo ${g#slow-} >$p/scaling_governor
	[ $g != slow-ondemand ] || echo 400000 >/sys/devices/system/cpu/cpufreq/ondemand/sampling_rate
	sleep 2
	./work 1 "$steps" 3 1000 | awk -v g=$g '{ s += $1 } END { print g, s / NR }' >>/out/efficiency
	sed "s/^/$g /" $p/stats/time_in_state >>/out/residency
done
exit 0
END
chmod +x "$dir/guest.sh"
lab --kernel "${TACHO_LAB_KERNEL:-6.12}" --out "$dir/home" --add "$dir/work" -- "$dir/guest.sh"
is 'exit status' "$status" 0
cd "$dir/home" || { cat "$dir/stderr"; exit 1; }

is 'host name' "$(cat name)" tacho-lab
grep -q '^config-' boot || fail "the kernel's configuration is not in /boot"
is 'CPUs of policy1' "$(cat policy)" 1
is 'governors' "$(tr '\n' ' ' <governors)" 'conservative ondemand powersave schedutil userspace performance '

# speed KHZ: median duration at it
speed() { awk -v f="$1" '$1 == f { print $2 }' speed | sort -n | awk '{ d[NR] = $1 } END { print d[int((NR + 1) / 2)] + 0 }'; }
full=$(speed 1800000)
holds 'work at the highest frequency' "$full > 1e6"
for f in 1500000 1200000 900000 600000 300000; do
	d=$(speed $f)
	echo "$f kHz: $(awk "BEGIN { printf \"%.4f\", $d * $f / ($full * 1800000) }") of the duration that it should be"
	holds "duration at $f kHz of $full ns at 1800000" "$d * $f / ($full * 1800000) > 0.99 && $d * $f / ($full * 1800000) < 1.01"
done
for f in 900000 300000; do
	lost=$(awk -v f=$f '$1 == f { s = $2; exit } END { print s }' stolen)
	holds "stolen at $f kHz, of six times the work" "$lost > 5.9 * ($(speed $f) - $full) && $lost < 1.3 * 6 * ($(speed $f) - $full)"
done
short=$(awk '{ d[$1] = $2 } END { printf "%.4f", d[300000] / d[1800000] }' short)
echo "short activations at a sixth: $short times as long"
holds 'short activations at a sixth of the frequency' "$short > 5.4 && $short < 6.6"

duration() { awk -v g="$1" '$1 == g { print $2 }' efficiency; }
high=$(duration performance) low=$(duration powersave)
holds 'powersave against performance' "$low / $high > 5.9 && $low / $high < 6.1"
for g in ondemand schedutil conservative slow-ondemand; do
	e=$(awk "BEGIN { printf \"%.1f\", ($low - $(duration $g)) / ($low - $high) * 100 }")
	echo "efficiency of $g: $e %"
	eval "$(echo $g | tr - _)=$e"
done
# shellcheck disable=SC2154
{
	holds 'efficiency of ondemand' "$ondemand > 90 && $ondemand < 100"
	holds 'efficiency of schedutil' "$schedutil > 90 && $schedutil < 100"
	holds 'efficiency of conservative' "$conservative > 0 && $conservative < $ondemand && $conservative < $schedutil"
	holds 'ondemand that samples rarely' "$slow_ondemand < $ondemand - 5"
}
# Residency grows where the governor has been, by what has passed (in units of 10 ms).
awk '$1 == "performance" && $2 == 300000 { a = $3 } $1 == "powersave" && $2 == 300000 { b = $3 } END { exit !(b - a > 400) }' residency ||
	fail 'time_in_state does not grow at the lowest frequency under powersave'
finish
