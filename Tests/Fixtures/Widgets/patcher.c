// SPDX-License-Identifier: MIT
// A library that is preloaded beside Rerender's, and writes a function of its own into the program's table, in the place of one of GTK's. At
// the end it prints how often that was called.

#define _GNU_SOURCE
#include "CImports.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

static unsigned calls;
static void (*original)(void *widget);

static void queue_draw(void *widget) {
    calls++;
    original(widget);
}

static void put(const struct dl_phdr_info *file, void **place, void *context) {
    (void)context;
    cimports_write(file, place, (void *)queue_draw);
}

/// The first file is the program.
static int visit(struct dl_phdr_info *file, size_t size, void *context) {
    (void)size;
    cimports_each(file, "gtk_widget_queue_draw", put, context);
    return 1;
}

__attribute__((constructor)) static void begin(void) {
    *(void **)&original = dlsym(RTLD_DEFAULT, "gtk_widget_queue_draw");
    if (original) dl_iterate_phdr(visit, NULL);
}

__attribute__((destructor)) static void tell(void) {
    if (calls) printf("called\t%u\n", calls);
}
