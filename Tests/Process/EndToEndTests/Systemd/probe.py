#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tries what the daemon must be able to do and what it must not, and prints for each `NAME: ok` or `NAME: ERRNO`.

usage: probe.py VICTIM RUNTIME_DIRECTORY STATE_DIRECTORY     VICTIM is a process of the same user
"""
import ctypes
import errno
import mmap
import os
import resource
import socket
import stat
import sys
import tempfile

libc = ctypes.CDLL(None, use_errno=True)
victim, runtime, state = int(sys.argv[1]), sys.argv[2], sys.argv[3]


def call(name, *arguments):
    libc[name].restype = ctypes.c_long
    result = libc[name](*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def pointer(value):
    return ctypes.c_void_p(value)


def in_child(action):
    """For what changes the process that does it."""
    child = os.fork()
    if child == 0:
        try:
            action()
            os._exit(0)
        except OSError as error:
            os._exit(error.errno)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        raise OSError(status, "in child")


def make_setuid():
    with tempfile.NamedTemporaryFile(dir=runtime) as file:
        os.fchmod(file.fileno(), stat.S_ISUID | 0o700)


def writable_and_executable():
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)


def executable_later():
    size = ctypes.c_size_t(4096)
    libc.mmap.restype = ctypes.c_void_p
    page = libc.mmap(None, size, 3, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, ctypes.c_long(0))
    call("mprotect", pointer(page), size, 5)


def write_file(directory):
    with tempfile.NamedTemporaryFile(dir=directory) as file:
        file.write(b"x")
        file.flush()


def read_memory():
    """Some word of the victim, at an address that its own maps name."""
    with open(f"/proc/{victim}/maps") as maps:
        start = int(maps.readline().split("-")[0], 16)
    buffer = ctypes.create_string_buffer(8)
    local = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8)
    remote = (ctypes.c_size_t * 2)(start, 8)
    call("process_vm_readv", victim, local, ctypes.c_ulong(1), remote, ctypes.c_ulong(1), ctypes.c_ulong(0))


def real_time():
    """An impossible priority: the kernel calls it invalid (good), whoever asks; a filter forbids before that."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1000))
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise


def no_new_privileges():
    if call("prctl", 39, 0, 0, 0, 0) != 1:
        raise OSError(errno.ENOTSUP, "off")


def no_core():
    if resource.getrlimit(resource.RLIMIT_CORE) != (0, 0):
        raise OSError(errno.ENOTSUP, "allowed")


def locked_memory():
    page = ctypes.create_string_buffer(8)
    call("mlock", page, ctypes.c_size_t(8))


def asynchronous_io():
    context = ctypes.c_ulong(0)
    call("syscall", 206, 1, ctypes.byref(context))


def private_umask():
    mask = os.umask(0o077)
    if mask != 0o077:
        raise OSError(errno.ENOTSUP, oct(mask))


NEW_USER, NEW_NAMESPACE, TRACE_ME, ADDR_NO_RANDOMIZE = 0x10000000, 0x00020000, 0, 0x0040000
probes = {
    "internet socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    "internet 6 socket": lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM),
    "netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "user namespace": lambda: in_child(lambda: call("unshare", NEW_USER)),
    "writable executable memory": writable_and_executable,
    "memory made executable": executable_later,
    "ptrace": lambda: in_child(lambda: call("ptrace", TRACE_ME, 0, None, None)),
    "set-uid file": make_setuid,
    "personality": lambda: in_child(lambda: call("personality", ctypes.c_ulong(ADDR_NO_RANDOMIZE))),
    "key ring": lambda: call("syscall", 250, 0, -3, 0),
    "chown": lambda: os.chown(state, -1, os.getgid()),
    "locked memory": locked_memory,
    "asynchronous input and output": asynchronous_io,
    "class of input and output": lambda: call("syscall", 251, 1, 0, 2 << 13 | 4),
    "processors of its own": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "no file of a crash": no_core,
    "no new privileges": no_new_privileges,
    "private umask": private_umask,
    "unix socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
    "read stat": lambda: open(f"/proc/{victim}/stat").read(),
    "read schedstat": lambda: open(f"/proc/{victim}/task/{victim}/schedstat").read(),
    "read wchan": lambda: open(f"/proc/{victim}/task/{victim}/wchan").read(),
    "read syscall": lambda: open(f"/proc/{victim}/task/{victim}/syscall").read(),
    "read maps": lambda: open(f"/proc/{victim}/maps").read(),
    "read memory": read_memory,
    "write runtime": lambda: write_file(runtime),
    "write state": lambda: write_file(state),
    "write shared memory": lambda: write_file("/dev/shm"),
    "anonymous file": lambda: os.memfd_create("probe"),
    "asking for real-time priority": real_time,
    "asking for a nice value": lambda: os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0)),
    "limit of open files": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE)),
    "home": lambda: os.listdir(os.environ["HOME"]),
}

for name, probe in probes.items():
    try:
        probe()
        print(f"{name}: ok")
    except OSError as error:
        print(f"{name}: {errno.errorcode.get(error.errno, error.errno)}")
