# SPDX-License-Identifier: MIT
"""The program of the planner: python3 -m planner. It ends by itself."""
import functools
import time

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

from .week import Week  # noqa: E402


def refill(week, hours):  # names: source idle function -> refill()
    week.show_load(hours % 100)
    return GLib.SOURCE_REMOVE


def planning():
    tried = 0

    def plan():
        nonlocal tried
        until = time.monotonic() + 0.4
        while time.monotonic() < until: tried += 1  # noqa: E701  names: hang -> plan()
        return GLib.SOURCE_CONTINUE

    return plan


def every(hours, week):
    hours.append(1)
    GLib.idle_add(functools.partial(refill, week, len(hours)))
    return GLib.SOURCE_CONTINUE


def main():
    loop = GLib.MainLoop()
    window, box = Gtk.Window(), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.set_child(box)
    week = Week(box)
    window.present()
    GLib.timeout_add(80, lambda: week.repaint() or GLib.SOURCE_CONTINUE)  # names: source timer 80 ms -> lambda
    GLib.timeout_add(60, every, [], week)
    GLib.timeout_add(1000, planning())
    GLib.timeout_add(4500, loop.quit)
    loop.run()


main()
