// SPDX-License-Identifier: MIT
// Has sources of GLib counted where it calls them: by the functions in its own tables, and in those of the program and its libraries.
//
// GLib calls a source through the table that the source points to. The pointer stays, because GLib and programs compare it. In the
// table, `dispatch` and `prepare` are replaced where the table can be written without anything being changed for that. So sources
// are seen that were there before, too. Nothing here waits, allocates, or has a descriptor.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "glib_sources.h"

#include "CDescriptors.h"
#include "CImports.h"
#include "CRerender.h"

#include <errno.h>
#include <link.h>
#include <string.h>

static unsigned (*attach)(struct source *source, void *context);
static struct source *(*make)(struct source_functions *functions, unsigned size);

// MARK: Tables

/// Libraries of a desktop have some thirty tables. Sources of further ones are not counted.
enum { TABLES = 64 };
static struct source_table tables[TABLES];
static uint32_t table_count;
static bool is_adding;

// Functions that know their table: one may be in a copy that a program made of a table.
#define STANDS_IN(which) \
    static int crerender_dispatch_##which(struct source *source, source_callback callback, void *data) { \
        return crerender_dispatched(&tables[which], source, callback, data); \
    } \
    static int crerender_prepare_##which(struct source *source, int *timeout) { \
        return crerender_prepared(&tables[which], source, timeout); \
    }
#define STOOD_IN(which) {crerender_prepare_##which, crerender_dispatch_##which},
CREPEAT_64(STANDS_IN)
static const struct {
    int (*prepare)(struct source *source, int *timeout);
    int (*dispatch)(struct source *source, source_callback callback, void *data);
} stand_ins[TABLES] = {CREPEAT_64(STOOD_IN)};

/// Whether functions of a table are ours. A table without a `dispatch` function has our `prepare` alone.
static bool are_ours(int (*dispatch)(struct source *source, source_callback callback, void *data),
                     int (*prepare)(struct source *source, int *timeout)) {
    for (uint32_t which = 0; which < TABLES; which++)
        if (dispatch ? dispatch == stand_ins[which].dispatch : prepare == stand_ins[which].prepare) return true;
    return !dispatch && !prepare;
}

struct place {
    uintptr_t low, high;
    bool is_writable;
};

/// Whether a file has the place in memory that is written as the program runs, and not only while it is loaded.
static int look_for_place(struct dl_phdr_info *file, size_t size, void *context) {
    (void)size;
    struct place *place = context;
    bool is_writable = false, is_locked = false;
    for (int index = 0; index < file->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[index];
        uintptr_t low = file->dlpi_addr + part->p_vaddr, high = low + part->p_memsz;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W) && place->low >= low && place->high <= high)
            is_writable = true;
        if (part->p_type == PT_GNU_RELRO && place->low < high && place->high > low) is_locked = true;
    }
    place->is_writable = is_writable && !is_locked;
    return is_writable;
}

struct change {
    struct source_table *table;
    uint32_t which;
    bool puts_back, is_seen;
};

static void change_table(struct change *change) {
    struct source_table *table = change->table;
    struct source_functions *place = table->place;
    if (change->puts_back) {
        // What other code has put in front of ours calls ours, and stays.
        if (__atomic_load_n(&place->dispatch, __ATOMIC_ACQUIRE) == stand_ins[change->which].dispatch)
            __atomic_store_n(&place->dispatch, table->dispatch, __ATOMIC_RELEASE);
        if (__atomic_load_n(&place->prepare, __ATOMIC_ACQUIRE) == stand_ins[change->which].prepare)
            __atomic_store_n(&place->prepare, table->prepare, __ATOMIC_RELEASE);
        return;
    }
    int (*dispatch)(struct source * source, source_callback callback, void *data) =
        __atomic_load_n(&place->dispatch, __ATOMIC_ACQUIRE);
    int (*prepare)(struct source * source, int *timeout) = __atomic_load_n(&place->prepare, __ATOMIC_ACQUIRE);
    change->is_seen = true;
    // A copy of a table that was changed before has our functions already, which know where they came from.
    if (are_ours(dispatch, prepare)) return;
    // What they stand for is there before they can be called, and stays, also where this is not the first time.
    table->dispatch = dispatch;
    bool has_ours = prepare == stand_ins[change->which].prepare;
    if (prepare && !has_ours && (!table->prepare || table->prepare == prepare)) {
        table->prepare = prepare;
        __atomic_store_n(&place->prepare, stand_ins[change->which].prepare, __ATOMIC_RELEASE);
    }
    // A source without one is never ready: GLib would have nothing to call.
    if (dispatch) __atomic_store_n(&place->dispatch, stand_ins[change->which].dispatch, __ATOMIC_RELEASE);
}

/// Changes a table while the loader cannot take its file away.
static int change_in_file(struct dl_phdr_info *file, size_t size, void *context) {
    struct change *change = context;
    uintptr_t low = (uintptr_t)change->table->place;
    struct place place = {low, low + sizeof(struct source_functions), false};
    if (!look_for_place(file, size, &place)) return 0;
    if (place.is_writable) change_table(change);
    return 1;
}

/// The place of a table among those that were looked at; TABLES where it was not.
static uint32_t place_of_table(const struct source_functions *functions) {
    uint32_t count = __atomic_load_n(&table_count, __ATOMIC_ACQUIRE), which = 0;
    while (which < count && tables[which].place != functions) which++;
    return which < count ? which : TABLES;
}

/// Changes a table, or puts its functions back. Returns whether its sources are seen now.
static bool change(uint32_t which, bool puts_back) {
    struct change change = {&tables[which], which, puts_back, false};
    dl_iterate_phdr(change_in_file, &change);
    return change.is_seen;
}

