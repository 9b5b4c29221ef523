// SPDX-License-Identifier: MIT
// Finds the interpreter of this process, and reads which functions of its scripts run.
//
// The kernel copies the memory, and each object is looked at before it is believed. So what another thread frees meanwhile gives no name,
// and no fault. Where no interpreter is, all of this is one load.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "script_frames.h"

#include "../Loaded/loaded.h"
#include "CRerender.h"
#include "interpreter_frames.h"
#include "script_places.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum state { NO_PYTHON, IS_KNOWN, IS_UNKNOWN };
static uint32_t state;
/// Written before that says that Python is known.
static struct crerender_python python;
static uintptr_t (*state_of_this_thread)(void);
static pid_t process;
/// The sentence for a Python that is not known.
static char unknown_text[96];

/// Where the code of PyGObject's module is.
static uintptr_t gi_low, gi_high;

static bool is_known(void) {
    return __builtin_expect(__atomic_load_n(&state, __ATOMIC_ACQUIRE) == IS_KNOWN, 0) && !crerender_is_silent();
}

// MARK: The interpreter

/// Copies memory of this process that may be gone. No stack to speak of: a signal handler calls it.
static size_t read_own(void *context, uintptr_t address, void *to, size_t size) {
    (void)context;
    enum { PAGE = 4096 };
    // What is copied ends with the page before the first that cannot be read.
    size_t first = PAGE - address % PAGE;
    if (first > size) first = size;
    struct iovec own = {to, size}, pieces[2] = {{(void *)address, first}, {(void *)(address + first), size - first}};
    int error = errno;
    ssize_t copied = process_vm_readv(process, &own, 1, pieces, 2, 0);
    errno = error;
    return copied > 0 ? (size_t)copied : 0;
}

enum { NAME_ROOM = 64 };

/// Notes where PyGObject's module is, and copies the name of Python's library, where it is one.
static int note_file(struct dl_phdr_info *file, size_t size, void *library) {
    (void)size;
    const char *path = file->dlpi_name ? file->dlpi_name : "", *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (strncmp(name, "libpython3.", 11) == 0 && name[11] != 's') snprintf(library, NAME_ROOM, "%s", name);
    if (strncmp(name, "_gi.", 4) != 0) return 0;
    for (int index = 0; index < file->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        __atomic_store_n(&gi_low, file->dlpi_addr + part->p_vaddr, __ATOMIC_RELAXED);
        __atomic_store_n(&gi_high, file->dlpi_addr + part->p_vaddr + part->p_memsz, __ATOMIC_RELEASE);
    }
    return 0;
}

static bool is_of_gi(uintptr_t address) {
    uintptr_t high = __atomic_load_n(&gi_high, __ATOMIC_ACQUIRE);
    return address < high && address >= __atomic_load_n(&gi_low, __ATOMIC_RELAXED);
}

static void *python_symbol(const char *library, const char *name) {
    void *found = NULL;
    return loaded_symbol(&found, NULL, library, name);
}

static bool find_symbols(const char *library) {
    static const struct {
        const char *name;
        uintptr_t *place;
    } symbols[] = {
        {"_PyRuntime", &python.runtime},       {"PyCode_Type", &python.code},
        {"PyUnicode_Type", &python.text},      {"PyBytes_Type", &python.bytes},
        {"PyFunction_Type", &python.function}, {"PyMethod_Type", &python.method},
        {"PyTuple_Type", &python.tuple},       {"PyGILState_GetThisThreadState", (uintptr_t *)&state_of_this_thread}};
    bool has_all = true;
    for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
        *symbols[index].place = (uintptr_t)python_symbol(library, symbols[index].name);
        has_all = has_all && *symbols[index].place;
    }
    return has_all;
}

void crerender_python_gap(uint64_t version, char *text, size_t room) {
    unsigned minor = version >> 16 & 0xFF;
    const char *of = minor >= 11 && minor <= 14 ? "this build of " : "";
    if (version)
        snprintf(text, room, "%sPython 3.%u is not known: its functions have no names", of, minor);
    else
        snprintf(text, room, "Python before 3.11 is not known: its functions have no names");
}

