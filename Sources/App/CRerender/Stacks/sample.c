// SPDX-License-Identifier: MIT
// Takes the stack of a thread that hangs, and another thread walks over the copy.
//
// A blocked thread is only looked at (see `waits.c`): a signal would end its sleep early. For one that runs, a signal handler
// copies registers and at most 64 KiB of the interrupted thread's own stack to memory that is there already: no lock, no
// allocation, no call of the app's, some microseconds. Nothing is followed there, so nothing found on the stack can lead it
// astray. The walk happens later and on our own thread, over the copy. Functions of scripts are read in the handler, by copies that
// the kernel makes: some microseconds for each of at most 64.
//
// The signal comes from a timer on the processor time of that thread. So the kernel sends it only while the thread runs, and
// there is no moment between a look and a signal in which it could block. Since Linux 5.10 the kernel sends it on the way out
// to the program: then no system call is interrupted, however the thread goes on.
//
// Why so. From outside, ptrace stops the app and is forbidden where Yama says so; perf's events need rights that few have.
#define _GNU_SOURCE
#include "CRerender.h"
#include "CSymbols.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/// A debug build's frames are some hundred bytes each.
enum { COPY_MAX = 65536 };

/// The upper two bits of `state`; the lower ones number the requests, so that an answer to one is not taken for another's.
enum { IDLE = 0u, ASKED = 1u << 30, TAKING = 2u << 30, TAKEN = 3u << 30, NUMBER = (1u << 30) - 1 };

static uint32_t state;
/// Written while IDLE or TAKEN by the thread that asks; read while TAKING by the one that is asked.
static uintptr_t stack_low, stack_high;
static pid_t asked_thread;
static uintptr_t asked_script_thread;
/// Written while TAKING.
static struct csymbols_stack_copy copied;
static struct crerender_script_stack copied_scripts;
static uintptr_t copied_words[COPY_MAX / sizeof(uintptr_t)];
static uint32_t copied_row;

/// The signal, and 0 while there is none. Only the thread that asks uses it.
static int installed;
static uint32_t number;

// MARK: On the interrupted thread

static void note_registers(const ucontext_t *context) {
#if defined(__x86_64__)
    const greg_t *r = context->uc_mcontext.gregs;
    // In the order of DWARF's numbers.
    static const int order[17] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    for (int i = 0; i < 17; i++) copied.registers[i] = (uintptr_t)r[order[i]];
    copied.has_registers = true;
    copied.instruction = (uintptr_t)r[REG_RIP];
    copied.stack = (uintptr_t)r[REG_RSP];
    copied.frame = (uintptr_t)r[REG_RBP];
#elif defined(__aarch64__)
    copied.has_registers = true;
    copied.instruction = context->uc_mcontext.pc;
    copied.stack = context->uc_mcontext.sp;
    copied.frame = context->uc_mcontext.regs[29];
#endif
}

// Proof: what is copied lies between the stack pointer of this very thread, which is inside the stack's bounds, and the
// upper one of these: memory of the stack that is in use. A thread that runs on other memory (a coroutine's, a handler's
// own) is outside of the bounds, and nothing is copied. A sanitizer must not look: the frames' red zones are read too.
__attribute__((no_sanitize("address", "thread"))) static void copy_stack(void) {
    copied.size = 0;
    uintptr_t at = copied.stack;
    if (at < stack_low || at >= stack_high || at % sizeof(uintptr_t) != 0) return;
    size_t count = (stack_high - at) / sizeof(uintptr_t), limit = COPY_MAX / sizeof(uintptr_t);
    if (count > limit) count = limit;
    // Not memcpy, which a sanitizer would replace.
    const volatile uintptr_t *words = (const volatile uintptr_t *)at;
    for (size_t i = 0; i < count; i++) copied_words[i] = words[i];
    copied.size = count * sizeof(uintptr_t);
}

