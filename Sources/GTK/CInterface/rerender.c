// SPDX-License-Identifier: MIT
// The functions of rerender.h by their names: where a Swift runtime is linked statically, what lies in an archive is hidden.
// Scripts/lib/inject compiles this.

#define _GNU_SOURCE
#include "rerender.h"

#include <dlfcn.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

extern const char *rerender_part_start(void);
extern const char *rerender_part_show_hud(void *window);
extern void rerender_part_hide_hud(void);
extern void rerender_part_begin(const char *view, uint64_t instance);
extern void rerender_part_end(const char *view, uint64_t instance);
extern void rerender_part_invalidate(const char *view, uint64_t instance, const char *reason, uintptr_t caller);
extern void rerender_part_committed(const char *view, uint64_t instance, int changed);
extern void rerender_part_ended(const char *view, uint64_t instance);

EXPORTED const char *rerender_gtk_start(void) { return rerender_part_start(); }
EXPORTED const char *rerender_gtk_show_hud(struct _GtkWindow *window) { return rerender_part_show_hud(window); }
EXPORTED void rerender_gtk_hide_hud(void) { rerender_part_hide_hud(); }
EXPORTED void rerender_evaluate_begin(const char *view, uint64_t instance) { rerender_part_begin(view, instance); }
EXPORTED void rerender_evaluate_end(const char *view, uint64_t instance) { rerender_part_end(view, instance); }
EXPORTED void rerender_ended(const char *view, uint64_t instance) { rerender_part_ended(view, instance); }

EXPORTED void rerender_committed(const char *view, uint64_t instance, int changed) {
    rerender_part_committed(view, instance, changed);
}

/// An address of the code that calls us; 0 where that is what an interpreter calls everything by.
static uintptr_t writer(void *address) {
    Dl_info found;
    if (!dladdr(address, &found) || !found.dli_fname || strstr(found.dli_fname, "libffi")) return 0;
    return (uintptr_t)address;
}

EXPORTED void rerender_invalidate(const char *view, uint64_t instance, const char *reason) {
    rerender_part_invalidate(view, instance, reason, writer(__builtin_return_address(0)));
}
