// SPDX-License-Identifier: MIT
// The threads that have our table of descriptors and work there for other threads, and what the host's limits leave.
//
// Proof that no descriptor of ours is in the host's table: the first thread leaves that table before it opens anything
// (`CLOSE_RANGE_UNSHARE`), and a table is shared with the threads that one of its threads makes, and with no others. It begins
// empty, so that what the host has closed is closed: a pipe whose end we held on to would never end for its reader.
#define _GNU_SOURCE
#include "CDescriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// What the library's threads and LTTng take together, with room. Most of the address space is what the C library's malloc reserves for
/// each thread that allocates, 64 MiB; of that, little is ever memory.
static const uint64_t ADDRESS_SPACE = UINT64_C(512) << 20, DATA = UINT64_C(32) << 20;

static uint64_t limit_of(__rlimit_resource_t resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}

static bool leaves(uint64_t limit, uint64_t pages, uint64_t needed) {
    uint64_t used = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return used <= limit && limit - used >= needed;
}

/// Whether the process has a limit of address space or of data.
static bool cdescriptors_memory_is_limited(void) {
    return limit_of(RLIMIT_AS) != UINT64_MAX || limit_of(RLIMIT_DATA) != UINT64_MAX;
}

/// What `cdescriptors_have_memory` says of the calling thread, which opens a file where there is such a limit.
static bool cdescriptors_memory_suffices(unsigned times) {
    if (!cdescriptors_memory_is_limited()) return true;
    char text[128];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    text[count > 0 ? count : 0] = 0;
    unsigned long size, data;
    // Of seven fields the first is all that is mapped, and the sixth what is private and may be written.
    return sscanf(text, "%lu %*u %*u %*u %*u %lu", &size, &data) == 2 &&
           leaves(limit_of(RLIMIT_AS), size, times * ADDRESS_SPACE) &&
           leaves(limit_of(RLIMIT_DATA), data, times * DATA);
}

// linux/close_range.h, which older headers do not have.
#define UNSHARE (1U << 1)

/// Reading /proc and making pages takes little; the default of 8 MiB would count against RLIMIT_AS. A host whose thread-local
/// variables do not fit gets the default.
enum { STACK_SIZE = 512 * 1024, DEFAULT_STACK_SIZE = 8 * 1024 * 1024 };

enum { IDLE, ASKED, DONE };
enum { NOT_STARTED, STARTING, RUNS, REFUSED };

/// One piece of work at a time. The host's threads have a lane of their own, so that they wait for no slow work of ours.
struct lane {
    /// Held by the thread whose work is done; the others wait for it.
    pthread_mutex_t lock;
    uint32_t work;
    void (*body)(void *);
    void *context;
};
enum { HOSTS, OURS, LANES };
static struct lane lanes[LANES] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};
static uint32_t status = NOT_STARTED;
/// The threads of the parent do not exist in a forked child.
static volatile int is_forked;
static _Thread_local bool has_table;
static _Thread_local int lane_number = HOSTS;

static void in_child(void) { is_forked = 1; }

