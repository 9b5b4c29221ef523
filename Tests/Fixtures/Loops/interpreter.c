// SPDX-License-Identifier: MIT
// A program whose timer has an interpreter run a script for 1.5 seconds, and that interpreter: its file is called so, and no more of it is one.
// Neither knows anything of Rerender.
//
//   -DLIBRARY    the interpreter
//   -DPYTHON     it is one of Python
//   -DVERSION=N  what a Python after 3.10 says of its version

void run_script(void);

#ifdef LIBRARY
#include <time.h>

#ifdef VERSION
extern const unsigned long Py_Version;
const unsigned long Py_Version = VERSION;
#endif

#ifdef PYTHON
const char *Py_GetVersion(void);
const char *Py_GetVersion(void) { return "none"; }
#endif

void run_script(void) {
    struct timespec left = {1, 500000000};
    while (nanosleep(&left, &left) != 0) continue;
}
#else
#include <glib.h>

static GMainLoop *loop;

static gboolean on_end(gpointer data) {
    (void)data;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

static gboolean on_timer(gpointer data) {
    (void)data;
    run_script(); // place: on_timer
    g_timeout_add(500, on_end, NULL);
    return G_SOURCE_REMOVE;
}

int main(void) {
    loop = g_main_loop_new(NULL, FALSE);
    g_timeout_add(200, on_timer, NULL);
    g_main_loop_run(loop);
    return 0;
}
#endif
