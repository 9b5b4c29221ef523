// SPDX-License-Identifier: MIT
// A program without Swift that loads a library with views: `loader LIBRARY COUNT`, for each line that it reads.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    char line[64];
    void *library = NULL;
    if (count != 3) return 64;
    while (fgets(line, sizeof line, stdin)) {
        if (!library) library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        void (*draw)(int) = library ? (void (*)(int))dlsym(library, "draw_late") : NULL;
        if (!draw) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        draw(atoi(arguments[2]));
        fflush(stdout);
    }
    return 0;
}
