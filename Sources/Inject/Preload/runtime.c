// SPDX-License-Identifier: MIT
// Finds the Swift runtime of a process, and our libraries for it. Scripts/lib/preload compiles this.

#define _GNU_SOURCE
#include "runtime.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// MARK: The report

void report(const char *kind, const char *format, ...) {
    char text[2 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    crerender_report(kind, text);
}

// MARK: The runtime

static int find_core(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    const char *name = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    if (!name || strcmp(name, "/libswiftCore.so") != 0) return 0;
    snprintf(context, PATH_MAX, "%s", info->dlpi_name);
    return 1;
}

void *runtime_function(const char *name) {
    char path[PATH_MAX];
    if (!dl_iterate_phdr(find_core, path)) return NULL;
    void *core = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!core) return NULL;
    void *function = dlsym(core, name);
    dlclose(core);
    return function;
}

bool find_runtime(struct runtime *runtime) {
    if (!dl_iterate_phdr(find_core, runtime->path)) return false;
    *(void **)&runtime->enumerate = runtime_function("swift_enumerateAllMetadataSections");
    *(void **)&runtime->version = runtime_function("$sSo19_SwiftStdlibVersionasE7currentABvgZ");
    return runtime->enumerate;
}

// MARK: Our libraries

bool load_libraries(const char *core) {
    static const char *const names[] = {RERENDER_LIBRARIES};
    int directory = (int)(strrchr(core, '/') - core);
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%.*s/%s", directory, core, names[index]);
        // Never closed: the Swift part stays, and needs it.
        if (dlopen(names[index], RTLD_LAZY | RTLD_NOLOAD) || dlopen(path, RTLD_LAZY)) continue;
        report("refused", "its Swift runtime, %s, has no %s beside it", core, names[index]);
        return false;
    }
    return true;
}

bool is_of_our_version(const struct runtime *runtime) {
    uint32_t version = runtime->version ? runtime->version() : 0;
    if (version == RERENDER_SWIFT_VERSION) return true;
    report("refused", "its Swift runtime, %s, is version %u.%u.%u, and rerender was built with %u.%u.%u", runtime->path,
           version >> 16, version >> 8 & 0xFF, version & 0xFF, RERENDER_SWIFT_VERSION >> 16,
           RERENDER_SWIFT_VERSION >> 8 & 0xFF, RERENDER_SWIFT_VERSION & 0xFF);
    return false;
}

bool find_part(const char *file, char *path) {
    Dl_info own;
    if (!dladdr((const void *)find_part, &own) || !own.dli_fname) return false;
    const char *name = strrchr(own.dli_fname, '/');
    int length = snprintf(path, PATH_MAX, "%.*s/%s", (int)(name ? name - own.dli_fname : 0), own.dli_fname, file);
    return length > 0 && length < PATH_MAX;
}
