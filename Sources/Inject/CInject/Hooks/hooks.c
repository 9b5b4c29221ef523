// SPDX-License-Identifier: MIT
// Replaces functions in witness tables by thunks, and back, with jumps to the thunks near a program.
#define _GNU_SOURCE
#include "crerender_inject.h"

#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
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

/// A thunk, or a jump to it that is near enough for a record; null where there is no room for jumps near the record.
static const char *thunk_near(const int32_t *record, uint32_t thunk) {
    size_t offset = (size_t)thunk * THUNK_BYTES;
    if (!record || distance(record, crerender_thunks + offset)) return crerender_thunks + offset;
    for (unsigned index = 0; index < used_places; index++)
        if (distance(record, places[index] + offset)) return places[index] + offset;
    const char *place = make_place(record);
    return place ? place + offset : NULL;
}

/// Whether a function is a thunk, or a jump to one.
static bool is_thunk(const char *function) {
    bool is_ours = (uintptr_t)function - (uintptr_t)crerender_thunks < JUMP_BYTES;
    for (unsigned index = 0; index < used_places; index++)
        is_ours |= (uintptr_t)function - (uintptr_t)places[index] < JUMP_BYTES;
    return is_ours;
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

/// What is to be written into a witness, and what stands there before.
struct change {
    struct crerender_witness witness;
    const char *before, *after;
    bool is_done;
};

static uint32_t used;
/// Those of the hooks.
static struct change changes[CRERENDER_HOOKS];
/// Whether they were put back, for good.
static bool is_over;

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

/// Writes it, unless other code writes there at this moment.
static bool exchange(const struct change *change) {
    struct crerender_witness witness = change->witness;
    void *before = (void *)(uintptr_t)change->before, *after = (void *)(uintptr_t)change->after;
    if (witness.entry) return __atomic_compare_exchange_n(witness.entry, &before, after, 0, __ATOMIC_RELEASE, 0);
    int32_t found = distance(witness.record, before), wanted = distance(witness.record, after);
    return __atomic_compare_exchange_n(witness.record, &found, wanted, 0, __ATOMIC_RELEASE, 0);
}

/// What is executed stays so meanwhile: other threads may be there.
static bool protect(uintptr_t address, int protection) {
    uintptr_t start = address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
    return !mprotect((void *)start, address + sizeof(void *) - start, protection);
}

/// Changes a witness that is in a file, with the loader's lock: the file stays meanwhile, and no other thread that takes that lock changes what its pages
/// allow. Segments keep what the file asks for, except that the loader makes some read-only after relocation.
static int change_in_file(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct change *change = context;
    struct crerender_witness witness = change->witness;
    uintptr_t address = witness.entry ? (uintptr_t)witness.entry : (uintptr_t)witness.record;
    int found = -1;
    for (size_t index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        if (address < start || address >= start + header->p_memsz) continue;
        if (header->p_type == PT_LOAD && found < 0) {
            found = (header->p_flags & PF_R ? PROT_READ : 0) | (header->p_flags & PF_W ? PROT_WRITE : 0) |
                    (header->p_flags & PF_X ? PROT_EXEC : 0);
        }
        // Of its last page the loader protects nothing, if something else begins in it.
        uintptr_t whole = (start + header->p_memsz) & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
        if (header->p_type == PT_GNU_RELRO && address < whole) found = PROT_READ;
    }
    if (found < 0) return 0;
    bool is_writable = found & PROT_WRITE;
    // What other code has put there stays, and what another hook has: a file may have gone, and come again at its place.
    if (crerender_value_of(witness) != change->before) return 1;
    if (!is_writable && !protect(address, found | PROT_WRITE)) return 1;
    change->is_done = exchange(change);
    if (!is_writable) protect(address, found);
    return 1;
}

bool crerender_hook_install(struct crerender_witness witness, struct crerender_hook hook) {
    const char *original = crerender_value_of(witness);
    if (!original || is_thunk(original) || used >= CRERENDER_HOOKS) return false;
    const char *thunk = thunk_near(witness.entry ? NULL : witness.record, used);
    if (!thunk) return false;

    // Complete before any thread can reach it through a table.
    hook.original = original;
    crerender_hooks[used] = hook;
    changes[used] = (struct change){witness, original, thunk, false};
    dl_iterate_phdr(change_in_file, &changes[used]);
    if (!changes[used].is_done) return false;
    __atomic_store_n(&used, used + 1, __ATOMIC_SEQ_CST);
    // It may have been put back, and this one not have been there yet.
    if (__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) crerender_hooks_put_back();
    return true;
}

void crerender_hooks_put_back(void) {
    __atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
    for (uint32_t hook = 0; hook < __atomic_load_n(&used, __ATOMIC_SEQ_CST); hook++) {
        struct change back = {changes[hook].witness, changes[hook].after, changes[hook].before, false};
        dl_iterate_phdr(change_in_file, &back);
    }
}

// Decides whether a handler may work here and now: the program must have all that it has without one.

extern void *__libc_stack_end;

static _Thread_local struct crerender_thread of_thread;

uint64_t crerender_refused;

static void set_stack(struct crerender_thread *thread, uintptr_t end, uintptr_t bytes) {
    // A handler takes up to 5 KB, with each body that it runs around. Nested ones may take what a thread has: the rest is the program's.
    enum { LEAST = 64 << 10 };
    uintptr_t kept = bytes / 4 * 3 > LEAST ? bytes / 4 * 3 : LEAST;
    thread->end = end;
    thread->least = bytes > kept && bytes < end ? end - bytes + kept : end;
}

/// glibc would read a file to find the main thread's.
static void find_stack_of_main(struct crerender_thread *thread) {
    enum { USUAL = 8 << 20 };
    struct rlimit limit;
    bool is_limited = !getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY;
    set_stack(thread, (uintptr_t)__libc_stack_end, is_limited ? (uintptr_t)limit.rlim_cur : (uintptr_t)USUAL);
}

static void find_stack(struct crerender_thread *thread) {
    if (getpid() == gettid()) return find_stack_of_main(thread);
    pthread_attr_t attributes;
    void *start = NULL;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes)) return;
    if (!pthread_attr_getstack(&attributes, &start, &bytes)) set_stack(thread, (uintptr_t)start + bytes, bytes);
    pthread_attr_destroy(&attributes);
}

extern bool crerender_counts __attribute__((visibility("hidden")));
__attribute__((visibility("hidden"))) bool crerender_is_idle(const struct crerender_hook *);
__attribute__((visibility("hidden"))) bool crerender_enter(struct crerender_call *call);

/// Called by each thunk.
bool crerender_enter(struct crerender_call *call) {
    if (!__atomic_load_n(&crerender_counts, __ATOMIC_RELAXED) && crerender_is_idle(call->hook)) return false;
    struct crerender_thread *thread = &of_thread;
    if (thread->is_working) goto no;
    if (!thread->end) find_stack(thread);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (here < thread->least || here >= thread->end) goto no;
    thread->is_working = true;
    call->thread = thread;
    return true;
no:
    __atomic_fetch_add(&crerender_refused, 1, __ATOMIC_RELAXED);
    return false;
}

void crerender_tell_refused_calls(void) {
    static _Atomic bool is_told;
    if (crerender_refused_calls() == 0 || atomic_exchange_explicit(&is_told, true, memory_order_relaxed)) return;
    crerender_report("stack", "some");
}

/// Where no call had room, no handler could say so.
__attribute__((destructor)) static void tell_at_exit(void) { crerender_tell_refused_calls(); }
