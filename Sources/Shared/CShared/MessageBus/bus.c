// SPDX-License-Identifier: MIT
// D-Bus through libsystemd without its headers, whose stable interface is declared here, and the signal that bounds real-time threads.
#define _GNU_SOURCE
#include "CMessageBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct {
    const char *name;
    const char *message;
    int need_free;
} sd_bus_error;

// The functions in use; all of them must be found.
static struct {
    int (*open_system)(sd_bus **);
    int (*open_user)(sd_bus **);
    sd_bus *(*close_unref)(sd_bus *);
    int (*is_ready)(sd_bus *);
    int (*process)(sd_bus *, sd_bus_message **);
    int (*get_fd)(sd_bus *);
    int (*get_events)(sd_bus *);
    int (*set_method_call_timeout)(sd_bus *, uint64_t);
    int (*call_method)(sd_bus *, const char *, const char *, const char *, const char *, sd_bus_error *,
                       sd_bus_message **, const char *, ...);
    int (*get_property_trivial)(sd_bus *, const char *, const char *, const char *, const char *, sd_bus_error *, char,
                                void *);
    void (*error_free)(sd_bus_error *);
} sd;

static bool available;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    // The soname of its stable interface since 2013; version 246 and later have every function below.
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"sd_bus_open_system", &sd.open_system}, {"sd_bus_open_user", &sd.open_user},
        {"sd_bus_close_unref", &sd.close_unref}, {"sd_bus_is_ready", &sd.is_ready},
        {"sd_bus_process", &sd.process},         {"sd_bus_get_fd", &sd.get_fd},
        {"sd_bus_get_events", &sd.get_events},   {"sd_bus_set_method_call_timeout", &sd.set_method_call_timeout},
        {"sd_bus_call_method", &sd.call_method}, {"sd_bus_get_property_trivial", &sd.get_property_trivial},
        {"sd_bus_error_free", &sd.error_free},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) return;
        // Proof: each place is a function pointer of `sd`, as wide as what dlsym returns (POSIX demands it).
        memcpy(functions[i].place, &function, sizeof function);
    }
    available = true;
}

static bool is_available(void) {
    pthread_once(&once, load);
    return available;
}

struct cmessagebus {
    sd_bus *bus;
    uint64_t deadline; // in milliseconds of the monotonic clock
};

