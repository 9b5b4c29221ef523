// SPDX-License-Identifier: MIT
// Finds who holds a mutex of the C library, and who has the other end of a pipe or a socket.
#define _GNU_SOURCE
#include "CRerender.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
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

size_t crerender_read_file(const char *path, char *text, size_t capacity) {
    // Not to wait for one that is a pipe or a terminal.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return 0;
    size_t size = 0;
    // The kernel gives lists in pieces of a page.
    for (ssize_t count; size < capacity && (count = read(file, text + size, capacity - size)) > 0;)
        size += (size_t)count;
    close(file);
    return size;
}

size_t crerender_read_link(const char *path, char *text, size_t capacity) {
    ssize_t count = readlink(path, text, capacity);
    return count > 0 ? (size_t)count : 0;
}

static bool file_at(int directory, const char *path, struct crerender_file *file) {
    struct statx status;
    if (statx(directory, path, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &status) != 0) return false;
    file->is_pipe = S_ISFIFO(status.stx_mode);
    file->is_regular = S_ISREG(status.stx_mode);
    file->major = status.stx_dev_major;
    file->minor = status.stx_dev_minor;
    file->inode = status.stx_ino;
    return true;
}

bool crerender_file_of(pid_t thread, int descriptor, struct crerender_file *file) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/fd/%d", (int)thread, descriptor);
    return file_at(AT_FDCWD, path, file);
}

// MARK: Openers

enum { LINK_MAX_BYTES = 512 };

/// What is looked for. The kernel's own names of pipes and sockets tell one from all others. A path does not: files may have had
/// the same one after each other, and containers have paths of their own. So those are told by device and inode.
struct sought {
    const char *link;
    size_t size;
    const struct crerender_file *file;
    int access;
    /// NULL: all processes that have it open.
    const struct crerender_lock *lock;
    uint64_t end;
};

static bool is_same(const struct crerender_file *one, const struct crerender_file *other) {
    return one->inode == other->inode && one->major == other->major && one->minor == other->minor;
}

/// Whether a line about a descriptor tells of a lock that conflicts with the one that is wanted.
static bool conflicts(const char *line, const struct crerender_lock *wanted) {
    char kind[8], mode[8], last_text[24];
    uint64_t first, last = UINT64_MAX;
    // lock: NUMBER: KIND ADVISORY MODE PROCESS FILE FIRST LAST, where the last may be EOF.
    if (sscanf(line, "lock: %*s %7s %*s %7s %*s %*s %" SCNu64 " %23s", kind, mode, &first, last_text) != 4)
        return false;
    if (last_text[0] != 'E') last = strtoull(last_text, NULL, 10);
    bool is_whole = strcmp(kind, "FLOCK") == 0;
    if (!is_whole && strcmp(kind, "POSIX") != 0 && strcmp(kind, "OFDLCK") != 0) return false;
    if (is_whole != wanted->is_whole || first > wanted->last || last < wanted->first) return false;
    return wanted->is_exclusive || strcmp(mode, "WRITE") == 0;
}

/// Whether a descriptor has such a lock. The kernel lists it with each descriptor of the locked open file, also in a process that did not take it.
static bool has_lock(int directory, const char *name, const struct crerender_lock *wanted) {
    char path[32], text[4096];
    if (snprintf(path, sizeof path, "../fdinfo/%.12s", name) >= (int)sizeof path) return false;
    int file = openat(directory, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    text[size > 0 ? size : 0] = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "lock:", 5) == 0 && conflicts(line, wanted)) return true;
    }
    return false;
}

/// Whether the link in an open directory of descriptors leads there, with that access.
static bool leads_to(int directory, const char *name, const struct sought *sought) {
    char link[LINK_MAX_BYTES];
    ssize_t size = readlinkat(directory, name, link, sizeof link);
    if (size <= 0) return false;
    if (sought->file) {
        struct crerender_file file;
        if (link[0] != '/' || !file_at(directory, name, &file) || !is_same(&file, sought->file)) return false;
        if (sought->lock) return has_lock(directory, name, sought->lock);
    } else if (size != (ssize_t)sought->size || memcmp(link, sought->link, sought->size) != 0) {
        return false;
    }
    if (sought->access == CRERENDER_ANY_ACCESS) return true;
    struct stat status;
    // The link's own rights tell how the file is open.
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return false;
    return status.st_mode & (sought->access == CRERENDER_WRITES ? S_IWUSR : S_IRUSR);
}

