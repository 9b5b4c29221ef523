// SPDX-License-Identifier: MIT
// Jumps to thunks, near the records that have to reach them.

#ifndef CINJECT_JUMPS_H
#define CINJECT_JUMPS_H

#include "crerender_inject.h"

/// Where thunks lie apart by this many bytes, and so do the jumps to them.
enum { THUNK_BYTES = 16 };

/// The distance from a record to a thunk, or to a jump to it that is near enough; 0 where there is no room for jumps near the record.
__attribute__((visibility("hidden"))) int32_t distance_to_thunk(const int32_t *record, uint32_t thunk);

/// Whether an address is that of a jump to a thunk.
__attribute__((visibility("hidden"))) bool is_jump(const void *address);

#endif
