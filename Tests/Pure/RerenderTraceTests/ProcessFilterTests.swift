// SPDX-License-Identifier: MIT
// One process of a recording that has several.

import CShared
import Testing

@testable import RerenderTrace

@Suite("One process of a recording")
struct ProcessFilterTests {
    private let texts = TraceTexts()

    private func write(_ pid: Int32, _ name: String, tid: Int32? = nil) -> TraceEvent {
        let write = TraceEvent.What.write(Write(name: texts.intern("a.b"), message: .empty, views: 1))
        return TraceEvent(
            nanoseconds: 1, pid: pid, tid: tid ?? pid, processName: texts.intern(name), what: write)
    }

    private func hang(of pid: Int32) -> TraceEvent {
        var hang = HangEvent()
        hang.pid = UInt32(bitPattern: pid)
        return TraceEvent(
            nanoseconds: 1, pid: 99, tid: 99, processName: texts.intern("rerenderd"), what: .hangEnded(hang))
    }

    private func kept(_ wanted: String, _ events: [TraceEvent]) -> (kept: [Bool], filter: ProcessFilter) {
        var filter = ProcessFilter(.named(wanted))
        return (events.map { filter.keeps($0, texts) }, filter)
    }

    @Test("is found by its number and by its name, with its hangs, which the daemon tells of")
    func wanted() {
        let events = [write(7, "shop"), write(8, "desk"), hang(of: 7), hang(of: 8), write(7, "shop", tid: 70)]
        for wanted in ["7", "shop"] {
            #expect(kept(wanted, events).kept == [true, false, true, false, true])
        }
        #expect(kept("desk", events).kept == [false, true, false, true, false])
    }

    @Test("has the marks of the daemon, which are moments of all processes")
    func marks() {
        func other(_ name: String) -> TraceEvent {
            let event = OtherEvent(event: texts.intern(name), kind: .event, fields: csignpost_read_generic())
            return TraceEvent(
                nanoseconds: 1, pid: 99, tid: 99, processName: texts.intern("rerenderd"), what: .other(event))
        }
        let events = [write(7, "shop"), other("com.rerender.Mark:event"), other("com.example.Mark:event")]
        #expect(kept("shop", events).kept == [true, true, false])
    }

    @Test("has the name of its first thread; what came before that by another name is left out")
    func threads() {
        let events = [write(7, "worker", tid: 70), write(7, "shop"), write(7, "worker", tid: 70), write(7, "shop")]
        #expect(kept("shop", events).kept == [false, true, true, true])
        #expect(kept("7", events).kept == [true, true, true, true])
    }

    @Test("that is not there is said, with those that are")
    func missing() {
        let filter = kept("shpo", [write(7, "worker", tid: 70), write(7, "shop"), write(8, "\u{1B}[2J")]).filter
        #expect(!filter.hasFound)
        let error = TraceError.noProcess(filter, in: "/t")
        #expect(
            error.description.hasPrefix("there is no process shpo in /t.\nIt has ")
                && error.description.contains("shop[7]"))
        #expect(!error.description.contains("\u{1B}") && !error.description.contains("worker"))
        #expect(TraceError.noProcess(ProcessFilter("x"), in: "/t").description.contains("no process at all"))
    }
}
