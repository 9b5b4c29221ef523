# SPDX-License-Identifier: MIT
"""The widgets of the planner."""
import functools

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GObject, Gtk  # noqa: E402


class Gauge(Gtk.DrawingArea):
    __gtype_name__ = "Gauge"

    def __init__(self):
        super().__init__(content_width=100, content_height=20)
        self.set_draw_func(self.draw)
        self._load = 0

    @GObject.Property(type=int, default=0)
    def load(self):
        return self._load

    @load.setter
    def load(self, load):
        self._load = load
        self.queue_draw()

    def draw(self, area, cairo, width, height):
        pass


def counted(function):
    """A decorator: counts the calls of a function."""

    @functools.wraps(function)
    def call(*arguments):
        call.count += 1
        return function(*arguments)

    call.count = 0
    return call


class Week:
    def __init__(self, box):
        self.gauge, self.days = Gauge(), Gtk.DrawingArea(content_width=100, content_height=20)
        self.days.set_draw_func(lambda area, cairo, width, height: None)
        self.gauge.set_name("gauge")
        self.days.set_name("days")
        box.append(self.gauge)
        box.append(self.days)

    def show_load(self, load):
        # PyGObject's own Python is between this and the setter.
        self.gauge.load = load  # names: writer Gauge#gauge property load -> Week.show_load()

    @counted
    def repaint(self):
        self.days.queue_draw()  # names: writer GtkDrawingArea#days queue_draw -> Week.repaint()
