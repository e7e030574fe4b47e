/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals that would end the program set a flag instead, so that settings are put back on the way
 * out. There is one such flag in a process because signals are the process's.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* Catches every catchable signal whose default is to end the process, but for those that report a
 * fault of our own. */
void interrupt_install(void);

/* Whether one came. The pointer may be handed to code that only wants to look. */
const volatile bool *interrupt_flag(void);
bool interrupted(void);

/* The number of the first one that came, 0 where none did. */
int interrupt_signal(void);

/* Ends a blocking system call of THREAD with EINTR; for threads that interrupt_block() was called
 * in. */
void interrupt_wake(pthread_t thread);

/* In a worker: leaves ending signals to the main thread. */
void interrupt_block(void);
