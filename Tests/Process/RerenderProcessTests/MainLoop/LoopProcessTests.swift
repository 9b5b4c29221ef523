// SPDX-License-Identifier: MIT
// Real main loops in a process of their own: its own count of turns against the monitor's.

import Foundation
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

/// GLib's file; nil where it is not installed.
let glibFile = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
    .map { "\($0)/libglib-2.0.so.0" }.first { FileManager.default.fileExists(atPath: $0) }
let hasGLib = glibFile != nil

/// `NAME=VALUE` words of a line.
struct LoopWords {
    let values: [String: String]

    init(_ text: String) {
        values = Dictionary(
            text.split(whereSeparator: \.isWhitespace).compactMap { word in
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }, uniquingKeysWith: { _, last in last })
    }

    subscript(_ name: String) -> String { values[name] ?? "" }
}

extension TemporaryDirectory {
    fileprivate func startLoop(_ arguments: [String], _ more: [String: String] = [:]) throws -> ChildProcess {
        try startApp(more, program: ChildProcess.product("loops"), arguments: arguments)
    }

    /// Runs a case to its end.
    fileprivate func runLoop(_ arguments: [String], _ more: [String: String] = [:]) async throws -> LoopWords {
        let output = try await startLoop(arguments, more).finish()
        #expect(output.exit == .status(0), "\(output.standardError)")
        return LoopWords(output.standardOutput)
    }
}

/// A library in which no symbol is looked for with success.
private enum OtherLibrary {
    private static let compiler = ChildProcess.path(of: "cc") ?? ChildProcess.path(of: "clang")
    /// Whether it can be made here.
    static var isPossible: Bool { compiler != nil }

    static func make(at path: String) async throws {
        let compiler = try #require(compiler)
        let built = try await ChildProcess.run([compiler, "-shared", "-fPIC", "-x", "c", "-o", path, "/dev/null"])
        try #require(built.succeeded, "\(built.standardError)")
    }
}

@Suite("Main loop of GLib", .enabled(if: hasGLib, "needs libglib2.0-0"))
struct LoopGLibTests {
    @Test(
        "every turn is seen once: of nested loops, of loops that run again or on another thread, and under a poll function that the app set later",
        .promise,
        arguments: ["plain", "modal", "again", "thread", "late-poll"])
    func turns(_ name: String) async throws {
        let words = try await TemporaryDirectory().runLoop(["glib", name])
        #expect(words["kind"] == "glib")
        #expect((Int(words["polls"]) ?? 0) > 0 && words["polls"] == words["turns"])
    }

    @Test(
        "is seen behind a library that was loaded earlier and whose name only begins as GLib's",
        .enabled(if: OtherLibrary.isPossible, "needs a C compiler"),
        arguments: ["-foo", "1", ".so", ".", "..1", ".1-foo", ".1a"])
    func otherName(ending: String) async throws {
        let directory = try TemporaryDirectory()
        let other = directory.url.path + "/libglib-2.0.so.0" + ending
        try await OtherLibrary.make(at: other)
        let words = try await directory.runLoop(["glib", "plain"], ["LD_PRELOAD": other])
        #expect(words["kind"] == "glib" && words["polls"] == words["turns"], "\(words.values)")
    }

