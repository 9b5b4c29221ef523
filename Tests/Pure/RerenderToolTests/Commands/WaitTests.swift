// SPDX-License-Identifier: MIT
// What `wait` makes of live events, and the page for agents.

import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("rerenderctl wait")
struct WaitTests {
    private let start = ContinuousClock.now

    private func store(_ name: String = "shop", pid: Int32 = 7, startedAt seconds: Int64 = 1) -> ProcessStats {
        var store = ProcessStats(
            pid: pid, name: name, store: "main", storeNumber: 0,
            startedAt: Timestamp(nanosecondsSince1970: seconds * 1_000_000_000))
        store.connected = true
        return store
    }

    private func event(_ kind: LiveEvent.Kind, _ store: ProcessStats) -> [UInt8] {
        var event = LiveEvent(event: kind)
        (event.pid, event.store, event.storeNumber) = (store.pid, store.store, store.storeNumber)
        event.process = store
        return (try? JSONLine.text(event)) ?? []
    }

    private func view(_ key: String, _ count: UInt64, of store: ProcessStats, handle: String? = nil) -> [UInt8] {
        var event = LiveEvent(event: .view)
        (event.pid, event.store, event.storeNumber) = (store.pid, store.store, store.storeNumber)
        var view = Stats(key: ViewKey(rawValue: key))
        (view.count, view.handle) = (count, handle)
        event.view = view
        return (try? JSONLine.text(event)) ?? []
    }

    @Test("a process is there once a store of it is connected, also where its line comes in pieces")
    func program() throws {
        var model = WaitModel(.program, process: "shop", now: start)
        try model.take(event(.connected, store("other", pid: 8)), at: start)
        #expect(model.reached == nil)
        let line = event(.connected, store())
        try model.take(Array(line.prefix(20)), at: start)
        #expect(model.reached == nil)
        try model.take(Array(line.dropFirst(20)), at: start)
        #expect(model.reached == "shop[7] is connected.")
    }

    @Test("a view is there once it was evaluated in a process that is meant, and a part of its key is enough")
    func view() throws {
        var model = WaitModel(.view("Total"), process: "7", now: start)
        let (shop, other) = (store(), store(pid: 8))
        try model.take(event(.connected, shop) + event(.connected, other), at: start)
        try model.take(view("CartTotal", 3, of: other) + view("CartTotal", 0, of: shop), at: start)
        #expect(model.reached == nil)
        try model.take(view("Header", 9, of: shop) + view("CartTotal", 1, of: shop), at: start)
        #expect(model.reached == "CartTotal was evaluated 1 time in shop[7].")
    }

    @Test("a handle names one view, and is no part of a key")
    func handle() throws {
        var model = WaitModel(.view("v1.5"), process: nil, now: start)
        let shop = store()
        try model.take(event(.connected, shop) + view("Row v1.5", 3, of: shop, handle: "v1.50"), at: start)
        #expect(model.reached == nil)
        let missed = model.missed(after: .seconds(2), at: start, failure: nil, off: nil)
        #expect(missed.message.contains("no view with the ID v1.5 was evaluated"))
        try model.take(view("Row", 1, of: shop, handle: "v1.5"), at: start)
        #expect(model.reached == "Row was evaluated 1 time in shop[7].")
    }

    private func hang(
        _ kind: LiveEvent.Kind = .hang, of store: ProcessStats, id: UInt64 = 3, open: Bool = true
    ) -> [UInt8] {
        var event = LiveEvent(event: kind)
        event.pid = store.pid
        if kind == .hang {
            let begun = Timestamp(nanosecondsSince1970: 1_000_000_000)
            var hang = Hang(id: id, pid: store.pid, process: store.name, startedAt: begun, turn: 1)
            hang.open = open
            event.hang = hang
        } else {
            event.hangID = id
        }
        return (try? JSONLine.text(event)) ?? []
    }

    @Test("a program whose main loop hangs is not idle, and is a second after the hang's end")
    func hanging() throws {
        var model = WaitModel(.idle, process: "shop", now: start)
        let (shop, other) = (store(), store("other", pid: 8))
        try model.take(event(.connected, shop) + event(.connected, other), at: start)
        try model.take(hang(of: other, id: 4), at: start + .milliseconds(400))
        try model.take(hang(of: shop), at: start + .milliseconds(500))
        model.pass(to: start + .seconds(5))
        #expect(model.reached == nil)
        func missed(_ model: WaitModel, at seconds: Int) -> String {
            model.missed(after: .seconds(6), at: start + .seconds(seconds), failure: nil, off: nil).message
        }
        #expect(missed(model, at: 6).contains("the main loop hangs.\nSee: rerenderctl hangs"))
        try model.take(hang(of: shop, open: false), at: start + .seconds(6))
        model.pass(to: start + .milliseconds(6_900))
        #expect(model.reached == nil)
        #expect(missed(model, at: 8).contains("the main loop hung until 2.00s ago"))
        model.pass(to: start + .milliseconds(7_050))
        #expect(model.reached == "Nothing was evaluated or drawn for 1 s.")
    }

