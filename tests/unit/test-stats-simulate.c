/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the procedure is chosen for, shown on simulated machines from fixed seeds: how often each
 * analysis claims a difference where there is none, and how often the default one finds a
 * difference that is there.
 *
 * 20 runs a side of 30 iterations; runs scatter with sd 1 about the drift of the machine,
 * iterations with sd 1 about their run.
 */
#include "test-stats.h"

#include "stats/compare.h"
#include "stats/describe.h"
#include "stats/dist.h"
#include "stats/looks.h"
#include "stats/random.h"
#include "stats/ranksum.h"
#include "stats/signedrank.h"
#include "stats/spread.h"
#include "stats/ttest.h"

#define RUNS 20
#define ITERATIONS 30
#define ROUNDS 2000
#define ROUNDS_SLOW 400 /* of what takes long: pooled iterations, Mann-Whitney */

enum noise { NORMAL, HEAVY_TAIL, BIMODAL };
enum drift { NO_DRIFT, TREND, AUTOREGRESSIVE };
enum order { RANDOM_PAIRS, A_THEN_B };

struct machine {
	enum noise noise;
	enum drift drift;
	enum order order;
};

/* All runs of both sides: [0] is A, [1] is B. */
struct results {
	double means[2][RUNS];
	double iterations[2][RUNS * ITERATIONS];
};

/* Share of rounds with p < 0.05. */
struct alarms {
	double pooled, welch, ranksum, paired, signedrank;
};

static double normal(struct stats_random *random)
{
	return normal_quantile(stats_random_unit(random));
}

/* Centre 0, sd 1. */
static double run_noise(struct stats_random *random, enum noise noise)
{
	if (noise == NORMAL)
		return normal(random);
	if (noise == HEAVY_TAIL)
		return t_quantile(stats_random_unit(random), 3) / sqrt(3);
	return ((stats_random_unit(random) < 0.5 ? -1 : 1) + 0.3 * normal(random)) / sqrt(1.09);
}

static void make_drift(struct stats_random *random, enum drift drift, double ret_drift[2 * RUNS])
{
	double now = normal(random);

	for (int slot = 0; slot < 2 * RUNS; slot++) {
		now = 0.9 * now + sqrt(1 - 0.81) * normal(random);
		ret_drift[slot] = drift == TREND            ? 3.0 * slot / (2 * RUNS)
				  : drift == AUTOREGRESSIVE ? now
							    : 0;
	}
}

/*
 * B is by effect above A. Without iterations the means are drawn at once, from the distribution
 * that those of iterations have.
 */
static void simulate(struct stats_random *random, const struct machine *machine, double effect,
		     bool iterations, struct results *ret_results)
{
	double drift[2 * RUNS];

	make_drift(random, machine->drift, drift);
	for (int pair = 0; pair < RUNS; pair++) {
		int first = (int) stats_random_below(random, 2);

		for (int side = 0; side < 2; side++) {
			int slot = machine->order == A_THEN_B ? side * RUNS + pair
							      : 2 * pair + (side != first);
			double *values = &ret_results->iterations[side][pair * ITERATIONS];
			double *mean = &ret_results->means[side][pair];
			double level =
				drift[slot] + run_noise(random, machine->noise) + effect * side;

			if (!iterations) {
				*mean = level + normal(random) / sqrt(ITERATIONS);
				continue;
			}
			for (int i = 0; i < ITERATIONS; i++)
				values[i] = level + normal(random);
			*mean = stats_mean(values, ITERATIONS);
		}
	}
}

static double signedrank_p(const struct results *results, double *ret_low, double *ret_high)
{
	struct signedrank test;
	double d[RUNS];

	for (int i = 0; i < RUNS; i++)
		d[i] = results->means[1][i] - results->means[0][i];
	assert_int_equal(signedrank(d, RUNS, 0.05, &test), 0);
	*ret_low = test.low;
	*ret_high = test.high;
	return test.p;
}

static struct alarms false_alarms(const struct machine *machine, uint64_t seed)
{
	static struct results results;
	struct stats_random random;
	struct alarms alarms = { 0 };
	const double *a = results.means[0], *b = results.means[1];

