// SPDX-License-Identifier: MIT
// A library that is preloaded beside Rerender's: it counts the snapshots of some classes of a GtkApplication by itself, and has the
// program end well when it is asked to by SIGTERM. It knows nothing of Rerender.
//
// At the end it prints a type, a tab and a number a line; then the size of the window, and the type of what has the focus.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <stdio.h>

#define CLASSES(COUNT) \
    COUNT(label) \
    COUNT(image) \
    COUNT(text) \
    COUNT(button) \
    COUNT(toggle_button) \
    COUNT(check_button) \
    COUNT(progress_bar) \
    COUNT(scrolled_window) \
    COUNT(notebook) \
    COUNT(stack) \
    COUNT(header_bar) \
    COUNT(list_box) \
    COUNT(list_view) \
    COUNT(entry)

/// A class's own function in front of the one that it had, whoever made that. It counts the widgets that are exactly of the class.
#define COUNT(name) \
    static struct { \
        GType type; \
        unsigned count; \
        void (*original)(GtkWidget *, GtkSnapshot *); \
    } name; \
    static void snapshot_##name(GtkWidget *widget, GtkSnapshot *snapshot) { \
        if (G_OBJECT_TYPE(widget) == name.type) name.count++; \
        name.original(widget, snapshot); \
    }
CLASSES(COUNT)
#undef COUNT

/// Begins to count in the class of a widget that is realized. Whoever was told of that before has put what it wants into the class.
static gboolean realized(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer context) {
    (void)hint, (void)count, (void)context;
    GtkWidget *widget = g_value_get_object(values);
    GType type = G_OBJECT_TYPE(widget);
    GtkWidgetClass *class = GTK_WIDGET_GET_CLASS(widget);
#define COUNT(name) \
    if (!name.type && type == gtk_##name##_get_type()) { \
        name.type = type; \
        name.original = class->snapshot; \
        class->snapshot = snapshot_##name; \
    }
    CLASSES(COUNT)
#undef COUNT
    return TRUE;
}

static void count_classes(void) {
    static gulong hook;
    if (!hook) hook = g_signal_add_emission_hook(g_signal_lookup("realize", GTK_TYPE_WIDGET), 0, realized, NULL, NULL);
}

static gboolean end(gpointer application) {
    GtkWindow *window = gtk_application_get_active_window(application);
    GtkWidget *focus = window ? gtk_window_get_focus(window) : NULL;
    if (window)
        printf("size %d %d\n", gtk_widget_get_width(GTK_WIDGET(window)), gtk_widget_get_height(GTK_WIDGET(window)));
    printf("focus %s\n", focus ? G_OBJECT_TYPE_NAME(focus) : "nothing");
    g_application_quit(application);
    return G_SOURCE_REMOVE;
}

/// In the place of GIO's.
int g_application_run(GApplication *application, int count, char **arguments) {
    int (*run)(GApplication *, int, char **);
    *(void **)&run = dlsym(RTLD_NEXT, "g_application_run");
    // No widget has been realized when the first window comes.
    g_signal_connect(application, "window-added", (GCallback)count_classes, NULL);
    g_unix_signal_add(SIGTERM, end, application);
    int status = run(application, count, arguments);
#define COUNT(name) \
    if (name.type) printf("%s\t%u\n", g_type_name(name.type), name.count);
    CLASSES(COUNT)
#undef COUNT
    fflush(stdout);
    return status;
}
