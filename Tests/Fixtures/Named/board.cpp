// SPDX-License-Identifier: MIT
// A game of GTK 4 in C++, with debug information: methods, static methods and a lambda. Comments as in clock.c.

#include <gtk/gtk.h>
#include <string>

namespace {

enum { LIFE = 4500, TICK = 45, PRESS = 500, SEARCH = 1000, SEARCHING = 400000 };

GtkWidget *added(GtkWidget *box, GtkWidget *widget, const char *name) {
    gtk_widget_set_name(widget, name);
    gtk_box_append(GTK_BOX(box), widget);
    return widget;
}

} // namespace

class Board {
  public:
    explicit Board(GtkWidget *box)
        : score(added(box, gtk_label_new("0"), "score")), bar(added(box, gtk_progress_bar_new(), "bar")),
          restart(added(box, gtk_button_new_with_label("Restart"), "restart")) {}

    void start() {
        void (*again)(GtkButton *, gpointer);
        again = [](GtkButton *, gpointer self) { clear(self); }; // names: handler GtkButton#restart: clicked -> lambda
        g_signal_connect(restart, "clicked", GCallback(again), this);
        g_timeout_add(TICK, &Board::tick, this);
        g_timeout_add(PRESS, &Board::press, restart);
        g_timeout_add(SEARCH, &Board::search_again, this);
    }

  private:
    GtkWidget *score, *bar, *restart;
    unsigned points = 0, found = 0;

    void show() {
        auto *label = GTK_LABEL(score);
        std::string text = std::to_string(points);
        gtk_label_set_text(label, text.c_str()); // names: writer GtkLabel#score property label -> Board::show()
    }

    void drain() {
        double to = 1 - points % 100 / 100.0;
        g_object_set(bar, "fraction", to, NULL); // names: writer GtkProgressBar#bar property fraction -> Board::drain()
    }

    void search() {
        gint64 until = g_get_monotonic_time() + SEARCHING;
        while (g_get_monotonic_time() < until) found++; // names: hang -> Board::search()
    }

    static gboolean tick(gpointer self) { // names: source timer 45 ms -> Board::tick()
        auto *board = static_cast<Board *>(self);
        board->points++;
        board->show();
        board->drain();
        return G_SOURCE_CONTINUE;
    }

    static void clear(gpointer self) { static_cast<Board *>(self)->points = 0; }

    static gboolean press(gpointer button) {
        gtk_widget_activate(GTK_WIDGET(button));
        return G_SOURCE_CONTINUE;
    }

    static gboolean search_again(gpointer self) {
        static_cast<Board *>(self)->search();
        return G_SOURCE_CONTINUE;
    }
};

int main() {
    gtk_init();
    GMainLoop *loop = g_main_loop_new(nullptr, FALSE);
    GtkWidget *window = gtk_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    gtk_window_set_child(GTK_WINDOW(window), box);
    Board board(box);
    board.start();
    gtk_window_present(GTK_WINDOW(window));
    auto end = [](gpointer loop) -> gboolean {
        g_main_loop_quit(static_cast<GMainLoop *>(loop));
        return G_SOURCE_REMOVE;
    };
    g_timeout_add(LIFE, end, loop);
    g_main_loop_run(loop);
    return 0;
}
