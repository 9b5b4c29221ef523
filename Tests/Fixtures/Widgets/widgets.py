#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A window whose widgets are of a class made in Python, which counts the runs of its own snapshot. GTK comes late."""

import gi

for name, version in [("Gtk", "4.0"), ("Gdk", "4.0"), ("Graphene", "1.0")]:
    gi.require_version(name, version)
from gi.repository import Gdk, GLib, Graphene, Gtk  # noqa: E402


class Dot(Gtk.Widget):
    """Draws a colour."""

    count = 0

    def do_snapshot(self, snapshot):
        Dot.count += 1
        color = Gdk.RGBA()
        color.parse("red" if Dot.count % 2 else "blue")
        snapshot.append_color(color, Graphene.Rect().init(0, 0, self.get_width(), self.get_height()))


def run_until_drawn(before):
    while Dot.count == before:
        GLib.MainContext.default().iteration(True)


window = Gtk.Window()
dot = Dot(width_request=50, height_request=50)
window.set_child(dot)
window.present()
run_until_drawn(0)
for _ in range(4):
    drawn = Dot.count
    dot.queue_draw()
    run_until_drawn(drawn)
for _ in range(2):
    drawn = Dot.count
    dot.set_opacity(0.5 + Dot.count / 100)
    run_until_drawn(drawn)
window.destroy()
print(f"Dot\t{Dot.count}")
