// SPDX-License-Identifier: MIT
// Who has the other end of a pipe or socket: by the inodes that /proc tells, of the processes of this user.
#define _GNU_SOURCE
#include "CRerender.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

size_t crerender_read_file(const char *path, char *text, size_t capacity) {
    // Not to wait for one that is a pipe or a terminal.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return 0;
    ssize_t count = read(file, text, capacity);
    close(file);
    return count > 0 ? (size_t)count : 0;
}

size_t crerender_read_link(const char *path, char *text, size_t capacity) {
    ssize_t count = readlink(path, text, capacity);
    return count > 0 ? (size_t)count : 0;
}

bool crerender_file_of(int descriptor, struct crerender_file *file) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &status) != 0) return false;
    file->is_pipe = S_ISFIFO(status.stx_mode);
    file->major = status.stx_dev_major;
    file->minor = status.stx_dev_minor;
    file->inode = status.stx_ino;
    return true;
}

// MARK: Openers

enum { LINK_MAX_BYTES = 512 };

/// Whether the link in an open directory of descriptors leads to `target`, with that access.
static bool leads_to(int directory, const char *name, const char *target, size_t size, int access) {
    char link[LINK_MAX_BYTES];
    if (readlinkat(directory, name, link, sizeof link) != (ssize_t)size || memcmp(link, target, size) != 0)
        return false;
    if (access == CRERENDER_ANY_ACCESS) return true;
    struct stat status;
    // The link's own rights tell how the file is open.
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return false;
    return status.st_mode & (access == CRERENDER_WRITES ? S_IWUSR : S_IRUSR);
}

static bool has_open(const char *process, const char *target, size_t size, int access, uint64_t end) {
    char path[32];
    if (snprintf(path, sizeof path, "/proc/%.16s/fd", process) >= (int)sizeof path) return false;
    DIR *directory = opendir(path);
    if (!directory) return false;
    bool found = false;
    for (struct dirent *entry; !found && crerender_monotonic() < end && (entry = readdir(directory));)
        found = entry->d_name[0] != '.' && leads_to(dirfd(directory), entry->d_name, target, size, access);
    closedir(directory);
    return found;
}

int crerender_openers(const char *target, int access, uint64_t end, pid_t *processes, int capacity) {
    size_t size = strlen(target);
    DIR *all = opendir("/proc");
    if (!all || size > LINK_MAX_BYTES) {
        if (all) closedir(all);
        return -1;
    }
    int count = 0;
    bool is_complete = true;
    for (struct dirent *entry; (entry = readdir(all));) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
        if (crerender_monotonic() >= end) {
            is_complete = false;
            break;
        }
        if (!has_open(entry->d_name, target, size, access, end)) continue;
        if (count < capacity) processes[count] = (pid_t)strtol(entry->d_name, NULL, 10);
        count++;
    }
    closedir(all);
    return is_complete || count > 0 ? count : -1;
}

// MARK: Sockets

struct diag_request {
    struct nlmsghdr header;
    struct unix_diag_req request;
};

/// The inode in an answer's attribute for the other end; 0 if there is none.
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
