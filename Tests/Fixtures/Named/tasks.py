#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: tasks.py

A list of tasks of GTK 4 in Python: plain functions and methods. Comments as in clock.c. It ends by itself."""
import time

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402


class Tasks:
    def __init__(self, box):
        self.open = added(box, Gtk.Label(label="0"), "open")
        self.due = added(box, Gtk.Label(label="today"), "due")
        self.button = added(box, Gtk.Button(label="Done"), "done")
        self.count = 0
        # Of a change of the text.
        self.open.connect("notify::label", self.mark_due)
        self.button.connect("clicked", self.on_done)

    def update_open(self):
        self.open.set_text(str(self.count))  # names: writer GtkLabel#open property label -> Tasks.update_open()

    def mark_due(self, label, prop):
        classes = ["error" if self.count % 2 else "success"]
        self.due.set_css_classes(classes)  # names: writer GtkLabel#due CSS class -> Tasks.mark_due()

    def on_done(self, button):  # names: handler GtkButton#done: clicked -> Tasks.on_done()
        self.count += 10


def added(box, widget, name):
    widget.set_name(name)
    box.append(widget)
    return widget


def tick(tasks):  # names: source timer 70 ms -> tick()
    tasks.count += 1
    tasks.update_open()
    return GLib.SOURCE_CONTINUE


def press(button):
    button.activate()
    return GLib.SOURCE_CONTINUE


def sync():
    time.sleep(0.4)  # names: hang -> sync()


def sync_again():
    sync()
    return GLib.SOURCE_CONTINUE


def main():
    loop = GLib.MainLoop()
    window, box = Gtk.Window(), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.set_child(box)
    tasks = Tasks(box)
    window.present()
    GLib.timeout_add(70, tick, tasks)
    GLib.timeout_add(500, press, tasks.button)
    GLib.timeout_add(1000, sync_again)
    GLib.timeout_add(4500, loop.quit)
    loop.run()


main()
