// SPDX-License-Identifier: MIT
// A mailbox of GTK 4 in Vala: a window of its own type, with methods for a timer and a button. Comments as in clock.c.

class Mailbox : Gtk.Window {
    private Gtk.Label all = new Gtk.Label("0");
    private Gtk.Label state = new Gtk.Label("new");
    private Gtk.Button button = new Gtk.Button.with_label("Send");
    private uint count = 0;

    public Mailbox() {
        var box = new Gtk.Box(Gtk.Orientation.VERTICAL, 4);
        all.name = "all";
        state.name = "state";
        button.name = "send";
        box.append(all);
        box.append(state);
        box.append(button);
        set_child(box);
        // What is called is code of the compiler's, which has these lines.
        button.clicked.connect(on_send); // names: too -> mailbox_on_send()
        Timeout.add(60, check); // names: too -> mailbox_check()
        Timeout.add(900, press);
    }

    private void show_all() {
        all.set_text(count.to_string()); // names: writer Mailbox/GtkLabel#all property label -> mailbox_show_all()
    }

    private void mark() {
        string[] classes = { count % 2 == 0 ? "error" : "success" };
        state.set_css_classes(classes); // names: writer Mailbox/GtkLabel#state CSS class -> mailbox_mark()
    }

    private bool check() { // names: source timer 60 ms -> mailbox_check()
        count++;
        show_all();
        mark();
        return Source.CONTINUE;
    }

    private bool press() {
        button.activate();
        return Source.CONTINUE;
    }

    private void deliver() {
        Thread.usleep(400000); // names: hang -> mailbox_deliver()
    }

    private void on_send() { // names: handler Mailbox/GtkButton#send: clicked -> mailbox_on_send()
        deliver();
    }
}

int main() {
    Gtk.init();
    var loop = new MainLoop();
    var mailbox = new Mailbox();
    mailbox.present();
    Timeout.add(4500, () => {
        loop.quit();
        return Source.REMOVE;
    });
    loop.run();
    return 0;
}