static void say(struct cmessagebus_fault *fault, const char *text) {
    snprintf(fault->text, sizeof fault->text, "%s", text);
}
static void say_number(struct cmessagebus_fault *fault, int number) {
    char text[128];
    say(fault, strerror_r(number, text, sizeof text));
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

// sd_bus_call would wait for the greeting without our time limit, so it is awaited here. 0 or an error number.
static int await_greeting(sd_bus *bus, uint64_t deadline) {
    for (;;) {
        int ready = sd.is_ready(bus);
        if (ready != 0) return ready > 0 ? 0 : -ready;
        int done = sd.process(bus, NULL);
        if (done < 0) return -done;
        uint64_t time = now();
        if (time >= deadline) return ETIMEDOUT;
        if (done > 0) continue;
        int events = sd.get_events(bus);
        if (events < 0) return -events;
        struct pollfd file = {.fd = sd.get_fd(bus), .events = (short)events};
        if (poll(&file, 1, (int)(deadline - time)) < 0 && errno != EINTR) return errno;
    }
}

struct cmessagebus *cmessagebus_open(enum cmessagebus_which which, uint64_t milliseconds,
                                     struct cmessagebus_fault *fault) {
    say(fault, "");
    if (!is_available()) {
        say(fault, "libsystemd.so.0 is not installed");
        return NULL;
    }
    // More than a minute is a mistake; poll takes an int.
    if (milliseconds > 60000) milliseconds = 60000;
    uint64_t deadline = now() + milliseconds;
    sd_bus *bus = NULL;
    // Connects without waiting.
    int result = which == CMESSAGEBUS_SYSTEM ? sd.open_system(&bus) : sd.open_user(&bus);
    int number = result < 0 ? -result : await_greeting(bus, deadline);
    struct cmessagebus *opened = number == 0 ? malloc(sizeof *opened) : NULL;
    if (opened) {
        *opened = (struct cmessagebus){.bus = bus, .deadline = deadline};
        return opened;
    }
    if (number == 0) number = ENOMEM;
    if (number == ETIMEDOUT)
        say(fault, "the bus does not answer");
    else
        say_number(fault, number);
    if (bus) sd.close_unref(bus);
    return NULL;
}

void cmessagebus_close(struct cmessagebus *bus) {
    sd.close_unref(bus->bus);
    free(bus);
}

// The connection for one more call, with the time that is left as its limit; NULL with a fault if none is left.
static sd_bus *in_time(struct cmessagebus *bus, struct cmessagebus_fault *fault) {
    uint64_t time = now();
    // 0 would be libsystemd's own time limit.
    if (time < bus->deadline && sd.set_method_call_timeout(bus->bus, (bus->deadline - time) * 1000) >= 0)
        return bus->bus;
    say(fault, "the bus does not answer");
    return NULL;
}

// Takes over the error of a call that ended with `result`.
static bool finish(int result, sd_bus_error *error, struct cmessagebus_fault *fault) {
    say(fault, "");
    if (result < 0) {
        if (error->message && *error->message)
            say(fault, error->message);
        else
            say_number(fault, -result);
    }
    sd.error_free(error);
    return result >= 0;
}

static const char kit_name[] = "org.freedesktop.RealtimeKit1";
static const char kit_path[] = "/org/freedesktop/RealtimeKit1";

bool cmessagebus_rtkit_property(struct cmessagebus *bus, const char *name, char type, int64_t *value,
                                struct cmessagebus_fault *fault) {
    sd_bus *connection = in_time(bus, fault);
    if (!connection) return false;
    sd_bus_error error = {0};
    // Proof: the type says how much is written (x: 8 bytes, i: 4), and the places are of these types.
    int32_t narrow = 0;
    int result = sd.get_property_trivial(connection, kit_name, kit_path, kit_name, name, &error, type,
                                         type == 'x' ? (void *)value : &narrow);
    if (type != 'x') *value = narrow;
    return finish(result, &error, fault);
}

bool cmessagebus_rtkit_ask(struct cmessagebus *bus, enum cmessagebus_request request, int32_t value,
                           struct cmessagebus_fault *fault) {
    sd_bus *connection = in_time(bus, fault);
    if (!connection) return false;
    sd_bus_error error = {0};
    bool is_realtime = request == CMESSAGEBUS_REALTIME;
    // Both values are 32 bits wide: a priority without a sign (u), or a nice value (i).
    int result = sd.call_method(connection, kit_name, kit_path, kit_name,
                                is_realtime ? "MakeThreadRealtime" : "MakeThreadHighPriority", &error, NULL,
                                is_realtime ? "tu" : "ti", (uint64_t)syscall(SYS_gettid), value);
    return finish(result, &error, fault);
}

bool cmessagebus_notify(struct cmessagebus *bus, const char *app, const char *summary, const char *body,
                        struct cmessagebus_fault *fault) {
    sd_bus *connection = in_time(bus, fault);
    if (!connection) return false;
    sd_bus_error error = {0};
    // Replaces no other (0); no icon, no actions, no hints; shown for as long as the desktop likes (-1).
    int result = sd.call_method(connection, "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
                                "org.freedesktop.Notifications", "Notify", &error, NULL, "susssasa{sv}i", app,
                                (uint32_t)0, "", summary, body, 0, 0, (int32_t)-1);
    return finish(result, &error, fault);
}

static _Atomic pid_t guarded;
static _Atomic bool demoted;

// Proof: atomics without a lock and one system call, both allowed in a handler of signals.
static void demote(int signal) {
    (void)signal;
    int saved = errno;
    const struct sched_param none = {0};
    pid_t thread = atomic_load(&guarded);
    // By the thread's number, since the signal is the whole process's. To give up the bit would need a right.
    if (thread != 0 && syscall(SYS_sched_setscheduler, thread, SCHED_OTHER | SCHED_RESET_ON_FORK, &none) == 0)
        atomic_store(&demoted, true);
    errno = saved;
}

int cmessagebus_limit_rttime(uint64_t microseconds) {
    atomic_store(&guarded, (pid_t)syscall(SYS_gettid));
    struct sigaction action = {.sa_handler = demote, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    struct rlimit limit;
    if (sigaction(SIGXCPU, &action, NULL) != 0 || getrlimit(RLIMIT_RTTIME, &limit) != 0) return errno;
    // The soft limit brings the signal, every second anew; the hard one would kill at once if it were the same.
    if (limit.rlim_max > microseconds) limit.rlim_max = microseconds;
    if (limit.rlim_cur > microseconds / 2) limit.rlim_cur = microseconds / 2;
    return setrlimit(RLIMIT_RTTIME, &limit) == 0 ? 0 : errno;
}

bool cmessagebus_was_demoted(void) { return atomic_load(&demoted); }