/// The same, unless everything was switched off meanwhile: then the others were put back already.
static void change_while_on(uint32_t which) {
    // A turn that dispatches one of its sources looks as if it dispatched nothing.
    if (!change(which, false)) crerender_account_misses_sources();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (crerender_is_silent()) change(which, true);
}

static void add_table_now(struct source_functions *functions, enum crerender_row_kind kind, bool has_descriptor) {
    uint32_t which = place_of_table(functions);
    if (which < TABLES) {
        // It was written again, or its file has gone and come again. Where it has others than it had, these may call ours. Of one that
        // could not be changed, no function is known.
        bool is_as_before = functions->dispatch == tables[which].dispatch;
        if (is_as_before)
            change_while_on(which);
        else
            crerender_account_misses_sources();
    } else if (table_count < TABLES) {
        which = table_count;
        tables[which] = (struct source_table){.place = functions, .kind = kind, .has_descriptor = has_descriptor};
        // In any case: what cannot be changed is not looked at again.
        __atomic_store_n(&table_count, which + 1, __ATOMIC_RELEASE);
        change_while_on(which);
    } else {
        crerender_account_misses_sources();
    }
}

/// Whether nothing is to be done for a table.
static bool is_done(const struct source_functions *functions) {
    return place_of_table(functions) < TABLES && are_ours(__atomic_load_n(&functions->dispatch, __ATOMIC_ACQUIRE),
                                                          __atomic_load_n(&functions->prepare, __ATOMIC_ACQUIRE));
}

void source_tables_add(struct source_functions *functions, enum crerender_row_kind kind, bool has_descriptor) {
    if (!functions || is_done(functions)) return;
    // Another thread adds one, which takes some microseconds. After that, this one comes with the next source of it, if there is one.
    for (int tries = 0; __atomic_exchange_n(&is_adding, true, __ATOMIC_ACQUIRE); tries++)
        if (tries == 1000) return crerender_account_misses_sources();
    if (!is_done(functions)) add_table_now(functions, kind, has_descriptor);
    __atomic_store_n(&is_adding, false, __ATOMIC_RELEASE);
}

static void add_used(struct source_functions *functions) {
    if (crerender_is_silent()) return;
    int error = errno;
    source_tables_add(functions, ROW_SOURCE, false);
    errno = error;
}

struct source *source_tables_made(struct source_functions *functions, unsigned size) {
    add_used(functions);
    return make(functions, size);
}

unsigned source_tables_attached(struct source *source, void *context) {
    // GLib complains of a call without a source.
    if (source) add_used(source->functions);
    return attach(source, context);
}

// MARK: Sources that are there already

/// So many numbers are looked at: each source of a context has one, from 1 on. Programs attach some tens before their loop runs.
enum { NUMBERS = 16384 };

/// The number that the next source of the default context would have had: that of a timer which ends here. 0 where it cannot be had.
static unsigned next_number(void *(*symbol)(const char *name)) {
    struct source *(*make_timer)(unsigned interval) = NULL;
    void (*destroy)(struct source *) = NULL, (*release)(struct source *) = NULL;
    *(void **)&make_timer = symbol("g_timeout_source_new");
    *(void **)&destroy = symbol("g_source_destroy");
    *(void **)&release = symbol("g_source_unref");
    if (!make_timer || !destroy || !release) return 0;
    // Due in 49 days: it is never called.
    struct source *timer = make_timer(UINT32_MAX);
    unsigned number = attach(timer, NULL);
    destroy(timer);
    release(timer);
    return number;
}

/// Counts the sources of the table that a source of the default context has. Another thread may end the source at any moment, so that the
/// kernel reads its memory. What is found again was there meanwhile: a number is given once.
static void add_table_of(unsigned number, struct source *(*find)(void *context, unsigned number)) {
    struct source *source = find(NULL, number), copy;
    if (!source) return;
    bool is_read = crerender_read_memory((uintptr_t)source, &copy, sizeof copy) == sizeof copy;
    if (find(NULL, number) != source) return;
    if (is_read)
        source_tables_add(copy.functions, ROW_SOURCE, false);
    else
        crerender_account_misses_sources();
}

void source_tables_add_attached(void *(*symbol)(const char *name)) {
    struct source *(*find)(void *context, unsigned number) = NULL;
    *(void **)&find = symbol("g_main_context_find_source_by_id");
    static unsigned first = 1;
    unsigned next = find ? next_number(symbol) : 0;
    if (next == 0 || (first == 1 && next > NUMBERS)) crerender_account_misses_sources();
    if (next == 0) return;
    // Later, the others are seen: these are of files that were loaded meanwhile.
    if (first > 1 && next - first > NUMBERS) first = next - NUMBERS;
    for (unsigned number = first; number < next && number - first < NUMBERS; number++) add_table_of(number, find);
    first = next + 1;
}

// MARK: For the hooks

/// GLib takes one or two descriptors for the default context, and ends a process that has none left.
enum { CONTEXT_DESCRIPTORS = 4 };

void *source_tables_find_context(void *(*symbol)(const char *name)) {
    static void *context;
    if (context) return context;
    void *(*default_context)(void) = NULL;
    *(void **)&default_context = symbol("g_main_context_default");
    *(void **)&attach = symbol("g_source_attach");
    *(void **)&make = symbol("g_source_new");
    if (!default_context || !attach || !make || !cdescriptors_have_room(CONTEXT_DESCRIPTORS)) return NULL;
    context = default_context();
    source_calls_begin(context, symbol);
    return context;
}

void crerender_unhook_tables(void) {
    uint32_t count = __atomic_load_n(&table_count, __ATOMIC_ACQUIRE);
    for (uint32_t which = 0; which < count; which++) change(which, true);
}
