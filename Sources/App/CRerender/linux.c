// SPDX-License-Identifier: MIT
// Calls interfaces of the kernel and of the C library that Swift cannot call, and finds thread-local variables.
#define _GNU_SOURCE
#include "CDescriptors.h"

#include "CRerender.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// What a thread of ours begins with.
struct beginning {
    void (*body)(void);
    char name[16];
};

static void *thread_main(void *context) {
    struct beginning beginning = *(struct beginning *)context;
    free(context);
    // By the thread itself: for another one the C library opens a file.
    if (beginning.name[0]) prctl(PR_SET_NAME, beginning.name);
    beginning.body();
    return NULL;
}

/// The stack of a thread of ours that is told none. The system's default is the limit of the main thread's stack (RLIMIT_STACK) when the
/// program began: with a small one, our thread would leave its stack and end the host; a large one would take the host's address space.
enum { LEAST_STACK = 1024 * 1024, LARGEST_STACK = 8 * 1024 * 1024 };

static void set_stack(pthread_attr_t *attributes, size_t stack) {
    if (stack == 0 && pthread_attr_getstacksize(attributes, &stack) == 0) {
        if (stack < LEAST_STACK) stack = LEAST_STACK;
        if (stack > LARGEST_STACK) stack = LARGEST_STACK;
    }
    pthread_attr_setstacksize(attributes, stack);
}

/// Starts a thread with all signals blocked, so that it never runs a handler of the host.
static int start(pthread_t *thread, const pthread_attr_t *attributes, const char *name, void (*body)(void)) {
    if (!cdescriptors_have_memory(1)) return ENOMEM;
    struct beginning *beginning = malloc(sizeof *beginning);
    if (!beginning) return ENOMEM;
    beginning->body = body;
    snprintf(beginning->name, sizeof beginning->name, "%s", name);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(thread, attributes, thread_main, beginning);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) free(beginning);
    return error;
}

int crerender_start_thread(const char *name, size_t stack, void (*body)(void)) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return ENOMEM;
    set_stack(&attributes, stack);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // A host that runs in real time would hand that on, and our work would take the processor from its own.
    struct sched_param ordinary = {0};
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    pthread_attr_setschedparam(&attributes, &ordinary);
    pthread_t thread;
    int error = start(&thread, &attributes, name, body);
    // Where the host's thread-local variables do not fit.
    if (error == EINVAL) {
        pthread_attr_setstacksize(&attributes, LARGEST_STACK);
        error = start(&thread, &attributes, name, body);
    }
    pthread_attr_destroy(&attributes);
    return error;
}

bool crerender_run_apart(void (*body)(void)) {
    pthread_t thread;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    set_stack(&attributes, 0);
    bool runs = start(&thread, &attributes, "", body) == 0;
    pthread_attr_destroy(&attributes);
    if (runs) pthread_join(thread, NULL);
    return runs;
}

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

int crerender_sealed_memory(const char *name, size_t size) {
    const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int file = memfd_create(name, flags | MFD_NOEXEC_SEAL);
    // Before Linux 6.3.
    if (file < 0 && errno == EINVAL) file = memfd_create(name, flags);
    if (file < 0) return -1;
    int error;
    // A host with a busy timer interrupts it.
    do error = posix_fallocate(file, 0, (off_t)size);
    while (error == EINTR);
    if (error == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0) return file;
    close(file);
    return -1;
}

int crerender_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int crerender_watch_directory(int descriptor, const char *path) {
    return inotify_add_watch(descriptor, path, IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_ONLYDIR);
}

unsigned crerender_count_mappings(const char *name) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return 0;
    char *line = NULL;
    size_t room = 0, length = strlen(name);
    ssize_t count;
    unsigned found = 0;
    while ((count = getline(&line, &room, maps)) > 0) {
        const char *file = strstr(line, "/memfd:");
        if (file && strncmp(file + 7, name, length) == 0 && strncmp(file + 7 + length, " (deleted)", 10) == 0) found++;
    }
    free(line);
    fclose(maps);
    return found;
}

bool crerender_has_raised_rights(void) { return getauxval(AT_SECURE) != 0; }

uintptr_t crerender_own_address(void) { return (uintptr_t)crerender_own_address; }

uid_t crerender_peer_uid(int socket) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.uid : (uid_t)-1;
}

struct search {
    uintptr_t address;
    void *storage;
    size_t size;
};

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    struct search *search = context;
    if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data) return 1;
    bool is_it = false;
    size_t storage_size = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_TLS) storage_size = segment->p_memsz;
        if (segment->p_type == PT_LOAD && search->address >= start && search->address - start < segment->p_memsz)
            is_it = true;
    }
    if (!is_it) return 0;
    search->storage = info->dlpi_tls_data;
    search->size = storage_size;
    return 1;
}

void *crerender_thread_storage(uintptr_t address, size_t *size) {
    struct search search = {.address = address};
    dl_iterate_phdr(visit, &search);
    *size = search.size;
    return search.storage;
}

_Thread_local int32_t crerender_this_thread_slot;

int32_t crerender_learn_this_thread(void) { return crerender_this_thread_slot = (int32_t)syscall(SYS_gettid); }

_Thread_local void **crerender_access_list_slot;

__attribute__((noinline)) uintptr_t crerender_stack_address(void) { return (uintptr_t)__builtin_frame_address(0); }

// Maps the time-stamp counter to nanoseconds, if the kernel itself keeps time with that counter.

struct crerender_clock crerender_clock;

