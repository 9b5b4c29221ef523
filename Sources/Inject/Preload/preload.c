// SPDX-License-Identifier: MIT
// The library that `rerenderctl run --inject` has the loader put into each process, and that `attach` has a process load that runs. It
// needs libc alone.
//
// A process without views, widgets and a main loop of GLib keeps just this. Where a type conforms to a view's protocol, or GTK 4 is
// there, the Swift part is loaded: before `main`, when the file that has the type is loaded, or when GTK comes. Where neither is, it is
// loaded when GLib's main loop runs for the first time. Scripts/lib/inject compiles this, and says which Swift the part was built with.

#define _GNU_SOURCE
#include "crerender_inject.h"
#include "parts.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/// One thread at a time looks; it may load a library that announces itself meanwhile.
static pthread_mutex_t is_looking = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static bool is_loading, is_refused, has_main_begun;
/// The Swift part's entry: looks for views in files that it has not seen, and returns how many it counts. Null until it is loaded.
static uint32_t (*look)(void);
/// How many the last look told.
static uint32_t views;
/// The entry of the part for GTK: tells what becomes of it. Null until it is loaded, and in a build without it.
static void (*begin_gtk)(void (*report)(const char *text));
static bool is_gtk_done;
/// What counts for the main loop, by itself where it is alone. Null until one of the parts is loaded.
static void (*begin_loop)(bool is_alone);

// MARK: The Swift part

static void load(const struct runtime *runtime) {
    char path[PATH_MAX];
    if (!is_of_our_version(runtime) || !load_libraries(runtime->path) || !find_part("librerender-inject.so", path))
        return;
    void *part = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (part) *(void **)&look = dlsym(part, "rerender_inject_look");
    if (part) *(void **)&begin_gtk = dlsym(part, "rerender_gtk_begin");
    if (part) *(void **)&begin_loop = dlsym(part, "rerender_loop_begin");
    if (!look) report("refused", "%s", dlerror());
}

/// Loads the Swift part, once. Each file that comes with it announces itself: looked at from there, in the loader's lock, the part
/// would wait for threads of its own that load something, too.
static void load_once(const struct runtime *runtime) {
    is_loading = true;
    load(runtime);
    is_loading = false;
    is_refused = !look;
}

/// Looks, and says how many kinds of views there are wherever they are more. Also that there is none which can be counted.
static void look_again(bool is_first) {
    uint32_t count = look();
    if (count > views || is_first) report("views", "%" PRIu32, count);
    views = count;
}

// MARK: Looking

struct search {
    struct crerender_memory *memory;
    const char *names;
    bool has_view, is_foreign;
    /// The last protocol without a body that is known.
    const void *told;
};

static bool found(const struct crerender_view *view, void *context) {
    struct search *search = context;
    search->has_view = view->getters > 0;
    if (!search->has_view && search->told != view->protocol) crerender_report_shape(search->memory, view);
    search->told = view->protocol;
    return !search->has_view;
}

static bool search_image(const struct crerender_sections *sections, void *context) {
    struct search *search = context;
    // The runtime forgets no file, also where it was unloaded.
    if (!crerender_has(search->memory, sections, sizeof *sections)) return true;
    if (!crerender_knows_sections(sections->version)) {
        search->is_foreign = true;
        return true;
    }
    return crerender_find_views(search->memory, (const int32_t *)sections->conformances.start,
                                sections->conformances.length, search->names, found, search);
}

static bool has_views(const struct runtime *runtime) {
    struct search search = {crerender_memory_of_process(), getenv("RERENDER_VIEW_PROTOCOLS"), false, false, NULL};
    if (!search.memory) return false;
    runtime->enumerate(search_image, &search);
    free(search.memory);
    if (search.is_foreign && !search.has_view) {
        report("refused", "its Swift metadata is of another version");
        is_refused = true;
    }
    return search.has_view;
}

/// The process that began; not that of a forked child.
static pid_t process;

/// Whether files with Swift code will announce themselves that are loaded now: then the last of them is the time to look.
static bool must_wait(const struct runtime *runtime) {
    struct crerender_memory *memory = crerender_memory_of_process();
    bool is_due = memory && is_announcement_due(memory, runtime->enumerate);
    free(memory);
    return is_due;
}

