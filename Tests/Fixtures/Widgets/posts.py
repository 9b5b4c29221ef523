#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A label that idle functions write. Each of them is a method of GTK's, for which PyGObject makes a new function in memory. A timer begins
after hundreds of these.
"""

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402


class Posts:
    def __init__(self):
        self.posts, self.writes, self.loop = 0, 0, GLib.MainLoop()
        self.label, self.late = Gtk.Label(label="0", name="number"), Gtk.Label(label="0", name="late")
        box = Gtk.Box()
        box.append(self.label)
        box.append(self.late)
        self.window = Gtk.Window(child=box)
        self.window.present()
        GLib.timeout_add(10, self.post)

    def post(self):  # place: Posts.post
        for _ in range(10):
            self.posts += 1
            GLib.idle_add(self.label.set_text, str(self.posts))
        if self.posts < 800:
            return True
        GLib.timeout_add(40, self.write_late)
        return False

    def write_late(self):  # place: Posts.write_late
        self.writes += 1
        self.late.set_text(str(self.writes))
        if self.writes < 30:
            return True
        self.loop.quit()
        return False


posts = Posts()
posts.loop.run()
print(f"calls\t{posts.posts}")