/// How long a map holds. The kernel bends its clock by at most 500 ppm to follow the network's time, one way or the other, so that a rate
/// which was measured before may be 1,000 ppm off: half a microsecond in this time.
enum { PERIOD = 500000 };

// The kernel keeps its own time with the counter only if it found it constant, running through idle states and
// equal on all processors; it drops it for another source the moment it finds otherwise.
bool crerender_counter_is_trusted(void) {
#if defined(__x86_64__)
    char source[8] = {0};
    int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, source, sizeof source - 1);
    close(file);
    return count >= 4 && memcmp(source, "tsc\n", 4) == 0;
#else
    return false;
#endif
}

// The tightest of at most `tries`, so that an interruption between the two clocks does not tilt the map. Returns how long it took.
static uint64_t read_clocks(struct crerender_reading *reading, int tries, uint64_t narrow) {
    uint64_t narrowest = UINT64_MAX;
#if defined(__x86_64__)
    for (int i = 0; i < tries && narrowest > narrow; i++) {
        uint64_t before = __rdtsc(), nanoseconds = crerender_monotonic(), after = __rdtsc();
        if (after - before >= narrowest) continue;
        narrowest = after - before;
        *reading = (struct crerender_reading){before + (after - before) / 2, nanoseconds};
    }
#else
    (void)reading, (void)tries, (void)narrow;
#endif
    return narrowest;
}

struct crerender_reading crerender_read_clocks(void) {
    struct crerender_reading reading = {0, 0};
    read_clocks(&reading, 16, 0);
    return reading;
}

uint64_t crerender_rate(struct crerender_reading first, struct crerender_reading second) {
    if (second.ticks <= first.ticks || second.nanoseconds <= first.nanoseconds) return 0;
    return (uint64_t)(((unsigned __int128)(second.nanoseconds - first.nanoseconds) << 32) /
                      (second.ticks - first.ticks));
}

struct crerender_clock_map crerender_next_map(struct crerender_clock_map old, uint64_t rate,
                                              struct crerender_reading reading) {
    struct crerender_clock_map next = {reading.ticks, reading.nanoseconds, rate, ((uint64_t)PERIOD << 32) / rate};
    uint64_t ticks = reading.ticks - old.base_ticks;
    // The map is half its time too old: its error has grown.
    if (old.limit == 0 || ticks >= old.limit + old.limit / 2) return next;
    uint64_t told = old.base_nanoseconds + ((ticks * old.scale) >> 32);
    int64_t ahead = (int64_t)(told - reading.nanoseconds);
    // No clock is bent that much: one of them was set.
    if (ahead > PERIOD / 8 || ahead < -PERIOD / 8) return next;
    next.base_nanoseconds = told;
    next.scale = (uint64_t)((int64_t)rate - (int64_t)rate / PERIOD * ahead);
    return next;
}

// True for one thread at a time, which then writes the map.
static bool begin_writing(uint32_t *sequence) {
    *sequence = __atomic_load_n(&crerender_clock.sequence, __ATOMIC_RELAXED);
    if (*sequence & 1) return false;
    bool is_ours = __atomic_compare_exchange_n(&crerender_clock.sequence, sequence, *sequence + 1, false,
                                               __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    // Nothing of the map is seen before the odd number.
    __atomic_thread_fence(__ATOMIC_RELEASE);
    return is_ours;
}

static void end_writing(uint32_t sequence, struct crerender_clock_map map) {
    __atomic_store_n(&crerender_clock.map.base_ticks, map.base_ticks, __ATOMIC_RELAXED);
    __atomic_store_n(&crerender_clock.map.base_nanoseconds, map.base_nanoseconds, __ATOMIC_RELAXED);
    __atomic_store_n(&crerender_clock.map.scale, map.scale, __ATOMIC_RELAXED);
    __atomic_store_n(&crerender_clock.map.limit, map.limit, __ATOMIC_RELAXED);
    __atomic_store_n(&crerender_clock.sequence, sequence + 2, __ATOMIC_RELEASE);
}

uint64_t crerender_now_anew(void) {
    uint64_t rate = __atomic_load_n(&crerender_clock.rate, __ATOMIC_RELAXED), now;
    uint32_t sequence;
    if (rate == 0) return crerender_monotonic();
    if (!begin_writing(&sequence)) {
        // Another thread does, which takes less time than to ask the kernel, unless it lost its processor.
        for (int i = 0; i < 64; i++)
            if (crerender_now_by_map(&now)) return now;
        return crerender_monotonic();
    }
    struct crerender_clock_map map = crerender_clock.map;
    now = 0;
    rate = __atomic_load_n(&crerender_clock.rate, __ATOMIC_RELAXED);
    if (rate != 0) {
        struct crerender_reading reading = {0, 0};
        uint64_t narrow = (100ULL << 32) / rate, widest = (1000ULL << 32) / rate;
        if (read_clocks(&reading, 4, narrow) <= widest) {
            map = crerender_next_map(map, rate, reading);
            now = map.base_nanoseconds;
        }
    }
    end_writing(sequence, map);
    return now != 0 ? now : crerender_monotonic();
}

void crerender_set_counter_rate(uint64_t rate) {
    uint32_t sequence;
    while (!begin_writing(&sequence)) sched_yield();
    __atomic_store_n(&crerender_clock.rate, rate, __ATOMIC_RELAXED);
    struct crerender_clock_map map = crerender_clock.map;
    // A map of this rate goes on to its end. Without one the next reading finds none.
    if (rate == 0) map.limit = 0;
    end_writing(sequence, map);
}
