// SPDX-License-Identifier: MIT
// Asks SpiderMonkey which line of a script calls now, and reads from gjs's closures which functions they call.
//
// The engine is asked by functions of C++ that its library exports. A function's name in the library has the types of what it takes, so what
// has the name takes what is given here. Which names a version has is known of four: those that gjs was released with.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "interpreter_frames.h"

#include "../Loaded/loaded.h"
#include "CRerender.h"
#include "script_places.h"

#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: Versions

static const struct version {
    uint32_t number;
    bool takes_file_first;
    /// Where a shape has its number of slots: that of the lowest bit.
    uint8_t slots;
    const char *describe, *is_bound, *target;
} versions[] = {
    {102, false, 5, "_ZN2JS22DescribeScriptedCallerEP9JSContextPNS_12AutoFilenameEPjS4_",
     "_Z18JS_IsFunctionBoundP10JSFunction", "_Z25JS_GetBoundFunctionTargetP10JSFunction"},
    {115, false, 6, "_ZN2JS22DescribeScriptedCallerEP9JSContextPNS_12AutoFilenameEPjS4_",
     "_Z24JS_ObjectIsBoundFunctionP8JSObject", "_Z25JS_GetBoundFunctionTargetP8JSObject"},
    {128, false, 6, "_ZN2JS22DescribeScriptedCallerEP9JSContextPNS_12AutoFilenameEPjPNS_21ColumnNumberOneOriginE",
     "_Z24JS_ObjectIsBoundFunctionP8JSObject", "_Z25JS_GetBoundFunctionTargetP8JSObject"},
    {140, true, 6, "_ZN2JS22DescribeScriptedCallerEPNS_12AutoFilenameEP9JSContextPjPNS_21ColumnNumberOneOriginE",
     "_Z24JS_ObjectIsBoundFunctionP8JSObject", "_Z25JS_GetBoundFunctionTargetP8JSObject"},
};

static const struct version *version_of(uint32_t number) {
    for (size_t index = 0; index < sizeof versions / sizeof *versions; index++)
        if (versions[index].number == number) return &versions[index];
    return NULL;
}

uint32_t javascript_version(const char *file) {
    static const char name[] = "libmozjs-";
    if (strncmp(file, name, sizeof name - 1) != 0) return 0;
    char *end;
    unsigned long number = strtoul(file + sizeof name - 1, &end, 10);
    return strncmp(end, ".so", 3) == 0 && number < 10000 ? (uint32_t)number : 0;
}

const char *javascript_function(uint32_t number) {
    const struct version *version = version_of(number);
    return version ? version->describe : NULL;
}

// MARK: The engine

/// JS::AutoFilename, with room: all 0 is one that holds nothing.
struct file_name {
    uintptr_t words[8];
};

/// Written before that says that they are there.
static struct {
    const struct version *version;
    void *(*current)(void);
    void *(*native)(void *context);
    void *(*runtime)(void *engine);
    bool (*is_on_thread)(const void *runtime);
    int (*heap_state)(void);
    void (*hide)(void *engine);
    void (*unhide)(void *engine);
    bool (*describe)(void *first, void *other, unsigned *line, void *column);
    const char *(*text)(const struct file_name *file);
    void (*reset)(struct file_name *file);
    void *(*function)(void *object);
    bool (*is_bound)(void *object);
    void *(*target)(void *object);
    const char *(*script_file)(void *script);
    unsigned (*script_line)(void *engine, void *script);
} engine;

enum state { NOT_FOUND, IS_KNOWN, IS_UNKNOWN };
static uint32_t state;
static char gap[96];
/// The code of libgjs.
static struct loaded_code gjs_code;
/// The engine's thread: the process's first one. 0 until that is known, -1 where it is another one.
static pid_t thread;

struct files {
    char gjs[64], engine[64];
};

static int note_file(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct files *files = context;
    const char *path = info->dlpi_name ? info->dlpi_name : "", *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (javascript_version(name)) snprintf(files->engine, sizeof files->engine, "%s", name);
    if (strncmp(name, "libgjs.so", 9) == 0) snprintf(files->gjs, sizeof files->gjs, "%s", name);
    return 0;
}