    @Test("a hang that was over before is not waited for, whatever is learned of it later; one that ended since is")
    func hangBefore() throws {
        let shop = store()
        for (began, isReached) in [(2, false), (1, true)] as [(Int64, Bool)] {
            var model = WaitModel(
                .hang, process: nil, now: start, began: Timestamp(nanosecondsSince1970: began * 1_000_000_000))
            try model.take(event(.connected, shop) + hang(of: shop, open: false), at: start)
            #expect((model.reached != nil) == isReached)
            guard !isReached else { continue }
            try model.take(hang(of: shop, id: 4), at: start)
            #expect(model.reached != nil)
        }
        var idle = WaitModel(.idle, process: nil, now: start)
        try idle.take(event(.connected, shop), at: start)
        try idle.take(hang(of: shop, open: false), at: start + .milliseconds(900))
        idle.pass(to: start + .seconds(1))
        #expect(idle.reached == "Nothing was evaluated or drawn for 1 s.")
    }

    @Test("a hang that turned out to be none delays nothing")
    func forgottenHang() throws {
        let shop = store()
        var model = WaitModel(.idle, process: nil, now: start)
        try model.take(event(.connected, shop) + hang(of: shop), at: start)
        try model.take(hang(.hangDropped, of: shop), at: start + .seconds(1))
        model.pass(to: start + .seconds(2))
        #expect(model.reached != nil)
    }

    @Test("a program is idle a second after its connection or its last evaluation, and never without a program")
    func idle() throws {
        var model = WaitModel(.idle, process: nil, now: start)
        model.pass(to: start + .seconds(5))
        #expect(model.reached == nil)
        try model.take(event(.connected, store()), at: start + .seconds(5))
        model.pass(to: start + .milliseconds(5_900))
        #expect(model.reached == nil)
        try model.take(view("Header", 1, of: store()), at: start + .milliseconds(5_950))
        model.pass(to: start + .milliseconds(6_900))
        #expect(model.reached == nil)
        model.pass(to: start + .milliseconds(6_960))
        #expect(model.reached == "Nothing was evaluated or drawn for 1 s.")
    }

    @Test("a program that another one became by exec stays connected, whichever line comes first")
    func exec() throws {
        let (old, new) = (store("sh"), store(startedAt: 2))
        var model = WaitModel(.idle, process: nil, now: start)
        try model.take(event(.connected, old), at: start)
        try model.take(event(.connected, new) + event(.disconnected, old), at: start + .milliseconds(500))
        model.pass(to: start + .milliseconds(1_400))
        #expect(model.reached == nil)
        model.pass(to: start + .milliseconds(1_600))
        #expect(model.reached == "Nothing was evaluated or drawn for 1 s.")
    }

    @Test("when the time is over, the text says what happened instead")
    func missed() throws {
        func text(_ goal: WaitModel.Goal, process: String? = nil, _ events: [UInt8], failure: ToolFailure? = nil) throws
            -> String
        {
            var model = WaitModel(goal, process: process, now: start)
            try model.take(events, at: start)
            let missed = model.missed(after: .seconds(2), at: start + .seconds(2), failure: failure, off: nil)
            #expect(missed.status == 1 && missed.message.hasPrefix("nothing within 2.00s: "))
            return missed.message
        }
        let shop = event(.connected, store())
        #expect(try text(.program, process: "shop", []).contains("no process \"shop\" is connected"))
        #expect(try text(.hang, []).contains("no process is connected"))
        #expect(try text(.hang, shop).contains("no main loop hung"))
        #expect(try text(.view("Total"), shop).contains("no view was evaluated yet"))
        let header = shop + view("Header", 1, of: store())
        #expect(try text(.view("Headre"), header).contains("Similar: Header"))
        #expect(try text(.idle, header).contains("views are still evaluated: Header 2.00s ago"))
        let failure = ToolFailure(ExitStatus.noDaemon, "no daemon answers at PLACE.")
        var gtk = store()
        gtk.kind = .widgets
        let label = event(.connected, gtk) + view("GtkLabel", 1, of: gtk)
        #expect(try text(.idle, label).contains("widgets are still drawn: GtkLabel 2.00s ago"))
        #expect(try text(.view("GtkLable"), label).contains("1 other widget was drawn, and \"GtkLable\" was not."))
        #expect(try text(.idle, [], failure: failure).contains("no daemon answers at PLACE."))
    }

    @Test("what is no event ends it, and so does a line without an end")
    func unreadable() {
        var model = WaitModel(.hang, process: nil, now: start)
        #expect(throws: ToolFailure.self) { try model.take(Array("what?\n".utf8), at: start) }
        #expect(throws: ToolFailure.self) {
            try model.take([UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20), at: start)
        }
    }

    @Test(
        "one thing is waited for",
        arguments: [
            ([], "Say what to wait for"), (["--idle", "--hang"], "Choose one of --view, --idle and --hang"),
            (["--view", ""], "--view takes a key"), (["--hang", "--timeout", "never"], "--timeout"),
        ])
    func usage(arguments: [String], hint: String) {
        let line = ParsedLine(["wait"] + arguments)
        #expect(line.status == 64 && line.text.contains(hint), "\(line)")
    }

    @Test("the page for agents is a skill file, and each command on it can be called")
    func agents() {
        #expect(AgentsHelp.isAsked(["help", "agents"]) && !AgentsHelp.isAsked(["help", "stats"]))
        let lines = AgentsHelp.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.prefix(2) == ["---", "name: rerender"] && lines.count < 100)
        let commands = lines.filter { $0.hasPrefix("    rerenderctl ") }
        #expect(commands.count > 10)
        for command in commands {
            let words = command.split(separator: " ").map(String.init).filter { $0 != "&" }
            let line = ParsedLine(Array(words.dropFirst()))
            #expect(line.status == 0 && line.command != nil, "\(command): \(line.text)")
        }
    }
}
