// SPDX-License-Identifier: MIT
// A record reaches 2 GiB, and the program lies further from the thunks than that. So there are jumps to all thunks near the program.
//
// They are written once, before the memory may be executed, and stay for ever: memory is never writable and executable at once.

#define _GNU_SOURCE
#include "jumps.h"

#include <string.h>
#include <sys/mman.h>

extern const char crerender_thunks[] __attribute__((visibility("hidden")));

enum {
    JUMP_BYTES = THUNK_BYTES * CRERENDER_HOOKS,
    /// A program, and a library that is far from both.
    MOST_PLACES = 8,
};

static char *places[MOST_PLACES];
static unsigned used;

/// The distance, if a record can hold it; 0 otherwise.
static int32_t distance(const int32_t *record, const char *target) {
    intptr_t bytes = target - (const char *)record;
    return bytes == (int32_t)bytes ? (int32_t)bytes : 0;
}

static void write_jumps(char *place) {
    for (uint32_t thunk = 0; thunk < CRERENDER_HOOKS; thunk++) {
        uintptr_t target = (uintptr_t)crerender_thunks + (uintptr_t)thunk * THUNK_BYTES;
        char *jump = place + (size_t)thunk * THUNK_BYTES;
#if defined(__x86_64__)
        // jmpq *0(%rip), and the address behind it.
        static const unsigned char code[] = {0xFF, 0x25, 0, 0, 0, 0};
#else
        // ldr x16, #8; br x16, and the address behind it.
        static const unsigned char code[] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1F, 0xD6};
#endif
        memcpy(jump, code, sizeof code);
        memcpy(jump + sizeof code, &target, sizeof target);
    }
    __builtin___clear_cache(place, place + JUMP_BYTES);
}

/// Memory for jumps near a record. Below it, because what lies above a program is where its heap grows.
static char *map_near(const int32_t *record) {
    enum { STEP = 1 << 20, STEPS = 1800 };
    uintptr_t start = (uintptr_t)record & ~(uintptr_t)(STEP - 1);
    for (uintptr_t step = 1; step <= STEPS && start > step * STEP; step++) {
        void *wanted = (void *)(start - step * STEP);
        void *place =
            mmap(wanted, JUMP_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (place == wanted) return place;
        // A kernel that does not know the flag takes the address as a hint.
        if (place != MAP_FAILED) munmap(place, JUMP_BYTES);
    }
    return NULL;
}

static char *make_place(const int32_t *record) {
    if (used == MOST_PLACES) return NULL;
    char *place = map_near(record);
    if (!place) return NULL;
    write_jumps(place);
    if (mprotect(place, JUMP_BYTES, PROT_READ | PROT_EXEC)) {
        munmap(place, JUMP_BYTES);
        return NULL;
    }
    return places[used++] = place;
}

int32_t distance_to_thunk(const int32_t *record, uint32_t thunk) {
    size_t offset = (size_t)thunk * THUNK_BYTES;
    int32_t found = distance(record, crerender_thunks + offset);
    for (unsigned index = 0; !found && index < used; index++) found = distance(record, places[index] + offset);
    if (found) return found;
    const char *place = make_place(record);
    return place ? distance(record, place + offset) : 0;
}

bool is_jump(const void *address) {
    for (unsigned index = 0; index < used; index++) {
        if ((uintptr_t)address - (uintptr_t)places[index] < JUMP_BYTES) return true;
    }
    return false;
}