static bool find_functions(const struct files *files) {
    const struct {
        const char *file, *name;
        void *place;
    } functions[] = {
        {files->gjs, "gjs_context_get_current", &engine.current},
        {files->gjs, "gjs_context_get_native_context", &engine.native},
        {files->engine, "_Z13JS_GetRuntimeP9JSContext", &engine.runtime},
        {files->engine, "_ZN2js29CurrentThreadCanAccessRuntimeEPK9JSRuntime", &engine.is_on_thread},
        {files->engine, "_ZN2JS16RuntimeHeapStateEv", &engine.heap_state},
        {files->engine, "_ZN2JS18HideScriptedCallerEP9JSContext", &engine.hide},
        {files->engine, "_ZN2JS20UnhideScriptedCallerEP9JSContext", &engine.unhide},
        {files->engine, engine.version->describe, &engine.describe},
        {files->engine, "_ZNK2JS12AutoFilename3getEv", &engine.text},
        {files->engine, "_ZN2JS12AutoFilename5resetEv", &engine.reset},
        {files->engine, "_Z20JS_GetObjectFunctionP8JSObject", &engine.function},
        {files->engine, engine.version->is_bound, &engine.is_bound},
        {files->engine, engine.version->target, &engine.target},
        {files->engine, "_Z20JS_GetScriptFilenameP8JSScript", &engine.script_file},
        {files->engine, "_Z26JS_GetScriptBaseLineNumberP9JSContextP8JSScript", &engine.script_line},
    };
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        void *found = NULL;
        found = loaded_symbol(&found, NULL, functions[index].file, functions[index].name);
        if (!found) return false;
        memcpy(functions[index].place, &found, sizeof found);
    }
    return true;
}

void javascript_find(void) {
    if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != NOT_FOUND || crerender_is_silent()) return;
    if (!crerender_thread_may_wait_for_loader()) return;
    struct files files = {"", ""};
    dl_iterate_phdr(note_file, &files);
    if (!files.gjs[0] || !files.engine[0]) return;
    void *current = NULL;
    gjs_code = loaded_code_around((uintptr_t)loaded_symbol(&current, NULL, files.gjs, "gjs_context_get_current"));
    uint32_t number = javascript_version(files.engine);
    engine.version = version_of(number);
    bool is_known = engine.version && find_functions(&files);
    snprintf(gap, sizeof gap, "JavaScript: libmozjs-%u is not known: lines of scripts have no names", number);
    __atomic_store_n(&state, is_known ? IS_KNOWN : IS_UNKNOWN, __ATOMIC_RELEASE);
}

bool javascript_is_known(void) {
    return __builtin_expect(__atomic_load_n(&state, __ATOMIC_ACQUIRE) == IS_KNOWN, 0) && !crerender_is_silent();
}

/// The engine of gjs's context, where it is the calling thread's; null elsewhere.
static void *engine_of_thread(void) {
    void *context = engine.current(), *found = context ? engine.native(context) : NULL;
    return found && engine.is_on_thread(engine.runtime(found)) ? found : NULL;
}

/// Whether the calling thread is the engine's. Another one asks nothing of gjs, which may be about to end. This is not learned inside of a
/// source: it would not be known which scripts run around that.
static bool is_own_thread(void) {
    pid_t known = __atomic_load_n(&thread, __ATOMIC_RELAXED), own = crerender_this_thread();
    if (known == 0 && own == getpid() && !crerender_row_running() && engine.current()) {
        known = engine_of_thread() ? own : -1;
        __atomic_store_n(&thread, known, __ATOMIC_RELAXED);
    }
    return known == own;
}

/// The engine, where the calling thread is its own, its heap is not being traced or collected, and nothing is switched off; null elsewhere.
static void *engine_here(void) {
    if (!javascript_is_known() || !is_own_thread()) return NULL;
    void *found = engine_of_thread();
    return found && engine.heap_state() == 0 ? found : NULL;
}

// MARK: Names

const char *javascript_gap(void) { return __atomic_load_n(&state, __ATOMIC_ACQUIRE) == IS_UNKNOWN ? gap : NULL; }

const char *javascript_file(const char *uri) {
    static const char of_gjs[] = "resource:///org/gnome/gjs/", resource[] = "resource://", file[] = "file://";
    if (!uri || !*uri || strncmp(uri, of_gjs, sizeof of_gjs - 1) == 0) return NULL;
    if (strncmp(uri, file, sizeof file - 1) == 0) return uri + sizeof file - 1;
    // No file is there.
    return strncmp(uri, resource, sizeof resource - 1) == 0 ? strrchr(uri, '/') + 1 : uri;
}

static uintptr_t place_of(const char *uri, unsigned line) {
    const char *file = javascript_file(uri);
    bool is_passed = !file || !*file || crerender_passes_over_script(file);
    return is_passed || line == 0 ? 0 : script_place("", file, line);
}

