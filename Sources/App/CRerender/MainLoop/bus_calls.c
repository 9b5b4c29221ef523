// SPDX-License-Identifier: MIT
// Stands in for GIO's functions that call over D-Bus and wait, and notes whom the call is for: nothing else in the process says that.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../Loaded/loaded.h"
#include "CRerender.h"

#include <sys/syscall.h>
#include <unistd.h>

// MARK: Who is waited for

/// A call that a thread is in. Other threads read it, and see by `thread` whether it is one.
struct bus_call {
    /// 0 while it is of none, -1 while it is written.
    pid_t thread;
    /// How often it was written.
    uint32_t count;
    uintptr_t caller;
    char name[128];
};

/// Programs wait on one thread or two. A call that finds no place has no peer.
enum { MOST_CALLS = 8 };
static struct bus_call calls[MOST_CALLS];

static struct bus_call *take_place(pid_t thread) {
    // One of the thread's own was left by a jump.
    for (int index = 0; index < MOST_CALLS; index++) {
        pid_t owner = thread;
        if (__atomic_compare_exchange_n(&calls[index].thread, &owner, -1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return &calls[index];
    }
    for (int index = 0; index < MOST_CALLS; index++) {
        pid_t none = 0;
        if (__atomic_compare_exchange_n(&calls[index].thread, &none, -1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return &calls[index];
    }
    return NULL;
}

static struct bus_call *begin(const char *name, void *caller) {
    pid_t thread = (pid_t)syscall(SYS_gettid);
    struct bus_call *call = name ? take_place(thread) : NULL;
    if (!call) return NULL;
    // Nothing of it is to be seen before the place is.
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&call->count, call->count + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&call->caller, (uintptr_t)caller, __ATOMIC_RELAXED);
    size_t length = 0;
    for (; name[length] && length < sizeof call->name - 1; length++)
        __atomic_store_n(&call->name[length], name[length], __ATOMIC_RELAXED);
    __atomic_store_n(&call->name[length], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&call->thread, thread, __ATOMIC_RELEASE);
    return call;
}

static void end(struct bus_call *call) {
    if (call) __atomic_store_n(&call->thread, 0, __ATOMIC_RELEASE);
}

/// Copies a call if it is of a thread all the while.
static bool copy(const struct bus_call *call, pid_t thread, char *name, size_t room, uintptr_t *caller) {
    if (__atomic_load_n(&call->thread, __ATOMIC_ACQUIRE) != thread) return false;
    uint32_t count = __atomic_load_n(&call->count, __ATOMIC_RELAXED);
    *caller = __atomic_load_n(&call->caller, __ATOMIC_RELAXED);
    size_t length = 0;
    for (; length < room - 1 && length < sizeof call->name; length++) {
        name[length] = __atomic_load_n(&call->name[length], __ATOMIC_RELAXED);
        if (!name[length]) break;
    }
    name[length] = 0;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&call->thread, __ATOMIC_RELAXED) == thread &&
           __atomic_load_n(&call->count, __ATOMIC_RELAXED) == count;
}

bool crerender_bus_peer(pid_t thread, char *name, size_t room, uintptr_t *caller) {
    if (thread <= 0 || room == 0) return false;
    for (int index = 0; index < MOST_CALLS; index++)
        if (copy(&calls[index], thread, name, room, caller)) return true;
    return false;
}

// MARK: Functions of GIO

// Their declarations, without GLib's headers. Proof: the types have the sizes and the kinds that GIO has promised since 2.26.
typedef void *call_function(void *connection, const char *name, const char *path, const char *interface,
                            const char *method, void *parameters, const void *reply_type, unsigned flags, int timeout,
                            void *cancellable, void **error);
typedef void *proxy_call_function(void *proxy, const char *method, void *parameters, unsigned flags, int timeout,
                                  void *cancellable, void **error);
typedef const char *proxy_name_function(void *proxy);
typedef void *proxy_new_function(int bus, unsigned flags, void *info, const char *name, const char *path,
                                 const char *interface, void *cancellable, void **error);

enum { CALL, PROXY_CALL, PROXY_NEW, FUNCTIONS };
static struct loaded_import imports[FUNCTIONS];
static struct loaded_imports all = {.imports = imports, .count = FUNCTIONS};
static proxy_name_function *proxy_name;

static void *call_sync(void *connection, const char *name, const char *path, const char *interface, const char *method,
                       void *parameters, const void *reply_type, unsigned flags, int timeout, void *cancellable,
                       void **error) {
    struct bus_call *call = begin(name, __builtin_return_address(0));
    call_function *original = (call_function *)imports[CALL].original;
    void *reply =
        original(connection, name, path, interface, method, parameters, reply_type, flags, timeout, cancellable, error);
    end(call);
    return reply;
}

static void *proxy_call_sync(void *proxy, const char *method, void *parameters, unsigned flags, int timeout,
                             void *cancellable, void **error) {
    // GIO warns of an object that is not a proxy.
    const char *name = proxy && proxy_name ? proxy_name(proxy) : NULL;
    struct bus_call *call = begin(name, __builtin_return_address(0));
    proxy_call_function *original = (proxy_call_function *)imports[PROXY_CALL].original;
    void *reply = original(proxy, method, parameters, flags, timeout, cancellable, error);
    end(call);
    return reply;
}

static void *proxy_new(int bus, unsigned flags, void *info, const char *name, const char *path, const char *interface,
                       void *cancellable, void **error) {
    struct bus_call *call = begin(name, __builtin_return_address(0));
    proxy_new_function *original = (proxy_new_function *)imports[PROXY_NEW].original;
    void *proxy = original(bus, flags, info, name, path, interface, cancellable, error);
    end(call);
    return proxy;
}

static void *gio_symbol(const char *name) {
    void *found = NULL;
    return loaded_symbol(&found, NULL, "libgio-2.0.so.0", name);
}

void crerender_hook_bus_calls(void) {
    if (crerender_is_silent() || !crerender_thread_may_wait_for_loader()) return;
    static const struct loaded_import functions[FUNCTIONS] = {
        {.name = "g_dbus_connection_call_sync", .replacement = (void *)call_sync, .but = "libgio-2.0.so"},
        {.name = "g_dbus_proxy_call_sync", .replacement = (void *)proxy_call_sync, .but = "libgio-2.0.so"},
        {.name = "g_dbus_proxy_new_for_bus_sync", .replacement = (void *)proxy_new, .but = "libgio-2.0.so"},
    };
    if (!imports[CALL].original) {
        void *found[FUNCTIONS];
        for (int index = 0; index < FUNCTIONS; index++) {
            found[index] = gio_symbol(functions[index].name);
            if (!found[index]) return;
        }
        proxy_name = (proxy_name_function *)gio_symbol("g_dbus_proxy_get_name");
        for (int index = 0; index < FUNCTIONS; index++) {
            imports[index] = functions[index];
            imports[index].original = found[index];
        }
    }
    loaded_imports_replace(&all);
}
