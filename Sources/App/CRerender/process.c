// SPDX-License-Identifier: MIT
// Switches everything off: in the child of a fork, which has the parent's memory and none of its threads, and where the user says so.
#include "CRerender.h"

#include <pthread.h>
#include <sys/mman.h>

_Thread_local void *crerender_frame_slot;
_Thread_local void *crerender_span_slot;
int crerender_silence;
static void *volatile fork_page;
static volatile size_t fork_page_size;

// Runs in the child between fork and its first instruction: only async-signal-safe calls, no locks.
static void in_child(void) {
    __atomic_store_n(&crerender_silence, CRERENDER_FORKED, __ATOMIC_RELAXED);
    // Shared memory survives a fork: whatever the child still counts or resets would falsify its parent.
    void *page = fork_page;
    const int access = PROT_READ | PROT_WRITE, flags = MAP_ANONYMOUS | MAP_FIXED;
    if (!page || mmap(page, fork_page_size, access, MAP_PRIVATE | flags, -1, 0) != MAP_FAILED) return;
    // Private memory counts as data, of which the host may be left none (RLIMIT_DATA); shared memory does not.
    mmap(page, fork_page_size, access, MAP_SHARED | flags, -1, 0);
}

void crerender_switch_off(void) {
    int none = 0;
    __atomic_compare_exchange_n(&crerender_silence, &none, CRERENDER_SWITCHED_OFF, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_RELAXED);
}

void crerender_watch_fork(void) { pthread_atfork(NULL, NULL, in_child); }

void crerender_set_fork_page(void *memory, size_t size) {
    fork_page_size = size;
    fork_page = memory;
}

// The mark by which an injected copy of the library finds this one, and asks to be told of its evaluations.
//
// A program exports no symbols, and none of ours is to be shared. So the mark is an ELF note, which the loader maps with the program
// and which `strip` keeps. A build without probes has none: it evaluates nothing.

const struct crerender_watcher *crerender_watcher_slot;

static void watch(const struct crerender_watcher *_Nonnull watcher) {
    __atomic_store_n(&crerender_watcher_slot, watcher, __ATOMIC_RELEASE);
}

/// What the note leads to. Never changed: another layout has another number in the note.
struct crerender_engine {
    void (*_Nonnull watch)(const struct crerender_watcher *_Nonnull watcher);
};
__attribute__((used, visibility("hidden"))) const struct crerender_engine crerender_engine = {watch};

#ifdef RERENDER_PROBES
// The note: the sizes of the name and of the content, the layout's number, the name, and how far the table is from there.
__asm__(".pushsection .note.rerender, \"a\", %note\n"
        ".p2align 2\n"
        ".long 9, 8, 1\n"
        ".asciz \"Rerender\"\n"
        ".p2align 2\n"
        ".quad crerender_engine - .\n"
        ".popsection\n");
#endif
