// SPDX-License-Identifier: MIT
// What GLib's main loop calls at a time.

#include "parts.h"

#ifdef RERENDER_GTK
struct timed {
    GSource source;
    void (*fire)(void *context);
    void *context;
};

static gboolean dispatch(GSource *source, GSourceFunc callback, gpointer data) {
    (void)callback;
    (void)data;
    struct timed *timed = (struct timed *)source;
    // First: it may be set again by what is called.
    g_source_set_ready_time(source, -1);
    timed->fire(timed->context);
    return G_SOURCE_CONTINUE;
}

int64_t render_loop_now(void) { return g_get_monotonic_time(); }

void *render_loop_source(bool is_before_drawing, void (*fire)(void *context), void *context) {
    static GSourceFuncs functions = {.dispatch = dispatch};
    GSource *source = g_source_new(&functions, sizeof(struct timed));
    struct timed *timed = (struct timed *)source;
    timed->fire = fire;
    timed->context = context;
    g_source_set_priority(source, is_before_drawing ? GDK_PRIORITY_REDRAW - 1 : G_PRIORITY_DEFAULT);
    g_source_attach(source, NULL);
    return source;
}

void render_loop_set_time(void *source, int64_t microseconds) { g_source_set_ready_time(source, microseconds); }

void render_loop_end_source(void *source) {
    g_source_destroy(source);
    g_source_unref(source);
}
#endif
