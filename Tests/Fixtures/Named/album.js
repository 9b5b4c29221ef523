// SPDX-License-Identifier: MIT
// An album of GTK 4 in JavaScript, as an ES module, with a class of its own: gjs -m album.js. Comments as in clock.c.

import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import Gtk from 'gi://Gtk?version=4.0';

const Cover = GObject.registerClass({
    GTypeName: 'Cover',
    Properties: { page: GObject.ParamSpec.int('page', '', '', GObject.ParamFlags.READWRITE, 0, 1000, 0) },
}, class Cover extends Gtk.DrawingArea {
    get page() {
        return this._page ?? 0;
    }

    set page(page) {
        this._page = page;
        this.queue_draw();
        this.notify('page'); // names: writer Cover#cover property page
    }
});

Gtk.init();
const loop = GLib.MainLoop.new(null, false);
const window = new Gtk.Window();
const box = new Gtk.Box({ orientation: Gtk.Orientation.VERTICAL });
const added = (widget, name) => {
    widget.set_name(name);
    box.append(widget);
    return widget;
};
const cover = added(new Cover({ content_width: 100, content_height: 20 }), 'cover');
const page = added(new Gtk.DrawingArea({ content_width: 100, content_height: 20 }), 'page');
const keep = added(new Gtk.ToggleButton({ label: 'Keep' }), 'keep');
let turns = 0;

class Album {
    turn() {
        turns++;
        cover.page = turns;
        GLib.idle_add(GLib.PRIORITY_DEFAULT_IDLE, this.repaint.bind(this));
        return GLib.SOURCE_CONTINUE;
    }

    repaint() { // names: source idle function
        page.queue_draw(); // names: writer GtkDrawingArea#page queue_draw
        return GLib.SOURCE_REMOVE;
    }
}

const album = new Album();
keep.connect('toggled', widget => { // names: handler GtkToggleButton#keep: toggled
    widget.set_label(widget.active ? 'Kept' : 'Keep');
});
window.set_child(box);
window.present();
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 55, () => album.turn());
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 500, () => {
    keep.active = !keep.active;
    return GLib.SOURCE_CONTINUE;
});
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 1000, () => { // names: hang
    GLib.usleep(400000);
    return GLib.SOURCE_CONTINUE;
});
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 4500, () => {
    loop.quit();
    return GLib.SOURCE_REMOVE;
});
loop.run();
