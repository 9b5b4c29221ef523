// SPDX-License-Identifier: MIT
// See the header.
#include "CRerender.h"

/// Some twenty functions are replaced.
enum { MOST = 64 };
static struct {
    uintptr_t function;
    const char *name;
} stand_ins[MOST];
static uint32_t count;

const char *crerender_stands_in_for(uintptr_t function) {
    for (uint32_t place = 0; function && place < MOST; place++)
        if (__atomic_load_n(&stand_ins[place].function, __ATOMIC_ACQUIRE) == function) return stand_ins[place].name;
    return NULL;
}

void crerender_stands_in(uintptr_t function, const char *name) {
    if (!function || crerender_stands_in_for(function) || __atomic_load_n(&count, __ATOMIC_RELAXED) >= MOST) return;
    uint32_t place = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    if (place >= MOST) return;
    // A name is there before its function can be found.
    stand_ins[place].name = name;
    __atomic_store_n(&stand_ins[place].function, function, __ATOMIC_RELEASE);
}
