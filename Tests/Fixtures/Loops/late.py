# SPDX-License-Identifier: MIT
# Counts the calls of its own timer, and reads from a pipe what that writes. GLib is all that it loads, and it begins when its main loop is
# counted.
import os

from gi.repository import GLib

loop = GLib.MainLoop()
calls = 0
ends = os.pipe()


def on_pipe(file, condition):
    os.read(file, 1)
    return True


class Meter:
    def __call__(self):
        return True


def on_tick():
    global calls
    calls += 1
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
    return False


GLib.timeout_add(10, on_wait)
loop.run()
print(calls)
