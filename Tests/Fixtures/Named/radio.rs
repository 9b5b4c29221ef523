// SPDX-License-Identifier: MIT
// A radio of GTK 4 in Rust, optimised, with debug information and names of the form v0: methods of a type. Comments as in clock.c.
//
// Each function does something after the call that is to be named: a call that is the last thing leaves no frame of the function behind.

use std::ffi::CString;
use std::os::raw::{c_char, c_int, c_uint, c_void};
use std::ptr::{addr_of_mut, null_mut};

type Pointer = *mut c_void;
type Source = extern "C" fn(Pointer) -> c_int;

extern "C" {
    fn gtk_init();
    fn gtk_window_new() -> Pointer;
    fn gtk_window_set_child(window: Pointer, child: Pointer);
    fn gtk_window_present(window: Pointer);
    fn gtk_box_new(orientation: c_int, spacing: c_int) -> Pointer;
    fn gtk_box_append(list: Pointer, child: Pointer);
    fn gtk_level_bar_new() -> Pointer;
    fn gtk_level_bar_set_value(bar: Pointer, value: f64);
    fn gtk_drawing_area_new() -> Pointer;
    fn gtk_drawing_area_set_draw_func(area: Pointer, draw: Draw, data: Pointer, destroy: Pointer);
    fn gtk_toggle_button_new_with_label(text: *const c_char) -> Pointer;
    fn gtk_toggle_button_set_active(button: Pointer, is_active: c_int);
    fn gtk_toggle_button_get_active(button: Pointer) -> c_int;
    fn gtk_widget_set_name(widget: Pointer, name: *const c_char);
    fn gtk_widget_set_size_request(widget: Pointer, width: c_int, height: c_int);
    fn gtk_widget_queue_draw(widget: Pointer);
    fn cairo_rectangle(cairo: Pointer, x: f64, y: f64, width: f64, height: f64);
    fn cairo_fill(cairo: Pointer);
    fn g_timeout_add(milliseconds: c_uint, function: Source, data: Pointer) -> c_uint;
    fn g_idle_add(function: Source, data: Pointer) -> c_uint;
    fn g_signal_connect_data(
        object: Pointer, signal: *const c_char, handler: extern "C" fn(Pointer, Pointer), data: Pointer,
        destroy: Pointer, flags: c_int,
    ) -> u64;
    fn g_main_loop_new(context: Pointer, is_running: c_int) -> Pointer;
    fn g_main_loop_run(main_loop: Pointer);
    fn g_main_loop_quit(main_loop: Pointer);
}

type Draw = extern "C" fn(Pointer, Pointer, c_int, c_int, Pointer);

fn text(of: &str) -> CString {
    CString::new(of).unwrap()
}

struct Radio {
    volume: Pointer,
    spectrum: Pointer,
    steps: u32,
    done: u32,
}

impl Radio {
    #[inline(never)]
    fn set(&mut self) {
        let (at, to) = (self.volume, f64::from(self.steps % 10) / 10.0);
        unsafe { gtk_level_bar_set_value(at, to) } // names: writer GtkLevelBar#at property value -> radio::Radio::set()
        self.done += 1;
    }

    fn redraw(&mut self) {
        let at = self.spectrum;
        unsafe { gtk_widget_queue_draw(at) } // names: writer GtkDrawingArea#bands queue_draw -> radio::Radio::redraw()
        self.done += 1;
    }

    #[inline(never)]
    fn tune(&mut self) {
        std::thread::sleep(std::time::Duration::from_millis(400)); // names: hang -> radio::Radio::tune()
        self.done += 1;
    }
}

fn radio(at: Pointer) -> &'static mut Radio {
    unsafe { &mut *at.cast() }
}

extern "C" fn scan(at: Pointer) -> c_int { // names: source idle function -> radio::scan()
    radio(at).redraw();
    0
}

extern "C" fn step(at: Pointer) -> c_int {
    radio(at).steps += 1;
    radio(at).set();
    unsafe { g_idle_add(scan, at) };
    1
}

extern "C" fn on_mute(_: Pointer, at: Pointer) { // names: handler GtkToggleButton#mute: toggled -> radio::on_mute()
    radio(at).steps = 0;
}

extern "C" fn press(button: Pointer) -> c_int {
    unsafe { gtk_toggle_button_set_active(button, 1 - gtk_toggle_button_get_active(button)) };
    1
}

extern "C" fn tune(at: Pointer) -> c_int {
    radio(at).tune();
    1
}

extern "C" fn draw(_: Pointer, cairo: Pointer, width: c_int, height: c_int, at: Pointer) {
    let x = f64::from(radio(at).steps % 10) * 10.0;
    unsafe { cairo_rectangle(cairo, x, 0.0, f64::from(width) / 10.0, f64::from(height)) };
    unsafe { cairo_fill(cairo) };
}

extern "C" fn end(main_loop: Pointer) -> c_int {
    unsafe { g_main_loop_quit(main_loop) };
    0
}

static mut RADIO: Radio = Radio { volume: null_mut(), spectrum: null_mut(), steps: 0, done: 0 };

fn main() {
    unsafe {
        gtk_init();
        let (window, list) = (gtk_window_new(), gtk_box_new(1, 4));
        let (volume, spectrum) = (gtk_level_bar_new(), gtk_drawing_area_new());
        let mute = gtk_toggle_button_new_with_label(text("Mute").as_ptr());
        for (widget, name) in [(volume, "at"), (spectrum, "bands"), (mute, "mute")] {
            gtk_widget_set_name(widget, text(name).as_ptr());
            gtk_box_append(list, widget);
        }
        let at: Pointer = addr_of_mut!(RADIO).cast();
        radio(at).volume = volume;
        radio(at).spectrum = spectrum;
        gtk_widget_set_size_request(spectrum, 100, 50);
        gtk_drawing_area_set_draw_func(spectrum, draw, at, null_mut());
        gtk_window_set_child(window, list);
        g_signal_connect_data(mute, text("toggled").as_ptr(), on_mute, at, null_mut(), 0);
        gtk_window_present(window);
        let main_loop = g_main_loop_new(null_mut(), 0);
        g_timeout_add(75, step, at);
        g_timeout_add(500, press, mute);
        g_timeout_add(1000, tune, at);
        g_timeout_add(4500, end, main_loop);
        g_main_loop_run(main_loop);
    }
}
