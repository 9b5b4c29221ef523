#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program that loads librerender-gtk.so by ctypes: linked.py LIBRARY. It counts itself what that counts."""

import ctypes
import sys

import gi

for name, version in [("Gtk", "4.0"), ("Gdk", "4.0"), ("Graphene", "1.0")]:
    gi.require_version(name, version)
from gi.repository import Gdk, GLib, Graphene, Gtk  # noqa: E402

rerender = ctypes.CDLL(sys.argv[1])
rerender.rerender_gtk_start.restype = ctypes.c_char_p
for function in [rerender.rerender_evaluate_begin, rerender.rerender_evaluate_end]:
    function.argtypes = [ctypes.c_char_p, ctypes.c_uint64]
rerender.rerender_invalidate.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_char_p]


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


print("start:", (rerender.rerender_gtk_start() or b"done").decode())
window = Gtk.Window()
dot = Dot(width_request=50, height_request=50)
window.set_child(dot)
window.present()
run_until_drawn(0)
for _ in range(4):
    drawn = Dot.count
    rerender.rerender_invalidate(b"Page", 0, b"tick")
    rerender.rerender_evaluate_begin(b"Page", 0)
    dot.queue_draw()
    rerender.rerender_evaluate_end(b"Page", 0)
    run_until_drawn(drawn)
rerender.rerender_evaluate_begin(None, 0)
rerender.rerender_evaluate_end(b"Nothing", 3)
print(f"Dot\t{Dot.count}")
print("Page\t4")
