// SPDX-License-Identifier: MIT
// Calls in the program's own file that are a language binding's: known once their functions have been named, and passed over from then on.
#include "CRerender.h"

/// A binding has some hundred functions that change a widget; a program calls some of them.
enum { PLACES = 1024, MOST = 512 };
static uintptr_t addresses[PLACES];
static uint32_t count;

static uint32_t place_of(uintptr_t address) {
    return (uint32_t)((uint64_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 32) % PLACES;
}

bool crerender_is_passed_over(uintptr_t address) {
    if (__atomic_load_n(&count, __ATOMIC_RELAXED) == 0) return false;
    for (uint32_t place = place_of(address);; place = (place + 1) % PLACES) {
        uintptr_t known = __atomic_load_n(&addresses[place], __ATOMIC_RELAXED);
        if (known == address || known == 0) return known != 0;
    }
}

void crerender_pass_over(uintptr_t address) {
    if (address == 0 || crerender_is_passed_over(address)) return;
    // Half of the places stay free, so that a search ends.
    if (__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) >= MOST) {
        __atomic_fetch_sub(&count, 1, __ATOMIC_RELAXED);
        return;
    }
    for (uint32_t place = place_of(address);; place = (place + 1) % PLACES) {
        uintptr_t none = 0;
        if (__atomic_compare_exchange_n(&addresses[place], &none, address, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
        if (none == address) return;
    }
}