    @Test("is seen under the name of its file, to which links lead", arguments: ["", ".7400", ".7400.6"])
    func fileName(ending: String) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.path + "/libglib-2.0.so.0" + ending
        try FileManager.default.copyItem(
            at: URL(filePath: #require(glibFile)).resolvingSymlinksInPath(), to: URL(filePath: file))
        let words = try await directory.runLoop(["glib", "plain"], ["GLIB_FILE": file])
        #expect(words["kind"] == "glib" && words["polls"] == words["turns"], "\(words.values)")
    }

    @Test("a poll function that the app has taken away is not called any more, and one that it sets again is")
    func removedPoll() async throws {
        let words = try await TemporaryDirectory().runLoop(["glib", "removed-poll"])
        #expect(words["removed-polls"] == "0" && words["kind"] == "glib")
        #expect((Int(words["removed-turns"]) ?? 0) >= 20)
        #expect((Int(words["polls"]) ?? 0) >= 20 && words["polls"] == words["again-turns"])
    }

    @Test("a pump that runs RunLoop.main makes no turns of its own")
    func pump() async throws {
        let words = try await TemporaryDirectory().runLoop(["glib", "pump"])
        #expect(words["pumped"] == "1" && words["kind"] == "glib")
        #expect(words["polls"] == words["turns"])
    }

    @Test("a callback that runs another loop stays in its turn, unless that loop waits")
    func innerWait() async throws {
        let words = try await TemporaryDirectory().runLoop(["glib", "inner-wait"])
        #expect(words["same"] == "true" && words["new"] == "true" && words["kind"] == "glib")
    }

    @Test("the bridge serves the main queue and the main actor, and asking twice is asking once", .promise)
    func bridge() async throws {
        for environment in [[:], ["RERENDER": "0"]] {
            let words = try await TemporaryDirectory().runLoop(["glib", "bridge"], environment)
            #expect(words["serves"] == "true,true" && words["served"] == "40")
        }
    }

    @Test("a forked child's loop is not seen")
    func fork() async throws {
        let words = try await TemporaryDirectory().runLoop(["glib", "fork"])
        #expect(words["child"] == "0" && words["polls"] == words["turns"])
    }

    @Test("RERENDER=0 leaves the loop alone")
    func switchedOff() async throws {
        let words = try await TemporaryDirectory().runLoop(["glib", "plain"], ["RERENDER": "0"])
        #expect(words["polls"] == "20" && words["turns"] == "0" && words["kind"] == "none")
    }

    @Test("a loop that was left is noticed, whether a daemon asks or not", arguments: [true, false])
    func left(asks: Bool) async throws {
        let directory = try TemporaryDirectory()
        let daemon = asks ? try FakeDaemon(runtimeDirectory: directory.url.path) : nil
        let app = try directory.startLoop(["glib", "left"])
        let connection = try await daemon?.accept()
        #expect(try await app.nextLine() == "ready")
        let turns = try #require(UInt64(LoopWords(try await app.ask("state"))["turns"]))
        connection?.send(.watchTurn(turn: turns))
        try await eventually("the end of the turn") {
            LoopWords(try await app.ask("state"))["turn"] == "0" ? () : nil
        }
        app.kill(SIGKILL)
    }

    @Test(
        "the time outside of a loop that is left and run again, or iterated, is in no long turn, with a daemon and without",
        arguments: ["outside", "iterated"], [true, false])
    func outside(_ name: String, hasDaemon: Bool) async throws {
        let directory = try TemporaryDirectory()
        let daemon = hasDaemon ? try FakeDaemon(runtimeDirectory: directory.url.path) : nil
        let app = try directory.startLoop(["glib", name])
        let connection = try await daemon?.accept()
        let outside = LoopWords(try await app.nextLine())
        let callback = LoopWords(try await app.nextLine())
        #expect(try await app.nextLine() == "ready")
        let left = try #require(UInt64(outside["left"])), back = try #require(UInt64(outside["back"]))
        let began = try #require(UInt64(callback["began"])), ended = try #require(UInt64(callback["ended"]))
        let page = try HeldPage(of: app.processID).bytes
        let turns = try LongTurn.list(in: page.span.bytes, after: 0)
        #expect(turns.allSatisfy { $0.endedAt <= left || $0.startedAt >= back }, "\(turns)")
        // The turn of a loop that is left after it ends when the loop was last seen to be run.
        #expect(
            turns.contains { $0.startedAt <= began && (name == "outside" ? $0.endedAt >= ended : $0.endedAt > began) })
        withExtendedLifetime(connection) { app.kill(SIGKILL) }
    }

