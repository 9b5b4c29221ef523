# SPDX-License-Identifier: MIT
# Counts the calls of its own timer, and reads from a pipe what that writes. GLib is all that it loads, and it begins when its main loop is
# counted. A source with functions of its own works for each call; with "early" it is attached before the loop runs.
import os
import sys

from gi.repository import GLib

loop = GLib.MainLoop()
calls = 0
left = 0
works = 0
ends = os.pipe()


class Work(GLib.Source):
    def prepare(self):
        return left > 0, -1

    def check(self):
        return left > 0

    def dispatch(self, callback, arguments):
        global left, works
        left -= 1
        works += 1
        return True


work = None


def add_work():
    global work
    work = Work()
    work.attach()


def on_pipe(file, condition):
    os.read(file, 1)
    return True


class Meter:
    def __call__(self):
        return True


def on_tick():
    global calls, left
    calls += 1
    left += 1
    os.write(ends[1], b"x")
    if calls < 50:
        return True
    loop.quit()
    return False


def on_wait():
    with open("/proc/self/maps") as maps:
        if "librerender-gtk" not in maps.read():
            return True
    GLib.io_add_watch(ends[0], GLib.IO_IN, on_pipe)
    GLib.timeout_add(5, Meter())
    GLib.timeout_add(5, on_tick)
    if not work:
        add_work()
    return False


if "early" in sys.argv:
    add_work()
GLib.timeout_add(10, on_wait)
loop.run()
print(calls, works)
# While Python still can end it.
work = None
