// SPDX-License-Identifier: MIT
// Unwinds from GTK to the code of the program.

#define _GNU_SOURCE
#include "writers.h"

#ifdef RERENDER_GTK
#include "../functions.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <unwind.h>

// MARK: Files

/// Where the code of a file is, and whether what calls it may be the writer.
struct file {
    uintptr_t low, high;
    bool is_passed_over;
};

enum { MOST_FILES = 512, MOST_FRAMES = 48 };
static struct file files[MOST_FILES];
static size_t file_count;

/// What GTK stands on, bindings, and our own part: by the beginnings of their files' names.
static bool is_passed_over(const char *path) {
    static const char *const names[] = {
        "libgtk-4.",    "libglib-2.",    "libgobject-2.",    "libgio-2.",   "libgmodule-2.", "libpango",
        "libcairo",     "libgdk_pixbuf", "libgraphene",      "libharfbuzz", "libadwaita-",   "libgtksourceview-",
        "librerender-", "libffi.",       "libgirepository-", "_gi.",        "libpython",     "python",
        "libgjs",       "libmozjs",      "libc.so",          "ld-linux"};
    const char *file = strrchr(path, '/');
    file = file ? file + 1 : path;
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        if (strncmp(file, names[index], strlen(names[index])) == 0) return true;
    return false;
}

static const char *path_of(const struct dl_phdr_info *info) {
    if (info->dlpi_name && *info->dlpi_name) return info->dlpi_name;
    // The program's own file.
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    return path;
}

static int note_file(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    bool is_passed = is_passed_over(path_of(info));
    for (int index = 0; index < info->dlpi_phnum && file_count < MOST_FILES; index++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        uintptr_t low = info->dlpi_addr + part->p_vaddr;
        files[file_count++] = (struct file){low, low + part->p_memsz, is_passed};
    }
    return 0;
}

static const struct file *known_file(uintptr_t address) {
    for (size_t index = 0; index < file_count; index++)
        if (address >= files[index].low && address < files[index].high) return &files[index];
    return NULL;
}

static const struct file *file_of(uintptr_t address) {
    const struct file *found = known_file(address);
    if (found) return found;
    file_count = 0;
    dl_iterate_phdr(note_file, NULL);
    return known_file(address);
}

// MARK: The stack

struct search {
    int frames;
    uintptr_t writer;
};

/// Whether a function is GLib's main loop: what called it has not written.
static bool is_main_loop(uintptr_t function) {
    return function == (uintptr_t)gtk.g_main_context_dispatch || function == (uintptr_t)gtk.g_main_context_iteration ||
           function == (uintptr_t)gtk.g_main_loop_run;
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *argument) {
    struct search *search = argument;
    uintptr_t address = _Unwind_GetIP(context);
    if (!address || search->frames++ == MOST_FRAMES) return _URC_END_OF_STACK;
    const struct file *file = file_of(address - 1);
    // Code that was made at run time has no name.
    if (!file || is_main_loop(_Unwind_GetRegionStart(context))) return _URC_END_OF_STACK;
    if (file->is_passed_over) return _URC_NO_REASON;
    search->writer = address;
    return _URC_END_OF_STACK;
}

uintptr_t writers_find(void) {
    struct search search = {0};
    _Unwind_Backtrace(look, &search);
    return search.writer;
}
#endif
