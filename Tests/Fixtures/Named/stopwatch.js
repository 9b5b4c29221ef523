#!/usr/bin/gjs
// SPDX-License-Identifier: MIT
// A stopwatch of GTK 4 in JavaScript, with `imports`. Comments as in clock.c, but without functions: a place is what is found.

imports.gi.versions.Gtk = '4.0';
const { GLib, Gtk } = imports.gi;

Gtk.init();
const loop = GLib.MainLoop.new(null, false);
const window = new Gtk.Window();
const box = new Gtk.Box({ orientation: Gtk.Orientation.VERTICAL });
const added = (widget, name) => {
    widget.set_name(name);
    box.append(widget);
    return widget;
};
const left = added(new Gtk.Label({ label: '0' }), 'left');
const lap = added(new Gtk.Label({ label: 'lap' }), 'lap');
const button = added(new Gtk.Button({ label: 'Reset' }), 'reset');
let ticks = 0;

function showLeft() {
    left.set_text(`${ticks}`); // names: writer GtkLabel#left property label
}

function tick() { // names: source timer 85 ms
    ticks++;
    showLeft();
    return GLib.SOURCE_CONTINUE;
}

function onReset() { // names: handler GtkButton#reset: clicked
    ticks = 0;
}

function measure() { // names: hang
    const until = GLib.get_monotonic_time() + 400000;
    while (GLib.get_monotonic_time() < until);
    return GLib.SOURCE_CONTINUE;
}

left.connect('notify::label', () => {
    lap.set_css_classes([ticks % 2 ? 'error' : 'success']); // names: writer GtkLabel#lap CSS class
});
button.connect('clicked', onReset);
window.set_child(box);
window.present();
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 85, tick);
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 500, () => {
    button.activate();
    return GLib.SOURCE_CONTINUE;
});
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 1000, measure);
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 4500, () => {
    loop.quit();
    return GLib.SOURCE_REMOVE;
});
loop.run();
