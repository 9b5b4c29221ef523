#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A window whose label a timer writes until a signal ends the script."""

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

loop = GLib.MainLoop()
label = Gtk.Label(label="0", name="number")
window = Gtk.Window(child=label)
ticks = 0


def tick():
    global ticks
    ticks += 1
    label.set_text(str(ticks))
    if ticks == 5:
        print("shown", flush=True)
    return True


window.present()
GLib.timeout_add(50, tick)
loop.run()
