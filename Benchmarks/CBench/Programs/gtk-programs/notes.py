#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A page for notes: a program of GTK 4 in Python, which knows nothing of Rerender. Scripts/watch-cycles uses it."""

import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk  # noqa: E402

# As much text as this, and the page is emptied: nobody ever ends the program's use.
MOST_CHARACTERS = 4_000


class Notes(Gtk.Application):
    def __init__(self):
        super().__init__(application_id="org.example.Notes", flags=Gio.ApplicationFlags.NON_UNIQUE)

    def do_activate(self):
        self.size = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 8, 40, 1)
        self.state = Gtk.Label()
        self.search = Gtk.SearchEntry()
        self.text = Gtk.TextView(vexpand=True, wrap_mode=Gtk.WrapMode.WORD)
        self.editable = Gtk.Switch(active=True, halign=Gtk.Align.START)
        content = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        scrolled = Gtk.ScrolledWindow(child=self.text)
        for part in [self.size, self.search, scrolled, self.editable, self.state]:
            content.append(part)
        self.size.connect("value-changed", self.resize)
        self.search.connect("search-changed", self.show_state)
        self.editable.connect("notify::active", self.switch)
        GLib.timeout_add(500, self.show_state)
        window = Gtk.ApplicationWindow(application=self, title="Notes", child=content)
        window.set_default_size(900, 700)
        window.present()

    def resize(self, scale):
        self.text.set_left_margin(int(scale.get_value()))

    def switch(self, switch, _):
        self.text.set_editable(switch.get_active())

    def show_state(self, *_):
        buffer = self.text.get_buffer()
        if buffer.get_char_count() > MOST_CHARACTERS:
            buffer.set_text("")
        self.state.set_label(f"{buffer.get_char_count()} characters, {self.search.get_text()!r} sought")
        return GLib.SOURCE_CONTINUE


sys.exit(Notes().run(sys.argv))