static void look_in(const struct runtime *runtime) {
    if (look) {
        look_again(false);
    } else if (has_views(runtime)) {
        load_once(runtime);
        if (look) look_again(true);
    }
}

/// Whether there may be something new to look at.
static atomic_bool is_asked;

/// Looks as long as somebody asks. Two threads may come here: one that lets go of the lock looks whether it was asked meanwhile.
static void look_while_asked(int (*take)(pthread_mutex_t *)) {
    while (atomic_load(&is_asked) && take(&is_looking) == 0) {
        struct runtime runtime;
        bool is_wanted = atomic_exchange(&is_asked, false) && !is_loading && !is_refused;
        if (is_wanted && find_runtime(&runtime) && !must_wait(&runtime)) look_in(&runtime);
        pthread_mutex_unlock(&is_looking);
    }
}

/// Looks for views, unless the process is none of ours.
///
/// - Parameter is_loading_file: Whether the loader calls, and waits. Then this thread must not wait for one that looks, because that
///   may wait for the loader; that thread looks again.
static void look_for_views(bool is_loading_file) {
    // In a forked child another thread may have had the lock for ever. What it evaluates is not counted.
    if (getauxval(AT_SECURE) || getpid() != process) return;
    int saved = errno;
    atomic_store(&is_asked, true);
    look_while_asked(is_loading_file ? pthread_mutex_trylock : pthread_mutex_lock);
    errno = saved;
}

/// Keeps a file with Swift code in memory for ever: the runtime forgets none, and reads what was there when it is asked whether a type
/// conforms to a protocol.
static void keep_file(const void *sections) {
    int saved = errno;
    Dl_info found;
    struct link_map *file = NULL;
    if (dladdr1(sections, &found, (void **)&file, RTLD_DL_LINKMAP) && file && file->l_name[0]) {
        (void)dlopen(file->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    }
    errno = saved;
}

// MARK: GTK

static void report_of_gtk(const char *text) { report("widgets", "%s", text); }

static const char is_missing[] = "rerender was built without its part for GTK";

/// Opens the part for GTK that has a Swift of its own; NULL, and why, where that cannot be had.
static void *open_part_for_gtk(const char **why) {
    char path[PATH_MAX];
    *why = is_missing;
    if (!find_part("librerender-gtk.so", path) || access(path, R_OK) != 0) return NULL;
    void *part = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!part) *why = dlerror();
    return part;
}

/// Loads the part that counts widgets and the main loop: with the Swift of the program where it has one, else with one of its own. Returns
/// why not; NULL where that was said.
static const char *load_part(void) {
    struct runtime runtime;
    if (find_runtime(&runtime)) {
        if (!look && !is_refused) load_once(&runtime);
        return begin_gtk || is_refused ? NULL : is_missing;
    }
    const char *why;
    void *part = open_part_for_gtk(&why);
    if (!part) return why;
    *(void **)&begin_loop = dlsym(part, "rerender_gtk_loop_begin");
    *(void **)&begin_gtk = dlsym(part, "rerender_gtk_begin");
    return begin_gtk ? NULL : dlerror();
}

/// Whether a library is loaded. Loads nothing.
static bool is_loaded(const char *name) {
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (library) dlclose(library);
    return library;
}

/// Says of a process with an older GTK why its widgets are not counted. Once.
static void look_for_older_gtk(void) {
    static bool is_told;
    int version = is_loaded("libgtk-3.so.0") ? 3 : is_loaded("libgtk-x11-2.0.so.0") ? 2 : 0;
    if (is_told || version == 0) return;
    is_told = true;
    report("widgets", "its GTK is version %d, and rerender counts the widgets of GTK 4", version);
}

