// SPDX-License-Identifier: MIT
// A library with GTK 4's name that is another GTK: of version MAJOR, with WIDGET bytes in the class of a widget. With PROGRAM it is a
// program that makes a widget, wherever that comes from, and with an argument stays until its input ends.

#include <dlfcn.h>
#include <glib-object.h>
#include <stdio.h>

#ifdef PROGRAM
int main(int count, char **arguments) {
    (void)arguments;
    GType (*type)(void);
    *(void **)&type = dlsym(RTLD_DEFAULT, "gtk_widget_get_type");
    if (!type) return 69;
    g_object_unref(g_object_new(type(), NULL));
    puts("made a widget");
    fflush(stdout);
    while (count > 1 && getchar() != EOF) {
    }
    return 0;
}
#else
// What else is asked for by its name is there, and does nothing: a function of each line of the list.
#define STUB(name) \
    void name(void); \
    void name(void) {}
#include "stubs.h"

unsigned gtk_get_major_version(void);
unsigned gtk_get_major_version(void) { return MAJOR; }

GType gtk_widget_get_type(void);
GType gtk_widget_get_type(void) {
    static GType type;
    if (type) return type;
    const GInterfaceInfo info = {NULL, NULL, NULL};
    GTypeInfo interface = {.class_size = sizeof(GTypeInterface)};
    GType accessible = g_type_register_static(G_TYPE_INTERFACE, "GtkAccessible", &interface, 0);
    type = g_type_register_static_simple(G_TYPE_OBJECT, "GtkWidget", WIDGET, NULL, 32, NULL, 0);
    g_type_add_interface_static(type, accessible, &info);
    return type;
}
#endif
