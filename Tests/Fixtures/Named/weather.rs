// SPDX-License-Identifier: MIT
// A forecast of GTK 4 in Rust, without optimisation: plain functions, and a binding in a crate. Comments as in clock.c.

use std::ffi::CString;
use std::os::raw::{c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering::Relaxed};

type Pointer = *mut c_void;
type Source = extern "C" fn(Pointer) -> c_int;

extern "C" {
    fn gtk_init();
    fn gtk_window_new() -> Pointer;
    fn gtk_window_set_child(window: Pointer, child: Pointer);
    fn gtk_window_present(window: Pointer);
    fn gtk_box_new(orientation: c_int, spacing: c_int) -> Pointer;
    fn gtk_box_append(list: Pointer, child: Pointer);
    fn gtk_label_new(text: *const c_char) -> Pointer;
    fn gtk_button_new_with_label(text: *const c_char) -> Pointer;
    fn gtk_widget_set_name(widget: Pointer, name: *const c_char);
    fn gtk_widget_set_css_classes(widget: Pointer, classes: *const *const c_char);
    fn gtk_widget_activate(widget: Pointer) -> c_int;
    fn g_timeout_add(milliseconds: c_uint, function: Source, data: Pointer) -> c_uint;
    fn g_signal_connect_data(
        object: Pointer, signal: *const c_char, handler: extern "C" fn(Pointer, Pointer), data: Pointer,
        destroy: Pointer, flags: c_int,
    ) -> u64;
    fn g_main_loop_new(context: Pointer, is_running: c_int) -> Pointer;
    fn g_main_loop_run(main_loop: Pointer);
    fn g_main_loop_quit(main_loop: Pointer);
    fn g_get_monotonic_time() -> i64;
}

static DEGREES: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static WIND: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static TICKS: AtomicU32 = AtomicU32::new(0);

fn text(of: &str) -> CString {
    CString::new(of).unwrap()
}

fn show(ticks: u32) {
    let (to, shown) = (DEGREES.load(Relaxed), text(&format!("{} °C", ticks % 40)));
    gtk4::set_text(to, &shown); // names: writer GtkLabel#warm property label -> weather::show()
}

fn mark(ticks: u32) {
    let (to, class) = (WIND.load(Relaxed), text(if ticks % 2 == 0 { "error" } else { "success" }));
    let list = [class.as_ptr(), std::ptr::null()];
    unsafe { gtk_widget_set_css_classes(to, list.as_ptr()) } // names: writer GtkLabel#wind CSS class -> weather::mark()
}

extern "C" fn tick(_: Pointer) -> c_int { // names: source timer 65 ms -> weather::tick()
    let ticks = TICKS.fetch_add(1, Relaxed) + 1;
    show(ticks);
    mark(ticks);
    1
}

extern "C" fn on_refresh(_: Pointer, _: Pointer) { // names: handler GtkButton#refresh: clicked -> weather::on_refresh()
    TICKS.store(0, Relaxed);
}

fn forecast() {
    let until = unsafe { g_get_monotonic_time() } + 400_000;
    while unsafe { g_get_monotonic_time() } < until {} // names: hang -> weather::forecast()
}

extern "C" fn look_ahead(_: Pointer) -> c_int {
    forecast();
    1
}

extern "C" fn press(button: Pointer) -> c_int {
    unsafe { gtk_widget_activate(button) };
    1
}

extern "C" fn end(main_loop: Pointer) -> c_int {
    unsafe { g_main_loop_quit(main_loop) };
    0
}

fn main() {
    unsafe {
        gtk_init();
        let (window, list) = (gtk_window_new(), gtk_box_new(1, 4));
        let label = || gtk_label_new(text("-").as_ptr());
        let (degrees, wind) = (label(), label());
        let button = gtk_button_new_with_label(text("Refresh").as_ptr());
        for (widget, name) in [(degrees, "warm"), (wind, "wind"), (button, "refresh")] {
            gtk_widget_set_name(widget, text(name).as_ptr());
            gtk_box_append(list, widget);
        }
        DEGREES.store(degrees, Relaxed);
        WIND.store(wind, Relaxed);
        gtk_window_set_child(window, list);
        g_signal_connect_data(button, text("clicked").as_ptr(), on_refresh, null_mut(), null_mut(), 0);
        gtk_window_present(window);
        let main_loop = g_main_loop_new(null_mut(), 0);
        g_timeout_add(65, tick, null_mut());
        g_timeout_add(500, press, button);
        g_timeout_add(1000, look_ahead, null_mut());
        g_timeout_add(4500, end, main_loop);
        g_main_loop_run(main_loop);
    }
}
