/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans carried out on a made-up machine, with a workload that only says that it ran. */
#include "test-knob.h"

#include <math.h>

#include "experiment/experiment.h"
#include "machine/machine.h"

/* What the fake measurement is to do, and what it and the sink saw. */
struct script {
	const struct tree *tree;
	unsigned bad_block, bad_attempts; /* attempts at this block that are not valid */
	unsigned disturb_block;           /* someone lowers a limit during this block */
	unsigned fail_run;                /* the run of this number (from 1) fails */
	unsigned stop_run;                /* a signal comes in the run of this number */
	int sink_error;                   /* what the sink says of a run */
	volatile bool stop;
	char order[256]; /* configurations in the order they ran */
	char governors[512];
	unsigned runs, blocks, discards, ends;
	unsigned block_values;
	char status[32], reason[256];
};

static int fake_run(struct experiment *x, size_t configuration, struct run *run,
		    uint64_t *ret_busy_ns, struct error *err)
{
	struct script *s = x->context;
	struct value *v;
	size_t used = strlen(s->order);

	s->runs++;
	snprintf(s->order + used, sizeof(s->order) - used, "%zu", configuration);
	used = strlen(s->governors);
	snprintf(s->governors + used, sizeof(s->governors) - used, "%s ",
		 look(s->tree, FREQ "/policy0/scaling_governor"));
	*ret_busy_ns = 1000000000;
	if (s->runs == s->fail_run)
		return fail(err, -EIO, "the workload failed");
	if (s->runs == s->stop_run) {
		s->stop = true;
		return fail(err, -EINTR, "stopped by a signal");
	}
	if (run->block == s->bad_block && run->attempt <= s->bad_attempts) {
		run->valid = false;
		run->reason = strdup("too noisy");
	}
	if (run->block == s->disturb_block && run->attempt == 1)
		put(s->tree, FREQ "/policy0/scaling_max_freq", "900000\n");
	v = array_add(&run->values, &run->n_values, sizeof(*v));
	v->labels = strdup("{}");
	v->number = (double) configuration;
	return 0;
}

static int fake_block(struct experiment *x, unsigned block, const struct run *runs,
		      struct block_value **ret, size_t *ret_n, struct error *err)
{
	for (size_t i = 0; i < x->n_plan; i++) {
		struct block_value *v = array_add(ret, ret_n, sizeof(*v));

		assert_int_equal(runs[i].configuration, i);
		assert_int_equal(runs[i].block, block);
		assert_true(runs[i].values[0].number == (double) i);
		*v = (struct block_value) { .block = block, .configuration = i };
		v->value.labels = strdup("{}");
	}
	return 0;
}

static int sink_begin(void *context, struct record *record, struct error *err)
{
	assert_string_equal(record->status, "running");
	record->id = 1;
	return 0;
}

static int sink_run(void *context, const struct record *record, const struct run *run,
		    struct error *err)
{
	struct script *s = context;

	assert_non_null(run->environment);
	return s->sink_error ? fail(err, s->sink_error, "the disk is full") : 0;
}

static int sink_block(void *context, const struct record *record, unsigned block,
		      const struct block_value *values, size_t n, struct error *err)
{
	struct script *s = context;

	s->blocks++;
	s->block_values += (unsigned) n;
	return 0;
}

static int sink_discard(void *context, const struct record *record, const struct discard *discard,
			struct error *err)
{
	struct script *s = context;

	s->discards++;
	snprintf(s->reason, sizeof(s->reason), "%s", discard->reason);
	return 0;
}

static int sink_end(void *context, const struct record *record, struct error *err)
{
	struct script *s = context;

	s->ends++;
	snprintf(s->status, sizeof(s->status), "%s", record->status);
	return 0;
}

/* Runs three governors in BLOCKS blocks. */
static int carry_out(struct tree *t, struct script *s, unsigned blocks, uint64_t seed,
		     struct error *err)
{
	static const char *const governors[] = { "schedutil", "performance", "powersave" };
	static const struct experiment_ops ops = { .run = fake_run, .block = fake_block };
	const struct sink sink = {
		.context = s,
		.begin = sink_begin,
		.run = sink_run,
		.block = sink_block,
		.discard = sink_discard,
		.end = sink_end,
	};
	_cleanup_machine_ struct machine *m = NULL;
	struct experiment x = { .root = t->root,
				.ops = &ops,
				.context = s,
				.blocks = blocks,
				.sink = &sink,
				.stop = &s->stop };
	int r;

	s->tree = t;
	put(t, FREQ "/policy0/scaling_governor", "ondemand\n"); /* none of those that are tried */
	assert_int_equal(machine_read(t->root, &m, NULL), 0);
	x.machine = m;
	x.state_dir = t->state;
	x.record.seed = seed;
	cpus_add(&x.watched, 0);
	for (size_t i = 0; i < ARRAY_SIZE(governors); i++) {
		struct plan_configuration *c = plan_add(&x, governors[i], false);

		assert_non_null(c);
		assert_int_equal(plan_set(c, "governor", governors[i]), 0);
	}
	r = experiment_run(&x, err);
	assert_null(x.session);
	if (!err->code || err->code == r)
		assert_int_equal(x.record.n_configurations, 3);
	experiment_done(&x);
	return r;
}

static void check_put_back(const struct tree *t)
{
	assert_string_equal(look(t, FREQ "/policy0/scaling_governor"), "ondemand");
	assert_int_equal(journals(t), 0);
}

