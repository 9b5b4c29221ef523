// SPDX-License-Identifier: MIT
// Who holds a mutex of the C library: the thread's number that the library writes into it.
#define _GNU_SOURCE
#include "CRerender.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__GLIBC__)
/// Whether the owner stands where this library's header says: tried once, with a mutex of our own.
static bool is_proved(void) {
    static int proof; // 0 untried, 1 as the header says, 2 not so
    int known = __atomic_load_n(&proof, __ATOMIC_ACQUIRE);
    if (known) return known == 1;
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    bool fits = own.__data.__owner == 0 && own.__data.__lock == 0;
    pthread_mutex_lock(&own);
    fits = fits && own.__data.__owner == (int)syscall(SYS_gettid) && own.__data.__lock == 1 && own.__data.__nusers == 1;
    pthread_mutex_unlock(&own);
    fits = fits && own.__data.__owner == 0;
    pthread_mutex_destroy(&own);
    __atomic_store_n(&proof, fits ? 1 : 2, __ATOMIC_RELEASE);
    return fits;
}

/// Kinds are small numbers with some flags.
enum { KIND_MAX = 0x3ff, KIND_SHARED = 0x80, USERS_MAX = 1 << 16 };

pid_t crerender_mutex_holder(uintptr_t address) {
    pthread_mutex_t mutex;
    if (!is_proved() || address % _Alignof(pthread_mutex_t) != 0) return 0;
    if (crerender_read_memory(address, &mutex, sizeof mutex) != sizeof mutex) return 0;
    // One that somebody waits for has a 2 there.
    if (mutex.__data.__lock != 2 || mutex.__data.__kind < 0 || mutex.__data.__kind > KIND_MAX) return 0;
    if (mutex.__data.__kind & KIND_SHARED) return 0;
    if (mutex.__data.__nusers == 0 || mutex.__data.__nusers > USERS_MAX) return 0;
    return mutex.__data.__owner > 0 ? mutex.__data.__owner : 0;
}
#else
pid_t crerender_mutex_holder(uintptr_t address) {
    (void)address;
    return 0;
}
#endif
