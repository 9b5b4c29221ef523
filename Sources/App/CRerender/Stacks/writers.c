// SPDX-License-Identifier: MIT
// Keeps each stack on which an observed value was written, once. Finding a known stack takes no lock and no allocation.
#define _GNU_SOURCE
#include "CRerender.h"

#include <link.h>
#include <string.h>

enum {
    WALKED = 24, // our own frames, Observation's, the accessors and the writer, in a debug build
    WALKED_NESTED = 48,
    KEPT_NESTED = 24,
    KEPT = 8, // from the accessors on
    KEPT_WITH_OURS = 16,
    SLOTS = 2 * CRERENDER_STACKS,
    PROBES = 64,
};

struct stack {
    uint32_t count;
    uintptr_t addresses[CRERENDER_STACK_FRAMES];
};

static uint64_t hashes[SLOTS];  // 0: free
static uint32_t entries[SLOTS]; // index in `stacks` plus one, once that is complete
static struct stack stacks[CRERENDER_STACKS];
static uint32_t used;
static uintptr_t observation_low, observation_high;

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    const char *file = strrchr(info->dlpi_name, '/');
    if (strcmp(file ? file + 1 : info->dlpi_name, "libswiftObservation.so") != 0) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        observation_low = info->dlpi_addr + segment->p_vaddr;
        __atomic_store_n(&observation_high, observation_low + segment->p_memsz, __ATOMIC_RELEASE);
    }
    return 1;
}

bool crerender_find_observation(void) { return dl_iterate_phdr(visit, NULL) == 1; }

static bool is_observation(uintptr_t address) {
    return address >= observation_low && address < __atomic_load_n(&observation_high, __ATOMIC_ACQUIRE);
}

/// What is left to keep: the callers of Observation where it is a file of its own, all where it cannot be told.
static uint32_t trim(const uintptr_t *walked, uint32_t count, uint32_t limit, uint32_t *first) {
    uint32_t at = 0;
    while (at < count && !is_observation(walked[at])) at++;
    if (at < count) {
        while (at < count && is_observation(walked[at])) at++;
    } else {
        at = 0;
        limit = KEPT_WITH_OURS;
    }
    *first = at;
    return count - at < limit ? count - at : limit;
}

/// Whether the write was made inside another, as in a property's observer: then the accessors of both are to be passed over.
static bool is_nested(const uintptr_t *kept, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (is_observation(kept[i])) return true;
    return false;
}

static uint64_t hash_of(const uintptr_t *addresses, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ addresses[i]) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    }
    return hash ? hash : 1;
}

static bool is_same(uint32_t slot, const uintptr_t *addresses, uint32_t count) {
    uint32_t entry = __atomic_load_n(&entries[slot], __ATOMIC_ACQUIRE);
    // Another thread is about to complete it: then 64 bits of hash must do.
    if (entry == 0 || entry > CRERENDER_STACKS) return true;
    const struct stack *stack = &stacks[entry - 1];
    return stack->count == count && memcmp(stack->addresses, addresses, count * sizeof *addresses) == 0;
}

static void fill(uint32_t slot, const uintptr_t *addresses, uint32_t count) {
    uint32_t entry = __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
    if (entry < CRERENDER_STACKS) {
        stacks[entry].count = count;
        memcpy(stacks[entry].addresses, addresses, count * sizeof *addresses);
    }
    __atomic_store_n(&entries[slot], entry + 1, __ATOMIC_RELEASE);
}

uint32_t crerender_intern_stack(const uintptr_t *addresses, uint32_t count) {
    if (count == 0 || count > CRERENDER_STACK_FRAMES) return CRERENDER_NO_STACK;
    uint64_t hash = hash_of(addresses, count);
    for (uint32_t probe = 0; probe < PROBES; probe++) {
        uint32_t slot = (uint32_t)(hash + probe) % SLOTS;
        uint64_t found = __atomic_load_n(&hashes[slot], __ATOMIC_RELAXED);
        if (found == hash && is_same(slot, addresses, count)) return slot + 1;
        if (found != 0) continue;
        if (__atomic_load_n(&used, __ATOMIC_RELAXED) >= CRERENDER_STACKS) break;
        if (__atomic_compare_exchange_n(&hashes[slot], &found, hash, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            fill(slot, addresses, count);
            return slot + 1;
        }
        if (found == hash && is_same(slot, addresses, count)) return slot + 1;
    }
    return CRERENDER_OTHER_STACK;
}

__attribute__((noinline)) uint32_t crerender_capture_writer(void) {
    uintptr_t walked[WALKED_NESTED];
    uint32_t first, count = trim(walked, crerender_callers(walked, WALKED), KEPT, &first);
    if (is_nested(walked + first, count))
        count = trim(walked, crerender_callers(walked, WALKED_NESTED), KEPT_NESTED, &first);
    return crerender_intern_stack(walked + first, count);
}

__attribute__((noinline)) uint32_t crerender_capture_callers(void) {
    uintptr_t walked[CRERENDER_STACK_FRAMES];
    return crerender_intern_stack(walked, crerender_callers(walked, CRERENDER_STACK_FRAMES));
}

uint32_t crerender_stack(uint32_t id, uintptr_t *addresses) {
    if (id == CRERENDER_NO_STACK || id > SLOTS) return 0;
    uint32_t entry = __atomic_load_n(&entries[id - 1], __ATOMIC_ACQUIRE);
    if (entry == 0 || entry > CRERENDER_STACKS) return 0;
    const struct stack *stack = &stacks[entry - 1];
    memcpy(addresses, stack->addresses, stack->count * sizeof *addresses);
    return stack->count;
}

// Calls in the program's own file that are a language binding's: known once their functions have been named, and passed over from then on.

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