static void wait_while(uint32_t *word, uint32_t value) {
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void set(uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/// Leaves the host's table. What is written to the first four numbers then ends in events that no thread reads: none of our files has such a
/// number. To the first three go the last words of a crash, and to the fourth what the loader writes for LD_DEBUG_OUTPUT.
static bool take_table(void) {
    if (syscall(SYS_close_range, 0U, ~0U, UNSHARE) != 0) return false;
    for (int number = 0; number < 4; number++)
        if (eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) != number) return false;
    return true;
}

static void *serve(void *context) {
    struct lane *lane = context;
    has_table = true;
    // By the thread itself: for another one the C library opens a file.
    prctl(PR_SET_NAME, "rerender-files");
    for (;;) {
        uint32_t seen = __atomic_load_n(&lane->work, __ATOMIC_ACQUIRE);
        if (seen != ASKED) {
            syscall(SYS_futex, &lane->work, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
            continue;
        }
        lane->body(lane->context);
        set(&lane->work, DONE);
    }
}

/// All signals blocked, so that no handler of the host's runs here; ordinary priority, even if the caller has another.
static bool start(void *(*body)(void *), void *context) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    struct sched_param ordinary = {0};
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    pthread_attr_setschedparam(&attributes, &ordinary);
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, &attributes, body, context);
    if (error == EINVAL) {
        pthread_attr_setstacksize(&attributes, DEFAULT_STACK_SIZE);
        error = pthread_create(&thread, &attributes, body, context);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

/// The first thread. The other one is made here, and so has the table.
static void *begin(void *unused) {
    (void)unused;
    has_table = take_table();
    // This thread allocates nothing until then. The others do.
    if (!has_table || !cdescriptors_memory_suffices(2) || !start(serve, &lanes[OURS])) {
        set(&status, REFUSED);
        return NULL;
    }
    set(&status, RUNS);
    return serve(&lanes[HOSTS]);
}

static void start_once(void) {
    // Before any lock is taken, so that no child is forked that does not know of it.
    // Without it, a child would wait for threads that it does not have.
    bool is_known = pthread_atfork(NULL, NULL, in_child) == 0;
    __atomic_store_n(&status, STARTING, __ATOMIC_RELEASE);
    if (is_known && start(begin, NULL)) {
        wait_while(&status, STARTING);
    } else {
        set(&status, REFUSED);
    }
}

void cdescriptors_work_apart(void) { lane_number = OURS; }

bool cdescriptors_run(void (*body)(void *), void *context) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (is_forked) return false;
    if (has_table) {
        body(context);
        return true;
    }
    pthread_once(&once, start_once);
    if (__atomic_load_n(&status, __ATOMIC_ACQUIRE) != RUNS) return false;
    struct lane *lane = &lanes[lane_number];
    pthread_mutex_lock(&lane->lock);
    lane->body = body;
    lane->context = context;
    set(&lane->work, ASKED);
    wait_while(&lane->work, ASKED);
    __atomic_store_n(&lane->work, IDLE, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lane->lock);
    return true;
}

// MARK: Descriptors

/// So many numbers are asked about at once.
enum { NUMBERS = 128 };

bool cdescriptors_have_room(unsigned count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
    struct pollfd asked[NUMBERS];
    unsigned free_numbers = 0;
    for (rlim_t first = 0; first < limit.rlim_cur && free_numbers < count; first += NUMBERS) {
        nfds_t numbers = limit.rlim_cur - first < NUMBERS ? (nfds_t)(limit.rlim_cur - first) : NUMBERS;
        for (nfds_t i = 0; i < numbers; i++) asked[i] = (struct pollfd){.fd = (int)(first + i)};
        // Of a number that is free, poll(2) says that it is not valid.
        if (poll(asked, numbers, 0) < 0) return false;
        for (nfds_t i = 0; i < numbers; i++) free_numbers += (asked[i].revents & POLLNVAL) != 0;
    }
    return free_numbers >= count;
}

// MARK: Memory

struct look {
    unsigned times;
    bool suffices;
};

static void look_at_memory(void *context) {
    struct look *look = context;
    look->suffices = cdescriptors_memory_suffices(look->times);
}

bool cdescriptors_have_memory(unsigned times) {
    if (!cdescriptors_memory_is_limited()) return true;
    struct look look = {.times = times};
    return cdescriptors_run(look_at_memory, &look) && look.suffices;
}

// Sends and receives a descriptor beside the bytes of a Unix socket.

/// Room for one descriptor, aligned as its header.
union ancillary {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

ssize_t chandover_send(int socket, const void *bytes, size_t count, int descriptor) {
    union ancillary ancillary;
    memset(&ancillary, 0, sizeof ancillary);
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    message.msg_control = ancillary.bytes;
    message.msg_controllen = sizeof ancillary.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    return sent < 0 && errno == ETOOMANYREFS ? send(socket, bytes, count, MSG_NOSIGNAL) : sent;
}

int chandover_receive(int socket) {
    union ancillary ancillary;
    char byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    message.msg_control = ancillary.bytes;
    // Not the room that alignment adds: the kernel would open a second descriptor in it.
    message.msg_controllen = CMSG_LEN(sizeof(int));
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    struct cmsghdr *header = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return -1;
    if (header->cmsg_len != CMSG_LEN(sizeof(int))) return -1;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}
