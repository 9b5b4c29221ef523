// SPDX-License-Identifier: MIT
// Replaces functions: a class's own by stand-ins, and those that files import from GTK; puts them back. Looks who else does so; what other code
// put stays.

#define _GNU_SOURCE
#include "replacement.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"
#include "CImports.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/// The place of a pointer in a table; the count where it is not there.
static size_t place_of(const void *pointer, void *const *table, size_t count) {
    size_t place = 0;
    while (place < count && table[place] != pointer) place++;
    return place;
}

static bool is_over;

bool must_put_back(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return __atomic_load_n(&is_over, __ATOMIC_RELAXED);
}

/// All kinds of stand-ins that a class has one of.
static struct slots *all_slots;

/// Puts into a place what a stand-in that is there stands for.
static void put_back(void **place) {
    void *found = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    for (struct slots *slots = __atomic_load_n(&all_slots, __ATOMIC_ACQUIRE); slots; slots = slots->next) {
        // GTK's thread may add one at this moment.
        size_t made = __atomic_load_n(&slots->count, __ATOMIC_RELAXED), slot = place_of(found, slots->functions, made);
        if (slot < made)
            __atomic_compare_exchange_n(place, &found, slots->originals[slot], 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    }
}

bool slots_replace(struct slots *slots, GTypeClass *class, void **place) {
    void *original = *place;
    if (!original || must_put_back()) return true;
    if (place_of(original, slots->functions, slots->count) == slots->count) {
        size_t slot = place_of(original, slots->originals, slots->count);
        if (slot == slots->count && patches_found(class, place, slots->name)) return true;
        if (slot == CRERENDER_GTK_SLOTS) return false;
        if (slots->count == 0) {
            slots->next = all_slots;
            __atomic_store_n(&all_slots, slots, __ATOMIC_RELEASE);
        }
        if (slot == slots->count) slots->originals[slots->count++] = original;
        // What it stands for is there before it can be called.
        __atomic_store_n(place, slots->functions[slot], __ATOMIC_RELEASE);
    }
    patches_note(class, place, slots->name);
    if (must_put_back()) put_back(place);
    return true;
}

void slots_put_back(gpointer class) {
    GTypeQuery found = {0};
    gtk.g_type_query(((GTypeClass *)class)->g_type, &found);
    for (size_t word = 1; word < found.class_size / sizeof(void *); word++) put_back((void **)class + word);
}

void classes_each(GType type, void (*visit)(gpointer class)) {
    gpointer class = must_put_back() && gtk.g_type_get_plugin(type) ? NULL : gtk.g_type_class_peek(type);
    if (class) visit(class);
    guint number = 0;
    GType *derived = gtk.g_type_children(type, &number);
    for (guint index = 0; index < number; index++) classes_each(derived[index], visit);
    gtk.g_free(derived);
}

// Looks who has put functions into classes. What other code put is left there.

// MARK: Reports

/// Functions that other code has put into classes, and the first of them by name.
static struct {
    size_t count;
    bool is_new;
    char names[1024];
} patches;

static void add(GType type, const char *function) {
    enum { MOST_NAMES = 8 };
    patches.is_new = true;
    if (++patches.count > MOST_NAMES) return;
    size_t length = strlen(patches.names);
    snprintf(patches.names + length, sizeof patches.names - length, " %s.%s", gtk.g_type_name(type), function);
}

bool patches_any(void) { return patches.count > 0; }

// MARK: Before

/// Whether both are of one file. Takes no lock.
static bool are_of_one_file(const void *one, const void *other) {
    struct dl_find_object first, second;
    return _dl_find_object((void *)(uintptr_t)one, &first) == 0 &&
           _dl_find_object((void *)(uintptr_t)other, &second) == 0 && first.dlfo_link_map == second.dlfo_link_map;
}

static bool is_of_gtk(uintptr_t function) {
    return are_of_one_file((const void *)function, (const void *)(uintptr_t)gtk.gtk_widget_queue_draw);
}

/// Whether GTK made a class: one of the functions that only the class's own code can set is GTK's, and not the parent's.
static bool is_gtk_class(const GTypeClass *class, const GTypeClass *parent) {
    const GObjectClass *own = (const GObjectClass *)class, *other = (const GObjectClass *)parent;
    const uintptr_t pairs[][2] = {
        {(uintptr_t)own->dispose, (uintptr_t)other->dispose},
        {(uintptr_t)own->finalize, (uintptr_t)other->finalize},
        {(uintptr_t)own->set_property, (uintptr_t)other->set_property},
        {(uintptr_t)own->get_property, (uintptr_t)other->get_property},
        {(uintptr_t)own->constructed, (uintptr_t)other->constructed},
    };
    for (size_t index = 0; index < sizeof pairs / sizeof *pairs; index++)
        if (pairs[index][0] != pairs[index][1] && is_of_gtk(pairs[index][0])) return true;
    return false;
}

/// What stands in the same place of the class that a class is derived from; null where that has no such place.
static void *const *above(const GTypeClass *class, void *const *place, const GTypeClass **parent) {
    *parent = gtk.g_type_class_peek(gtk.g_type_parent(class->g_type));
    if (!*parent) return NULL;
    size_t offset = (size_t)((const char *)place - (const char *)class);
    GTypeQuery found = {0};
    gtk.g_type_query((*parent)->g_type, &found);
    return offset + sizeof *place <= found.class_size ? (void *const *)((const char *)*parent + offset) : NULL;
}

bool patches_found(const GTypeClass *class, void *const *place, const char *name) {
    if (is_of_gtk((uintptr_t)*place)) return false;
    GType type = class->g_type;
    const GTypeClass *parent;
    void *const *other = above(class, place, &parent);
    // A class has what its parent's had when it was made.
    for (; other && *other == *place; other = above(class, place, &parent)) {
        class = parent;
        place = other;
    }
    if (!parent || !is_gtk_class(class, parent)) return false;
    add(type, name);
    return true;
}

// MARK: After

/// What stands in a place of a class.
struct noted {
    void *const *place;
    const void *function;
    GType type;
    const char *name;
};
enum { MOST_NOTED = 8192 };
static struct noted noted[MOST_NOTED];
static size_t count;

void patches_note(const GTypeClass *class, void *const *place, const char *name) {
    // A class that comes with a module may go with it.
    if (gtk.g_type_get_plugin(class->g_type)) return;
    if (count < MOST_NOTED) noted[count++] = (struct noted){place, *place, class->g_type, name};
}

void patches_look(void) {
    for (size_t index = 0; index < count; index++) {
        if (__atomic_load_n(noted[index].place, __ATOMIC_RELAXED) == noted[index].function) continue;
        if (must_put_back()) return;
        add(noted[index].type, noted[index].name);
        noted[index--] = noted[--count];
    }
    if (!patches.is_new) return;
    patches.is_new = false;
    part.swift.replaced(part.swift.context, patches.count, patches.names);
}

// Chooses in which files a function is replaced. Nothing is exported, so no other file finds a replacement by its name.

struct wish {
    const char *name;
    void *function;
    /// Whether it is for GTK itself, and not for the program and its other libraries.
    bool is_for_gtk;
    /// What files call by that name: the library's function, or where the program has it that is not position-independent.
    const void *built, *used;
};

/// All that were granted. Bindings get the functions in place of GTK's.
enum { MOST_WISHES = 32 };
static struct wish wishes[MOST_WISHES];
static size_t wish_count;

/// Whether a slot has what the loader puts there, the file's own code that looks the function up on its first call, or a function of ours.
/// What other code has put there would no longer be called. Nothing is asked of the loader here: its locks are held.
static bool is_untouched(const struct dl_phdr_info *info, void *const *place, const struct wish *wish) {
    void *function = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    return function == wish->built || function == wish->used || cimports_is_in_file(info, function) ||
           are_of_one_file(function, (const void *)is_untouched);
}

static void replace(const struct dl_phdr_info *info, void **place, void *context) {
    const struct wish *wish = context;
    if (is_untouched(info, place, wish)) cimports_write(info, place, wish->function);
}

static void put_import_back(const struct dl_phdr_info *info, void **place, void *context) {
    const struct wish *wish = context;
    if (__atomic_load_n(place, __ATOMIC_ACQUIRE) == wish->function)
        cimports_write(info, place, (void *)(uintptr_t)wish->built);
}

static bool is_meant(const struct dl_phdr_info *info, const struct wish *wish) {
    const char *file = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    bool is_gtk = file && strncmp(file, "/libgtk-4.", 10) == 0;
    if (is_gtk || wish->is_for_gtk) return is_gtk && wish->is_for_gtk;
    return !file || (strncmp(file, "/librerender-", 13) != 0 && strncmp(file, "/ld-linux", 9) != 0);
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct wish *wish = context;
    // The kernel's file has addresses of its own kind.
    bool is_kernels = info->dlpi_name && strncmp(info->dlpi_name, "linux-", 6) == 0;
    if (is_meant(info, wish) && !is_kernels)
        cimports_each(info, wish->name, must_put_back() ? put_import_back : replace, wish);
    return 0;
}

static void grant(struct wish wish) {
    if (wish_count == MOST_WISHES) return;
    wishes[wish_count] = wish;
    __atomic_store_n(&wish_count, wish_count + 1, __ATOMIC_RELEASE);
    dl_iterate_phdr(visit, &wish);
    // Everything may have been switched off while some files were looked at.
    if (must_put_back()) dl_iterate_phdr(visit, &wish);
}

void imports_put_back(void) {
    __atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
    size_t count = __atomic_load_n(&wish_count, __ATOMIC_ACQUIRE);
    for (size_t index = 0; index < count; index++) dl_iterate_phdr(visit, &wishes[index]);
}

static gboolean (*look_up)(void *module, const char *name, void **symbol);

/// In the place of `g_module_symbol`. Any thread.
static gboolean module_symbol(void *module, const char *name, void **symbol) {
    gboolean is_found = look_up(module, name, symbol);
    size_t known = must_put_back() ? 0 : __atomic_load_n(&wish_count, __ATOMIC_ACQUIRE);
    for (size_t index = 0; is_found && name && symbol && index < known; index++)
        if (strcmp(name, wishes[index].name) == 0 && is_of_gtk((uintptr_t)*symbol)) *symbol = wishes[index].function;
    return is_found;
}

/// Has bindings get the functions, too.
static void give(void) {
    void *library = look_up ? NULL : dlopen("libgmodule-2.0.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (!library) return;
    *(void **)&look_up = dlsym(library, "g_module_symbol");
    if (look_up)
        grant((struct wish){"g_module_symbol", (void *)module_symbol, false, (void *)look_up, (void *)look_up});
}

/// Whether a library that was loaded before stands in for a function of GTK's or GLib's: it would no longer be called. The program's own file
/// has other addresses of such functions, where it is not position-independent.
static bool is_interposed(const struct wish *wish) {
    struct dl_find_object used;
    bool is_other = wish->used != wish->built && !are_of_one_file(wish->used, wish->built);
    return is_other && _dl_find_object((void *)(uintptr_t)wish->used, &used) == 0 && used.dlfo_link_map->l_name[0];
}

void imports_replace(const char *name, void *function, bool is_for_gtk) {
    // Never closed: it stays. What GTK needs is looked through, too.
    void *library = dlopen("libgtk-4.so.1", RTLD_LAZY | RTLD_NOLOAD);
    const void *built = library ? dlsym(library, name) : NULL, *used = dlsym(RTLD_DEFAULT, name);
    struct wish wish = {name, function, is_for_gtk, built, used ? used : built};
    if (!built || is_interposed(&wish)) return;
    if (!is_for_gtk) part.swift.stands_in(part.swift.context, (uintptr_t)function, name);
    grant(wish);
    if (!is_for_gtk) give();
}
#endif
