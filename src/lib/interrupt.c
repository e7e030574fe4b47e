/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/interrupt.h"

#include <signal.h>

#include "lib/macro.h"

static const int ending[] = { SIGHUP,  SIGINT,  SIGQUIT,   SIGPIPE, SIGALRM, SIGTERM, SIGUSR1,
			      SIGUSR2, SIGPROF, SIGVTALRM, SIGXCPU, SIGXFSZ, SIGIO,   SIGPWR };

static volatile bool flag;
static volatile sig_atomic_t first_signal;

static void on_ending(int number)
{
	if (!flag)
		first_signal = number;
	flag = true;
}

static void on_wake(int number)
{
	(void) number; /* that the call it came into ends is all it is for */
}

void interrupt_install(void)
{
	struct sigaction action = { .sa_handler = on_ending };

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++) {
		struct sigaction old;

		/* nohup(1) and shells that start jobs in the background ignore some on purpose */
		if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN &&
		    ending[i] != SIGPIPE)
			continue;
		sigaction(ending[i], &action, NULL);
	}
	action.sa_handler = on_wake;
	sigaction(SIGURG, &action, NULL);
}

const volatile bool *interrupt_flag(void)
{
	return &flag;
}

bool interrupted(void)
{
	return flag;
}

int interrupt_signal(void)
{
	return first_signal;
}

void interrupt_wake(pthread_t thread)
{
	pthread_kill(thread, SIGURG);
}

void interrupt_block(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		sigaddset(&set, ending[i]);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}
