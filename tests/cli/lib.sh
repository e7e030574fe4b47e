# SPDX-License-Identifier: GPL-2.0-or-later
# What the shell tests share. Sourced with `. "$TACHO_SOURCE/tests/cli/lib.sh"`; makes $tmp, removed at the end.
set -u
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
TACHO_DB=$tmp/tacho.db
export TACHO_DB
failures=0

fail() {
	echo "FAIL: $*"
	failures=$((failures + 1))
}

# expect STATUS PATTERN COMMAND...: its exit status, and that its standard error has a line that matches PATTERN.
# Standard output stays in $tmp/out, standard error in $tmp/err.
expect() {
	want=$1 pattern=$2
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	got=$?
	[ "$got" = "$want" ] || {
		fail "$*: exit status $got, expected $want"
		sed 's/^/    /' "$tmp/err"
	}
	[ -z "$pattern" ] || grep -q -e "$pattern" "$tmp/err" || {
		fail "$*: standard error has no line that matches: $pattern"
		sed 's/^/    /' "$tmp/err"
	}
}

# json QUERY EXPECTED [FILE]: what jq makes of a file ($tmp/out)
json() {
	got=$(jq -c "$1" "${3:-$tmp/out}" 2>&1)
	[ "$got" = "$2" ] || fail "jq $1: got $got, expected $2"
}

skip() {
	echo "$*"
	exit 77
}

finish() {
	[ "$failures" = 0 ] || exit 1
	exit 0
}

put() { # FILE CONTENT
	mkdir -p "$(dirname "$1")"
	printf '%s\n' "$2" >"$1"
}

# make_tree DIR: a small machine of four CPUs, CPU 3 offline, two policies with a table of frequencies
make_tree() {
	cpu=$1/sys/devices/system/cpu
	put "$cpu/present" 0-3
	put "$cpu/possible" 0-3
	put "$cpu/online" 0-2
	put "$cpu/offline" 3
	for n in 0 1 2 3; do
		put "$cpu/cpu$n/topology/core_id" "$n"
		put "$cpu/cpu$n/cpu_capacity" 1024
	done
	put "$cpu/cpu3/online" 0
	for p in 0 2; do
		policy=$cpu/cpufreq/policy$p
		put "$policy/related_cpus" "$p $((p + 1))"
		put "$policy/affected_cpus" "$p"
		put "$policy/scaling_driver" acpi-cpufreq
		put "$policy/scaling_governor" ondemand
		put "$policy/scaling_available_governors" 'conservative ondemand performance powersave schedutil userspace'
		put "$policy/scaling_available_frequencies" '2000000 1500000 1000000'
		put "$policy/scaling_setspeed" '<unsupported>'
		for f in scaling_min_freq:1000000 scaling_max_freq:2000000 cpuinfo_min_freq:1000000 cpuinfo_max_freq:2000000 \
			scaling_cur_freq:1000000 cpuinfo_transition_latency:10000; do
			put "$policy/${f%%:*}" "${f##*:}"
		done
	done
	put "$policy/affected_cpus" 2
	put "$cpu/cpufreq/policy0/affected_cpus" '0 1'
	for t in sampling_rate:10000 up_threshold:80 sampling_down_factor:1; do
		put "$cpu/cpufreq/ondemand/${t%%:*}" "${t##*:}"
	done
	put "$1/proc/version" 'Linux version 6.1.0-test (x@y) (gcc) #1 SMP'
	put "$1/proc/sys/kernel/osrelease" 6.1.0-test
	put "$1/proc/cmdline" quiet
	put "$1/proc/cpuinfo" 'processor	: 0'
}
