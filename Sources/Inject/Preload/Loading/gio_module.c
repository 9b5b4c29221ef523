// SPDX-License-Identifier: MIT
// A module that GIO loads into each process that uses it, also where GTK comes late, as in Python. It tells the preloaded library,
// which does the rest. Scripts/lib/inject compiles this, without GIO's headers.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void g_io_module_load(void *module);
EXPORTED void g_io_module_unload(void *module);
EXPORTED char **g_io_module_query(void);

typedef void (*check)(void *context, void *interface);

EXPORTED void g_io_module_load(void *module) {
    (void)module;
    void (*tell)(void (*add_check)(void *, check), const char *(*name_of)(uintptr_t));
    void (*add_check)(void *, check);
    const char *(*name_of)(uintptr_t);
    *(void **)&tell = dlsym(RTLD_DEFAULT, "rerender_preload_gio");
    void *types = dlopen("libgobject-2.0.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (!tell || !types) return;
    *(void **)&add_check = dlsym(types, "g_type_add_interface_check");
    *(void **)&name_of = dlsym(types, "g_type_name");
    if (add_check && name_of) tell(add_check, name_of);
}

EXPORTED void g_io_module_unload(void *module) { (void)module; }

EXPORTED char **g_io_module_query(void) { return 0; }