    @Test("a loop that is left right after a body was run at least until the body's end")
    func leftAfterBody() async throws {
        let directory = try TemporaryDirectory()
        let app = try directory.startLoop(["glib", "quitting"])
        let left = try #require(UInt64(LoopWords(try await app.nextLine())["left"]))
        let held = try HeldPage(of: app.processID)
        let reading = try await eventually("the end of the turn") { () -> LoopReading? in
            let page = held.bytes
            let head = Array(page[FlightPageLayout.loopOffset...].prefix(LoopLayout.headBytes))
            let reading = try? LoopReading(head: head.span.bytes)
            return reading.flatMap { $0.leftTurn > 0 && $0.leftTurn == $0.turn ? $0 : nil }
        }
        #expect(reading.leftAt >= reading.lastEndedAt && reading.leftAt <= left, "\(reading), \(left)")
        app.kill(SIGKILL)
    }

    @Test("a loop that runs is not taken for one that was left")
    func notLeft() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startLoop(["glib", "busy"])
        let connection = try await daemon.accept()
        #expect(try await app.nextLine() == "ready")
        let state = LoopWords(try await app.ask("state"))
        let turn = try #require(UInt64(state["turn"]))
        #expect(turn > 0)
        connection.send(.watchTurn(turn: turn))
        // A command is carried out after what was sent before it.
        connection.send(.reset(request: 1, storeID: nil))
        _ = try await connection.messages { $0.contains { if case .done = $0 { true } else { false } } }
        #expect(LoopWords(try await app.ask("state"))["turn"] == state["turn"])
        app.kill(SIGKILL)
    }
}

@Suite("Main loop of CFRunLoop")
struct LoopRunLoopTests {
    @Test("every turn is seen once, of nested loops too", .promise, arguments: ["plain", "modal", "again"])
    func turns(_ name: String) async throws {
        let words = try await TemporaryDirectory().runLoop(["cfrunloop", name])
        #expect(words["kind"] == "cfrunloop")
        #expect((Int(words["begun"]) ?? 0) > 0 && words["begun"] == words["turns"])
        #expect(words["turn"] == "0", "it was left")
    }

    @Test("blocks that a body puts on a queue run as others do: in order, once, and let go of right after that")
    func blocks() async throws {
        let words = try await TemporaryDirectory().runLoop(["led", "kinds"])
        let expected = [
            "plain", "released-plain", "barrier", "released-barrier", "group", "released-group", "item", "last",
            "released-last", "notified",
        ]
        #expect(words["inside"] == expected.joined(separator: ","))
        #expect(words["outside"] == words["inside"])
    }

    @Test("a loop at start-up leaves the place to GLib's, which is loaded later", .enabled(if: hasGLib, "needs GLib"))
    func thenGLib() async throws {
        let words = try await TemporaryDirectory().runLoop(["cfrunloop", "then-glib"])
        #expect(words["before"] == "cfrunloop" && words["kind"] == "glib")
    }
}

@Suite("Main loop without a hook")
struct LoopPingTests {
    @Test("a served main queue is known by its answers while a daemon listens, and not otherwise", .promise)
    func dispatchMain() async throws {
        let directory = try TemporaryDirectory()
        let app = try directory.startLoop(["main"])
        #expect(try await app.nextLine() == "ready")
        #expect(LoopWords(try await app.ask("state"))["kind"] == "none")
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let connection = try await daemon.accept()
        _ = try await connection.messages { $0.contains { $0.storeState?.mainLoop == .ping } }
        #expect(LoopWords(try await app.ask("state"))["kind"] == "ping")
        app.kill(SIGKILL)
    }

