// SPDX-License-Identifier: MIT
// What samples say of the functions that a library calls in its own sources.

import RerenderModel
import Testing

@testable import Rerender

@Suite("Functions of the program in a library's sources")
struct RowCalleesTests {
    private let loaded = RowFunction.known("on_loaded()", place: "index.c:6")

    private func found(_ samples: [(RowFunction?, Int)]) -> (function: RowFunction, part: String)? {
        var callees = RowCallees()
        for (function, count) in samples { for _ in 0..<count { callees.add(function, of: 3) } }
        #expect(callees.callee(of: 4)?.function == nil)
        return callees.callee(of: 3)
    }

    private func callee(_ samples: [(RowFunction?, Int)]) -> RowFunction? { found(samples)?.function }

    @Test("More than half of the samples name it, and five are the fewest; below nine of ten, that is said")
    func most() {
        #expect(callee([(loaded, 4)]) == nil && callee([(loaded, 5)]) == loaded)
        #expect(found([(loaded, 9), (nil, 1)])?.part == "")
        #expect(found([(loaded, 8), (nil, 2)])?.part == ", more than half of it")
        #expect(callee([(loaded, 6), (nil, 5)]) == loaded && callee([(loaded, 5), (nil, 5)]) == nil)
        let other = RowFunction.known("on_saved()", place: "index.c:9")
        #expect(callee([(loaded, 10), (other, 10)]) == nil)
        #expect(callee([(other, 1), (loaded, 9)]) == loaded)
    }

    @Test("Another line is the same function, and another file is not")
    func lines() {
        #expect(callee([(loaded, 1), (.known("on_loaded()", place: "index.c:31"), 6)]) == loaded)
        #expect(callee([(loaded, 3), (.known("on_loaded()", place: "other.c:6"), 3)]) == nil)
    }

    @Test("What has no name is none, and of many functions some are kept")
    func others() {
        #expect(callee([(.generated, 9)]) == nil && callee([(.library("GIO"), 9)]) == nil)
        let many = (0..<9).map { (RowFunction?.some(.known("f\($0)()", place: nil)), 1) }
        #expect(callee(many + [(.known("f8()", place: nil), 90)]) == nil, "the ninth has no place")
        #expect(callee(many + [(.known("f7()", place: nil), 90)]) == .known("f7()", place: nil))
    }

    @Test("The row is called by what it calls, and the library's name stands beside it")
    func names() {
        let gio = RowFunction(inFile: "libgio-2.0.so.0") { nil }, python = RowFunction(inFile: "_gi.so") { nil }
        let idle = RowName(.idle, gio, source: "g_task_late", interval: 0, callee: (loaded, ""))
        #expect(idle.name == "on_loaded()" && idle.place == "index.c:6" && idle.source == "[gio] g_task_late")
        let timer = RowName(.timer, python, source: "", interval: 40_000_000, callee: (loaded, ""))
        #expect(timer.name == "on_loaded()" && timer.source == "a timer of Python (every 40 ms)")
        let generated = RowName(.idle, gio, source: "", interval: 0, callee: (.generated, ""))
        #expect(generated.name == "an idle function of GIO")
        let bus = RowName(
            .idle, gio, source: "[gio] emit_signal_instance_in_idle_cb", interval: 0,
            callee: (loaded, ", more than half of it"))
        #expect(bus.name == "on_loaded()" && bus.source == "handlers of D-Bus signals, more than half of it")
        // Of a toolkit's own sources, and of the program's, samples say nothing.
        let gtk = RowFunction(inFile: "libgtk-4.so.1") { nil }
        #expect(RowName(.idle, gtk, source: "", interval: 0, callee: (loaded, "")).name == "an idle function of GTK")
        let own = RowName(.idle, .known("f()", place: nil), source: "", interval: 0, callee: (loaded, ""))
        #expect(own.name == "f()" && own.source == nil)
    }

    @Test("Its words have both")
    func words() {
        var row = LoopRow(.idle, name: "on_loaded()", place: "index.c:6", of: "[gio] g_task_late")
        #expect(row.words == "[gio] g_task_late (on_loaded() index.c:6)" && row.function == "on_loaded() index.c:6")
        row.of = "pump"
        #expect(row.words == "the idle function pump (on_loaded() index.c:6)")
        row.kind = .descriptor
        #expect(row.words == "the function pump (on_loaded() index.c:6)")
    }
}
