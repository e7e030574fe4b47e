/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limits of frequency. What is written to scaling_min_freq and scaling_max_freq is the user's
 * request; what is read is the limit in force after cooling, firmware and other requests
 * (drivers/cpufreq/cpufreq.c, freq QoS). The user's request cannot be read. So the rule is:
 *
 * - a limit that equals the hardware's bound (cpuinfo_min_freq, cpuinfo_max_freq) at the start is
 *   put back as that bound;
 * - a limit that differs from it is taken for the user's own request and put back as such, unless
 *   cooling or firmware holds the policy down at that moment (a cooling device of processors is
 *   active, or bios_limit is below the highest frequency of the table): then the request is
 * unknown, putting back what was read would lower it for good, and the setting is refused with
 * -EAGAIN;
 * - on the way back the old value is written and read; a lower highest frequency is accepted only
 *   where cooling or firmware holds the policy down then: the request itself was put back.
 */
#pragma once

#include "knob/change.h"

/* Whether cooling or firmware holds the policy in FOLDER down; says by what. */
bool policy_is_capped(const struct root *root, const char *folder, char *reason, size_t size);

/* Why the limit of CHANGE is not what was asked for; "" where that is not known. */
void limit_explain(const struct root *root, const struct change *change, char *buf, size_t size);

/* Puts changes of limits (from FROM on) in the order that lets no lower one pass an upper one. */
void limits_order(struct changes *changes, size_t from);
