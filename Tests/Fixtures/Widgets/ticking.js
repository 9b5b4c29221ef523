#!/usr/bin/gjs
// SPDX-License-Identifier: MIT
// A window whose label a timer writes until a signal ends the script.
imports.gi.versions.Gtk = '4.0';
const {GLib, Gtk} = imports.gi;

Gtk.init();
const loop = new GLib.MainLoop(null, false);
const label = new Gtk.Label({label: '0', name: 'number'});
const window = new Gtk.Window({child: label});
let ticks = 0;
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 50, () => {
    label.label = `${++ticks}`;
    if (ticks === 5)
        print('shown');
    return GLib.SOURCE_CONTINUE;
});
window.present();
loop.run();
