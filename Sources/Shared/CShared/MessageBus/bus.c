// SPDX-License-Identifier: MIT
// What the daemon asks of the desktop: rtkit over D-Bus, through libsystemd without its headers, whose stable interface is declared here; the
// signal that bounds real-time threads; and notifications.
#define _GNU_SOURCE
#include "CMessageBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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
    sd_bus *(*close_unref)(sd_bus *);
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
        {"sd_bus_open_system", &sd.open_system}, {"sd_bus_close_unref", &sd.close_unref},
        {"sd_bus_call_method", &sd.call_method}, {"sd_bus_set_method_call_timeout", &sd.set_method_call_timeout},
        {"sd_bus_error_free", &sd.error_free},   {"sd_bus_get_property_trivial", &sd.get_property_trivial},
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

static void say(struct cmessagebus_fault *fault, const char *text) {
    snprintf(fault->text, sizeof fault->text, "%s", text);
}
static void say_number(struct cmessagebus_fault *fault, int number) {
    char text[128];
    say(fault, strerror_r(number, text, sizeof text));
}

static const char kit_name[] = "org.freedesktop.RealtimeKit1";
static const char kit_path[] = "/org/freedesktop/RealtimeKit1";

// How long each answer may take, in microseconds. How long the bus may take to greet us, the library decides.
enum { patience = 1000000 };

// Asks for `priority` and a run time of `microseconds` at most. 0 or more, or a negative error number.
static int ask(sd_bus *bus, int32_t priority, int64_t microseconds, sd_bus_error *error) {
    int64_t most_microseconds = 0;
    int32_t most = 0;
    int result = sd.set_method_call_timeout(bus, patience);
    // Proof: the type says how much is written (x: 8 bytes, i: 4), and the places are of these types.
    if (result >= 0)
        result =
            sd.get_property_trivial(bus, kit_name, kit_path, kit_name, "RTTimeUSecMax", error, 'x', &most_microseconds);
    if (result >= 0)
        result = sd.get_property_trivial(bus, kit_name, kit_path, kit_name, "MaxRealtimePriority", error, 'i', &most);
    if (result < 0) return result;
    if (most <= 0 || most_microseconds <= 0) return -EPERM;
    // rtkit refuses a process that has not limited itself.
    if (microseconds > most_microseconds) microseconds = most_microseconds;
    int number = cmessagebus_limit_rttime((uint64_t)microseconds);
    if (number) return -number;
    // A thread's number of 64 bits (t), and a priority of 32 without a sign (u).
    return sd.call_method(bus, kit_name, kit_path, kit_name, "MakeThreadRealtime", error, NULL, "tu",
                          (uint64_t)syscall(SYS_gettid), (uint32_t)(priority < most ? priority : most));
}

bool cmessagebus_ask_rtkit(int32_t priority, int64_t microseconds, struct cmessagebus_fault *fault) {
    say(fault, "");
    if (!is_available()) {
        say(fault, "libsystemd.so.0 is not installed");
        return false;
    }
    sd_bus *bus = NULL;
    sd_bus_error error = {0};
    // Connects without waiting.
    int result = sd.open_system(&bus);
    if (result >= 0) result = ask(bus, priority, microseconds, &error);
    if (result == -ETIMEDOUT)
        say(fault, "the bus does not answer");
    else if (result < 0 && error.message && *error.message)
        say(fault, error.message);
    else if (result < 0)
        say_number(fault, -result);
    sd.error_free(&error);
    if (bus) sd.close_unref(bus);
    return result >= 0;
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

int cmessagebus_notify(const char *summary, const char *body) {
    // Proof: posix_spawnp() changes none of the texts, and all of them outlive it.
    char *const words[] = {"notify-send", "--app-name=Rerender", "--", (char *)summary, (char *)body, NULL};
    posix_spawn_file_actions_t actions;
    int number = posix_spawn_file_actions_init(&actions);
    if (number) return -number;
    for (int file = 0; file < 3 && !number; file++)
        number = posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0);
    pid_t child = 0;
    if (!number) number = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (number) return -number;
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -errno;
    return status;
}