	stats_random_init(&random, seed);
	for (int round = 0; round < ROUNDS; round++) {
		struct ranksum ranks;
		struct ttest t;
		double low, high;

		simulate(&random, machine, 0, round < ROUNDS_SLOW, &results);
		assert_int_equal(ttest_welch(a, RUNS, b, RUNS, 0.05, &t), 0);
		alarms.welch += t.p < 0.05;
		assert_int_equal(ttest_paired(a, b, RUNS, 0.05, &t), 0);
		alarms.paired += t.p < 0.05;
		alarms.signedrank += signedrank_p(&results, &low, &high) < 0.05;
		if (round >= ROUNDS_SLOW)
			continue;
		assert_int_equal(ttest_welch(results.iterations[0], RUNS * ITERATIONS,
					     results.iterations[1], RUNS * ITERATIONS, 0.05, &t),
				 0);
		alarms.pooled += t.p < 0.05;
		assert_int_equal(ranksum(a, RUNS, b, RUNS, 0.05, &ranks), 0);
		alarms.ranksum += ranks.p < 0.05;
	}
	alarms.welch /= ROUNDS;
	alarms.paired /= ROUNDS;
	alarms.signedrank /= ROUNDS;
	alarms.pooled /= ROUNDS_SLOW;
	alarms.ranksum /= ROUNDS_SLOW;
	print_message("# pooled %.3f  run means %.3f  Mann-Whitney %.3f  paired t %.3f  "
		      "signed-rank %.3f\n",
		      alarms.pooled, alarms.welch, alarms.ranksum, alarms.paired,
		      alarms.signedrank);
	return alarms;
}

/* Interleaved, the default procedure keeps what it promises on every machine, and pooling never
 * does. */
static void check_interleaved(enum noise noise, enum drift drift, uint64_t seed)
{
	struct machine machine = { .noise = noise, .drift = drift, .order = RANDOM_PAIRS };
	struct alarms alarms = false_alarms(&machine, seed);

	assert_true(alarms.signedrank >= 0.035 && alarms.signedrank <= 0.065);
	assert_true(alarms.paired >= 0.03 && alarms.paired <= 0.07);
	assert_true(alarms.pooled > 0.5 && alarms.pooled < 0.7);
	assert_true(alarms.welch < 0.07 && alarms.ranksum < 0.09);
	if (drift == AUTOREGRESSIVE) /* safe, but wasteful: drift counts as noise */
		assert_true(alarms.welch < alarms.signedrank);
}

static void test_no_drift(void **state)
{
	check_interleaved(NORMAL, NO_DRIFT, 1);
}

static void test_drift(void **state)
{
	check_interleaved(NORMAL, AUTOREGRESSIVE, 2);
}

static void test_trend(void **state)
{
	check_interleaved(NORMAL, TREND, 3);
}

static void test_heavy_tail(void **state)
{
	check_interleaved(HEAVY_TAIL, AUTOREGRESSIVE, 4);
}

static void test_bimodal(void **state)
{
	check_interleaved(BIMODAL, AUTOREGRESSIVE, 5);
}

/* All A, then all B: no analysis saves that. */
static void test_a_then_b(void **state)
{
	struct machine machine = { .drift = AUTOREGRESSIVE, .order = A_THEN_B };
	struct alarms alarms = false_alarms(&machine, 6);

	assert_true(alarms.pooled > 0.75);
	assert_true(alarms.welch > 0.35 && alarms.ranksum > 0.3);
	assert_true(alarms.paired > 0.35 && alarms.signedrank > 0.35);
	machine.drift = TREND;
	alarms = false_alarms(&machine, 7);
	assert_true(alarms.pooled > 0.99 && alarms.welch > 0.95 && alarms.signedrank > 0.95);
}

/* An effect of one sd of a run is found about as often as planned, and its interval covers it. */
static void test_power_and_coverage(void **state)
{
	static const struct {
		enum noise noise;
		double low, high; /* power .77, .87, .73 as first simulated, with other scales of
				     noise */
	} cases[] = { { NORMAL, 0.70, 0.84 }, { HEAVY_TAIL, 0.80, 1 }, { BIMODAL, 0.65, 0.90 } };
	static struct results results;

	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct machine machine = { .noise = cases[i].noise, .drift = AUTOREGRESSIVE };
		struct stats_random random;
		double found = 0, covered = 0;

		stats_random_init(&random, 10 + i);
		for (int round = 0; round < ROUNDS / 2; round++) {
			double low, high;

			simulate(&random, &machine, 1, false, &results);
			found += signedrank_p(&results, &low, &high) < 0.05;
			covered += low <= 1 && 1 <= high;
		}
		found /= ROUNDS / 2.0;
		covered /= ROUNDS / 2.0;
		print_message("# power %.3f  coverage %.3f\n", found, covered);
		assert_true(found > cases[i].low && found < cases[i].high);
		assert_true(covered > 0.93 && covered < 0.975);
	}
}

/* Whether the test claims anything at one of the planned looks at n differences. */
static bool stops_at_look(const double *d, size_t n, unsigned int looks)
{
	for (unsigned int look = 1; look <= looks; look++) {
		double alpha = looks_level(look, looks);
		struct signedrank test;

		assert_int_equal(signedrank(d, looks_blocks(n, look, looks), alpha, &test), 0);
		if (test.p < alpha)
			return true;
	}
	return false;
}

