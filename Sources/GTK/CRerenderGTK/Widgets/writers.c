// SPDX-License-Identifier: MIT
// Unwinds from GTK to the code of the program.

#define _GNU_SOURCE
#include "questions.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"

#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

// MARK: Files

/// Where the code of a file is, and whether what calls it may be the writer.
struct file {
    uintptr_t low, high;
    bool is_passed_over, is_gtk, is_interpreter;
};

enum { MOST_FILES = 512, MOST_FRAMES = 48 };
static struct file files[MOST_FILES];
static size_t file_count;

static bool begins_with_any(const char *file, const char *const *names, size_t count) {
    for (size_t index = 0; index < count; index++)
        if (strncmp(file, names[index], strlen(names[index])) == 0) return true;
    return false;
}

/// Whose functions run those of scripts.
static bool is_interpreter(const char *file) {
    static const char *const names[] = {"libpython", "python", "libgjs", "libmozjs"};
    return begins_with_any(file, names, sizeof names / sizeof *names);
}

/// Whether the user passes a file over: RERENDER_PASS_OVER has beginnings of names, with a colon between them. It is read once: another thread
/// may change the environment later.
static bool is_passed_over_by_user(const char *file) {
    static char names[1024];
    static bool is_read;
    const char *variable = is_read ? NULL : secure_getenv("RERENDER_PASS_OVER");
    if (variable) snprintf(names, sizeof names, "%s", variable);
    is_read = true;
    for (const char *name = names; *name;) {
        size_t length = strcspn(name, ":");
        if (length && strncmp(file, name, length) == 0) return true;
        name += length + (name[length] == ':');
    }
    return false;
}

/// What GTK stands on, bindings, and our own part: by the beginnings of their files' names.
static bool is_passed_over(const char *file) {
    static const char *const names[] = {
        "libgtk-4.",    "libglib-2.",    "libgobject-2.",    "libgio-2.",   "libgmodule-2.", "libpango",
        "libcairo",     "libgdk_pixbuf", "libgraphene",      "libharfbuzz", "libadwaita-",   "libgtksourceview-",
        "librerender-", "libffi.",       "libgirepository-", "_gi.",        "_gi_cairo.",    "_ctypes.",
        "libglibmm-",   "libgiomm-",     "libgtkmm-",        "libsigc-",    "libc.so",       "ld-linux"};
    return is_interpreter(file) || begins_with_any(file, names, sizeof names / sizeof *names) ||
           is_passed_over_by_user(file);
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
    const char *path = path_of(info), *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool is_passed = is_passed_over(name), is_gtk = strncmp(name, "libgtk-4.", 9) == 0;
    for (int index = 0; index < info->dlpi_phnum && file_count < MOST_FILES; index++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        uintptr_t low = info->dlpi_addr + part->p_vaddr;
        files[file_count++] = (struct file){low, low + part->p_memsz, is_passed, is_gtk, is_interpreter(name)};
    }
    return 0;
}

static const struct file *known_file(uintptr_t address) {
    for (size_t index = 0; index < file_count; index++)
        if (address >= files[index].low && address < files[index].high) return &files[index];
    return NULL;
}

static int note_loads(struct dl_phdr_info *info, size_t size, void *loads) {
    (void)size;
    *(unsigned long long *)loads = info->dlpi_adds;
    return 1;
}

static const struct file *file_of(uintptr_t address) {
    const struct file *found = known_file(address);
    if (found) return found;
    // What a binding makes at run time is in none of them.
    static unsigned long long known_loads;
    unsigned long long loads = 0;
    dl_iterate_phdr(note_loads, &loads);
    if (loads == known_loads) return NULL;
    known_loads = loads;
    file_count = 0;
    dl_iterate_phdr(note_file, NULL);
    return known_file(address);
}

// MARK: The stack

struct search {
    int frames;
    uintptr_t writer;
    /// The innermost function of a script, and where its interpreter's frame is; asked for at the interpreter's first function.
    bool is_script_known;
    uintptr_t script, script_frame;
};

static void find_script(struct search *search) {
    if (search->is_script_known) return;
    search->is_script_known = true;
    search->script = part.swift.script(part.swift.context, &search->script_frame);
}

/// Whether the interpreter's function that runs the script is further in than `place` on the stack, where all was passed over.
static bool is_script_inside(struct search *search, uintptr_t place) {
    if (!search->script || search->script_frame >= place) return false;
    search->writer = search->script;
    return true;
}

/// Whether a function is GLib's main loop: what called it has not written.
static bool is_main_loop(uintptr_t function) {
    return function == (uintptr_t)gtk.g_main_context_dispatch || function == (uintptr_t)gtk.g_main_context_iteration ||
           function == (uintptr_t)gtk.g_main_loop_run;
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *argument) {
    struct search *search = argument;
    uintptr_t address = _Unwind_GetIP(context);
    if (!address || search->frames++ == MOST_FRAMES) return _URC_END_OF_STACK;
    // Where this function's frame begins.
    uintptr_t place = _Unwind_GetCFA(context);
    if (is_script_inside(search, place)) return _URC_END_OF_STACK;
    const struct file *file = file_of(address - 1);
    if (!file || file->is_interpreter) {
        find_script(search);
        if (search->script_frame == 0 && is_script_inside(search, place)) return _URC_END_OF_STACK;
    }
    // Code that was made at run time has no name.
    if (!file || is_main_loop(_Unwind_GetRegionStart(context))) return _URC_END_OF_STACK;
    if (file->is_passed_over || part.swift.is_passed_over(address)) return _URC_NO_REASON;
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
    // GLib was given one of GTK's, such as gtk_widget_queue_draw, and this part stands in for it. What a binding made at run time has no name,
    // but calls a script's function.
    bool is_own = file && file == file_of((uintptr_t)note_source);
    if (file && (!file->is_passed_over || is_own))
        origin->callback = (uintptr_t)function;
    else if (function)
        origin->callback = part.swift.script_callable(part.swift.context, (uintptr_t)function, data);
}

uintptr_t writers_script(uintptr_t callback, const void *data) {
    return writers_know(callback) ? 0 : part.swift.script_callable(part.swift.context, callback, data);
}

bool writers_know(uintptr_t function) {
    const struct file *file = file_of(function);
    return file && !file->is_passed_over;
}

uintptr_t writers_caller(uintptr_t address) {
    const struct file *file = file_of(address - 1);
    return file && !file->is_passed_over && !part.swift.is_passed_over(address) ? address : find_writer();
}

struct origin writers_origin(uintptr_t writer) {
    struct origin origin = {.writer = writer ? writers_caller(writer) : find_writer()};
    note_source(&origin);
    return origin;
}
#endif