static void runs_every_configuration_once_a_block(void **state)
{
	struct tree *t = *state;
	struct script a = { 0 }, b = { 0 }, c = { 0 };
	struct error err = { 0 };
	char expected[64] = "";

	assert_int_equal(carry_out(t, &a, 4, 7, &err), 0);
	assert_int_equal(carry_out(t, &b, 4, 7, &err), 0);
	assert_int_equal(carry_out(t, &c, 4, 8, &err), 0);
	assert_string_equal(a.order, b.order);
	assert_string_not_equal(a.order, c.order);
	assert_int_equal(strlen(a.order), 12);
	for (unsigned block = 1; block <= 4; block++) {
		size_t order[3];

		plan_order(7, block, 1, order, 3);
		for (int i = 0; i < 3; i++)
			snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
				 "%zu", order[i]);
	}
	assert_string_equal(a.order, expected);
	assert_int_equal(a.blocks, 4);
	assert_int_equal(a.block_values, 12);
	assert_int_equal(a.discards, 0);
	assert_string_equal(a.status, "finished");
	for (size_t i = 0; i < 12; i++) { /* the setting was in force in each run */
		static const char *const names[] = { "schedutil", "performance", "powersave" };
		char *word = a.governors;

		for (size_t j = 0; j < i; j++)
			word = strchr(word, ' ') + 1;
		assert_non_null(strafter(word, names[a.order[i] - '0']));
	}
	check_put_back(t);
}

static void repeats_a_discarded_block(void **state)
{
	struct tree *t = *state;
	struct script s = { .bad_block = 2, .bad_attempts = 2 };
	struct error err = { 0 };

	assert_int_equal(carry_out(t, &s, 3, 1, &err), 0);
	assert_int_equal(s.discards, 2);
	assert_string_equal(s.reason, "too noisy");
	assert_int_equal(s.blocks, 3);
	assert_int_equal(s.runs, 9 + 2); /* an attempt ends with its first bad run */
	check_put_back(t);
}

static void gives_up_where_it_is_never_quiet(void **state)
{
	struct tree *t = *state;
	struct script s = { .bad_block = 1, .bad_attempts = 99 };
	struct error err = { 0 };

	assert_int_equal(carry_out(t, &s, 3, 1, &err), -EIO);
	assert_non_null(strstr(err.text, "not quiet"));
	assert_non_null(strstr(err.text, "too noisy"));
	assert_int_equal(s.blocks, 0);
	assert_string_equal(s.status, "failed");
	assert_in_range(s.discards, 2, 5);
	check_put_back(t);
}

static void discards_what_others_disturb(void **state)
{
	struct tree *t = *state;
	struct script s = { .disturb_block = 2 };
	struct error err = { 0 };

	/* the limit stays lowered, so that every further attempt is refused, too */
	assert_int_equal(carry_out(t, &s, 3, 1, &err), -EIO);
	assert_non_null(strstr(s.reason, "900000"));
	assert_int_equal(s.blocks, 1);
	check_put_back(t);
}

static void puts_back_after_a_failure(void **state)
{
	struct tree *t = *state;
	struct script s = { .fail_run = 5 };
	struct error err = { 0 };

	assert_int_equal(carry_out(t, &s, 3, 1, &err), -EIO);
	assert_string_equal(err.text, "the workload failed");
	assert_int_equal(s.ends, 1);
	assert_string_equal(s.status, "failed");
	assert_int_equal(s.blocks, 1);
	check_put_back(t);
}

static void puts_back_after_a_signal(void **state)
{
	struct tree *t = *state;
	struct script s = { .stop_run = 2 };
	struct error err = { 0 };

	assert_int_equal(carry_out(t, &s, 3, 1, &err), -EINTR);
	assert_string_equal(s.status, "interrupted");
	assert_int_equal(error_status(-EINTR), STATUS_INTERRUPTED);
	check_put_back(t);
}

static void puts_back_where_results_cannot_be_stored(void **state)
{
	struct tree *t = *state;
	struct script s = { .sink_error = -ENOSPC };
	struct error err = { 0 };

	assert_int_equal(carry_out(t, &s, 3, 1, &err), -ENOSPC);
	assert_string_equal(err.text, "the disk is full");
	assert_int_equal(s.runs, 1);
	check_put_back(t);
}

/* Each order of three is as likely as the others. */
static void draws_all_orders(void **state)
{
	unsigned counts[27] = { 0 }, seen = 0;

	for (unsigned block = 1; block <= 6000; block++) {
		size_t order[3];

		plan_order(42, block, 1, order, 3);
		counts[order[0] * 9 + order[1] * 3 + order[2]]++;
	}
	for (int i = 0; i < 27; i++) {
		if (!counts[i])
			continue;
		seen++;
		assert_in_range(counts[i], 1000 - 145, 1000 + 145); /* 5 sigma */
	}
	assert_int_equal(seen, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(runs_every_configuration_once_a_block, tree_setup,
						tree_teardown),
		cmocka_unit_test_setup_teardown(repeats_a_discarded_block, tree_setup,
						tree_teardown),
		cmocka_unit_test_setup_teardown(gives_up_where_it_is_never_quiet, tree_setup,
						tree_teardown),
		cmocka_unit_test_setup_teardown(discards_what_others_disturb, tree_setup,
						tree_teardown),
		cmocka_unit_test_setup_teardown(puts_back_after_a_failure, tree_setup,
						tree_teardown),
		cmocka_unit_test_setup_teardown(puts_back_after_a_signal, tree_setup,
						tree_teardown),
		cmocka_unit_test_setup_teardown(puts_back_where_results_cannot_be_stored,
						tree_setup, tree_teardown),
		cmocka_unit_test(draws_all_orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