/* Whether the sign martingale ever reaches 1 / 0.05 within n differences. */
static bool martingale_stops(const double *d, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		k += d[i] > 0;
		if (sign_martingale(k, i + 1) >= 1 / 0.05)
			return true;
	}
	return false;
}

static void test_looks(void **state)
{
	enum { PEEK_ROUNDS = 200 };
	double planned = 0, peeking = 0, always = 0, d[60];
	struct stats_random random;

	stats_random_init(&random, 20);
	for (int round = 0; round < ROUNDS; round++) {
		bool claimed = false;

		for (size_t i = 0; i < LENGTH(d); i++)
			d[i] = normal(&random);
		planned += stops_at_look(d, 30, 3);
		always += martingale_stops(d, LENGTH(d));
		for (size_t n = 6; round < PEEK_ROUNDS && n <= 40 && !claimed; n++) {
			struct signedrank test;

			assert_int_equal(signedrank(d, n, 0.05, &test), 0);
			claimed = test.p < 0.05;
		}
		peeking += claimed;
	}
	planned /= ROUNDS;
	always /= ROUNDS;
	peeking /= PEEK_ROUNDS;
	print_message("# three looks %.3f  martingale %.3f  after every pair %.3f\n", planned,
		      always, peeking);
	assert_true(planned > 0.035 && planned < 0.065);
	assert_true(always > 0 && always < 0.05);
	assert_true(peeking > 0.13); /* .225 in a longer simulation */
}

/* Five primary metrics without any difference: Holm keeps the chance of any false verdict. */
static void test_family(void **state)
{
	enum { METRICS = 5, FAMILIES = 300, BLOCKS = 12 };
	static const struct compare_rule rule = {
		.kind = EFFECT_RATIO,
		.better = BETTER_LOWER,
		.margin = 0.01,
		.alpha = 0.05,
		.primary = true,
	};
	struct stats_random random;
	int wrong = 0, unadjusted = 0;

	stats_random_init(&random, 30);
	for (int family = 0; family < FAMILIES; family++) {
		struct comparison c[METRICS];
		bool any = false, any_unadjusted = false;

		for (size_t m = 0; m < METRICS; m++) {
			double base[BLOCKS], new[BLOCKS];

			for (size_t i = 0; i < BLOCKS; i++) {
				base[i] = exp(0.05 * normal(&random));
				new[i] = exp(0.05 * normal(&random));
			}
			assert_int_equal(compare_paired(base, new, BLOCKS, &rule, &c[m]), 0);
		}
		assert_int_equal(compare_judge(c, METRICS), 0);
		for (size_t m = 0; m < METRICS; m++) {
			any |= c[m].verdict == VERDICT_BETTER || c[m].verdict == VERDICT_WORSE;
			any_unadjusted |= c[m].p < 0.05;
		}
		wrong += any;
		unadjusted += any_unadjusted;
	}
	print_message("# any of five: adjusted %d, unadjusted %d of %d\n", wrong, unadjusted,
		      FAMILIES);
	assert_true(wrong < 0.075 * FAMILIES);
	assert_true(unadjusted > 0.15 * FAMILIES);
}

/* Spread: few false alarms although B is shifted, and a threefold spread is found. */
static void test_spread(void **state)
{
	enum { BLOCKS = 15, TRIES = 1000 };
	int wrong = 0, found = 0;
	struct stats_random random;

	stats_random_init(&random, 40);
	for (int round = 0; round < TRIES; round++) {
		double base[BLOCKS], new[BLOCKS], wide[BLOCKS];
		struct spread s;

		for (size_t i = 0; i < BLOCKS; i++) {
			base[i] = normal(&random);
			new[i] = normal(&random) + 5;
			wide[i] = 3 * normal(&random);
		}
		assert_int_equal(spread_compare(base, new, BLOCKS, 1, &random, &s), 0);
		assert_true(s.exact);
		wrong += s.p <= 0.05;
		if (round >= TRIES / 10)
			continue;
		assert_int_equal(spread_compare(base, wide, BLOCKS, 1, &random, &s), 0);
		found += s.p <= 0.05;
	}
	print_message("# spread: false %d of %d, found %d of %d\n", wrong, TRIES, found,
		      TRIES / 10);
	assert_true(wrong < 0.06 * TRIES);
	assert_true(found > 0.75 * TRIES / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_drift), cmocka_unit_test(test_drift),
		cmocka_unit_test(test_trend),    cmocka_unit_test(test_heavy_tail),
		cmocka_unit_test(test_bimodal),  cmocka_unit_test(test_a_then_b),
		cmocka_unit_test(test_looks),    cmocka_unit_test(test_power_and_coverage),
		cmocka_unit_test(test_family),   cmocka_unit_test(test_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
