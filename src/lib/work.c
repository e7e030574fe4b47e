/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/work.h"

/*
 * Eight dependent steps and a count a loop. On x86-64 and arm64 they are written out; elsewhere
 * each step is fenced by an empty assembly statement that claims to change the value, which binds
 * the compiler just as much.
 */
#if defined(__x86_64__)

uint64_t work_run(uint64_t count)
{
	uint64_t x = count;

	if (!count)
		return x;
	__asm__ volatile("1:\n\t"
			 "imul $5, %[x], %[x]\n\t"
			 "add $1, %[x]\n\t"
			 "ror $7, %[x]\n\t"
			 "xor %[n], %[x]\n\t"
			 "imul $5, %[x], %[x]\n\t"
			 "add $1, %[x]\n\t"
			 "ror $7, %[x]\n\t"
			 "xor %[n], %[x]\n\t"
			 "sub $1, %[n]\n\t"
			 "jnz 1b"
			 : [x] "+r"(x), [n] "+r"(count)
			 :
			 : "cc");
	return x;
}

const char *work_variant(void)
{
	return "x86-64";
}

#elif defined(__aarch64__)

uint64_t work_run(uint64_t count)
{
	uint64_t x = count;

	if (!count)
		return x;
	__asm__ volatile("1:\n\t"
			 "add %[x], %[x], %[x], lsl #2\n\t"
			 "add %[x], %[x], #1\n\t"
			 "ror %[x], %[x], #7\n\t"
			 "eor %[x], %[x], %[n]\n\t"
			 "add %[x], %[x], %[x], lsl #2\n\t"
			 "add %[x], %[x], #1\n\t"
			 "ror %[x], %[x], #7\n\t"
			 "eor %[x], %[x], %[n]\n\t"
			 "subs %[n], %[n], #1\n\t"
			 "b.ne 1b"
			 : [x] "+r"(x), [n] "+r"(count)
			 :
			 : "cc");
	return x;
}

const char *work_variant(void)
{
	return "arm64";
}

#else

#define STEP(x, n)                                           \
	do {                                                 \
		x = x * 5 + 1;                               \
		__asm__ volatile("" : "+r"(x));              \
		x = (x >> 7 | x << (sizeof(x) * 8 - 7)) ^ n; \
		__asm__ volatile("" : "+r"(x));              \
	} while (0)

uint64_t work_run(uint64_t count)
{
	unsigned long x = (unsigned long) count;

	for (uint64_t left = count; left; left--) {
		unsigned long n = (unsigned long) left;

		STEP(x, n);
		STEP(x, n);
	}
	return x;
}

const char *work_variant(void)
{
	return "generic";
}

#endif
