#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A window whose widgets are of a class made in Python, which counts the runs of its own snapshot. GTK comes late.

widgets.py LIBRARY: loads librerender-gtk.so by ctypes, and evaluates a view of its own beside its widgets.

widgets.py application: is the application of widgets.c, which hands over to a running instance.
"""

import ctypes
import sys

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


def loaded(path):
    """The library, with the types of what is called of it."""
    library = ctypes.CDLL(path)
    library.rerender_gtk_start.restype = ctypes.c_char_p
    for function in [library.rerender_evaluate_begin, library.rerender_evaluate_end]:
        function.argtypes = [ctypes.c_char_p, ctypes.c_uint64]
    library.rerender_invalidate.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_char_p]
    return library


def run_until_drawn(before):
    while Dot.count == before:
        GLib.MainContext.default().iteration(True)


def draw(dot, rerender):
    drawn = Dot.count
    if rerender:
        rerender.rerender_invalidate(b"Page", 0, b"tick")
        rerender.rerender_evaluate_begin(b"Page", 0)
    dot.queue_draw()
    if rerender:
        rerender.rerender_evaluate_end(b"Page", 0)
    run_until_drawn(drawn)


if sys.argv[1:] == ["application"]:
    sys.exit(Gtk.Application(application_id="org.example.RerenderWidgets").run())
rerender = loaded(sys.argv[1]) if sys.argv[1:] else None
if rerender:
    print("start:", (rerender.rerender_gtk_start() or b"done").decode())
window = Gtk.Window()
dot = Dot(width_request=50, height_request=50)
window.set_child(dot)
window.present()
run_until_drawn(0)
for _ in range(4):
    draw(dot, rerender)
if rerender:
    rerender.rerender_evaluate_begin(None, 0)
    rerender.rerender_evaluate_end(b"Nothing", 3)
    print("Page\t4")
for _ in range(2):
    drawn = Dot.count
    dot.set_opacity(0.5 + Dot.count / 100)
    run_until_drawn(drawn)
window.destroy()
print(f"Dot\t{Dot.count}")
