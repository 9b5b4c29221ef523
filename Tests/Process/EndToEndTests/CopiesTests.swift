// SPDX-License-Identifier: MIT
// Several copies of the library in one process: an app and its plug-ins, each linked statically.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite("Copies of the library in one process", .enabled(if: Fixture.hasSwift, "needs swiftc to link a plug-in"))
struct CopiesTests {
    @Test("are clients of their own, and each evaluation counts once, whatever becomes of the daemon", .promise)
    func counts() async throws {
        let lab = try await CopiesLab(plugIns: 2)
        #expect(try await lab.app.ask("run 45") == "45")
        #expect(try await lab.app.ask("plug 0 30") == "30")
        #expect(try await lab.app.ask("plug 1 60") == "60")
        try await lab.expect(["app": [45], "plug-in": [30, 60]])
        #expect(try lab.pages() == 3)

        try await lab.restartDaemon(after: SIGKILL) { _ = try await lab.app.ask("plug 1 5") }
        try await lab.expect(["app": [45], "plug-in": [30, 65]])
        try await lab.restartDaemon(after: SIGTERM) { _ = try await lab.app.ask("run 5") }
        try await lab.expect(["app": [50], "plug-in": [30, 65]])

        try lab.app.send("exit")
        #expect(await lab.app.waitForExit() == .status(0))
        try await lab.expect(["app": [50], "plug-in": [30, 65]], connected: false)
    }

    @Test("stay loaded when they are closed, and call no code of a program that exports its symbols")
    func closed() async throws {
        let lab = try await CopiesLab(plugIns: 4, exportsSymbols: true)
        #expect(try await lab.app.ask("run 45") == "45")
        for plugIn in 0..<4 {
            #expect(try await lab.app.ask("plug \(plugIn) \(10 + plugIn)") == "\(10 + plugIn)")
            #expect(try await lab.app.ask("close \(plugIn)") == "done")
        }
        #expect(try await lab.app.ask("run 5") == "50")
        try await lab.expect(["app": [50], "plug-in": [10, 11, 12, 13]])
        try lab.app.send("exit")
        #expect(await lab.app.waitForExit() == .status(0))

        let bindings = try lab.bindings.filter { $0.contains("/plug-in-") }
        #expect(bindings.contains { $0.contains("/plug-in-0.so [0] to") && $0.contains("libswiftCore.so") })
        let borrowed = bindings.filter { $0.contains("] to \(lab.program) [") }
        #expect(borrowed == [], "a plug-in's copy uses the program's")
    }

    @Test("name their own reasons and writers")
    func reasons() async throws {
        let lab = try await CopiesLab(plugIns: 1)
        _ = try await lab.app.ask("plug 0 3")
        let reasons = try await lab.app.ask("reasons 0")
        #expect(reasons.hasPrefix("initial < -; meter.value < Meter.step() PlugIn/PlugIn.swift:"), "\(reasons)")
    }

    @Test("leave each its page to the daemon: what none of them had sent is known after a kill", .promise)
    func killed() async throws {
        let lab = try await CopiesLab(plugIns: 1)
        _ = try await lab.app.ask("run 10")
        _ = try await lab.app.ask("plug 0 20")
        try await lab.expect(["app": [10], "plug-in": [20]])
        // A daemon that comes later gets the same pages.
        try await lab.restartDaemon(after: SIGKILL) {
            _ = try await lab.app.ask("run 3")
            _ = try await lab.app.ask("plug 0 3")
        }
        try await lab.expect(["app": [13], "plug-in": [23]])
        _ = try await lab.app.ask("run 1000")
        lab.app.kill(SIGKILL)
        await lab.app.waitForExit()
        try await lab.expect(["app": [1_013], "plug-in": [23]], connected: false)
    }

    @Test("are said not to be accounted for where they end while no daemon holds their pages")
    func unheld() async throws {
        let lab = try await CopiesLab(plugIns: 1)
        _ = try await lab.app.ask("run 10")
        _ = try await lab.app.ask("plug 0 20")
        try await lab.expect(["app": [10], "plug-in": [20]])
        try await lab.restartDaemon(after: SIGTERM) {
            _ = try await lab.app.ask("run 3")
            lab.app.kill(SIGKILL)
            await lab.app.waitForExit()
        }
        try await lab.expect(["app": [10], "plug-in": [20]], connected: false)
        #expect(try lab.health().dropped.flightPages == 2)
        #expect(lab.daemon.process.output.contains("(\(lab.app.processID)) ended while no daemon held its flight page"))
    }

    @Test("count everything of a program that became a foreign one, which lives")
    func foreign() async throws {
        let lab = try await CopiesLab(plugIns: 1)
        _ = try await lab.app.ask("run 10")
        _ = try await lab.app.ask("plug 0 20")
        try await lab.expect(["app": [10], "plug-in": [20]])
        _ = try await lab.app.ask("run 1000")
        try lab.app.send("exec \(try await lab.sleeper())")
        try await lab.expect(["app": [1_010], "plug-in": [20]], connected: false)
        #expect(kill(lab.app.processID, 0) == 0)
        lab.app.kill(SIGKILL)
        await lab.app.waitForExit()
    }