// Async-signal-safe: atomics, and memory that is there. In a forked child it never runs for us: the number is the parent's.
static void on_signal(int signal, siginfo_t *info, void *context) {
    (void)signal;
    int saved_errno = errno;
    uint32_t asked = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
    // A signal that comes late, for a request that was given up, answers the present one: of those that wait, the kernel
    // keeps only the first. It carries the thread that it was sent to, since one may come to a thread of an earlier request.
    if (info->si_code == SI_TIMER && (asked & ~(uint32_t)NUMBER) == ASKED && info->si_value.sival_int == asked_thread &&
        __atomic_compare_exchange_n(&state, &asked, (asked & NUMBER) | TAKING, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED)) {
        note_registers(context);
        copy_stack();
        copied_row = crerender_row_running();
        crerender_read_script_stack(asked_script_thread, &copied_scripts);
        __atomic_store_n(&state, (asked & NUMBER) | TAKEN, __ATOMIC_RELEASE);
    }
    errno = saved_errno;
}

// MARK: On the thread that asks

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_signal;
}

static bool is_free(const struct sigaction *action) {
    return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
}

/// The signals that the thread blocks now; all of them if that cannot be read. The C library blocks all for a moment, too,
/// while it makes a thread.
static uint64_t blocked_by(pid_t thread) {
    char path[64], text[16384]; // before the mask stands the list of groups
    snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return UINT64_MAX;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return UINT64_MAX;
    text[count] = 0;
    const char *blocked = strstr(text, "\nSigBlk:");
    return blocked ? strtoull(blocked + 8, NULL, 16) : UINT64_MAX;
}

static bool holds(uint64_t signals, int signal) { return signals >> (signal - 1) & 1; }

/// By default it is ignored, and hardly any program uses it. So one of ours that is still on its way when the thread calls
/// execve, or when all handlers are reset, ends nothing; any of the real-time signals would.
enum { SAMPLE_SIGNAL = SIGURG };

bool crerender_sampler_install(void) {
#if defined(__x86_64__) || defined(__aarch64__)
    if (installed) return true;
    uint64_t blocked = blocked_by(getpid());
    // While it makes a thread, the main thread blocks all: that passes.
    for (int look = 0; look < 20 && holds(blocked, SAMPLE_SIGNAL); look++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        blocked = blocked_by(getpid());
    }
    // One that stays blocked may be the app's without a handler, for sigwait or a signalfd.
    if (holds(blocked, SAMPLE_SIGNAL)) return false;
    struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK}, old;
    ours.sa_sigaction = on_signal;
    sigfillset(&ours.sa_mask); // so that no handler of the app's runs, and perhaps jumps away, in the middle of ours
    if (sigaction(SAMPLE_SIGNAL, NULL, &old) != 0 || !is_free(&old)) return false;
    if (sigaction(SAMPLE_SIGNAL, &ours, &old) != 0) return false;
    if (is_free(&old)) {
        installed = SAMPLE_SIGNAL;
        return true;
    }
    sigaction(SAMPLE_SIGNAL, &old, NULL); // The app took it at this very moment.
#endif
    return false;
}

void crerender_sampler_remove(void) {
    if (!installed) return;
    struct sigaction none = {0}, old;
    // One that the app put in its place stays.
    if (sigaction(installed, NULL, &old) == 0 && is_ours(&old) && sigaction(installed, &none, &old) == 0 &&
        !is_ours(&old))
        sigaction(installed, &old, NULL);
    installed = 0;
}

/// The mapping that holds `address`, or the main thread's stack for 0: as the kernel has it now, and only if it can be read.
static bool find_mapping(uintptr_t address, uintptr_t *low, uintptr_t *high) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return false;
    char line[512];
    bool found = false, is_start = true;
    while (!found && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        char access[5];
        // A line that does not fit goes on in the next piece, which names nothing.
        if (is_start && (address || strstr(line, " [stack]\n")) &&
            sscanf(line, "%lx-%lx %4s", &from, &to, access) == 3 && access[0] == 'r' &&
            (!address || (from <= address && address < to))) {
            *low = from;
            *high = to;
            found = true;
        }
        is_start = strchr(line, '\n') != NULL;
    }
    fclose(maps);
    return found;
}