static bool has_open(const char *process, const struct sought *sought) {
    char path[32];
    if (snprintf(path, sizeof path, "/proc/%.16s/fd", process) >= (int)sizeof path) return false;
    DIR *directory = opendir(path);
    if (!directory) return false;
    bool found = false;
    for (struct dirent *entry; !found && crerender_monotonic() < sought->end && (entry = readdir(directory));)
        found = entry->d_name[0] != '.' && leads_to(dirfd(directory), entry->d_name, sought);
    closedir(directory);
    return found;
}

static int find(const struct sought *sought, pid_t *processes, int capacity, bool *is_complete) {
    *is_complete = false;
    DIR *all = opendir("/proc");
    if (!all) return 0;
    int count = 0;
    for (struct dirent *entry; crerender_monotonic() < sought->end && (entry = readdir(all));) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || !has_open(entry->d_name, sought)) continue;
        if (count < capacity) processes[count] = (pid_t)strtol(entry->d_name, NULL, 10);
        count++;
    }
    *is_complete = crerender_monotonic() < sought->end;
    closedir(all);
    return count;
}

int crerender_openers(const char *target, const struct crerender_file *file, int access, uint64_t end, pid_t *processes,
                      int capacity, bool *is_complete) {
    struct sought sought = {.link = target, .size = strlen(target), .file = file, .access = access, .end = end};
    return find(&sought, processes, capacity, is_complete);
}

int crerender_lock_holders(const struct crerender_file *file, const struct crerender_lock *wanted, uint64_t end,
                           pid_t *processes, int capacity, bool *is_complete) {
    struct sought sought = {.link = "", .file = file, .lock = wanted, .end = end};
    return find(&sought, processes, capacity, is_complete);
}

// MARK: Sockets

struct diag_request {
    struct nlmsghdr header;
    struct unix_diag_req request;
};

/// The inode in an answer's attribute for the other end, or 0.
static uint32_t peer_in(const struct nlmsghdr *header, size_t size) {
    size_t at = NLMSG_ALIGN(sizeof *header) + NLMSG_ALIGN(sizeof(struct unix_diag_msg));
    if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY || header->nlmsg_len > size) return 0;
    while (at + sizeof(struct nlattr) <= header->nlmsg_len) {
        const struct nlattr *attribute = (const struct nlattr *)((const char *)header + at);
        if (attribute->nla_len < sizeof *attribute || at + attribute->nla_len > header->nlmsg_len) return 0;
        if (attribute->nla_type == UNIX_DIAG_PEER && attribute->nla_len >= sizeof *attribute + sizeof(uint32_t)) {
            uint32_t peer;
            memcpy(&peer, attribute + 1, sizeof peer);
            return peer;
        }
        at += NLA_ALIGN(attribute->nla_len);
    }
    return 0;
}

