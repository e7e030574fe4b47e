# SPDX-License-Identifier: GPL-2.0-or-later
# Settings on copies of real machines: what each takes and what it refuses, nothing of the copy being changed by a check.
. "$TACHO_SOURCE/tests/cli/lib.sh"
archives=$TACHO_SOURCE/../shared/data/machines
[ -d "$archives" ] || skip 'the copies of machines are not here'

unpack() { # NAME: its tree is $tree
	mkdir "$tmp/$1" && tar xzf "$archives/$1.tar.gz" -C "$tmp/$1" || skip "$1 cannot be unpacked"
	tree=$tmp/$1
	[ ! -d "$tree/$1" ] || tree=$tree/$1
}

# takes STATUS PATTERN SETTING: what `efficiency --set SETTING` says to it without running
takes() { expect "$1" "$2" "$TACHO" efficiency --dry-run --sysroot "$tree" --set "$3"; }

# lacks KNOB PATTERN: the list says that it is not here, and why
lacks() {
	"$TACHO" list knobs --sysroot "$tree" --format json >"$tmp/knobs" 2>&1
	got=$(jq -r --arg name "$1" '.. | objects | select(.name? == $name) | select(.available == false) | .reason' "$tmp/knobs")
	echo "$got" | grep -q -e "$2" || fail "$1: the list gives the reason '$got', expected $2"
}

unpack arm-A510-A710-A715-X3
sums() { find "$tree" -type f -exec cksum {} + | sort; }
sums >"$tmp/before"
takes 0 '' max_freq=1GHz
takes 0 '' max_freq@policy3=min
takes 0 '' min_freq@cpu7=max
takes 64 'policy0, policy3, policy7' min_freq@policy9=min
takes 64 'neither\|outside\|expected' max_freq=quick
takes 64 'outside' max_freq=9GHz
takes 0 '' boost=0
takes 0 '' idle/WFI=0
takes 64 'gold-plus-c4' idle/C6=0
takes 77 'intel_pstate' epp=power
takes 77 'amd_pstate' driver_mode=passive
takes 77 'sched_energy_aware' eas=1
takes 64 'is no knob' min_frq=min
lacks epp 'energy_performance_preference'
lacks driver_mode 'intel_pstate/status'
lacks cpu_dma_latency '/dev/cpu_dma_latency'
sums >"$tmp/after"
cmp -s "$tmp/before" "$tmp/after" || fail "a check changed the copy: $(diff "$tmp/before" "$tmp/after")"

unpack adl0 # intel_pstate, active
takes 0 '' epp=balance_power
takes 0 '' epp=64
takes 64 'balance_performance' epp=thrifty
takes 0 '' driver_mode=passive
takes 64 'active, passive, off' driver_mode=guided
takes 0 '' boost=off

unpack skld0 # intel_pstate, passive
takes 77 'energy_performance_preference' epp=power
takes 0 '' driver_mode=active
takes 0 '' idle/C6=0
takes 64 'C6' idle/C9=0

unpack armv7 # cpuN/cpufreq, no cpufreq/policyN
takes 0 '' max_freq=min
takes 77 'no such switch' boost=1

unpack x86_64-dell_e4310 # a kernel whose idle states have no switch
takes 77 'cannot switch idle states off' idle/NHM-C3=0
takes 64 'NHM-C6' idle/C6=0

unpack ppc-qemu
lacks governor 'no cpufreq policies'
lacks GOVERNOR/TUNABLE 'no cpufreq policies'
lacks idle/STATE 'no states'
finish
