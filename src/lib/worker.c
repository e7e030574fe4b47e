/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/worker.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include "lib/interrupt.h"

struct state {
	const struct worker *worker;
	struct error err;
	int result;
	int done; /* eventfd */
};

static void *thread(void *argument)
{
	struct state *state = argument;
	uint64_t one = 1;

	interrupt_block();
	state->result = state->worker->body(state->worker->context, &state->err);
	if (write(state->done, &one, sizeof(one)) < 0)
		abort(); /* an eventfd of our own takes eight bytes */
	return NULL;
}

/* The signal that sets the flag ends the poll; a flag set just before it is seen at the next
 * timeout. */
static void wait_for(const struct state *state, pthread_t id)
{
	const volatile bool *stop = state->worker->stop;

	for (;;) {
		struct pollfd p = { .fd = state->done, .events = POLLIN };
		bool stopping = stop && *stop;

		if (stopping)
			interrupt_wake(id);
		if (poll(&p, 1, stopping ? 20 : 1000) > 0)
			return;
	}
}

int worker_run(const struct worker *w, struct error *err)
{
	struct state state = { .worker = w };
	_cleanup_close_ int done = eventfd(0, EFD_CLOEXEC);
	pthread_t id;
	int r;

	if (done < 0)
		return fail(err, -errno, "cannot make an eventfd: %s", strerror(errno));
	state.done = done;
	r = pthread_create(&id, NULL, thread, &state);
	if (r)
		return fail(err, -r, "cannot start a thread: %s", strerror(r));
	wait_for(&state, id);
	pthread_join(id, NULL);
	if (state.result < 0)
		fail(err, state.result, "%s", state.err.text);
	return state.result;
}
