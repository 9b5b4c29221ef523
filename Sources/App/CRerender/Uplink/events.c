// SPDX-License-Identifier: MIT
// Tells the uplink's thread what happened, by a word that it waits on (futex(2)). Two threads wait for what is no word, and tell it.
#define _GNU_SOURCE
#include "events.h"
#include "../MainLoop/loop_parts.h"
#include "CRerender.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t told, finished;
/// Whether the uplink's thread waits, or is about to.
static uint32_t waits;

static void wait_on(uint32_t *word, uint64_t deadline) {
    struct timespec at = {(time_t)(deadline / 1000000000), (long)(deadline % 1000000000)};
    // With a bit set, the deadline is one of the monotonic clock.
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, 0, deadline ? &at : NULL, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0); }

void crerender_tell(uint32_t events) {
    __atomic_fetch_or(&told, events, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&waits, __ATOMIC_SEQ_CST)) wake(&told);
}

uint32_t crerender_take_events(uint64_t deadline) {
    __atomic_store_n(&waits, 1, __ATOMIC_SEQ_CST);
    uint32_t events;
    while (!(events = __atomic_exchange_n(&told, 0, __ATOMIC_SEQ_CST))) {
        if (deadline && crerender_monotonic() >= deadline) break;
        wait_on(&told, deadline);
    }
    __atomic_store_n(&waits, 0, __ATOMIC_SEQ_CST);
    return events;
}

void crerender_tell_finished(void) {
    __atomic_store_n(&finished, 1, __ATOMIC_RELEASE);
    wake(&finished);
}

void crerender_wait_until_finished(uint64_t deadline) {
    while (!__atomic_load_n(&finished, __ATOMIC_ACQUIRE) && crerender_monotonic() < deadline)
        wait_on(&finished, deadline);
}

// MARK: A further attach

/// The preloaded library's, where the process has it. The loader finds it with this file: to look it up would wait for the loader.
__attribute__((weak, visibility("default"))) const char *rerender_preload_given(const char *(*answers)(void));

/// On the main thread, which an attach has stopped where it is about to wait.
static const char *answer_attach(void) {
    if (crerender_is_switched_off())
        return "it was switched off (rerenderctl off), and stays so until it is started again";
    crerender_tell(CRERENDER_DIRECTORY_CHANGED);
    return NULL;
}

const char *crerender_given_directory(void) {
    return rerender_preload_given ? rerender_preload_given(answer_attach) : NULL;
}

enum { STACK_SIZE = 128 * 1024 };

// MARK: The timer

/// The timer's signal, the first of the two that the C library keeps for itself. It is sent to one thread, which blocks it and takes
/// it. A host cannot send it to the process, wait for it or handle it; with any other, the thread would take the host's, too.
enum { ALARM_SIGNAL = 32 };

/// A timer that tells the calling thread; -1 on failure.
static int make_timer(void) {
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = ALARM_SIGNAL;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    int timer;
    return syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0 ? timer : -1;
}

static void wait_for_alarms(void) {
    // The kernel's own calls: the C library leaves its signals out of all sets.
    const uint64_t signals = UINT64_C(1) << (ALARM_SIGNAL - 1);
    if (syscall(SYS_rt_sigprocmask, SIG_BLOCK, &signals, NULL, sizeof signals) != 0) return;
    int timer = make_timer();
    if (timer < 0) return;
    turn_alarm_has(timer);
    while (!turn_alarm_ends())
        if (syscall(SYS_rt_sigtimedwait, &signals, NULL, NULL, sizeof signals) == ALARM_SIGNAL)
            crerender_tell(CRERENDER_TURN_LASTS);
        else if (errno != EINTR)
            break;
    // A hook that still has the number finds no timer: the kernel gives numbers in turn.
    turn_alarm_has(-1);
    syscall(SYS_timer_delete, timer);
}

// MARK: Descriptors

static int watched = -1;
/// What ends the thread, once it can be read.
static int stop = -1;
static const uint32_t told_to_stop = UINT32_C(1) << 31;

static void wait_for_descriptors(void) {
    uint32_t told = 0;
    while (!(told & told_to_stop)) {
        struct epoll_event events[2];
        int count = epoll_wait(watched, events, 2, -1);
        if (count < 0 && errno != EINTR) break;
        told = 0;
        for (int i = 0; i < count; i++) told |= events[i].data.u32;
        if (told & ~told_to_stop) crerender_tell(told & ~told_to_stop);
    }
    close(watched);
    if (stop >= 0) close(stop);
}

bool crerender_start_watcher(void) {
    watched = epoll_create1(EPOLL_CLOEXEC);
    if (watched < 0 || crerender_start_thread("rerender-watch", STACK_SIZE, wait_for_descriptors) != 0) return false;
    // Without it, hangs are seen later.
    (void)crerender_start_thread("rerender-alarm", STACK_SIZE, wait_for_alarms);
    return true;
}

void crerender_stop_watcher(void) {
    stop = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
    if (stop >= 0) crerender_watch(stop, EPOLLIN, told_to_stop);
}

bool crerender_watch(int descriptor, uint32_t flags, uint32_t event) {
    struct epoll_event wanted = {.events = flags | EPOLLONESHOT, .data.u32 = event};
    if (epoll_ctl(watched, EPOLL_CTL_MOD, descriptor, &wanted) == 0) return true;
    return errno == ENOENT && epoll_ctl(watched, EPOLL_CTL_ADD, descriptor, &wanted) == 0;
}
