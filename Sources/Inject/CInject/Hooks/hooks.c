// SPDX-License-Identifier: MIT
// Replaces functions in witness tables by thunks, and back.

#define _GNU_SOURCE
#include "jumps.h"

#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/// Thunk *i* goes on with hook *i*. The thunks are in thunks.S.
__attribute__((visibility("hidden"))) struct crerender_hook crerender_hooks[CRERENDER_HOOKS];
__attribute__((visibility("hidden"))) void (*crerender_hook_handler)(struct crerender_call *);
__attribute__((visibility("hidden"))) bool crerender_is_idle(const struct crerender_hook *);
extern const char crerender_thunks[] __attribute__((visibility("hidden")));

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
