// SPDX-License-Identifier: MIT
// A program without Swift that loads a library with views: `loader LIBRARY COUNT [CLOSED...]`, for each line that it reads. First it loads
// and unloads CLOSED. With LOADER_EARLY, a thread that begins in front of `main` loads the library after so many microseconds. With
// LOADER_HEAP, it prints behind each of CLOSED how many bytes are allocated.

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_t early;
static char path[4096];

static void *load_early(void *after) {
    usleep((useconds_t)(size_t)after);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

__attribute__((constructor)) static void begin(int count, char **arguments) {
    const char *after = getenv("LOADER_EARLY");
    if (!after || count < 3) return;
    strncpy(path, arguments[1], sizeof path - 1);
    pthread_create(&early, NULL, load_early, (void *)(size_t)atoi(after));
}

static void print_heap(void) {
    struct mallinfo2 info = mallinfo2();
    printf("%zu\n", info.uordblks + info.hblkhd);
}

int main(int count, char **arguments) {
    char line[64];
    void *library = NULL;
    if (count < 3) return 64;
    if (early) pthread_join(early, &library);
    for (int index = 3; index < count; index++) {
        void *closed = dlopen(arguments[index], RTLD_NOW | RTLD_LOCAL);
        if (!closed || dlclose(closed)) return 2;
        if (getenv("LOADER_HEAP")) print_heap();
    }
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
