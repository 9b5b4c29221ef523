// SPDX-License-Identifier: MIT
// A program without GTK 4 that asks for its widgets to be counted. Its arguments are libraries that it loads before.

#include <dlfcn.h>
#include <rerender.h>
#include <stdio.h>

int main(int count, char **arguments) {
    for (int index = 1; index < count; index++) dlopen(arguments[index], RTLD_NOW | RTLD_GLOBAL);
    const char *why = rerender_gtk_start();
    printf("start: %s\n", why ? why : "done");
    why = rerender_gtk_show_hud(0);
    printf("show: %s\n", why ? why : "done");
    rerender_gtk_hide_hud();
    rerender_evaluate_begin("View", 0);
    rerender_evaluate_end("View", 0);
    printf("View\t1\n");
    return 0;
}