    @Test("lose nothing silently when the process becomes another program by exec", .promise)
    func exec() async throws {
        let lab = try await CopiesLab(plugIns: 2)
        _ = try await lab.app.ask("run 10")
        _ = try await lab.app.ask("plug 0 20")
        // A daemon that has never held a page knows nothing of its program.
        _ = try await lab.app.ask("plug 1 1")
        try await lab.expect(["app": [10], "plug-in": [1, 20]])
        _ = try await lab.app.ask("run 7")
        _ = try await lab.app.ask("plug 0 9")
        _ = try await lab.app.ask("plug 1 3")
        #expect(try await lab.app.ask("exec \(lab.program)") == "started")
        #expect(try await lab.app.ask("run 3") == "3")
        try await lab.expect(["app": [3, 17], "plug-in": [4, 29]], connected: nil)
        #expect(try await lab.app.ask("exec \(lab.program)") == "started")
        #expect(try await lab.app.ask("run 5") == "5")
        try await lab.load(plugIns: 1)
        #expect(try await lab.app.ask("plug 0 6") == "6")
        let truth: [String: [UInt64]] = ["app": [3, 5, 17], "plug-in": [4, 6, 29]]
        try await lab.expect(truth, connected: nil)
        let stores = try lab.stores()
        #expect(stores.count(where: \.connected) == 2)
        // A program that has no copy of the library, and ends at once.
        _ = try await lab.app.ask("run 1")
        try lab.app.send("exec \(try #require(ChildProcess.path(of: "sleep")))")
        await lab.app.waitForExit()
        try await lab.expect(["app": [3, 6, 17], "plug-in": [4, 6, 29]], connected: false)
    }

    @Test("are all switched off, and so is the program that the process becomes by exec")
    func switchedOff() async throws {
        let lab = try await CopiesLab(plugIns: 2)
        for (order, count) in [("run 10", "10"), ("plug 0 20", "20"), ("plug 1 30", "30")] {
            #expect(try await lab.app.ask(order) == count)
        }
        try await lab.expect(["app": [10], "plug-in": [20, 30]])
        let off = try await ChildProcess.run(
            [ChildProcess.product("rerenderctl"), "off"], environment: ["RERENDER_RUNTIME_DIR": lab.daemon.directory])
        #expect(off.exit == .status(0) && off.standardOutput.contains("1 running process was switched off"))
        for (order, count) in [("run 5", "15"), ("plug 0 5", "25"), ("plug 1 5", "35")] {
            #expect(try await lab.app.ask(order) == count)
        }
        #expect(try await lab.app.ask("exec \(lab.program)") == "started")
        #expect(try await lab.app.ask("run 3") == "3")
        try await lab.load(plugIns: 1)
        #expect(try await lab.app.ask("plug 0 6") == "6")
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(lab.app.processID)/task").map {
            (try? String(contentsOfFile: "/proc/\(lab.app.processID)/task/\($0)/comm", encoding: .utf8)) ?? ""
        }
        #expect(!threads.contains { $0.hasPrefix("rerender") })
        try lab.app.send("exit")
        #expect(await lab.app.waitForExit() == .status(0))
        try await lab.expect(["app": [10], "plug-in": [20, 30]], connected: false)
        #expect(try lab.stores().allSatisfy { $0.lost == 0 && !$0.enabled })
    }

    @Test("have one main loop: a hang is listed once, with the largest share that is known, and counts in each store")
    func hangs() async throws {
        let lab = try await CopiesLab(plugIns: 1)
        _ = try await lab.app.ask("run 1")
        _ = try await lab.app.ask("plug 0 1")
        try await lab.expect(["app": [1], "plug-in": [1]])
        // On a busy machine there may have been hangs before a store was there. From here on each counts in each.
        func missing() throws -> [String: UInt64] {
            let count = try UInt64(lab.hangs().count)
            return try Dictionary(
                uniqueKeysWithValues: lab.stores().filter(\.connected).map { ($0.store, count &- $0.hangs.count) })
        }
        let before = try missing()
        #expect(before.count == 2)
        // Of a body around another copy's, the pages do not tell which of the two took the time: the outer one has more.
        let blamed: [(order: String, view: ViewKey?)] = [
            ("wait 400", "Window"), ("plugwait 0 400", "Meter"), ("around 0 400", "Window"),
        ]
        for (order, view) in blamed {
            let known = try lab.hangs().map(\.id)
            #expect(try await lab.app.ask(order) == "done")
            // A busy machine may make shorter ones of its own.
            func listed() throws -> [Hang] {
                try lab.hangs().filter { !known.contains($0.id) && $0.durationNanoseconds >= 400_000_000 }
            }
            // It counts in each store once each copy has told of it, and then the list has what all of them told.
            func seen() throws -> Any { try (lab.stores(), lab.hangs()) }
            let new = try await lab.daemon.http.eventually("the hang of \(order)", seen: seen) { () -> [Hang]? in
                let first = try listed()
                guard !first.isEmpty, !first.contains(where: \.open), try missing() == before else { return nil }
                return try listed()
            }
            #expect(new.count == 1, "\(order): \(new)")
            #expect(new[0].view == view, "\(order): \(new[0])")
            let shares = new[0].shares.reduce(UInt64(0)) { $0 + $1.nanoseconds }
            #expect(shares + (new[0].unattributedNanoseconds ?? 0) == new[0].durationNanoseconds, "\(order): \(new[0])")
        }
        try await lab.restartDaemon(after: SIGKILL) {}
        try await lab.daemon.http.eventually("the copies", seen: { try (lab.stores(), lab.hangs()) }) {
            try missing() == before ? () : nil
        }
        #expect(try lab.hangs().count { $0.durationNanoseconds >= 400_000_000 } == 3)
    }
}