void crerender_find_scripts(void) {
    if (crerender_is_silent() || !crerender_thread_may_wait_for_loader()) return;
    javascript_find();
    char library[NAME_ROOM] = "libpython3";
    dl_iterate_phdr(note_file, library);
    if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != NO_PYTHON || !python_symbol(library, "Py_GetVersion")) return;
    const unsigned long *version = python_symbol(library, "Py_Version");
    const char *further = secure_getenv("RERENDER_PASS_OVER");
    if (further) crerender_pass_over_scripts(further);
    crerender_python_gap(version ? *version : 0, unknown_text, sizeof unknown_text);
    process = getpid();
    python.memory = (struct crerender_python_memory){read_own, NULL};
    bool is_found = version && find_symbols(library) &&
                    crerender_python_layout(&python.memory, *version, python.runtime, &python.layout);
    __atomic_store_n(&state, is_found ? IS_KNOWN : IS_UNKNOWN, __ATOMIC_RELEASE);
}

// MARK: Names

bool crerender_trusts_layout(struct crerender_layout_trust *trust, bool is_right) {
    enum { MOST_WRONG = 8 };
    if (is_right) __atomic_store_n(&trust->right, 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&trust->right, __ATOMIC_RELAXED)) return true;
    return __atomic_add_fetch(&trust->wrong, 1, __ATOMIC_RELAXED) < MOST_WRONG;
}

/// The place of a function, as an address; 0 where it is passed over. False where it does not look right.
static bool find_place(uintptr_t code, uintptr_t instruction, uintptr_t *address) {
    static struct crerender_layout_trust trust;
    struct crerender_script_place place;
    bool is_right = crerender_python_place(&python, code, instruction, &place);
    if (!crerender_trusts_layout(&trust, is_right)) __atomic_store_n(&state, IS_UNKNOWN, __ATOMIC_RELEASE);
    if (is_right)
        *address = crerender_passes_over_script(place.file) ? 0 : script_place(place.function, place.file, place.line);
    return is_right;
}

bool crerender_may_name(struct crerender_naming *naming, uint64_t now) {
    enum { MOST_SPENT = 20000000, SECOND = 1000000000 };
    // Another thread may have begun a second since this one looked at the clock.
    if ((int64_t)(now - __atomic_load_n(&naming->second, __ATOMIC_RELAXED)) >= SECOND) {
        __atomic_store_n(&naming->second, now, __ATOMIC_RELAXED);
        __atomic_store_n(&naming->spent, 0, __ATOMIC_RELAXED);
    }
    if (__atomic_load_n(&naming->spent, __ATOMIC_RELAXED) < MOST_SPENT) return true;
    __atomic_store_n(&naming->left_out, true, __ATOMIC_RELAXED);
    return false;
}

/// What threads of the host spend on names.
static struct crerender_naming naming;

/// When it began; 0 where the time of this second is spent.
static uint64_t begin_naming(void) {
    uint64_t now = crerender_now();
    return crerender_may_name(&naming, now) ? now : 0;
}

static void end_naming(uint64_t began) { __atomic_fetch_add(&naming.spent, crerender_now() - began, __ATOMIC_RELAXED); }

const char *crerender_script_gap(void) {
    if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == IS_UNKNOWN) return unknown_text;
    if (javascript_gap()) return javascript_gap();
    if (crerender_missed_script_places())
        return "some functions of scripts have no names: there is no room for more than 4,096 places";
    if (!__atomic_load_n(&naming.left_out, __ATOMIC_RELAXED)) return NULL;
    return "some functions of scripts have no names: looking for them took 20 ms in a second";
}

// MARK: Stacks

static bool find_here(struct crerender_script_frame *frame) {
    struct crerender_python_walk walk = crerender_python_begin(&python, state_of_this_thread());
    for (struct crerender_python_frame step; crerender_python_next(&walk, &step);) {
        if (step.code && !frame->place && !find_place(step.code, step.instruction, &frame->place)) return false;
        frame->call = step.call;
        if (step.call && frame->place) return true;
    }
    return false;
}

bool crerender_script_here(struct crerender_script_frame *frame) {
    *frame = (struct crerender_script_frame){0, 0};
    bool is_python = is_known();
    uint64_t began = is_python || javascript_is_known() ? begin_naming() : 0;
    if (!began) return false;
    if (!is_python) frame->place = javascript_place();
    bool is_found = is_python ? find_here(frame) : frame->place != 0;
    end_naming(began);
    return is_found;
}

