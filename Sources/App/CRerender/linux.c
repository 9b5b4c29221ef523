// SPDX-License-Identifier: MIT
// Kernel interfaces that are not visible through Glibc's module.
#define _GNU_SOURCE
#include "CRerender.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>

static void *thread_main(void *body) {
    ((void (*)(void))body)();
    return NULL;
}

int crerender_start_thread(const char *name, void (*body)(void)) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // the thread inherits the mask, so it never runs a handler of the host
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // A host that runs in real time would hand that on, and our work would take the processor from its own.
    struct sched_param ordinary = {0};
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    pthread_attr_setschedparam(&attributes, &ordinary);
    pthread_t thread;
    int error = pthread_create(&thread, &attributes, thread_main, (void *)body);
    if (error == 0) pthread_setname_np(thread, name);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

void *crerender_alias(void *memory, size_t size) {
    // An old size of zero leaves the first mapping as it is (mremap(2)).
    void *alias = mremap(memory, 0, size, MREMAP_MAYMOVE);
    return alias == MAP_FAILED ? NULL : alias;
}

int crerender_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int crerender_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int crerender_watch_directory(int descriptor, const char *path) {
    return inotify_add_watch(descriptor, path, IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_ONLYDIR);
}

uid_t crerender_peer_uid(int socket) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.uid : (uid_t)-1;
}
