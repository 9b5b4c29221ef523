// SPDX-License-Identifier: MIT
// What rows of the main loop are called.

import RerenderModel
import Testing

@testable import Rerender

@Suite("Names of sources")
struct RowNameTests {
    private func name(
        _ kind: LoopRow.Kind, _ file: String?, _ source: String = "", every interval: UInt64 = 0,
        function: (name: String, place: String?)? = nil
    ) -> RowName {
        RowName(kind, RowFunction(inFile: file) { function }, source: source, interval: interval)
    }

    @Test("A function of the program is the name, with its place, whatever the source is called")
    func program() {
        let found = name(.timer, "clock", "[clock] tick", every: 5, function: ("on_tick()", "clock.c:41"))
        #expect(found.name == "on_tick()" && found.place == "clock.c:41")
        #expect(found.source == nil && name(.idle, "clock", function: ("f()", nil)).place == nil)
    }

    @Test("A source with functions of its own has its name beside them")
    func ownTable() {
        let found = name(.source, "cases", "pump", function: ("never()", "cases.c:22"))
        #expect(found.name == "never()" && found.place == "cases.c:22" && found.source == "pump")
        #expect(name(.source, "cases", function: ("never()", nil)).source == nil)
        #expect(name(.source, "libgio-2.0.so.0", "GSocket").source == nil)
    }

    @Test("A function of GLib, GTK or a binding is no name")
    func library() {
        let function: (name: String, place: String?) = ("handler_marshal()", "in _gi.so")
        let file = "_gi.cpython-311-x86_64-linux-gnu.so"
        let second: UInt64 = 1_000_000_000
        #expect(
            name(.timer, file, every: second, function: function).name == "a timer of Python (every 1,000 ms)")
        #expect(name(.timer, file, "[app] poll", every: second, function: function).name == "[app] poll")
        #expect(name(.idle, "libgtk-4.so.1", function: function).name == "an idle function of GTK")
        #expect(name(.source, "libgio-2.0.so.0.7400.6", function: function).name == "a source of GIO")
        #expect(name(.source, "libgjs.so.0", "GjsPromiseJobQueueSource").name == "promise jobs of JavaScript")
        #expect(name(.handler, "libgobject-2.0.so.0", "x", function: function).name == "a handler of GLib")
        #expect(
            name(.runLoop, "libFoundation.so", "timer", every: 250_000, function: function).name
                == "a timer of Foundation (every 250 µs)")
        #expect(name(.runLoop, "libFoundation.so", "block", function: function).name == "a block of Foundation")
    }

    @Test("A name that GIO gave to a source by a function or a type of its own has the library's mark")
    func ownNames() {
        let gio = "libgio-2.0.so.0.7400.6"
        #expect(name(.idle, gio, "g_input_stream_real_close_async").name == "[gio] g_input_stream_real_close_async")
        #expect(name(.source, gio, "GFileMonitorSource").name == "[gio] GFileMonitorSource")
        #expect(name(.idle, "libglib-2.0.so.0", "_g_late").name == "[glib] _g_late")
        // It says so itself, or the program gave it.
        for given in ["[gio] complete_in_idle_cb", "load_photo_async", "Gallery", "gphoto"] {
            #expect(name(.idle, gio, given).name == given)
        }
        #expect(name(.idle, "photos", "g_late").name == "g_late", "a function of the program is in no library")
    }

    @Test("What samples tell of is a source, and who wakes the loop may be a library")
    func others() {
        #expect(name(.sampled, "geany").name == "a source in geany")
        #expect(name(.sampled, "libgtk-4.so.1").name == "a source of GTK")
        #expect(name(.wakeup, "libgio-2.0.so.0").name == "a wake-up of GIO")
        let found = name(.wakeup, "poller", function: ("feed_loop()", "poller.c:33"))
        #expect(found.name == "feed_loop()" && found.place == "poller.c:33")
    }

    @Test("Without symbols, the file is named")
    func stripped() {
        let bare = name(.descriptor, "geany")
        #expect(bare.name == "a descriptor in geany" && bare.place == nil)
        let named = name(.idle, "geany", "save")
        #expect(named.name == "save" && named.place == "in geany")
    }

    @Test("Code in no file has the source's name, or what it is")
    func generated() {
        #expect(name(.timer, nil, every: 1_499_999).name == "a timer (every 1 ms)")
        #expect(name(.timer, nil, "x").name == "x")
        let function = RowFunction(inFile: nil, ofProgram: "python3.11") { nil }
        #expect(
            RowName(.timer, function, source: "", interval: 1_000_000_000).name == "a timer of Python (every 1,000 ms)")
        #expect(RowFunction(inFile: nil, ofProgram: "geany") { nil } == .generated)
        #expect(RowName.others.name == "other sources")
    }
}
