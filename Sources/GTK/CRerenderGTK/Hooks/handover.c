// SPDX-License-Identifier: MIT
// Recognises that a GApplication is registered as the remote one of a running instance: the windows are in that process.

#include "hooks.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

static void replace(GObjectClass *class) {
    if (original && class && class->constructed == original) class->constructed = constructed;
}

/// Replaces it in the classes that have it from GApplication already.
static void replace_derived(GType type) {
    guint number = 0;
    GType *derived = gtk.g_type_children(type, &number);
    for (guint index = 0; index < number; index++) {
        replace(gtk.g_type_class_peek(derived[index]));
        replace_derived(derived[index]);
    }
    gtk.g_free(derived);
}

/// Replaces it in GApplication.
static void replace_all(GType type) {
    // While its interfaces are made, a class is found by this function alone. Its own functions are there by then.
    GObjectClass *class = gtk.g_type_class_ref(type);
    if (!class || original) return;
    original = class->constructed;
    replace(class);
    replace_derived(type);
}

/// Called when a class has got an interface of its own; GApplication has two.
static void interface_made(gpointer context, gpointer interface) {
    (void)context;
    if (original) return;
    GType type = ((GTypeInterface *)interface)->g_instance_type;
    const char *name = gtk.g_type_name(type);
    if (name && strcmp(name, "GApplication") == 0) replace_all(type);
}

void handover_listen(void) {
    GType type = gtk.g_type_from_name("GApplication");
    if (type)
        replace_all(type);
    else
        gtk.g_type_add_interface_check(NULL, interface_made);
}
#endif
