// SPDX-License-Identifier: MIT
// The entry of the part for GTK, by another name: where a Swift runtime is linked statically, what lies in an archive is hidden.
// Scripts/lib/inject compiles this.

typedef void (*report)(const char *text);

extern void rerender_gtk_inject(report report);

__attribute__((visibility("default"))) void rerender_gtk_begin(report report);

void rerender_gtk_begin(report report) { rerender_gtk_inject(report); }
