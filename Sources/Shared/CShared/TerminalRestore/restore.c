// SPDX-License-Identifier: MIT
// Restores a terminal when the process ends, also when a signal kills it.
#define _GNU_SOURCE
#include "CTerminalRestore.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

// Signals that kill a process without running its exit handlers. The first ones are faults.
static const int deadly[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,    SIGTRAP, SIGABRT, SIGSYS, SIGQUIT, SIGUSR1,
                             SIGUSR2, SIGALRM, SIGPROF, SIGVTALRM, SIGXCPU, SIGXFSZ, SIGIO,  SIGPWR,  SIGSTKFLT};
enum { deadly_count = sizeof deadly / sizeof *deadly, fault_count = 7 };

static struct sigaction handled_before[deadly_count];
static struct termios saved;
// The text to write before the settings are restored; null while disarmed.
static _Atomic(const char *) armed;

// Proof: calls only functions that POSIX allows in a signal handler (write, tcsetattr), and atomics.
void cterminal_restore_now(void) {
    const char *text = atomic_exchange(&armed, NULL);
    if (text == NULL) return;
    int error = errno;
    size_t length = strlen(text);
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, text, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) break;
        text += written;
        length -= (size_t)written;
    }
    while (tcsetattr(STDIN_FILENO, TCSANOW, &saved) != 0 && errno == EINTR) {
    }
    errno = error;
}

// A fault happens again when its handler returns; a signal that was sent does not.
static bool happens_again(int number, const siginfo_t *information) {
    bool is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE || number == SIGSYS;
    return is_fault && information->si_code > 0;
}

// Restores the terminal, then lets the handler from before have the signal.
static void on_deadly(int number, siginfo_t *information, void *context) {
    (void)context;
    cterminal_restore_now();
    for (int index = 0; index < deadly_count; index++) {
        if (deadly[index] == number) sigaction(number, &handled_before[index], NULL);
    }
    if (!happens_again(number, information)) raise(number);
}

// Leaves alone what ends nothing: a signal that is ignored, or one that is no fault and has a handler.
static void watch(int index, const struct sigaction *action) {
    sigaction(deadly[index], NULL, &handled_before[index]);
    bool is_default = handled_before[index].sa_handler == SIG_DFL;
    bool is_ignored = handled_before[index].sa_handler == SIG_IGN;
    if (is_default || (index < fault_count && !is_ignored)) sigaction(deadly[index], action, NULL);
}

int cterminal_restore_prepare(void) {
    if (tcgetattr(STDIN_FILENO, &saved) != 0) return errno;
    struct sigaction action = {.sa_sigaction = on_deadly, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < deadly_count; index++) watch(index, &action);
    return 0;
}

const struct termios *cterminal_restore_saved(void) { return &saved; }

void cterminal_restore_arm(const char *text) { atomic_store(&armed, text); }

bool cterminal_restore_is_armed(void) { return atomic_load(&armed) != NULL; }

void cterminal_restore_disarm(void) { atomic_store(&armed, NULL); }
