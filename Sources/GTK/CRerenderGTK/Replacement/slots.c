// SPDX-License-Identifier: MIT
// Finds the stand-in for a class's function.

#include "slots.h"

#ifdef RERENDER_GTK
#include "patches.h"

/// The place of a pointer in a table; the count where it is not there.
static size_t place_of(const void *pointer, void *const *table, size_t count) {
    size_t place = 0;
    while (place < count && table[place] != pointer) place++;
    return place;
}

bool slots_replace(struct slots *slots, GTypeClass *class, void **place) {
    void *original = *place;
    if (!original) return true;
    if (place_of(original, slots->functions, slots->count) == slots->count) {
        size_t slot = place_of(original, slots->originals, slots->count);
        if (slot == slots->count && patches_found(class, place, slots->name)) return true;
        if (slot == CRERENDER_GTK_SLOTS) return false;
        if (slot == slots->count) slots->originals[slots->count++] = original;
        // What it stands for is there before it can be called.
        __atomic_store_n(place, slots->functions[slot], __ATOMIC_RELEASE);
    }
    patches_note(class, place, slots->name);
    return true;
}
#endif