uintptr_t javascript_place(void) {
    void *found = engine_here();
    if (!found) return 0;
    struct file_name file = {{0}};
    unsigned line = 0;
    // Of all versions, the first two are these in one order or the other, and the last one may be null.
    void *first = engine.version->takes_file_first ? (void *)&file : found;
    void *other = engine.version->takes_file_first ? found : (void *)&file;
    bool is_called = engine.describe(first, other, &line, NULL);
    uintptr_t place = is_called ? place_of(engine.text(&file), line) : 0;
    engine.reset(&file);
    return place;
}

// MARK: Closures

static size_t read_own(void *context, uintptr_t address, void *to, size_t size) {
    (void)context;
    return crerender_read_memory(address, to, size);
}

static const struct crerender_python_memory own_memory = {read_own, NULL};

static bool read_words(const struct crerender_python_memory *memory, uintptr_t address, uintptr_t *words,
                       size_t count) {
    size_t size = count * sizeof *words;
    return address && memory->read(memory->context, address, words, size) == size;
}

uintptr_t javascript_object(const struct crerender_python_memory *memory, uintptr_t closure,
                            const struct javascript_owner *owner) {
    enum { NOTIFIERS = 3, ENGINE, OBJECT, ROOT, CLOSURE_WORDS };
    enum { ROOT_OBJECT = 3, ROOT_WORDS };
    uintptr_t words[CLOSURE_WORDS], notifier[2], root[ROOT_WORDS];
    if (!read_words(memory, closure, words, CLOSURE_WORDS) || words[ENGINE] != owner->engine) return 0;
    if (!read_words(memory, words[NOTIFIERS], notifier, 2)) return 0;
    if (notifier[1] < owner->low || notifier[1] >= owner->high) return 0;
    if (!words[ROOT]) return words[OBJECT];
    return read_words(memory, words[ROOT], root, ROOT_WORDS) ? root[ROOT_OBJECT] : 0;
}

uintptr_t javascript_script(const struct crerender_python_memory *memory, uintptr_t function) {
    // As js/shadow/Function.h has them for users of the library.
    enum { FLAGS = 3, SCRIPT = 5, FUNCTION_WORDS };
    // Made by the engine itself; and has a script, which is compiled or will be.
    enum { IS_OF_ENGINE = 1 << 4, HAS_SCRIPT = 1 << 5 };
    uintptr_t words[FUNCTION_WORDS];
    if (!read_words(memory, function, words, FUNCTION_WORDS)) return 0;
    return (words[FLAGS] & (IS_OF_ENGINE | HAS_SCRIPT)) == HAS_SCRIPT ? words[SCRIPT] : 0;
}

/// The object in a value of the engine; 0 of a value of another kind.
static uintptr_t object_in(uintptr_t value) {
    enum { SHIFT = 47, OBJECT = 0x1FFFC };
    return value >> SHIFT == OBJECT ? value & (((uintptr_t)1 << SHIFT) - 1) : 0;
}

bool javascript_variables(const struct crerender_python_memory *memory, uintptr_t function, uint32_t slots,
                          uintptr_t *objects) {
    // As js/shadow has them, but for the number of slots that are in use: that is behind the number of slots. What is behind those in use
    // may be anything, so all have to be in use.
    enum { ENVIRONMENT = 4, HEAD = 3, OWN = 2, SLOTS = OWN + JAVASCRIPT_VARIABLES };
    enum { SLOTS_BITS = 5, SLOTS_MASK = 0x1F, USED_MASK = 0x3FF };
    static const char scope[] = "LexicalEnvironment";
    uintptr_t words[HEAD + SLOTS], shape[2], class, name;
    char text[sizeof scope];
    if (!read_words(memory, function, words, ENVIRONMENT + 1)) return false;
    if (!read_words(memory, object_in(words[ENVIRONMENT]), words, HEAD + SLOTS)) return false;
    if (!read_words(memory, words[0], shape, 2)) return false;
    uint32_t flags = (uint32_t)shape[1];
    if ((flags >> slots & SLOTS_MASK) != SLOTS || (flags >> (slots + SLOTS_BITS) & USED_MASK) != SLOTS) return false;
    if (!read_words(memory, shape[0], &class, 1) || !read_words(memory, class, &name, 1) || !name) return false;
    if (memory->read(memory->context, name, text, sizeof text) != sizeof text) return false;
    if (memcmp(text, scope, sizeof text) != 0) return false;
    for (int index = 0; index < JAVASCRIPT_VARIABLES; index++) objects[index] = object_in(words[HEAD + OWN + index]);
    return true;
}

