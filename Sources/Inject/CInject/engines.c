// SPDX-License-Identifier: MIT
// Finds the copies of the library that the program has itself, and tells which calls of bodies they count.
//
// Such a copy leaves a mark in its file: Sources/App/CRerender/process.c says which. Its functions are called, and it calls
// ours, without a lock: a watcher is never taken away.

#define _GNU_SOURCE
#include "crerender_inject.h"

#include <link.h>
#include <string.h>

// What the mark leads to. Its layout is the one of this version alone.
enum { LAYOUT = 1 };
struct watcher {
    void (*began)(const void *evaluation, const void *type, const char *label);
    void (*ended)(const void *evaluation);
};
struct engine {
    void (*watch)(const struct watcher *watcher);
};

// MARK: This thread

/// Evaluations of the program's own that are deeper than that are not looked at.
enum { DEEPEST = 64 };
/// In calls that are deeper than that, no evaluation is looked for.
enum { MOST_CALLS = 256 };

/// An evaluation of the program's own that runs.
struct evaluation {
    const void *number, *type;
    /// How many calls it began in.
    size_t calls;
    /// Whether it is of a call in it.
    bool has_call;
    /// Cut off where it is long.
    char label[128];
};

static _Thread_local struct {
    size_t depth;
    struct evaluation running[DEEPEST];
    /// The calls of bodies, the innermost last. They lie here: a jump may leave a call, whose guard is gone then.
    size_t calls;
    struct call {
        /// Where the stack was. It grows down: a call in another one has a lower place.
        uintptr_t place;
        const void *type;
        /// Whether the program counts this call itself.
        bool is_own;
    } call[MOST_CALLS];
} here;

/// The type that is told where no view was given.
static const void *no_type;

/// Whether a key is a type's name: `Row`, `Shop.Row`.
static bool is_named(const char *label, const char *name) {
    size_t of_label = strlen(label), of_name = strlen(name);
    if (of_label < of_name || strcmp(label + of_label - of_name, name) != 0) return false;
    return of_label == of_name || label[of_label - of_name - 1] == '.';
}

static void began(const void *number, const void *type, const char *label) {
    size_t place = here.depth++;
    if (place >= DEEPEST) return;
    struct evaluation *last = &here.running[place];
    last->number = number;
    last->type = type;
    last->calls = here.calls;
    last->has_call = false;
    strncpy(last->label, label, sizeof last->label - 1);
    last->label[sizeof last->label - 1] = 0;
}

static void ended(const void *number) {
    if (!here.depth) return;
    size_t place = --here.depth;
    if (place >= DEEPEST) return;
    struct evaluation *last = &here.running[place];
    // Who began to watch in the middle of evaluations is told of the end of some that it does not know.
    if (last->number != number) {
        here.depth++;
        return;
    }
    // Only now: a call of the same type in it would have been another instance's, which it is around.
    if (last->has_call || !last->calls || last->calls != here.calls) return;
    struct call *call = &here.call[here.calls - 1];
    if (last->type == no_type || last->type == call->type) call->is_own = true;
}

bool crerender_is_around(const void *type, const char *name) {
    if (!here.depth || here.depth > DEEPEST) return false;
    struct evaluation *last = &here.running[here.depth - 1];
    if (last->has_call || last->calls != here.calls) return false;
    // Of one that tells nothing, the name decides whether it is of the body that it is in.
    bool is_of_call = last->type == type || (last->type == no_type && (!last->calls || is_named(last->label, name)));
    if (is_of_call) last->has_call = true;
    return is_of_call;
}

__attribute__((noinline)) void crerender_begin_call(struct crerender_guard *guard, const void *type) {
    uintptr_t place = (uintptr_t)__builtin_frame_address(0);
    // Calls are on the thread's own stack, see hooks.c: those below this one were left.
    while (here.calls && here.call[here.calls - 1].place <= place) here.calls--;
    guard->place = here.calls;
    if (here.calls == MOST_CALLS) return;
    here.call[here.calls++] = (struct call){place, type, false};
}

bool crerender_end_call(struct crerender_guard *guard) {
    if (guard->place >= MOST_CALLS) return false;
    here.calls = guard->place;
    return here.call[guard->place].is_own;
}

// MARK: Finding

static const struct watcher watcher = {began, ended};

static int own_file;

static bool has(const struct dl_phdr_info *info, uintptr_t address) {
    for (size_t index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD && address >= start && address < start + header->p_memsz) return true;
    }
    return false;
}

/// The table that a segment of notes leads to; null if it has no mark.
static const struct engine *engine_in(const char *notes, size_t size) {
    static const char name[] = "Rerender";
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, notes, sizeof note);
        size_t of_name = (note.n_namesz + (size_t)3) & ~(size_t)3,
               of_content = (note.n_descsz + (size_t)3) & ~(size_t)3;
        if (of_name > size || of_content > size || sizeof note + of_name + of_content > size) return NULL;
        const char *content = notes + sizeof note + of_name;
        if (note.n_namesz == sizeof name && !memcmp(notes + sizeof note, name, sizeof name) && note.n_type == LAYOUT &&
            note.n_descsz == sizeof(int64_t)) {
            int64_t distance;
            memcpy(&distance, content, sizeof distance);
            return (const struct engine *)(content + distance);
        }
        notes += sizeof note + of_name + of_content;
        size -= sizeof note + of_name + of_content;
    }
    return NULL;
}

static int watch_file(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    // The copy that is injected is this file's own.
    if (has(info, (uintptr_t)&own_file)) return 0;
    for (size_t index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        // Notes of another alignment are laid out in another way, and none of ours.
        if (header->p_type != PT_NOTE || header->p_align > 4) continue;
        const struct engine *engine = engine_in((const char *)(info->dlpi_addr + header->p_vaddr), header->p_memsz);
        if (!engine || !has(info, (uintptr_t)engine)) continue;
        engine->watch(&watcher);
        *(bool *)context = true;
    }
    return 0;
}

bool crerender_watch_engines(const void *type_of_none) {
    bool found = false;
    no_type = type_of_none;
    dl_iterate_phdr(watch_file, &found);
    return found;
}