uintptr_t crerender_script_thread(pid_t thread) {
    if (is_known()) return crerender_python_thread(&python, thread);
    return javascript_is_thread(thread) ? (uintptr_t)thread : 0;
}

/// Of JavaScript, nothing is known of a thread that does not say it itself but what the main loop has called.
static void read_javascript(struct crerender_script_stack *stack) {
    struct javascript_handler running = javascript_running();
    stack->frames[0] = (struct crerender_script_frame){running.place, running.frame};
    stack->count = running.place ? 1 : 0;
}

void crerender_read_script_stack(uintptr_t thread, struct crerender_script_stack *stack) {
    stack->count = 0;
    if (!thread) return;
    if (!is_known()) return read_javascript(stack);
    struct crerender_python_walk walk = crerender_python_begin(&python, thread);
    uint32_t count = 0, first = 0;
    for (struct crerender_python_frame step; crerender_python_next(&walk, &step);) {
        uintptr_t place = 0;
        if (step.code && count < CRERENDER_SCRIPT_FRAMES && !find_place(step.code, step.instruction, &place)) return;
        if (place) stack->frames[count++] = (struct crerender_script_frame){place, 0};
        if (!step.call) continue;
        for (; first < count; first++) stack->frames[first].call = step.call;
        if (count == CRERENDER_SCRIPT_FRAMES) break;
    }
    bool is_cut = count == CRERENDER_SCRIPT_FRAMES && first == count;
    if (is_cut || crerender_python_is_whole(&walk)) stack->count = count;
}

// MARK: Locks

/// Whether a file is of Python's own library, without what is installed beside it.
static bool is_of_library(const char *file) {
    const char *library = strstr(file, "/lib/python3.");
    return library && !strstr(library, "-packages/");
}

/// The innermost function of a thread that is not of Python's library, or else of any, with its code; 0 where its stack does not look right.
static uintptr_t innermost(uintptr_t thread, uintptr_t *code) {
    struct crerender_python_walk walk = crerender_python_begin(&python, thread);
    struct crerender_script_place place;
    uintptr_t found = 0;
    bool is_own = false;
    for (struct crerender_python_frame step; crerender_python_next(&walk, &step);) {
        if (!step.code || is_own) continue;
        if (!crerender_python_place(&python, step.code, step.instruction, &place)) return 0;
        if (crerender_passes_over_script(place.file)) continue;
        is_own = !is_of_library(place.file);
        if (found && !is_own) continue;
        found = script_place(place.function, place.file, place.line);
        *code = step.code;
    }
    return crerender_python_is_whole(&walk) ? found : 0;
}

/// The same of a thread that may run meanwhile: what was read of two moments is no function that ran. So it has to be there twice.
static uintptr_t innermost_twice(uintptr_t thread) {
    enum { MOST_READS = 4 };
    uintptr_t before = 0;
    for (int reads = 0; reads < MOST_READS; reads++) {
        uintptr_t code = 0, place = innermost(thread, &code);
        if (place && code == before) return place;
        before = place ? code : 0;
    }
    return 0;
}

bool crerender_find_script_lock(uintptr_t address, pid_t waiting, struct crerender_script_lock *lock) {
    *lock = (struct crerender_script_lock){0, 0, 0};
    uintptr_t found = is_known() ? crerender_python_lock(&python, address) : 0;
    if (!found) return false;
    struct crerender_python_holder holder = crerender_python_find_holder(&python, found);
    if (!holder.thread || holder.number == waiting) return true;
    uintptr_t place = innermost_twice(holder.thread);
    struct crerender_python_holder now = crerender_python_find_holder(&python, found);
    // The lock goes from thread to thread.
    if (now.thread == holder.thread && now.switches == holder.switches)
        *lock = (struct crerender_script_lock){holder.number, place, holder.switches};
    return true;
}

uint32_t crerender_merge_scripts(const uintptr_t *addresses, const uintptr_t *ends, uint32_t count,
                                 const struct crerender_script_stack *stack, bool (*is_interpreter)(uintptr_t address),
                                 uintptr_t *merged, uint32_t room) {
    uint32_t used = 0, next = 0;
    for (uint32_t index = 0; index <= count; index++) {
        // What a call of the interpreter runs lies inside of it. Behind the last address, what is left was called from further out.
        for (; next < stack->count && used < room; next++) {
            if (index < count && stack->frames[next].call >= ends[index]) break;
            merged[used++] = stack->frames[next].place;
        }
        if (index == count || used == room) break;
        if (stack->count == 0 || !is_interpreter(addresses[index])) merged[used++] = addresses[index];
    }
    return used;
}

