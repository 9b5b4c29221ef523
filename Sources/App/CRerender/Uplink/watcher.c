// SPDX-License-Identifier: MIT
// The thread that waits for our descriptors, and for the timer of long turns, and tells the uplink's thread. It has our table.
#define _GNU_SOURCE
#include "../MainLoop/turn_alarm.h"
#include "CRerender.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/// It only waits and tells.
enum { STACK_SIZE = 128 * 1024 };
/// The timer's. It is sent to this thread alone, which blocks it, so that no handler ever sees it. By default it is ignored.
enum { ALARM_SIGNAL = SIGURG };

static int watched = -1;

/// A timer that tells this thread; -1 if there is none.
static int make_timer(void) {
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = ALARM_SIGNAL;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    int timer;
    return syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0 ? timer : -1;
}

/// The descriptor by which the thread sees the timer's signal; -1 if there can be none.
static int make_alarm(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, ALARM_SIGNAL);
    int alarm = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = CRERENDER_TURN_LASTS};
    if (alarm >= 0 && epoll_ctl(watched, EPOLL_CTL_ADD, alarm, &event) == 0) return alarm;
    if (alarm >= 0) close(alarm);
    return -1;
}

static void drain(int alarm) {
    struct signalfd_siginfo ignored;
    while (read(alarm, &ignored, sizeof ignored) > 0) continue;
}

static void watch(void) {
    int alarm = make_alarm();
    if (alarm >= 0) turn_alarm_has(make_timer());
    for (;;) {
        struct epoll_event events[3];
        int count = epoll_wait(watched, events, 3, -1);
        uint32_t told = 0;
        for (int i = 0; i < count; i++) told |= events[i].data.u32;
        if (told & CRERENDER_TURN_LASTS) drain(alarm);
        if (told) crerender_tell(told);
        if (count < 0 && errno != EINTR) return;
    }
}

bool crerender_start_watcher(void) {
    watched = epoll_create1(EPOLL_CLOEXEC);
    return watched >= 0 && crerender_start_thread("rerender-watch", STACK_SIZE, watch) == 0;
}

bool crerender_watch(int descriptor, uint32_t flags, uint32_t event) {
    struct epoll_event wanted = {.events = flags | EPOLLONESHOT, .data.u32 = event};
    if (epoll_ctl(watched, EPOLL_CTL_MOD, descriptor, &wanted) == 0) return true;
    return errno == ENOENT && epoll_ctl(watched, EPOLL_CTL_ADD, descriptor, &wanted) == 0;
}
