// SPDX-License-Identifier: MIT
// How much memory the limits of the process leave, for threads that have our table of descriptors.
#ifndef CDESCRIPTORS_MEMORY_H
#define CDESCRIPTORS_MEMORY_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/// Whether the process has a limit of address space or of data.
bool cdescriptors_memory_is_limited(void);

/// What `cdescriptors_have_memory` says of the calling thread, which opens a file where there is such a limit.
bool cdescriptors_memory_suffices(unsigned times);

#pragma GCC visibility pop

#endif
