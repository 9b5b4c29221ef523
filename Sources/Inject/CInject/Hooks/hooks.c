// SPDX-License-Identifier: MIT
// Replaces functions in witness tables by thunks, and back, with jumps to the thunks near a program.

#define _GNU_SOURCE
#include "crerender_inject.h"

#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// Where thunks lie apart by this many bytes, and so do the jumps to them.
enum { THUNK_BYTES = 16 };

// A record reaches 2 GiB, and the program lies further from the thunks than that. So there are jumps to all thunks near the program.
//
// They are written once, before the memory may be executed, and stay for ever: memory is never writable and executable at once.

extern const char crerender_thunks[] __attribute__((visibility("hidden")));

enum {
    JUMP_BYTES = THUNK_BYTES * CRERENDER_HOOKS,
    /// A program, and a library that is far from both.
    MOST_PLACES = 8,
};

static char *places[MOST_PLACES];
static unsigned used_places;

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
    if (used_places == MOST_PLACES) return NULL;
    char *place = map_near(record);
    if (!place) return NULL;
    write_jumps(place);
    if (mprotect(place, JUMP_BYTES, PROT_READ | PROT_EXEC)) {
        munmap(place, JUMP_BYTES);
        return NULL;
    }
    return places[used_places++] = place;
}

/// The distance from a record to a thunk, or to a jump to it that is near enough; 0 where there is no room for jumps near the record.
static int32_t distance_to_thunk(const int32_t *record, uint32_t thunk) {
    size_t offset = (size_t)thunk * THUNK_BYTES;
    int32_t found = distance(record, crerender_thunks + offset);
    for (unsigned index = 0; !found && index < used_places; index++) found = distance(record, places[index] + offset);
    if (found) return found;
    const char *place = make_place(record);
    return place ? distance(record, place + offset) : 0;
}

/// Whether an address is that of a jump to a thunk.
static bool is_jump(const void *address) {
    for (unsigned index = 0; index < used_places; index++) {
        if ((uintptr_t)address - (uintptr_t)places[index] < JUMP_BYTES) return true;
    }
    return false;
}

/// Thunk *i* goes on with hook *i*. The thunks are in thunks.S.
__attribute__((visibility("hidden"))) struct crerender_hook crerender_hooks[CRERENDER_HOOKS];
__attribute__((visibility("hidden"))) void (*crerender_hook_handler)(struct crerender_call *);
__attribute__((visibility("hidden"))) bool crerender_is_idle(const struct crerender_hook *);

// What thunks.S counts with.
_Static_assert(offsetof(struct crerender_call, hook) == 96 && offsetof(struct crerender_call, returned) == 112 &&
                   offsetof(struct crerender_call, vectors) == 144 && sizeof(struct crerender_call) <= 288,
               "The registers of a call lie elsewhere");
_Static_assert(offsetof(struct crerender_hook, has_vectors) == 16 && sizeof(struct crerender_hook) == 32,
               "A hook lies elsewhere");

/// Whether anything counts; atomic.
__attribute__((visibility("hidden"))) bool crerender_counts = true;
/// Whether this is a forked child, in which nothing counts, and whether that was said.
static bool is_forked, is_said;

static uint32_t used;

static void in_child(void) {
    is_forked = true;
    is_said = false;
    crerender_hook_set_counting(false);
}

void crerender_hook_set_handler(void (*handler)(struct crerender_call *call)) {
    if (!crerender_hook_handler) pthread_atfork(NULL, NULL, in_child);
    crerender_hook_handler = handler;
}

uint32_t crerender_hook_count(void) { return used; }

void crerender_hook_set_counting(bool is) { __atomic_store_n(&crerender_counts, is, __ATOMIC_RELAXED); }

/// Says in a forked child that a body ran which is not counted.
static void tell_of_child(void) {
    if (is_said) return;
    is_said = true;
    crerender_report("forked", "some");
}

/// Whether a hook's handler is left out, where nothing counts.
bool crerender_is_idle(const struct crerender_hook *hook) {
    if (is_forked) tell_of_child();
    return hook->only_counts;
}

struct protection {
    uintptr_t address;
    int found;
};

/// Segments keep the protection that the file asks for, except that the loader makes some read-only after relocation.
static int find_protection(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct protection *wanted = context;
    for (size_t index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        if (wanted->address < start || wanted->address >= start + header->p_memsz) continue;
        if (header->p_type == PT_LOAD && wanted->found < 0) {
            wanted->found = (header->p_flags & PF_R ? PROT_READ : 0) | (header->p_flags & PF_W ? PROT_WRITE : 0) |
                            (header->p_flags & PF_X ? PROT_EXEC : 0);
        }
        // Of its last page the loader protects nothing, if something else begins in it.
        uintptr_t whole = (start + header->p_memsz) & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
        if (header->p_type == PT_GNU_RELRO && wanted->address < whole) wanted->found = PROT_READ;
    }
    return wanted->found >= 0 && !(wanted->found & PROT_WRITE);
}

/// Makes the pages that an address and a number of bytes are in writable, or as they were before.
static bool protect(uintptr_t address, size_t bytes, int protection) {
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE), start = address & ~(page_size - 1);
    return !mprotect((void *)start, address + bytes - start, protection);
}

/// Where a witness is.
static uintptr_t address_of(struct crerender_witness witness) {
    return witness.entry ? (uintptr_t)witness.entry : (uintptr_t)witness.record;
}

static void store(struct crerender_witness witness, const char *thunk, int32_t distance) {
    if (witness.entry)
        __atomic_store_n(witness.entry, (void *)(uintptr_t)thunk, __ATOMIC_RELEASE);
    else
        __atomic_store_n(witness.record, distance, __ATOMIC_RELEASE);
}

bool crerender_hook_install(struct crerender_witness witness, struct crerender_hook hook) {
    const void *original = crerender_value_of(witness);
    uintptr_t first = (uintptr_t)crerender_thunks, address = address_of(witness);
    bool is_hooked = (uintptr_t)original - first < (uintptr_t)CRERENDER_HOOKS * THUNK_BYTES || is_jump(original);
    if (!original || is_hooked || used >= CRERENDER_HOOKS) return false;
    int32_t distance = witness.entry ? 0 : distance_to_thunk(witness.record, used);
    if (!witness.entry && !distance) return false;

    struct protection protection = {address, -1};
    dl_iterate_phdr(find_protection, &protection);
    if (protection.found < 0) return false;
    bool is_writable = protection.found & PROT_WRITE;
    // What is executed stays so meanwhile: other threads may be there.
    if (!is_writable && !protect(address, sizeof(void *), protection.found | PROT_WRITE)) return false;

    // Complete before any thread can reach it through a table.
    hook.original = original;
    crerender_hooks[used] = hook;
    store(witness, crerender_thunks + (size_t)used * THUNK_BYTES, distance);
    used++;
    if (!is_writable) protect(address, sizeof(void *), protection.found);
    return true;
}
