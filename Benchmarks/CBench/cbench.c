// SPDX-License-Identifier: MIT
#include "CBench.h"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/timex.h>

void cbench_four_clocks(int64_t count) {
    struct timespec t;
    for (int64_t i = 0; i < count; i++) {
        for (int call = 0; call < 4; call++) clock_gettime(CLOCK_MONOTONIC, &t);
        cbench_barrier();
    }
}

bool cbench_bend_clock(int ppm) {
    static long usual;
    static bool is_bent;
    struct timex clock = {0};
    if (adjtimex(&clock) < 0) return false;
    if (!is_bent) usual = clock.freq;
    clock.modes = ADJ_FREQUENCY;
    clock.freq = ppm == 0 ? usual : (long)ppm * 65536;
    is_bent = ppm != 0;
    return adjtimex(&clock) >= 0;
}

const char *cbench_load_yardstick(const char *path, struct cbench_yardstick *yardstick) {
    void *library = dlopen(path, RTLD_NOW);
    if (!library) return dlerror();
    yardstick->is_on = (cbench_is_on)dlsym(library, "baseline_is_on");
    yardstick->generic_pair = (cbench_generic_pair)dlsym(library, "baseline_generic_pair");
    yardstick->body_pair = (cbench_body_pair)dlsym(library, "baseline_body_pair");
    return yardstick->is_on && yardstick->generic_pair && yardstick->body_pair ? 0 : "not the yardstick";
}

int64_t cbench_heap_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
}
