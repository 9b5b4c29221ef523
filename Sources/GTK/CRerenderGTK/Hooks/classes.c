// SPDX-License-Identifier: MIT
// Hooks each class of widgets once: in front of its first widget, or as soon as this library is here.
#include "hooks.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"
#include "../Replacement/replacement.h"

#include <string.h>

// MARK: Classes that were seen

/// A set, by address.
static GHashTable *seen;

/// Whether a class was not seen before. One that was allocates nothing.
static bool is_new(void *class) {
    if (!seen) seen = gtk.g_hash_table_new(NULL, NULL);
    return gtk.g_hash_table_add(seen, class);
}

// MARK: Hooking

static bool is_full_told;

static void tell_if_full(bool has_room) {
    if (has_room || is_full_told) return;
    is_full_told = true;
    part.swift.was_full(part.swift.context);
}

static GType widget_type, manager_type;

static void hook_class(GtkWidgetClass *class) {
    bool has_room = drawing_hook(class, ((GTypeClass *)class)->g_type == widget_type);
    has_room = layout_hook(class) && has_room;
    tell_if_full(changes_hook(class) && has_room);
}

static bool has_size(GType type, size_t class_size, size_t instance_size) {
    GTypeQuery found = {0};
    gtk.g_type_query(type, &found);
    return found.class_size == class_size && found.instance_size == instance_size;
}

static void find_manager_type(void) {
    GType type = gtk.g_type_from_name("GtkLayoutManager");
    if (type && has_size(type, sizeof(GtkLayoutManagerClass), sizeof(GObject))) manager_type = type;
}

/// Hooks a class of widgets after those that it is derived from, so that GtkWidget's own functions are known before they are met in others.
static void see_class(GType type) {
    GtkWidgetClass *class = gtk.g_type_class_peek(type);
    if (!class || !is_new(class)) return;
    if (type != widget_type) see_class(gtk.g_type_parent(type));
    hook_class(class);
}

/// Hooks a widget's class and those that it is derived from, and its layout manager's.
static void see(GtkWidget *widget) {
    see_class(((GTypeInstance *)widget)->g_class->g_type);
    // GTK makes the type of layout managers later than that of widgets.
    if (!manager_type) find_manager_type();
    GtkLayoutManager *manager = manager_type ? gtk.gtk_widget_get_layout_manager(widget) : NULL;
    for (GType type = manager ? ((GTypeInstance *)manager)->g_class->g_type : 0; type; type = gtk.g_type_parent(type)) {
        GtkLayoutManagerClass *class = gtk.g_type_class_peek(type);
        if (!class || !is_new(class)) break;
        tell_if_full(layout_hook_manager(class));
        if (type == manager_type) break;
    }
}

static void hook_made(gpointer class) {
    if (is_new(class)) hook_class(class);
}

// MARK: The beginning

/// Why the classes of this GTK cannot be changed; null where they can.
static const char *obstacle(void) {
    if (gtk.gtk_get_major_version() != 4) return "its GTK is not version 4";
    if (!has_size(widget_type, sizeof(GtkWidgetClass), sizeof(GtkWidget)))
        return "its GTK has another layout of GtkWidget than the one that rerender was built with";
    return NULL;
}

/// Whether no other copy of this library counts in this process. The first one says so in GTK's type, for ever.
static bool claim(void) {
    GQuark name = gtk.g_quark_from_string("rerender-gtk-counts");
    if (gtk.g_type_get_qdata(widget_type, name)) return false;
    gtk.g_type_set_qdata(widget_type, name, &part);
    return true;
}

static void begin(void) {
    widget_type = gtk.g_type_from_name("GtkWidget");
    part.refusal = obstacle();
    if (!part.refusal && !claim()) part.refusal = crerender_gtk_elsewhere();
    if (part.refusal) return crerender_gtk_put_back(), part.swift.refused(part.swift.context, part.refusal);
    part.has_begun = true;
    part.swift.begin(part.swift.context);
    classes_each(widget_type, hook_made);
    changes_listen(widget_type, see);
    emissions_hook(widget_type);
    if (must_put_back()) crerender_gtk_put_back();
}

void crerender_gtk_put_back(void) {
    imports_put_back();
    if (widget_type) classes_each(widget_type, slots_put_back);
    if (manager_type) classes_each(manager_type, slots_put_back);
    changes_put_back();
    handover_put_back();
}

static bool has_begun;

static void begin_once(void) {
    if (has_begun) return;
    has_begun = true;
    begin();
}

/// Called when a class has got an interface of its own: of widgets first GtkWidget, before any class that is derived from it. GApplication has
/// two.
static void interface_made(gpointer context, gpointer interface) {
    (void)context;
    GType type = ((GTypeInterface *)interface)->g_instance_type;
    const char *name = gtk.g_type_name(type);
    if (!has_begun && name && strcmp(name, "GtkWidget") == 0) begin_once();
    if (name && strcmp(name, "GApplication") == 0) handover_listen(type);
}

void classes_hook(void) {
    GType widgets = gtk.g_type_from_name("GtkWidget"), applications = gtk.g_type_from_name("GApplication");
    bool are_made = widgets && gtk.g_type_class_peek(widgets);
    if (are_made) begin_once();
    if (applications) handover_listen(applications);
    if (!are_made || !applications) gtk.g_type_add_interface_check(NULL, interface_made);
}
#endif

// Recognises that a GApplication is registered as the remote one of a running instance: the windows are in that process.

#ifdef RERENDER_GTK

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
