# SPDX-License-Identifier: MIT
# Counts the calls of its own timer. GLib is all that it loads, and it begins when its main loop is counted.
from gi.repository import GLib

loop = GLib.MainLoop()
calls = 0


def on_tick():
    global calls
    calls += 1
    if calls < 50:
        return True
    loop.quit()
    return False


def on_wait():
    with open("/proc/self/maps") as maps:
        if "librerender-gtk" not in maps.read():
            return True
    GLib.timeout_add(5, on_tick)
    return False


GLib.timeout_add(10, on_wait)
loop.run()
print(calls)
