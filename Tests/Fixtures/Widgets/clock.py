#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A clock, whose functions are known by their lines: a timer writes a label and draws an area, a tick callback moves a widget, and a handler
writes a button.

clock.py HOLD: the handler holds the main loop up for 1.5 s; by `sleep`, by `busy`, or by `lock`: then another thread keeps the lock of the
interpreter. Nothing else does.
"""

import ctypes
import functools
import sys
import threading
import time

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402


def keep_lock():
    ctypes.PyDLL(None).usleep(1500000)  # place: keep_lock


def hold(how):
    end = time.monotonic() + 1.5
    if how == "sleep":
        time.sleep(1.5)
    if how == "lock":
        threading.Thread(target=keep_lock).start()
    while time.monotonic() < end:
        end += 0


class Clock:
    def __init__(self, how):
        self.how, self.ticks, self.loop = how, 0, GLib.MainLoop()
        self.label = Gtk.Label(label="0", name="number")
        self.area = Gtk.DrawingArea(content_width=60, content_height=20, name="hand")
        self.button = Gtk.Button(label="Save", name="save")
        self.button.connect("clicked", self.on_save)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for widget in [self.label, self.area, self.button]:
            box.append(widget)
        self.window = Gtk.Window(child=box)
        self.window.present()
        self.area.add_tick_callback(self.on_tick)
        GLib.timeout_add(50, self.tick)
        GLib.timeout_add(500, functools.partial(self.press, True))

    def tick(self):  # place: Clock.tick
        self.ticks += 1
        self.update_label()
        if not self.how:
            self.area.queue_draw()  # place: Clock.tick draws
        if self.ticks < 60:
            return True
        self.loop.quit()
        return False

    def update_label(self):
        self.label.set_text(str(self.ticks))  # place: Clock.update_label

    def press(self, is_pressed):  # place: Clock.press
        self.button.activate()
        return not is_pressed

    def on_tick(self, area, clock):  # place: Clock.on_tick
        return self.ticks < 20

    def on_save(self, button):  # place: Clock.on_save
        if self.how:
            hold(self.how)  # place: Clock.on_save holds
        button.set_label("Saved")  # place: Clock.on_save writes


clock = Clock(sys.argv[1] if sys.argv[1:] else "")
clock.loop.run()
print(f"calls\t{clock.ticks}")
