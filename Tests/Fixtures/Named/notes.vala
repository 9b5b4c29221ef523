// SPDX-License-Identifier: MIT
// Notes of GTK 4 in Vala: a widget of its own with a property, functions, and a closure. Comments as in clock.c.

class Paper : Gtk.Widget {
    private uint _lines = 0;
    public uint lines {
        get { return _lines; }
        set { // names: writer Paper#paper property lines -> paper_set_lines()
            _lines = value;
            queue_draw();
        }
    }

    construct { set_size_request(100, 40); }

    public override void snapshot(Gtk.Snapshot snapshot) {
        Gdk.RGBA color = { 0, 0, 0.5f, 1 };
        snapshot.append_color(color, Graphene.Rect().init(0, 0, 20 + lines % 80, 40));
    }
}

Paper paper;
Gtk.Label hint;
Gtk.Scale zoom;
uint typed;

void write_line() {
    typed++;
    paper.lines = typed;
}

void toggle_hint() {
    hint.visible = !hint.visible; // names: writer GtkLabel#hint property visible -> toggle_hint()
}

void on_zoom() { // names: handler GtkScale#zoom: value-changed -> on_zoom()
    toggle_hint();
}

bool count_words() {
    uint words = 0;
    int64 until = get_monotonic_time() + 400000;
    while (get_monotonic_time() < until) words++; // names: hang -> count_words()
    return Source.CONTINUE;
}

T named<T>(T widget, string name) {
    ((Gtk.Widget) widget).name = name;
    return widget;
}

int main() {
    Gtk.init();
    var loop = new MainLoop();
    var window = new Gtk.Window();
    var box = new Gtk.Box(Gtk.Orientation.VERTICAL, 4);
    paper = named<Paper>(new Paper(), "paper");
    hint = named<Gtk.Label>(new Gtk.Label("Zoom with the scale"), "hint");
    zoom = named<Gtk.Scale>(new Gtk.Scale.with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), "zoom");
    box.append(paper);
    box.append(hint);
    box.append(zoom);
    window.set_child(box);
    zoom.value_changed.connect(on_zoom); // names: too -> on_zoom()
    window.present();
    Timeout.add(50, () => {
        Idle.add(() => { write_line(); return Source.REMOVE; }); // names: source idle function -> lambda
        return Source.CONTINUE;
    });
    Timeout.add(300, () => {
        zoom.set_value(zoom.get_value() + 1);
        return Source.CONTINUE;
    });
    Timeout.add(1000, count_words);
    Timeout.add(4500, () => {
        loop.quit();
        return Source.REMOVE;
    });
    loop.run();
    return 0;
}