/// Begins with the widgets of a process in which GTK 4 is. Once.
static void look_for_gtk(void) {
    if (is_gtk_done || getauxval(AT_SECURE) || getpid() != process) return;
    int saved = errno;
    if (!is_loaded("libgtk-4.so.1")) {
        look_for_older_gtk();
    } else {
        pthread_mutex_lock(&is_looking);
        bool is_first = !is_gtk_done && !is_loading;
        if (is_first) {
            is_gtk_done = true;
            const char *why = load_part();
            if (why) report_of_gtk(why);
        }
        pthread_mutex_unlock(&is_looking);
        // A file may have announced itself meanwhile.
        look_while_asked(pthread_mutex_lock);
        if (is_first && begin_gtk) begin_gtk(report_of_gtk);
    }
    errno = saved;
}

// MARK: A main loop without views and widgets

/// Whether this library was loaded into a program that ran already.
static atomic_bool is_late;

/// Called when GLib's default main loop is about to run. Where there are views or widgets, their store tells of the loop. A program
/// that began with us loads our module of GIO before its first window, so that this does not look for GTK there: a program that hands over
/// to a running instance has no window, and runs the loop once at its end.
static void begin_with_loop(void) {
    if (getpid() != process) return;
    if (atomic_load(&is_late)) look_for_gtk();
    pthread_mutex_lock(&is_looking);
    bool is_first = !look && !begin_gtk && !is_loading;
    // Without the part, nothing is said: the end says already that nothing was counted.
    if (is_first) (void)load_part();
    pthread_mutex_unlock(&is_looking);
    // A file may have announced itself meanwhile.
    look_while_asked(pthread_mutex_lock);
    if (!begin_loop) return;
    // A part that came late did not see the sources that were attached before, and looks for them. A program that runs may have GTK loaded
    // and make no widget: the part makes a store for its loop alone where it has no other.
    bool is_alone = is_first || atomic_load(&is_late);
    begin_loop(is_alone);
    if (is_alone) report("loop", "begun");
}

/// Waits for the main loop of a process that has no views or widgets so far.
static void look_for_loop(void) {
    if (look || begin_gtk || getauxval(AT_SECURE) || getpid() != process) return;
    int saved = errno;
    watch_loop_calls(begin_with_loop);
    errno = saved;
}

/// Starts a thread that blocks all signals.
static bool start_thread(void *(*run)(void *)) {
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool has_begun = pthread_create(&thread, NULL, run, NULL) == 0;
    if (has_begun) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return has_begun;
}

static void *watch_polls(void *unused) {
    watch_loop_polls(begin_with_loop);
    return unused;
}

/// Called when GLib makes a context, perhaps the default one. This thread has it only after that, so another one waits for it.
static void look_for_late_glib(void) {
    static atomic_bool is_done;
    bool is_late = has_main_begun && !knows_glib() && getpid() == process && !getauxval(AT_SECURE);
    if (is_late && !atomic_exchange(&is_done, true)) start_thread(watch_polls);
}

/// GLib's, where our module of GIO was loaded before GTK.
static const char *(*name_of_type)(uintptr_t type);

/// How an interface of a class begins.
struct interface {
    uintptr_t type, type_of_class;
};

/// Called when a class has got an interface of its own. The first of a widget is made when GTK begins; an application that hands over
/// to a running instance makes none.
static void interface_made(void *context, void *interface) {
    (void)context;
    const char *name = is_gtk_done ? NULL : name_of_type(((struct interface *)interface)->type_of_class);
    if (name && (strcmp(name, "GtkWidget") == 0 || strcmp(name, "GApplication") == 0)) look_for_gtk();
}

/// Called by our module of GIO, with the function of GLib that adds a function to call for each new class with an interface.
__attribute__((visibility("default"))) void rerender_preload_gio(void (*add_check)(void *, void (*)(void *, void *)),
                                                                 const char *(*name_of)(uintptr_t)) {
    look_for_gtk();
    if (is_gtk_done) return;
    look_for_loop();
    // An interpreter runs the loop by a call that it finds by name. Where `main` has not begun, GLib is a part of the program.
    if (has_main_begun && !look && getpid() == process && !getauxval(AT_SECURE)) watch_loop_polls(begin_with_loop);
    name_of_type = name_of;
    add_check(NULL, interface_made);
}

// MARK: A program that runs

