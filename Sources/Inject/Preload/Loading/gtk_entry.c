// SPDX-License-Identifier: MIT
// The entries of the part for GTK, by other names: where a Swift runtime is linked statically, what lies in an archive is hidden.
// Scripts/lib/inject compiles this.

#include <stdbool.h>

typedef void (*report)(const char *text);

extern void rerender_gtk_inject(report report);
extern void rerender_gtk_loop_inject(bool is_alone);

__attribute__((visibility("default"))) void rerender_gtk_begin(report report);

void rerender_gtk_begin(report report) { rerender_gtk_inject(report); }

__attribute__((visibility("default"))) void rerender_gtk_loop_begin(bool is_alone);

void rerender_gtk_loop_begin(bool is_alone) { rerender_gtk_loop_inject(is_alone); }
