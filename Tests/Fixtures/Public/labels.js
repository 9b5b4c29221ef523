#!/usr/bin/gjs
// SPDX-License-Identifier: MIT
// A window whose widgets a script changes for four seconds. Comments say which lines are to be told.
imports.gi.versions.Gtk = '4.0';
const {GLib, Gtk} = imports.gi;

Gtk.init();
const loop = new GLib.MainLoop(null, false);
const label = new Gtk.Label({label: '0', name: 'number'});
const area = new Gtk.DrawingArea({name: 'area', contentWidth: 20, contentHeight: 20});
const bare = new Gtk.DrawingArea({name: 'bare', contentWidth: 20, contentHeight: 20});
const button = new Gtk.Button({label: 'Go', name: 'go'});
const box = new Gtk.Box();
[label, area, bare, button].forEach(widget => box.append(widget));
const window = new Gtk.Window({child: box});
let calls = 0;

function write(text) {
    label.label = text; // place: write
}

class Clock {
    constructor() {
        GLib.timeout_add(GLib.PRIORITY_DEFAULT, 40, this.tick.bind(this));
    }

    tick() { // place: tick
        write(`${++calls}`);
        return GLib.SOURCE_CONTINUE;
    }
}

// A loop in a function that the main loop calls.
function wait(milliseconds) {
    const inner = new GLib.MainLoop(null, false);
    GLib.timeout_add(GLib.PRIORITY_DEFAULT, milliseconds, () => {
        inner.quit();
        return GLib.SOURCE_REMOVE;
    });
    inner.run(); // place: waits
}

new Clock();
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 60, () => { // place: redraw
    area.queue_draw(); // place: draws
    return GLib.SOURCE_CONTINUE;
});

// gjs's own timers of one interval, and what GLib calls without a script's function: a new closure each time.
function poll() { // place: polls
    calls += 0;
}
setInterval(poll, 120);
setInterval(() => { // place: asks
    for (let index = 0; index < 5; index++)
        GLib.idle_add(GLib.PRIORITY_DEFAULT_IDLE, bare.set_opacity.bind(bare, 1));
}, 120);
setTimeout(function once() { // place: once
    setTimeout(bare.set_opacity.bind(bare, 1), 10);
}, 800);

// GTK is called without a line of the script, in this loop and in the other one.
const draw = bare.queue_draw.bind(bare);
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 300, draw);
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 900, draw);
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 700, () => {
    wait(500);
    return GLib.SOURCE_REMOVE;
});

button.connect('clicked', () => { // place: clicked
    const end = Date.now() + 1500;
    while (Date.now() < end);
});
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 1500, () => {
    button.activate();
    return GLib.SOURCE_REMOVE;
});

GLib.timeout_add(GLib.PRIORITY_DEFAULT, 4000, () => {
    print(`calls\t${calls}`);
    loop.quit();
    return GLib.SOURCE_REMOVE;
});
window.present();
loop.run(); // place: run
