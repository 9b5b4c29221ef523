// SPDX-License-Identifier: MIT
// Sends and receives a descriptor beside the bytes of a Unix socket.
#define _GNU_SOURCE
#include "CHandover.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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