uint32_t crerender_unix_peer(uint32_t inode) {
    int link = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (link < 0) return 0;
    struct timeval patience = {.tv_usec = 50000};
    setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    struct diag_request message = {
        .header = {.nlmsg_len = sizeof message, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .request = {.sdiag_family = AF_UNIX,
                    .udiag_states = UINT32_MAX,
                    .udiag_ino = inode,
                    .udiag_show = UDIAG_SHOW_PEER,
                    .udiag_cookie = {UINT32_MAX, UINT32_MAX}}};
    _Alignas(struct nlmsghdr) char answer[4096];
    uint32_t peer = 0;
    if (send(link, &message, sizeof message, 0) == (ssize_t)sizeof message) {
        ssize_t size = recv(link, answer, sizeof answer, 0);
        if (size >= (ssize_t)sizeof(struct nlmsghdr)) peer = peer_in((const struct nlmsghdr *)answer, (size_t)size);
    }
    close(link);
    return peer;
}

// Looks at a thread that is blocked, without disturbing it: which system call it is in, and its stack.
//
// The kernel tells the call, its arguments, the stack pointer and the instruction of any thread of the own process
// (`/proc/self/task/TID/syscall`). It tells them of a thread that does not run, and says `running` of one that does. What the
// thread has in its other registers is not told. Memory is copied by the kernel (`process_vm_readv`), for which memory that is
// gone is a short read and no fault.

size_t crerender_read_line(pid_t thread, const char *name, char *text, size_t capacity) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/%s", (int)thread, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, capacity - 1);
    close(file);
    text[count > 0 ? count : 0] = 0;
    return count > 0 ? (size_t)count : 0;
}

/// How often the thread has got a processor, and for how long: it stays the same while the thread does not run. False where
/// the kernel does not count that: then it says 0.
static bool runs_of(pid_t thread, uint64_t runs[2]) {
    char text[128];
    if (!crerender_read_line(thread, "schedstat", text, sizeof text)) return false;
    return sscanf(text, "%" SCNu64 " %*u %" SCNu64, &runs[0], &runs[1]) == 2 && runs[1] > 0;
}

enum crerender_thread_state crerender_wait_of(pid_t thread, struct crerender_wait *wait) {
    char text[256];
    memset(wait, 0, sizeof *wait);
    if (!crerender_read_line(thread, "syscall", text, sizeof text)) return CRERENDER_UNKNOWN;
    if (strncmp(text, "running", 7) == 0) return CRERENDER_RUNNING;
    char *at = text;
    wait->call = strtoll(at, &at, 10);
    uint64_t words[8];
    int count = 0;
    for (char *next; count < 8; at = next) {
        words[count] = strtoull(at, &next, 16);
        if (next == at) break;
        count++;
    }
    // Outside of a system call there are no arguments.
    if (count != 8 && count != 2) return CRERENDER_UNKNOWN;
    if (count == 8) memcpy(wait->arguments, words, sizeof wait->arguments);
    wait->stack = (uintptr_t)words[count - 2];
    wait->instruction = (uintptr_t)words[count - 1];
    return CRERENDER_BLOCKED;
}

enum { PAGE = 4096, PIECES_MAX = 64 };

size_t crerender_read_memory(uintptr_t address, void *to, size_t size) {
    struct iovec pieces[PIECES_MAX], own = {to, size};
    size_t count = 0, given = 0;
    // What is copied ends with the piece before the first that cannot be read.
    while (given < size && count < PIECES_MAX) {
        size_t length = PAGE - (address + given) % PAGE;
        if (length > size - given) length = size - given;
        pieces[count++] = (struct iovec){(void *)(address + given), length};
        given += length;
    }
    own.iov_len = given;
    ssize_t copied = process_vm_readv(getpid(), &own, 1, pieces, count, 0);
    return copied > 0 ? (size_t)copied : 0;
}

enum { ATTEMPTS = 3 };

enum crerender_thread_state crerender_blocked_stack(pid_t thread, struct crerender_wait *wait, void *bytes,
                                                    size_t *size, void (*also)(pid_t thread)) {
    size_t room = *size;
    *size = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        uint64_t before[2], after[2];
        if (!runs_of(thread, before)) return CRERENDER_UNKNOWN;
        enum crerender_thread_state state = crerender_wait_of(thread, wait);
        if (state != CRERENDER_BLOCKED) return state;
        size_t count = crerender_read_memory(wait->stack, bytes, room);
        also(thread);
        if (!runs_of(thread, after)) return CRERENDER_UNKNOWN;
        // It has not run in between, so that all is of one moment.
        if (memcmp(before, after, sizeof before) != 0) continue;
        *size = count;
        return CRERENDER_BLOCKED;
    }
    return CRERENDER_RUNNING;
}
