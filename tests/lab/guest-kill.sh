# SPDX-License-Identifier: GPL-2.0-or-later
# Runs in the emulated machine: kills tacho at random moments, ROUNDS times, and compares every setting with what it was.
# What kill.sh checks is on standard output.
rounds=${ROUNDS:-200}
freq=/sys/devices/system/cpu/cpufreq

# a machine whose owner has set things: another governor on each policy, tunables and limits that are not the defaults
echo schedutil >$freq/policy0/scaling_governor
echo conservative >$freq/policy1/scaling_governor
echo 3333 >$freq/schedutil/rate_limit_us
echo 7 >$freq/conservative/freq_step
echo 61 >$freq/conservative/up_threshold
echo 600000 >$freq/policy1/scaling_min_freq
echo 1500000 >$freq/policy1/scaling_max_freq
sleep 1 # a worker of the kernel puts limits in force

snapshot() {
	grep -sH '' $freq/policy*/scaling_governor $freq/policy*/scaling_m??_freq $freq/policy*/scaling_setspeed \
		$freq/schedutil/* $freq/conservative/* $freq/ondemand/* $freq/boost \
		/sys/devices/system/cpu/cpu*/cpuidle/state*/disable /proc/sys/vm/swappiness
	tr ' ' '\n' </sys/kernel/debug/sched/features | grep -w 'WAKEUP_PREEMPTION\|NO_WAKEUP_PREEMPTION'
	cut -d ' ' -f 1 /proc/modules | sort
}

named() { # NAME: pids of the processes that have that name
	for comm in /proc/[0-9]*/comm; do
		if read -r name <"$comm" && [ "$name" = "$1" ]; then
			pid=${comm#/proc/}
			echo "${pid%/comm}"
		fi
	done 2>/dev/null
}

start() { # OPTIONS
	./tacho efficiency "$@" --db /tmp/kill.db --governor all >/tmp/kill.out 2>&1 &
	tacho=$!
}

snapshot >/tmp/before
killed=0 finished=0 dirty=0 watchdogs=0 restorers=0 bad=0
round=0
while [ "$round" -lt "$rounds" ]; do
	round=$((round + 1))
	mode=$((RANDOM % 4))
	start --run 2ms --sleep 1ms --loops 2 --repeat 20 --settle 0 --vary ondemand/sampling_rate=20000,40000 \
		--set sysctl/vm.swappiness=11 --set sched_feature/WAKEUP_PREEMPTION=0
	usleep $((RANDOM * ${SPREAD:-30}))
	dog=$(named tacho-watchdog)
	[ "$mode" -ne 3 ] || [ -z "$dog" ] || { kill -9 $dog && watchdogs=$((watchdogs + 1)); }
	if kill -9 $tacho 2>/dev/null; then killed=$((killed + 1)); else finished=$((finished + 1)); fi
	wait $tacho 2>/dev/null
	grep -q 'journal' /tmp/kill.out && sed 's/^/# /' /tmp/kill.out
	if [ "$mode" -eq 2 ] && [ -n "$dog" ]; then
		usleep $((RANDOM / 4))
		kill -9 $dog 2>/dev/null && watchdogs=$((watchdogs + 1))
	fi
	[ -z "$(ls /var/lib/tacho 2>/dev/null)" ] || dirty=$((dirty + 1))
	if [ "$mode" -eq 1 ]; then # the restorer is killed too
		./tacho restore >/dev/null 2>&1 &
		restorer=$!
		usleep $((RANDOM / 2))
		kill -9 $restorer 2>/dev/null && restorers=$((restorers + 1))
		wait $restorer 2>/dev/null
	fi
	if [ "$mode" -eq 0 ]; then # the watchdog alone does it
		tries=0
		while [ -n "$(named tacho-watchdog)$(named tacho-restore)" ]; do
			usleep 20000
			tries=$((tries + 1))
			[ "$tries" -lt 500 ] || { echo "round $round: the watchdog does not end"; break; }
		done
	else
		./tacho restore >/tmp/restore.out 2>&1 || { echo "round $round: restore ends with $?: $(cat /tmp/restore.out)"; bad=$((bad + 1)); }
	fi
	snapshot >/tmp/after
	if ! cmp -s /tmp/before /tmp/after; then
		bad=$((bad + 1))
		echo "round $round, mode $mode: not as before:"
		diff /tmp/before /tmp/after
		grep cpufreq_ /proc/modules
		ls -l /var/lib/tacho
		ps -o pid,comm,args | grep -v '\[k'
		[ "$bad" -lt 5 ] || break
	fi
done
echo "rounds $round killed $killed finished $finished dirty $dirty watchdogs $watchdogs restorers $restorers bad $bad"
# and it measures as if nothing had been
start --run 100ms --sleep 1s --loops 2 --repeat 2
wait $tacho
status=$?
[ "$status" -eq 0 ] || tail -5 /tmp/kill.out
echo "last exit $status"
[ "$bad" -eq 0 ]
