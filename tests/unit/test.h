/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every unit test includes: cmocka and the headers that it wants before itself. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka's fail() is fail_msg() without words; the name is lib/error.h's here. */
#undef fail