/// The main thread's stack as it is now; it grows downwards and never shrinks or moves.
static bool find_main_stack(uintptr_t *low, uintptr_t *high) { return find_mapping(0, low, high); }

static struct {
    pid_t thread;
    uintptr_t low, high;
} noted;

pid_t crerender_note_stack(void) {
    uintptr_t low, high;
    pid_t thread = (pid_t)syscall(SYS_gettid);
    if (!crerender_stack_bounds(&low, &high)) return thread;
    __atomic_store_n(&noted.thread, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&noted.low, low, __ATOMIC_SEQ_CST);
    __atomic_store_n(&noted.high, high, __ATOMIC_SEQ_CST);
    __atomic_store_n(&noted.thread, thread, __ATOMIC_SEQ_CST);
    return thread;
}

static bool find_noted_stack(pid_t thread, uintptr_t *low, uintptr_t *high) {
    if (__atomic_load_n(&noted.thread, __ATOMIC_SEQ_CST) != thread) return false;
    *low = __atomic_load_n(&noted.low, __ATOMIC_SEQ_CST);
    *high = __atomic_load_n(&noted.high, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&noted.thread, __ATOMIC_SEQ_CST) != thread) return false;
    // The thread may be gone, and its number another's, whose stack is a smaller one in the same place; or there is a page
    // in the stack that may not be read. The handler goes up to `high`: only what can be read in one piece until there.
    uintptr_t from, to;
    if (!find_mapping(*high - 1, &from, &to)) return false;
    if (*low < from) *low = from;
    return true;
}

/// A timer that sends the signal to the thread while it runs: at the kernel's next tick on which it does. -1 if there is none.
static int start_timer(pid_t thread) {
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = installed;
    event.sigev_value.sival_int = (int)thread;
    event._sigev_un._tid = thread;
    // The kernel's number of the clock of a thread's processor time; the C library tells only that of a pthread_t.
    clockid_t clock = (clockid_t)(~(unsigned)thread << 3 | 6);
    int timer;
    if (syscall(SYS_timer_create, clock, &event, &timer) != 0) return -1;
    struct itimerspec at_once = {.it_value.tv_nsec = 1};
    if (syscall(SYS_timer_settime, timer, 0, &at_once, NULL) == 0) return timer;
    syscall(SYS_timer_delete, timer);
    return -1;
}

static void pause_for(long nanoseconds) {
    struct timespec pause = {.tv_nsec = nanoseconds};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}

/// How often a thread that has not been interrupted is looked at again: a tick is at most 10 ms.
enum { PAUSE = 50000, PAUSES_PER_LOOK = 20 };

/// Waits until the state is no longer `current`; false if the thread blocks before, or the time is up.
static bool wait_while(uint32_t current, pid_t thread, uint64_t end) {
    for (int pauses = 1; __atomic_load_n(&state, __ATOMIC_ACQUIRE) == current; pauses++) {
        struct crerender_wait wait;
        if (crerender_monotonic() >= end) return false;
        if (thread && pauses % PAUSES_PER_LOOK == 0 && crerender_wait_of(thread, &wait) == CRERENDER_BLOCKED)
            return false;
        pause_for(PAUSE);
    }
    return true;
}

