// SPDX-License-Identifier: MIT
// Counts what a thread allocates: the program that links this has its own malloc & co., which call the C library's.
#ifndef CALLOCATIONCOUNT_H
#define CALLOCATIONCOUNT_H

#include <stdint.h>

/// Allocations that the calling thread has made: every library's, Swift's runtime included.
uint64_t callocation_count(void);

#endif
