// SPDX-License-Identifier: MIT
// The mark by which an injected copy of the library finds this one, and asks to be told of its evaluations.
//
// A program exports no symbols, and none of ours is to be shared. So the mark is an ELF note, which the loader maps with the program
// and which `strip` keeps. A build without probes has none: it evaluates nothing.
#include "CRerender.h"

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
