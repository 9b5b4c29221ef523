// SPDX-License-Identifier: MIT
// A library that is preloaded beside Rerender's, and stands in for a function of GTK's. At the end it prints how often that was called.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

static unsigned calls;

void gtk_widget_queue_draw(void *widget);

void gtk_widget_queue_draw(void *widget) {
    static void (*next)(void *widget);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "gtk_widget_queue_draw");
    calls++;
    next(widget);
}

__attribute__((destructor)) static void tell(void) {
    if (calls) printf("called\t%u\n", calls);
}
