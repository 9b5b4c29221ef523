// SPDX-License-Identifier: MIT
// Unwinds from GTK to the code of the program.

#define _GNU_SOURCE
#include "questions.h"

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
    bool is_passed_over, is_gtk;
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
    const char *path = path_of(info);
    bool is_passed = is_passed_over(path), is_gtk = is_passed && strstr(path, "/libgtk-4.");
    for (int index = 0; index < info->dlpi_phnum && file_count < MOST_FILES; index++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        uintptr_t low = info->dlpi_addr + part->p_vaddr;
        files[file_count++] = (struct file){low, low + part->p_memsz, is_passed, is_gtk};
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

static uintptr_t find_writer(void) {
    struct search search = {0};
    _Unwind_Backtrace(look, &search);
    return search.writer;
}

// MARK: The main loop

/// Says what of the main loop runs now. Sources of GTK's, such as those of frames and events, are none.
static void note_source(struct origin *origin) {
    GSource *source = gtk.g_main_current_source();
    if (!source || !source->callback_funcs || !source->callback_data) return;
    GSourceFunc function = NULL;
    gpointer data = NULL;
    source->callback_funcs->get(source->callback_data, source, &function, &data);
    const struct file *file = function ? file_of((uintptr_t)function) : NULL;
    if (file && file->is_gtk) return;
    bool is_timer = source->source_funcs == gtk.g_timeout_funcs, is_idle = source->source_funcs == gtk.g_idle_funcs;
    origin->source = is_timer ? CRERENDER_GTK_TIMER : is_idle ? CRERENDER_GTK_IDLE : CRERENDER_GTK_OTHER_SOURCE;
    // What a binding made at run time has no name.
    if (file && !file->is_passed_over) origin->callback = (uintptr_t)function;
}

bool writers_know(uintptr_t function) {
    const struct file *file = file_of(function);
    return file && !file->is_passed_over;
}

uintptr_t writers_caller(uintptr_t address) {
    const struct file *file = file_of(address - 1);
    return file && !file->is_passed_over ? address : find_writer();
}

struct origin writers_origin(uintptr_t writer) {
    struct origin origin = {.writer = writer ? writers_caller(writer) : find_writer()};
    note_source(&origin);
    return origin;
}
#endif