/// Loads the part that the main thread will begin with, which then has no files to read.
static void load_beside(void) {
    // Nothing will ask for it elsewhere.
    if (!is_loaded("libglib-2.0.so.0")) return;
    struct runtime runtime;
    bool has_runtime = find_runtime(&runtime);
    // Why it was refused is said when the main thread begins.
    if (look || (has_runtime && (!runtime.version || runtime.version() != RERENDER_SWIFT_VERSION))) return;
    if (has_runtime && !load_libraries(runtime.path)) return;
    char path[PATH_MAX];
    // Never closed: it stays.
    if (find_part(has_runtime ? "librerender-inject.so" : "librerender-gtk.so", path) && access(path, R_OK) == 0)
        (void)dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/// On a thread of ours, which loads while the program's threads go on.
static void *load_late(void *unused) {
    look_for_views(false);
    pthread_mutex_lock(&is_looking);
    is_loading = true;
    load_beside();
    is_loading = false;
    pthread_mutex_unlock(&is_looking);
    // A file may have announced itself meanwhile.
    look_while_asked(pthread_mutex_lock);
    watch_running_loop(begin_with_loop);
    return unused;
}

bool preload_may_begin_late(void) { return !process && !getauxval(AT_SECURE); }

void preload_begin_late(void) {
    atomic_store(&is_late, true);
    has_main_begun = true;
    process = getpid();
    if (!start_thread(load_late)) report("refused", "it cannot make a thread");
}

static int is_gtk(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    const char *name = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    return name && strcmp(name, "/libgtk-4.so.1") == 0;
}

/// Says at the end of a process to which GTK came late that no widget was seen. Whether it has handed over to a running instance is not
/// known: GTK had no part in that.
__attribute__((destructor)) static void look_at_end(void) {
    if (is_gtk_done || !has_main_begun || getpid() != process || getauxval(AT_SECURE)) return;
    // `dlopen` would begin anew with libraries that have ended already.
    if (!dl_iterate_phdr(is_gtk, NULL)) return;
    report_of_gtk("none was seen; if a running instance of the program has the windows, quit that first");
}

// MARK: What is called instead of others

typedef int (*main_function)(int, char **, char **);
typedef int (*start_function)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static main_function program;

static int start(int count, char **arguments, char **environment) {
    // Services that the session's bus starts are no part of the command, and go on after it. Nothing else is done in the bus.
    if (crerender_starts_services((const char *)getauxval(AT_EXECFN), arguments)) {
        crerender_clear_environment(environment);
        return program(count, arguments, environment);
    }
    has_main_begun = true;
    process = getpid();
    look_for_views(false);
    look_for_gtk();
    look_for_loop();
    return program(count, arguments, environment);
}

/// What a program's first code calls: by now the files that it was linked with have announced themselves to Swift.
__attribute__((visibility("default"))) int __libc_start_main(main_function main, int count, char **arguments,
                                                             void (*init)(void), void (*fini)(void),
                                                             void (*rtld_fini)(void), void *stack_end) {
    start_function next;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    return next(start, count, arguments, init, fini, rtld_fini, stack_end);
}

/// What GLib calls for each context that it makes. An interpreter may load GLib alone, which tells of itself in no other way.
///
/// Any thread may call this, also one that another thread waits for which has the loader's lock, so nothing here takes that.
__attribute__((visibility("default"))) int eventfd(unsigned count, int flags) {
    struct dl_find_object caller;
    if (!knows_glib() && _dl_find_object(__builtin_return_address(0), &caller) == 0 &&
        strstr(caller.dlfo_link_map->l_name, "/libglib-2.0.so"))
        look_for_late_glib();
    return (int)syscall(SYS_eventfd2, count, flags);
}

/// What each file with Swift code calls when it is loaded.
__attribute__((visibility("default"))) void swift_addNewDSOImage(const void *sections) {
    void (*next)(const void *);
    *(void **)&next = dlsym(RTLD_NEXT, "swift_addNewDSOImage");
    if (!next) *(void **)&next = runtime_function("swift_addNewDSOImage");
    if (!next) return;
    next(sections);
    if (!has_main_begun) return;
    keep_file(sections);
    look_for_views(true);
}
