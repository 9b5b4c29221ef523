// SPDX-License-Identifier: MIT
// Steps the wall clock of the processes that it is preloaded into: by as many nanoseconds as the file CHAOS_CLOCK says now.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t *step;

__attribute__((constructor)) static void map_step(void) {
    const char *path = getenv("CHAOS_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof *step, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) step = memory;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int outcome = (int)syscall(SYS_clock_gettime, clock, time);
    if (outcome != 0 || !step || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return outcome;
    int64_t by = __atomic_load_n(step, __ATOMIC_RELAXED) + time->tv_nsec;
    time->tv_sec += by / 1000000000;
    time->tv_nsec = by % 1000000000;
    if (time->tv_nsec < 0) {
        time->tv_sec--;
        time->tv_nsec += 1000000000;
    }
    return outcome;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *where) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (where) *where = now.tv_sec;
    return now.tv_sec;
}
