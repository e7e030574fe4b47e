# SPDX-License-Identifier: GPL-2.0-or-later
# Tunables of ondemand move it as they must: a slower sampling rate lowers its efficiency; a larger sampling_down_factor, which
# keeps it up for longer once it is there, does not lower it and helps work that comes again soon.
. "$TACHO_SOURCE/tests/lab/tacho.sh"

# value CONFIGURATION METRIC: its median
value() {
	jq -r --arg name "$1" --arg metric "$2" \
		'.configurations[] | select(.name == $name) | .metrics[] | select(.name == $metric) | .median' "$tmp/out"
}
inside 0 -- efficiency --run 100ms --sleep 1s --loops 3 --repeat 4 --seed 3 --format json \
	--vary ondemand/sampling_rate=10000,150000,400000
fast=$(value 'ondemand sampling_rate=10000' efficiency)
middle=$(value 'ondemand sampling_rate=150000' efficiency)
slow=$(value 'ondemand sampling_rate=400000' efficiency)
echo "$fast $middle $slow" | awk '{ exit !($1 > $2 + 5 && $1 > $3 + 10) }' ||
	fail "efficiency at sampling rates of 10, 150 and 400 ms: $fast $middle $slow"

inside 0 -- efficiency --run 30ms --sleep 12ms --loops 20 --repeat 4 --seed 3 --format json \
	--vary ondemand/sampling_down_factor=1,10
one=$(value 'ondemand sampling_down_factor=1' work_duration)
ten=$(value 'ondemand sampling_down_factor=10' work_duration)
echo "$one $ten" | awk '{ exit !($2 < $1 * 0.98) }' ||
	fail "duration of work with sampling_down_factor 1 and 10: $one $ten"
finish