/// Whether the thread may be interrupted: the handler is there, nobody else's, and the thread's stack is known.
static bool may_interrupt(pid_t thread) {
    if (!installed) return false;
    // A thread that was in the middle of copying when the wait for it ended may be there still.
    if ((__atomic_load_n(&state, __ATOMIC_ACQUIRE) & ~NUMBER) == TAKING) return false;
    struct sigaction now;
    // The code that replaced the handler since does not expect these signals.
    if (sigaction(installed, NULL, &now) != 0 || !is_ours(&now)) return false;
    if (holds(blocked_by(thread), installed)) return false;
    return thread == getpid() ? find_main_stack(&stack_low, &stack_high)
                              : find_noted_stack(thread, &stack_low, &stack_high);
}

/// Has a thread that runs copy its own stack; false if it did not run until the time is up, or blocked.
static bool interrupt(pid_t thread, uint64_t end, uint64_t nanoseconds) {
    number = (number + 1) & NUMBER;
    asked_thread = thread;
    asked_script_thread = crerender_script_thread(thread);
    uint32_t asked = ASKED | number;
    __atomic_store_n(&state, asked, __ATOMIC_RELEASE);
    int timer = start_timer(thread);
    // The caller tries again until the time is up.
    if (timer < 0) pause_for(PAUSE);
    bool is_taken = timer >= 0 && wait_while(asked, thread, end);
    if (timer >= 0) syscall(SYS_timer_delete, timer);
    if (!is_taken) {
        uint32_t expected = asked;
        if (__atomic_compare_exchange_n(&state, &expected, IDLE, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return false;
    }
    return wait_while(TAKING | number, 0, crerender_monotonic() + nanoseconds);
}

uint32_t crerender_sampled_row(void) { return copied_row; }

/// An interpreter's own functions take many of the frames of a stack that scripts have.
enum { SCRIPT_STACK = 256 };

/// The functions on a stack, with those of scripts.
static uint32_t unwind(const struct csymbols_stack_copy *copy, const struct crerender_script_stack *scripts,
                       uintptr_t *addresses, uint32_t capacity) {
    uintptr_t found[SCRIPT_STACK], ends[SCRIPT_STACK];
    uint32_t most = scripts->count || capacity > SCRIPT_STACK ? SCRIPT_STACK : capacity;
    uint32_t count = csymbols_unwind(copy, found, ends, most);
    return crerender_merge_scripts(found, ends, count, scripts, crerender_is_interpreter, addresses, capacity);
}

/// Of the blocked thread that was looked at last.
static struct crerender_script_stack blocked_scripts;

static void read_blocked_scripts(pid_t thread) {
    crerender_read_script_stack(crerender_script_thread(thread), &blocked_scripts);
}

enum crerender_thread_state crerender_sample(pid_t thread, uint64_t nanoseconds, struct crerender_wait *wait,
                                             uintptr_t *addresses, uint32_t capacity, uint32_t *count) {
    *count = 0;
    if (crerender_is_silent()) return CRERENDER_UNKNOWN;
    static uintptr_t words[COPY_MAX / sizeof(uintptr_t)];
    bool is_allowed = nanoseconds > 0 && may_interrupt(thread);
    uint64_t end = crerender_monotonic() + nanoseconds;
    while (true) {
        struct csymbols_stack_copy copy = {.bytes = (const unsigned char *)words, .size = sizeof words};
        enum crerender_thread_state state =
            crerender_blocked_stack(thread, wait, words, &copy.size, read_blocked_scripts);
        if (state == CRERENDER_BLOCKED) {
            copy.instruction = wait->instruction;
            copy.stack = wait->stack;
            *count = unwind(&copy, &blocked_scripts, addresses, capacity);
        }
        if (state == CRERENDER_BLOCKED || !is_allowed) return state;
        // Also where the kernel does not say whether it runs: the timer goes by that.
        if (interrupt(thread, end, nanoseconds)) {
            copied.bytes = (const unsigned char *)copied_words;
            *count = unwind(&copied, &copied_scripts, addresses, capacity);
            return CRERENDER_RUNNING;
        }
        if (crerender_monotonic() >= end) return state;
        is_allowed = may_interrupt(thread);
    }
}