/// The object that a bound function calls; null of others. Before 115 it was a function itself.
static void *target_of(void *object) {
    if (engine.version->number < 115 && !engine.function(object)) return NULL;
    return engine.is_bound(object) ? engine.target(object) : NULL;
}

/// The function that is called in the end where an object is called; null where the object cannot be called.
static void *function_of(void *object) {
    enum { MOST_BOUND = 4 };
    for (int bound = 0; bound < MOST_BOUND; bound++) {
        void *target = target_of(object);
        if (!target) break;
        object = target;
    }
    return engine.function(object);
}

static void *script_of(void *function) { return (void *)javascript_script(&own_memory, (uintptr_t)function); }

/// What gjs's own `setTimeout` and `setInterval` call: they keep the function of the program in a variable, bound; null of other functions
/// of gjs's. Objects in variables are there for as long as the function is.
static void *function_of_timer(void *function) {
    uintptr_t objects[JAVASCRIPT_VARIABLES];
    if (!javascript_variables(&own_memory, (uintptr_t)function, engine.version->slots, objects)) return NULL;
    for (int index = 0; index < JAVASCRIPT_VARIABLES; index++)
        if (objects[index] && target_of((void *)objects[index])) return function_of((void *)objects[index]);
    return NULL;
}

static uintptr_t place_of_object(void *found, void *object) {
    static const char timers[] = "resource:///org/gnome/gjs/modules/esm/_timers.js";
    void *function = function_of(object), *script = script_of(function);
    const char *file = script ? engine.script_file(script) : NULL;
    if (file && strcmp(file, timers) == 0) {
        script = script_of(function_of_timer(function));
        file = script ? engine.script_file(script) : NULL;
    }
    return file ? place_of(file, engine.script_line(found, script)) : 0;
}

/// The object that a closure of gjs calls, and the engine; null for what is no closure of gjs.
static void *object_of(const void *closure, void **found) {
    *found = closure ? engine_here() : NULL;
    if (!*found) return NULL;
    const struct javascript_owner owner = {(uintptr_t)*found, gjs_code.low, gjs_code.high};
    return (void *)javascript_object(&own_memory, (uintptr_t)closure, &owner);
}

uintptr_t javascript_closure(const void *closure) {
    int error = errno;
    void *found, *object = object_of(closure, &found);
    uintptr_t place = object ? place_of_object(found, object) : 0;
    errno = error;
    return place;
}

bool javascript_is_closure(const void *closure) {
    int error = errno;
    void *found, *object = object_of(closure, &found);
    errno = error;
    return object;
}

uintptr_t javascript_code(void) { return __atomic_load_n(&state, __ATOMIC_ACQUIRE) == NOT_FOUND ? 0 : gjs_code.low; }

bool javascript_has_code(uintptr_t address) { return javascript_code() && is_in_code(gjs_code, address); }

// MARK: Calls of the main loop

/// A signal handler on the engine's thread may read it between any two of these.
static struct javascript_handler handler;

static struct javascript_handler set_handler(struct javascript_handler now) {
    struct javascript_handler around = handler;
    __atomic_store_n(&handler.place, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&handler.frame, now.frame, __ATOMIC_RELEASE);
    __atomic_store_n(&handler.place, now.place, __ATOMIC_RELEASE);
    return around;
}

struct javascript_call javascript_begins(uintptr_t function, uintptr_t frame) {
    struct javascript_call call = {engine_here(), {0, 0}};
    if (!call.engine) return call;
    engine.hide(call.engine);
    uintptr_t place = is_script_place(function) ? function : 0;
    call.around = set_handler((struct javascript_handler){place, frame});
    return call;
}

void javascript_ends(struct javascript_call call) {
    if (!call.engine) return;
    // The source may have ended the engine.
    if (engine_of_thread() == call.engine) engine.unhide(call.engine);
    set_handler(call.around);
}

struct javascript_handler javascript_handler_begins(uintptr_t function, uintptr_t frame) {
    bool is_of_script = is_script_place(function) && engine_here();
    return is_of_script ? set_handler((struct javascript_handler){function, frame}) : handler;
}

void javascript_handler_ends(struct javascript_handler around) {
    if (handler.place != around.place || handler.frame != around.frame) set_handler(around);
}

bool javascript_is_thread(pid_t of) { return of > 0 && __atomic_load_n(&thread, __ATOMIC_RELAXED) == of; }

struct javascript_handler javascript_running(void) {
    struct javascript_handler found = {__atomic_load_n(&handler.place, __ATOMIC_ACQUIRE), 0};
    found.frame = __atomic_load_n(&handler.frame, __ATOMIC_ACQUIRE);
    return found;
}
