// SPDX-License-Identifier: MIT
// Replaces functions: a class's own by stand-ins, and those that files import from GTK. Looks who else does so; what other code put stays.

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
#include <stdlib.h>
#include <string.h>

/// The place of a pointer in a table; the count where it is not there.
static size_t place_of(const void *pointer, void *const *table, size_t count) {
    size_t place = 0;
    while (place < count && table[place] != pointer) place++;
    return place;
}

bool slots_replace(struct slots *slots, GTypeClass *class, void **place) {
    void *original = *place;
    if (!original) return true;
    if (place_of(original, slots->functions, slots->count) == slots->count) {
        size_t slot = place_of(original, slots->originals, slots->count);
        if (slot == slots->count && patches_found(class, place, slots->name)) return true;
        if (slot == CRERENDER_GTK_SLOTS) return false;
        if (slot == slots->count) slots->originals[slots->count++] = original;
        // What it stands for is there before it can be called.
        __atomic_store_n(place, slots->functions[slot], __ATOMIC_RELEASE);
    }
    patches_note(class, place, slots->name);
    return true;
}

// Looks who has put functions into classes. Nothing is put back, so that other code finds what it left.

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

static void tell(void) {
    if (!patches.is_new) return;
    patches.is_new = false;
    part.swift.replaced(part.swift.context, patches.count, patches.names);
}

// MARK: Before

/// Where the code of a file is; both 0 until it is found.
struct code {
    uintptr_t low, high;
};
static struct code gtk_code, own_code;

struct code_search {
    uintptr_t inside;
    struct code *code;
};

static int visit_code(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct code_search *search = context;
    uintptr_t inside = search->inside;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *piece = &info->dlpi_phdr[index];
        uintptr_t begin = info->dlpi_addr + piece->p_vaddr;
        if (piece->p_type != PT_LOAD || !(piece->p_flags & PF_X)) continue;
        if (inside < begin || inside >= begin + piece->p_memsz) continue;
        *search->code = (struct code){begin, begin + piece->p_memsz};
        return 1;
    }
    return 0;
}

/// Finds the code that an address is in, unless it is found.
static void find_code(struct code *code, uintptr_t inside) {
    if (!code->high) dl_iterate_phdr(visit_code, &(struct code_search){inside, code});
}

static bool is_in_code(struct code code, uintptr_t function) { return function >= code.low && function < code.high; }

static bool is_of_gtk(uintptr_t function) {
    find_code(&gtk_code, (uintptr_t)gtk.gtk_widget_queue_draw);
    return is_in_code(gtk_code, function);
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
static struct noted *noted;
static size_t count, capacity;

void patches_note(const GTypeClass *class, void *const *place, const char *name) {
    // A class that comes with a module may go with it.
    if (gtk.g_type_get_plugin(class->g_type)) return;
    if (count == capacity) {
        size_t wanted = capacity ? 2 * capacity : 1024;
        struct noted *larger = realloc(noted, wanted * sizeof *larger);
        if (!larger) return;
        noted = larger;
        capacity = wanted;
    }
    noted[count++] = (struct noted){place, *place, class->g_type, name};
}

void patches_look(void) {
    for (size_t index = 0; index < count; index++) {
        if (__atomic_load_n(noted[index].place, __ATOMIC_RELAXED) == noted[index].function) continue;
        add(noted[index].type, noted[index].name);
        noted[index--] = noted[--count];
    }
    tell();
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

/// Whether a slot has what the loader puts there, the file's own code that looks the function up on its first call, or a function of ours.
/// What other code has put there would no longer be called. Nothing is asked of the loader here: its locks are held.
static bool is_untouched(const struct dl_phdr_info *info, void *const *place, const struct wish *wish) {
    void *function = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    return function == wish->built || function == wish->used || cimports_is_in_file(info, function) ||
           is_in_code(own_code, (uintptr_t)function);
}

static void replace(const struct dl_phdr_info *info, void **place, void *context) {
    const struct wish *wish = context;
    if (is_untouched(info, place, wish)) cimports_write(info, place, wish->function);
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
    if (is_meant(info, wish) && !is_kernels) cimports_each(info, wish->name, replace, wish);
    return 0;
}

static void replace_all(struct wish *wish) {
    find_code(&own_code, (uintptr_t)replace_all);
    dl_iterate_phdr(visit, wish);
}

/// The functions of GTK that bindings get others for.
enum { MOST_GIVEN = 16 };
static struct {
    const char *name;
    void *function;
} given[MOST_GIVEN];
static size_t given_count;
static gboolean (*look_up)(void *module, const char *name, void **symbol);

/// In the place of `g_module_symbol`. Any thread.
static gboolean module_symbol(void *module, const char *name, void **symbol) {
    gboolean is_found = look_up(module, name, symbol);
    size_t known = __atomic_load_n(&given_count, __ATOMIC_ACQUIRE);
    for (size_t index = 0; is_found && name && symbol && index < known; index++)
        if (strcmp(name, given[index].name) == 0 && is_of_gtk((uintptr_t)*symbol)) *symbol = given[index].function;
    return is_found;
}

static void give(const char *name, void *function) {
    void *library = given_count == 0 ? dlopen("libgmodule-2.0.so.0", RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (library) {
        *(void **)&look_up = dlsym(library, "g_module_symbol");
        struct wish wish = {"g_module_symbol", (void *)module_symbol, false, (void *)look_up, (void *)look_up};
        if (look_up) replace_all(&wish);
    }
    if (given_count == MOST_GIVEN) return;
    given[given_count].name = name;
    given[given_count].function = function;
    __atomic_store_n(&given_count, given_count + 1, __ATOMIC_RELEASE);
}

/// Whether a library that was loaded before stands in for a function of GTK's or GLib's: it would no longer be called. The program's own file
/// has other addresses of such functions, where it is not position-independent.
static bool is_interposed(const struct wish *wish) {
    Dl_info library, other;
    struct link_map *map;
    return wish->used != wish->built && dladdr(wish->built, &library) &&
           dladdr1(wish->used, &other, (void **)&map, RTLD_DL_LINKMAP) && other.dli_fbase != library.dli_fbase &&
           map->l_name[0];
}

void imports_replace(const char *name, void *function) {
    // Never closed: it stays.
    void *library = dlopen("libgtk-4.so.1", RTLD_LAZY | RTLD_NOLOAD);
    const void *built = library ? dlsym(library, name) : NULL, *used = dlsym(RTLD_DEFAULT, name);
    struct wish wish = {name, function, false, built, used ? used : built};
    if (!built || is_interposed(&wish)) return;
    part.swift.stands_in(part.swift.context, (uintptr_t)function, name);
    replace_all(&wish);
    if (strncmp(name, "gtk_", 4) == 0) give(name, function);
}

void imports_replace_in_gtk(const char *name, void *function) {
    void *library = dlopen("libgobject-2.0.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (!library) return;
    const void *built = dlsym(library, name);
    struct wish wish = {name, function, true, built, built};
    dlclose(library);
    if (built) replace_all(&wish);
}
#endif