bool crerender_is_interpreter(uintptr_t address) {
    static const char *const names[] = {"libpython3", "python3",          "_gi.",    "_gi_cairo.", "_ctypes.",
                                        "libffi.",    "libgirepository-", "libgjs.", "gjs",        "libmozjs"};
    struct csymbols_image image;
    char path[PATH_MAX];
    // What was made as the program runs has no file.
    if (!csymbols_find_image(address - 1, &image, path, sizeof path)) return true;
    if (strcmp(path, "/proc/self/exe") == 0) {
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        path[length > 0 ? length : 0] = 0;
    }
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        if (strncmp(file, names[index], strlen(names[index])) == 0) return true;
    return false;
}

// MARK: What a loop calls

/// The object that PyGObject calls for a callback with its data; 0 where they are not PyGObject's.
static uintptr_t callable_of(uintptr_t callback, uintptr_t data) {
    // What each of them begins with: the object's type or the closure's marshaller comes second.
    uintptr_t words[5];
    if (read_own(NULL, data, words, sizeof words) != sizeof words) return 0;
    if (is_of_gi(callback)) {
        // A tuple of the object and its arguments, or a PyGClosure.
        size_t element = python.layout.elements / sizeof *words;
        if (words[1] == python.tuple) return element < 5 ? words[element] : 0;
        return words[1] == callback ? words[4] : 0;
    }
    // A PyGICClosure: a description, the object, libffi's closure and its interface. The closure leads back here, behind 24 or 32 bytes of
    // code, and to a function of PyGObject's.
    uintptr_t closure[4], interface = data + 3 * sizeof *words;
    if (read_own(NULL, words[2] + 24, closure, sizeof closure) != sizeof closure) return 0;
    const uintptr_t *parts = closure[0] == interface ? closure : closure + 1;
    return parts[0] == interface && is_of_gi(parts[1]) && parts[2] == data ? words[1] : 0;
}

/// The place of what can be called; 0 where that is not known. A binding's own function stands for the one that it calls: for a watch of a
/// descriptor, PyGObject makes one around the program's. An object of a class that can be called has the name of its class alone.
static uintptr_t place_of_callable(uintptr_t object) {
    uintptr_t code = crerender_python_callable(&python, object), address = 0;
    static const char called[] = ".__call__";
    char name[128];
    if (!code && crerender_python_class(&python, object, name, sizeof name - sizeof called)) {
        memcpy(name + strlen(name), called, sizeof called);
        return script_place(name, "", 0);
    }
    if (!code || !find_place(code, 0, &address) || address) return address;
    code = crerender_python_captured(&python, object);
    if (code) find_place(code, 0, &address);
    return address;
}

uintptr_t crerender_script_callable(uintptr_t callback, const void *data) {
    bool is_python = is_known();
    uint64_t began = data && (is_python || javascript_is_known()) ? begin_naming() : 0;
    if (!began) return 0;
    uintptr_t object = is_python ? callable_of(callback, (uintptr_t)data) : 0, address = 0;
    if (object) address = place_of_callable(object);
    if (!is_python) address = javascript_closure(data);
    end_naming(began);
    return address;
}

// MARK: What stays of functions of bindings

uintptr_t crerender_lasting_function(uintptr_t function) {
    if (is_script_place(function)) return function;
    if (is_of_gi(function) || javascript_has_code(function)) return 0;
    // Compilers put functions into files.
    return loaded_has_file(function) ? function : 0;
}

uintptr_t crerender_called_function(uintptr_t callback, const void *data) {
    uintptr_t place = crerender_script_callable(callback, data);
    if (place) return place;
    // GObject has a callback of its own for closures.
    return javascript_is_closure(data) ? 0 : crerender_lasting_function(callback);
}

uintptr_t crerender_binding(void) {
    bool has_gi = __atomic_load_n(&gi_high, __ATOMIC_ACQUIRE) != 0;
    return has_gi ? __atomic_load_n(&gi_low, __ATOMIC_RELAXED) : javascript_code();
}
