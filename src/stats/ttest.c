/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t tests. */
#include "stats/ttest.h"

#include <errno.h>
#include <math.h>

#include "stats/alloc.h"
#include "stats/describe.h"
#include "stats/dist.h"

static int finish(double difference, double error, double df, double alpha, struct ttest *ret_test)
{
	double half;

	if (!isfinite(difference) || !(error > 0) || !isfinite(error) || !(alpha > 0 && alpha < 1))
		return -EINVAL;
	half = t_quantile(1 - alpha / 2, df) * error;
	*ret_test = (struct ttest) {
		.difference = difference,
		.error = error,
		.t = difference / error,
		.df = df,
		.p = 2 * t_cdf(-fabs(difference / error), df),
		.low = difference - half,
		.high = difference + half,
	};
	return 0;
}

int ttest_one(const double *x, size_t n, double alpha, struct ttest *ret_test)
{
	if (n < 2)
		return -EINVAL;
	return finish(stats_mean(x, n), stats_sd(x, n) / sqrt((double) n), (double) n - 1, alpha,
		      ret_test);
}

int ttest_paired(const double *x, const double *y, size_t n, double alpha, struct ttest *ret_test)
{
	stats_cleanup_free double *d = stats_doubles(n);

	if (!d)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		d[i] = x[i] - y[i];
	return ttest_one(d, n, alpha, ret_test);
}

int ttest_welch(const double *x, size_t n_x, const double *y, size_t n_y, double alpha,
		struct ttest *ret_test)
{
	double a, b, df;

	if (n_x < 2 || n_y < 2)
		return -EINVAL;
	a = pow(stats_sd(x, n_x), 2) / (double) n_x;
	b = pow(stats_sd(y, n_y), 2) / (double) n_y;
	df = (a + b) * (a + b) / (a * a / ((double) n_x - 1) + b * b / ((double) n_y - 1));
	return finish(stats_mean(x, n_x) - stats_mean(y, n_y), sqrt(a + b), df, alpha, ret_test);
}

int ttest_pooled(const double *x, size_t n_x, const double *y, size_t n_y, double alpha,
		 struct ttest *ret_test)
{
	double df_x = (double) n_x - 1, df_y = (double) n_y - 1, variance;

	if (n_x < 2 || n_y < 2)
		return -EINVAL;
	variance =
		(df_x * pow(stats_sd(x, n_x), 2) + df_y * pow(stats_sd(y, n_y), 2)) / (df_x + df_y);
	return finish(stats_mean(x, n_x) - stats_mean(y, n_y),
		      sqrt(variance * (1 / (double) n_x + 1 / (double) n_y)), df_x + df_y, alpha,
		      ret_test);
}

void ttest_equivalence(const struct ttest *test, double margin, double *ret_lower,
		       double *ret_upper)
{
	*ret_lower = t_cdf(-(test->difference + margin) / test->error, test->df);
	*ret_upper = t_cdf((test->difference - margin) / test->error, test->df);
}