    @Test("bodies of a main queue that threads serve in turns are the loop's, and what else those threads do is not")
    func moving() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startLoop(["main", "moving"])
        #expect(try await app.nextLine() == "ready")
        let connection = try await daemon.accept()
        let elsewhere = LoopWords(try await app.nextLine())
        let counts = LoopWords(try await app.nextLine())
        #expect((Int(elsewhere["elsewhere"]) ?? 0) >= 1)
        #expect((Int(counts["servers"]) ?? 0) >= 2 && counts["wrong"] == "0", "\(counts)")
        let page = try HeldPage(of: app.processID).bytes
        #expect(try LoopReading(page: page.span.bytes).last?.key == "OnMain")
        withExtendedLifetime(connection) { app.kill(SIGKILL) }
    }

    @Test("a program without a main loop has none")
    func none() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startLoop(["none"])
        let connection = try await daemon.accept()
        _ = try await connection.messages { $0.contains { $0.storeState != nil } }
        #expect(try await app.nextLine() == "ready")
        try await expectRest(of: app)
        #expect(LoopWords(try await app.ask("state"))["kind"] == "none")
        app.kill(SIGKILL)
    }

    @Test(
        "an idle app on a hooked loop is not woken, with a daemon connected",
        arguments: hasGLib ? ["glib", "cfrunloop"] : ["cfrunloop"])
    func idle(_ mode: String) async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startLoop([mode, "idle"])
        let connection = try await daemon.accept()
        _ = try await connection.messages { $0.contains { $0.storeState?.mainLoop.rawValue == mode } }
        #expect(try await app.nextLine() == "ready")
        try await expectRest(of: app)
        app.kill(SIGKILL)
    }

    @Test(
        "who leaves a hooked loop for dispatchMain() is pinged",
        arguments: hasGLib ? ["glib", "cfrunloop"] : ["cfrunloop"])
    func leftForDispatchMain(_ mode: String) async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startLoop([mode, "then-main"])
        #expect(LoopWords(try await app.nextLine())["first"] == mode)
        let connection = try await daemon.accept()
        let messages = try await connection.messages { $0.contains { $0.storeState?.mainLoop == .ping } }
        #expect(messages?.contains { $0.storeState?.mainLoop == .ping } == true)
        #expect(try await app.nextLine() == "ready")
        let state = LoopWords(try await app.ask("state"))
        #expect(state["kind"] == "ping" && state["turn"] == "0", "\(state)")
        app.kill(SIGKILL)
    }

    @Test("who leaves GLib's loop for CFRunLoop's is on that, and not pinged", .enabled(if: hasGLib, "needs GLib"))
    func leftForRunLoop() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startLoop(["glib", "then-runloop"])
        #expect(LoopWords(try await app.nextLine())["first"] == "glib")
        #expect(try await app.nextLine() == "ready")
        let connection = try await daemon.accept()
        let messages = try await connection.messages { $0.contains { $0.storeState?.mainLoop == .cfrunloop } }
        #expect(messages?.contains { $0.storeState?.mainLoop == .cfrunloop } == true)
        try await expectRest(of: app)
        #expect(LoopWords(try await app.ask("state"))["kind"] == "cfrunloop")
        app.kill(SIGKILL)
    }

    @Test("a loop that was left and run again many times is not woken once it is idle, with a daemon connected")
    func idleAfterManyRuns() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startLoop(["cfrunloop", "in-and-out"])
        let connection = try await daemon.accept()
        _ = try await connection.messages { $0.contains { $0.storeState?.mainLoop == .cfrunloop } }
        #expect(try await app.nextLine() == "ready")
        try await expectRest(of: app)
        #expect(LoopWords(try await app.ask("state"))["kind"] == "cfrunloop")
        app.kill(SIGKILL)
    }

    @Test("a turn that took long and then waits in a loop of the other kind wakes nobody", .enabled(if: hasGLib))
    func idleInside() async throws {
        let directory = try TemporaryDirectory()
        let app = try directory.startLoop(["glib", "inner-idle"])
        #expect(try await app.nextLine() == "ready")
        try await expectRest(of: app)
        app.kill(SIGKILL)
    }

    /// Waits until no thread of the process, the host's included, waits for a time, and no timer of the library's is set.
    private func expectRest(of app: ChildProcess) async throws {
        let pid = app.processID
        try await eventually("rest", seen: { try ThreadRest.waits(of: pid) }) {
            try await LoopWords(app.ask("state"))["timers"] == "0" && ThreadRest(of: pid) != nil ? () : nil
        }
    }
}
