// SPDX-License-Identifier: MIT
// Makes the keys of widgets, few enough for a table and specific enough to find the code, and keeps each text once.
#include "questions.h"

#include <stdlib.h>
#include <string.h>

#ifdef RERENDER_GTK
#include "../functions.h"

#include <stdbool.h>
#include <stdio.h>

static const char *whole_type(GtkWidget *widget) { return gtk.g_type_name(((GTypeInstance *)widget)->g_class->g_type); }

const char *type_name(GtkWidget *widget) {
    // What PyGObject puts before the names of a script's own classes.
    static const char script[] = "__main__+";
    const char *type = whole_type(widget);
    return strncmp(type, script, sizeof script - 1) == 0 ? type + sizeof script - 1 : type;
}

/// Whether a type is GTK's own, or that of a library of widgets: it says little of the program.
static bool is_common(const char *type) { return strncmp(type, "Gtk", 3) == 0 || strncmp(type, "Adw", 3) == 0; }

bool is_of_toolkit(GType type) {
    const char *name = gtk.g_type_name(type);
    return name && is_common(name);
}

/// Widgets that just arrange others.
static bool is_container(const char *type) {
    static const char *const containers[] = {
        "GtkBox",         "GtkGrid",     "GtkOverlay",        "GtkCenterBox",  "GtkFixed",
        "GtkPaned",       "GtkRevealer", "GtkStack",          "GtkStackPage",  "GtkFrame",
        "GtkAspectFrame", "GtkViewport", "GtkScrolledWindow", "GtkWindow",     "GtkApplicationWindow",
        "AdwBin",         "AdwClamp",    "GtkFlowBoxChild",   "GtkListBoxRow", "GtkWindowHandle",
    };
    for (size_t index = 0; index < sizeof containers / sizeof *containers; index++)
        if (strcmp(type, containers[index]) == 0) return true;
    return false;
}

/// Parts that GTK makes of one type for all.
static bool is_nameless(const char *type) {
    return strcmp(type, "GtkGizmo") == 0 || strcmp(type, "GtkBuiltinIcon") == 0;
}

bool is_part_of_widget(GtkWidget *widget) { return is_nameless(type_name(widget)); }

static const char *owner_of(GtkWidget *widget) {
    const char *nearest = NULL;
    GtkWidget *outer = gtk.gtk_widget_get_parent(widget);
    for (int level = 0; outer && level < 64; level++, outer = gtk.gtk_widget_get_parent(outer)) {
        const char *type = type_name(outer);
        if (!is_common(type)) return type;
        if (!nearest && !is_container(type) && !is_nameless(type)) nearest = type;
    }
    return nearest;
}

/// What tells widgets of one type apart: null where nothing does.
static const char *id_of(GtkWidget *widget) {
    const char *id = gtk.gtk_buildable_get_buildable_id((GtkBuildable *)widget);
    // Where a file gives none, the builder counts.
    if (id && *id && strncmp(id, "___object_", 10) != 0) return id;
    const char *name = gtk.gtk_widget_get_name(widget);
    return name && *name && strcmp(name, whole_type(widget)) != 0 ? name : NULL;
}

enum { MOST_OF_LABEL = 32 };

/// What a button says, where its name is just that of its type: `Button` of each `GtkButton`, as SwiftCrossUI names them. The first bytes
/// of it, without what has a meaning in a key; empty for all others.
static void label_of(GtkWidget *widget, const char *type, const char *id, char text[MOST_OF_LABEL + 1]) {
    bool is_meant = id && strcmp(type, "GtkButton") == 0 && strcmp(id, "Button") == 0;
    const char *label = is_meant ? gtk.gtk_button_get_label((GtkButton *)widget) : NULL;
    size_t length = label ? strnlen(label, MOST_OF_LABEL + 1) : 0;
    if (length > MOST_OF_LABEL) {
        length = MOST_OF_LABEL;
        // No character is cut in two.
        while (length && (label[length] & 0xC0) == 0x80) length--;
    }
    for (size_t index = 0; index < length; index++) {
        bool is_plain = (unsigned char)label[index] >= ' ' && label[index] != '/' && label[index] != '#';
        text[index] = is_plain ? label[index] : ' ';
    }
    text[length] = 0;
}

void key_of(GtkWidget *widget, char *text, size_t size) {
    const char *type = type_name(widget), *owner = is_common(type) ? owner_of(widget) : NULL;
    const char *id = is_nameless(type) ? NULL : id_of(widget);
    char label[MOST_OF_LABEL + 1];
    label_of(widget, type, id, label);
    if (*label) id = label;
    snprintf(text, size, "%s%s%s%s%s", owner ? owner : "", owner ? "/" : "",
             is_nameless(type) ? gtk.gtk_widget_get_css_name(widget) : type, id ? "#" : "", id ? id : "");
}
#endif

// Texts in a table by their hash, for one thread.

enum { MOST = 8192, PLACES = 2 * MOST };

static char *texts[MOST];
static uint32_t count;
/// Numbers by the hash of their text; 0 where a place is free.
static uint16_t numbers[PLACES];

static uint32_t hash_of(const char *text) {
    uint32_t hash = 2166136261u;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

uint32_t texts_number(const char *text) {
    uint32_t place = hash_of(text) % PLACES;
    for (; numbers[place]; place = (place + 1) % PLACES)
        if (strcmp(texts[numbers[place] - 1], text) == 0) return numbers[place];
    char *kept = count < MOST ? strdup(text) : NULL;
    if (!kept) return 0;
    texts[count++] = kept;
    numbers[place] = (uint16_t)count;
    return count;
}

const char *texts_at(uint32_t number) { return number && number <= count ? texts[number - 1] : NULL; }

// Keeps facts for the thread that reads them. The one that writes never waits.

#ifdef RERENDER_GTK
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct crerender_fact table[CRERENDER_FACTS];
static _Atomic uint32_t epoch;

/// How many places each kind has; they lie one behind the other.
static const size_t rooms[] = {[CRERENDER_FACT_ASKER] = CRERENDER_ASKERS,
                               [CRERENDER_FACT_LAYOUT] = CRERENDER_LAYOUTS,
                               [CRERENDER_FACT_ANEW] = CRERENDER_ANEW,
                               [CRERENDER_FACT_INTERACTION] = CRERENDER_INTERACTIONS};

bool fact_table_put(enum crerender_fact_kind kind, const struct crerender_fact *facts, size_t count, uint32_t began) {
    size_t room = rooms[kind];
    if (count > room) count = room;
    if (pthread_mutex_trylock(&lock) != 0) return false;
    if (began == atomic_load_explicit(&epoch, memory_order_relaxed)) {
        struct crerender_fact *first = table;
        for (int before = CRERENDER_FACT_ASKER; before < (int)kind; before++) first += rooms[before];
        if (count) memcpy(first, facts, count * sizeof *facts);
        memset(first + count, 0, (room - count) * sizeof *facts);
    }
    pthread_mutex_unlock(&lock);
    return true;
}

uint32_t fact_table_epoch(void) { return atomic_load_explicit(&epoch, memory_order_relaxed); }

void crerender_facts_read(struct crerender_fact facts[CRERENDER_FACTS]) {
    pthread_mutex_lock(&lock);
    memcpy(facts, table, sizeof table);
    pthread_mutex_unlock(&lock);
}

void crerender_facts_reset(void) {
    pthread_mutex_lock(&lock);
    atomic_fetch_add_explicit(&epoch, 1, memory_order_relaxed);
    memset(table, 0, sizeof table);
    pthread_mutex_unlock(&lock);
}
#endif
