// SPDX-License-Identifier: MIT
// Recognises that a GApplication is registered as the remote one of a running instance: the windows are in that process.

#include "hooks.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"
#include "../Replacement/replacement.h"

#include <stdio.h>

/// The process that has the application's name on the session bus; 0 where the bus does not tell.
static guint32 process_of(GApplication *application) {
    GDBusConnection *bus = gtk.g_application_get_dbus_connection(application);
    const char *name = gtk.g_application_get_application_id(application);
    if (!bus || !name) return 0;
    static const char owner[] = "org.freedesktop.DBus";
    // GIO itself has just asked the bus, and waited for it.
    GVariant *answer = gtk.g_dbus_connection_call_sync(bus, owner, "/org/freedesktop/DBus", owner,
                                                       "GetConnectionUnixProcessID", gtk.g_variant_new("(s)", name),
                                                       NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, 1000, NULL, NULL);
    if (!answer) return 0;
    guint32 process = 0;
    if (gtk.g_variant_is_of_type(answer, (const GVariantType *)"(u)")) gtk.g_variant_get(answer, "(u)", &process);
    gtk.g_variant_unref(answer);
    return process;
}

static void registered(GApplication *application) {
    if (!gtk.g_application_get_is_registered(application) || !gtk.g_application_get_is_remote(application)) return;
    char text[32];
    snprintf(text, sizeof text, "handed %u", (unsigned)process_of(application));
    part.swift.report(part.swift.context, text);
}

static void (*original)(GObject *object);

/// In the place of GApplication's `constructed`, which classes derived from it call.
static void constructed(GObject *object) {
    original(object);
    gtk.g_signal_connect_data(object, "notify::is-registered", (GCallback)registered, NULL, NULL, 0);
}

/// Replaces it in a class, or puts it back.
static void exchange(gpointer class) {
    GObjectClass *own = class;
    void (*found)(GObject *) = must_put_back() ? constructed : original;
    __atomic_compare_exchange_n(&own->constructed, &found, found == original ? constructed : original, 0,
                                __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void handover_listen(GType type) {
    // While its interfaces are made, a class is found by this function alone. Its own functions are there by then.
    GObjectClass *class = original ? NULL : gtk.g_type_class_ref(type);
    if (!class) return;
    original = class->constructed;
    exchange(class);
    // Some have it from there already.
    classes_each(type, exchange);
    if (must_put_back()) handover_put_back();
}

void handover_put_back(void) {
    GType type = original ? gtk.g_type_from_name("GApplication") : 0;
    if (type) classes_each(type, exchange);
}
#endif
