#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: slow.py COMMAND...

Runs a command beside a service on the session bus, org.slow.Service, which takes three seconds to tell a property. Ends as the command."""
import subprocess
import sys
import threading
import time

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.slow.Service"


class Slow(dbus.service.Object):
    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        time.sleep(3)
        return dbus.String("late")


def run(command, loop, ended):
    ended.append(subprocess.run(command).returncode)
    GLib.idle_add(loop.quit)


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus)
service = Slow(bus, "/slow")
loop, ended = GLib.MainLoop(), []
threading.Thread(target=run, args=(sys.argv[1:], loop, ended), daemon=True).start()
loop.run()
status = ended[0]
sys.exit(status if status >= 0 else 128 - status)
