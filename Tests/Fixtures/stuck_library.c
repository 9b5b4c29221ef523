// SPDX-License-Identifier: MIT
// In LTTng's place: a library whose constructor never ends and holds the lock that its destructor takes.
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void load(void) {
    pthread_mutex_lock(&lock);
    close(open(getenv("STUCK_LIBRARY_NOTICE"), O_WRONLY | O_CREAT, 0600));
    for (;;) pause();
}

__attribute__((destructor)) static void unload(void) { pthread_mutex_lock(&lock); }
