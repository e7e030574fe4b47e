/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Continuous distributions: normal, t (central and shifted), F, through the incomplete beta
 * function. */
#include "stats/dist.h"

#include <float.h>
#include <math.h>

#define LENTZ_STEPS 20000
#define LENTZ_TINY 1e-300

/* From here on the t distribution is the normal one to the last digit that is printed. */
#define DF_NORMAL 1e10

double normal_cdf(double x)
{
	return 0.5 * erfc(-x * M_SQRT1_2);
}

/* c[0] + c[1] x + ... + c[7] x^7 */
static double polynomial7(const double c[8], double x)
{
	double sum = c[7];

	for (int i = 6; i >= 0; i--)
		sum = sum * x + c[i];
	return sum;
}

/* AS 241's three rational approximations: centre (|p - 1/2| <= 0.425), tail, far tail. */
static const struct {
	double above[8], below[8];
} as241[3] = {
	{
		{ 3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
		  1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
		  3.3430575583588128105e+4, 2.5090809287301226727e+3 },
		{ 1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
		  2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
		  5.2264952788528545610e+3 },
	},
	{
		{ 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
		  3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
		  2.27238449892691845833e-2, 7.74545014278341407640e-4 },
		{ 1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		  1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
		  1.05075007164441684324e-9 },
	},
	{
		{ 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
		  2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
		  2.71155556874348757815e-5, 2.01033439929228813265e-7 },
		{ 1, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
		  1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
		  1.42151175831644588870e-7, 2.04426310338993978564e-15 },
	},
};

static double as241_ratio(int which, double r)
{
	return polynomial7(as241[which].above, r) / polynomial7(as241[which].below, r);
}

double normal_quantile(double p)
{
	double q = p - 0.5, r, z;

	if (isnan(p) || p < 0 || p > 1)
		return NAN;
	if (p <= 0 || p >= 1)
		return p <= 0 ? -INFINITY : INFINITY;
	if (fabs(q) <= 0.425)
		return q * as241_ratio(0, 0.180625 - q * q);
	r = sqrt(-log(q < 0 ? p : 1 - p));
	z = r <= 5 ? as241_ratio(1, r - 1.6) : as241_ratio(2, r - 5);
	return q < 0 ? -z : z;
}

static double ln_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/*
 * ln(gamma(a + 1/2) / gamma(a)). For large a the difference of two lgamma() would lose its digits,
 * its asymptotic series (DLMF 5.11.8 with h = 1/2) does not.
 */
static double ln_gamma_half_step(double a)
{
	double b = 1 / a, c = b * b;

	if (a < 60)
		return ln_gamma(a + 0.5) - ln_gamma(a);
	return 0.5 * log(a) - b * (1.0 / 8 - c * (1.0 / 192 - c * (1.0 / 640 - c * 17.0 / 14336)));
}

double ln_beta(double a, double b)
{
	double half_ln_pi = 0.5 * log(M_PI);

	if (b == 0.5)
		return half_ln_pi - ln_gamma_half_step(a);
	if (a == 0.5)
		return half_ln_pi - ln_gamma_half_step(b);
	return ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b);
}

static double not_zero(double x)
{
	return fabs(x) < LENTZ_TINY ? LENTZ_TINY : x;
}

/* The continued fraction itself; converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), h = d;

	for (int m = 1; m <= LENTZ_STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		h *= d * c;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		step = d * c;
		h *= step;
		if (fabs(step - 1) < DBL_EPSILON)
			break;
	}
	return h;
}

double beta_cdf(double x, double y, double a, double b)
{
	double front;

	if (isnan(x) || isnan(y) || !(a > 0) || !(b > 0) || x < 0 || y < 0)
		return NAN;
	if (x <= 0 || y <= 0)
		return x <= 0 ? 0 : 1;
	/* Each logarithm from whichever of x and y is the smaller, hence the better known. */
	front = exp(a * (x < 0.5 ? log(x) : log1p(-y)) + b * (y < 0.5 ? log(y) : log1p(-x)) -
		    ln_beta(a, b));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(y, b, a) / b;
}

/* P(T <= -|t|) */
static double t_tail(double t, double df)
{
	double r = t * t / df;

	return 0.5 * beta_cdf(1 / (1 + r), 1 / (1 + 1 / r), df / 2, 0.5);
}

double t_cdf(double t, double df)
{
	if (isnan(t) || !(df > 0))
		return NAN;
	if (df > DF_NORMAL)
		return normal_cdf(t);
	return t > 0 ? 1 - t_tail(t, df) : t_tail(t, df);
}

static double t_density(double t, double df)
{
	return exp(-(df + 1) / 2 * log1p(t * t / df) - ln_beta(df / 2, 0.5) - 0.5 * log(df));
}

/* t > 0 with P(T > t) = p, p < 1/2 */
static double t_upper_quantile(double p, double df)
{
	double low = 0, high = 1, t;

	while (t_tail(high, df) > p && high < 1e300) {
		low = high;
		high *= 2;
	}
	t = 0.5 * (low + high);
	for (int i = 0; i < 200; i++) {
		double off = t_tail(t, df) - p, next;

		if (off > 0)
			low = t;
		else
			high = t;
		next = t + off / t_density(t, df);
		if (!(next > low && next < high))
			next = 0.5 * (low + high);
		if (fabs(next - t) <= DBL_EPSILON * t)
			return next;
		t = next;
	}
	return t;
}

double t_quantile(double p, double df)
{
	if (isnan(p) || p < 0 || p > 1 || !(df > 0))
		return NAN;
	if (p <= 0 || p >= 1)
		return p <= 0 ? -INFINITY : INFINITY;
	if (df > DF_NORMAL)
		return normal_quantile(p);
	if (p < 0.5)
		return -t_upper_quantile(p, df);
	return p > 0.5 ? t_upper_quantile(1 - p, df) : 0;
}

double sd_ratio_mean(double df, double (*f)(double s, const void *arg), const void *arg)
{
	/* ln s has an sd of about 1 / sqrt(2 df), and a lower tail that falls as exp(df ln s). */
	double width = 1 / sqrt(2 * df), step = width / (df < 30 ? 16 : 6);
	double low = -8 * width - 40 / df, high = fmin(8 * width, 3), sum = 0, weights = 0;

	if (!(df > 0))
		return NAN;
	for (double u = low; u <= high; u += step) {
		double w = exp(df * (u - 0.5 * expm1(2 * u)));

		sum += w * f(exp(u), arg);
		weights += w;
	}
	return sum / weights;
}

struct shifted {
	double t, shift;
};

static double shifted_given_sd(double s, const void *arg)
{
	const struct shifted *a = arg;

	return normal_cdf(a->t * s - a->shift);
}

double t_cdf_shifted(double t, double df, double shift)
{
	struct shifted arg = { .t = t, .shift = shift };

	if (isnan(t) || isnan(shift))
		return NAN;
	return sd_ratio_mean(df, shifted_given_sd, &arg);
}

double f_upper(double f, double df1, double df2)
{
	double r = df1 * f / df2;

	if (isnan(f) || f < 0 || !(df1 > 0) || !(df2 > 0))
		return NAN;
	return beta_cdf(1 / (1 + r), 1 / (1 + 1 / r), df2 / 2, df1 / 2);
}
