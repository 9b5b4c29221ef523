// SPDX-License-Identifier: MIT
// Stacks of a real process's thread in hangs of every kind, and what taking them does to it.

import CRerender
import Foundation
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import Rerender

@Suite("Stacks of hangs")
struct HangStackTests {
    @Test(
        "a thread that runs or waits is found in the function, file and line that it is in", .promise,
        arguments: [
            ("spin", "expensiveBody()", "// spins here", "over, 0 allocated, 0 handled"),
            ("thread", "expensiveBody()", "// spins here", "over, 0 allocated, 0 handled"),
            ("read", "blockedRead()", "// reads here", "read 1 0"),
            ("lock", "waitForLock()", "// waits here", "locked 7"),
        ])
    func found(kind: String, function: String, mark: String, result: String) async throws {
        let app = try await hanging(kind)
        let off = try await app.ask("off")
        let on = try await app.ask("on")
        #expect(try signals(on).subtracting(signals(off)).count == 1, "one signal is taken")
        let place = "\(function) measured/Hangs.swift:\(try line(of: mark))"
        // It says that it is ready before it is there.
        try await eventually("the place") { try await frames(of: app).contains(place) ? () : nil }
        for _ in 0..<20 {
            // None comes where a busy machine does not run the thread in the time that it has.
            let frames = try await eventually("a stack") { () -> [String]? in
                let found = try await self.frames(of: app)
                return found.isEmpty ? nil : found
            }
            #expect(frames.contains(place), "\(frames)")
            #expect(frames.contains { $0.hasPrefix("start(_:) measured/Hangs.swift") }, "\(frames)")
        }
        #expect(try await app.ask("off") == off, "and given back")
        // One that waits is only looked at.
        let isBlocked = ["read", "lock"].contains(kind)
        let left = try await self.frames(of: app)
        #expect(left.contains(place) == isBlocked && left.isEmpty != isBlocked, "while it is off: \(left)")
        #expect(try await app.ask("go") == result, "a read that was interrupted goes on")
    }

    @Test(
        "a call that a signal would end early takes its time, and its function is named in the stacks",
        arguments: [
            "usleep", "nanosleep", "poll", "select", "pselect", "pipe", "recv", "mutex", "condition", "timedwait",
            "semaphore", "waitpid", "fsync", "spin600",
        ])
    func undisturbed(kind: String) async throws {
        let app = try await hanging(kind)
        _ = try await app.ask("on")
        // The first names take long: they are read from the file.
        try await eventually("a stack") { try await frames(of: app).isEmpty ? nil : () }
        let counts = try await app.ask("watch").split(separator: " ")
        let result = try await app.nextLine().split(separator: " ")
        #expect(result.count == 4 && result[0] == kind && result[1] == "0", "\(result)")
        let milliseconds = try #require(Int(result[3]))
        #expect(milliseconds >= 599, "\(result)")
        let (samples, named) = (try #require(Int(counts[0])), try #require(Int(counts[2])))
        // One that runs is interrupted at ticks of the kernel: few on a busy machine.
        #expect(samples >= (kind == "spin600" ? 0 : 3) && named * 2 >= samples, "\(counts)")
        #expect(await app.waitForExit() == .status(0))
    }

    @Test("a thread that runs and waits in turn is never woken early, however often it is looked at")
    func neverInterrupted() async throws {
        let app = try await hanging("mixed")
        _ = try await app.ask("on")
        var (samples, stacks) = (0, 0)
        try await eventually("enough stacks", pause: {}) {
            samples += 1
            if !(try await app.ask("sample")).isEmpty { stacks += 1 }
            return samples >= 300 && stacks > 50 ? () : nil
        }
        let words = try await app.ask("go").split { " ,".contains($0) }
        #expect(words.count == 6 && Int(words[0]).map { $0 > 100 } == true, "\(words)")
        #expect(words.count == 6 && words[2] == "0" && words[4] == "0", "\(words)")
    }

    @Test("a deep stack is cut where the limit is, at its outer end")
    func deep() async throws {
        let app = try await hanging("deep")
        _ = try await app.ask("on")
        // It says that it is ready before it is as deep as that.
        let frames = try await eventually("the whole depth") { () -> [String]? in
            let found = try await self.frames(of: app)
            return found.count >= WireLimits.framesPerStack ? found : nil
        }
        #expect(frames.count == WireLimits.framesPerStack)
        #expect(frames.contains("expensiveBody() measured/Hangs.swift:\(try line(of: "// spins here"))"))
        #expect(frames.last?.hasPrefix("deepBody(_:)") == true)
    }

    @Test("the stack of a thread that waits is there without being asked for, and no signal is taken for it", .promise)
    func unasked() async throws {
        let app = try await hanging("read")
        let before = try signals(of: app)
        let place = "blockedRead() measured/Hangs.swift:\(try line(of: "// reads here"))"
        let frames = try await eventually("the place") { () -> [String]? in
            let frames = try await self.frames(of: app)
            return frames.contains(place) ? frames : nil
        }
        #expect(!frames.contains { $0.contains("librerender") || $0.contains("Rerender/") }, "\(frames)")
        #expect(try signals(of: app) == before)
        #expect(try await app.ask("go") == "read 1 0")
    }

    @Test("a thread that blocks all signals is not waited for, and none waits for it")
    func masked() async throws {
        let app = try await hanging("masked")
        let off = try await app.ask("off")
        #expect(try await app.ask("on") == off, "whether the signal is free cannot be told")
        #expect(try await app.ask("sample") == "")
        #expect(try await app.ask("go") == "over, 0 allocated, 0 handled")
        #expect(await app.finish().standardOutput == "", "no signal waits")
    }

    @Test("a handler that the app puts in the place of ours gets no signal of ours, and stays")
    func replaced() async throws {
        let app = try await hanging("replaced")
        let on = try await app.ask("on")
        #expect(try await app.ask("sample") == "")
        #expect(try await app.ask("off") == on)
        #expect(try await app.ask("go") == "over, 0 allocated, 0 handled")
    }

    @Test("a signal that is still on its way when the program goes over to another ends neither")
    func execution() async throws {
        let app = try await hanging("exec")
        _ = try await app.ask("on")
        #expect(try await app.ask("go") == "pending, and alive")
        #expect(await app.waitForExit() == .status(0))
    }

    @Test("a stack with a page that cannot be read is not followed, and the app lives")
    func hole() async throws {
        let app = try await hanging("hole")
        _ = try await app.ask("on")
        let frames = try await frames(of: app)
        #expect(!frames.isEmpty && !frames.contains { $0.hasPrefix("start(_:)") }, "\(frames)")
        #expect(try await app.ask("go") == "over, 0 allocated, 0 handled")
    }

    #if arch(x86_64)

        @Test("a stack ends at code without unwind tables, whatever its frame pointer leads to")
        func withoutTables() async throws {
            let app = try await hanging("tables")
            _ = try await app.ask("on")
            // It says that it is ready before it is there.
            let frames = try await eventually("the code") { () -> [String]? in
                let frames = try await self.frames(of: app)
                return frames.first == "unknown" ? frames : nil
            }
            #expect(frames == ["unknown"])
            app.kill(SIGKILL)
        }

    #endif

    @Test("a store that wants stacks takes a signal, and gives it back when none wants them", .promise)
    func onlyWhileOn() async throws {
        try await withApp { app, daemon in
            let connection = try await daemon.accept()
            let off = try signals(of: app)
            connection.send(.configure(request: 1, storeID: nil, .init(hangStacks: true)))
            let told = try #require(try await connection.messages { $0.contains(.done(.init(request: 1, reached: 3))) })
            #expect(told.compactMap(\.storeState).contains { $0.hangStacks })
            _ = try await eventually("a handler") { try signals(of: app).subtracting(off).count == 1 ? true : nil }
            #expect(try await app.ask("fork 10") == "exited")
            connection.send(.configure(request: 2, storeID: 0, .init(hangStacks: false)))
            _ = try await connection.messages { $0.contains(.done(.init(request: 2, reached: 1))) }
            #expect(try signals(of: app).subtracting(off).count == 1, "two stores still want them")
            connection.send(.configure(request: 3, storeID: nil, .init(hangStacks: false)))
            _ = try await eventually("no handler") { try signals(of: app) == off ? true : nil }
        }
    }

    @Test("the environment switches stacks on")
    func environment() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startApp(["RERENDER_HANG_STACKS": "1"])
        let messages = try await daemon.accept().messages { $0.contains { $0.storeState?.hangStacks == true } }
        #expect(messages?.contains { $0.storeState?.hangStacks == true } == true)
        _ = try await eventually("a handler") { try signals(of: app).contains(Int(SIGURG)) ? true : nil }
        app.kill(SIGKILL)
    }

    @Test(
        "a daemon gets the stack of the turn that it asks for, and of no other",
        .enabled(if: ProcessRuntime.shared.mainLoop.record != nil, "the main loop's record is not there"))
    func throughTheSocket() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startHanging("loop", ["RERENDER_HANG_STACKS": "1"])
        #expect(try await app.nextLine() == "ready")
        let connection = try await daemon.accept()
        // One of these is the turn that hangs; a loop has few before it.
        let all = (UInt64(1)...20).map { DaemonMessage.sampleStack(hang: 7, turn: $0) }
        let place = "expensiveBody() measured/Hangs.swift:\(try line(of: "// spins here"))"
        // It says that it is ready before it is there.
        let sample = try await eventually("the place") {
            try await samples(of: 7, from: connection, asking: all).first { $0.frames.contains(place) }
        }
        #expect(sample.hang == 7 && sample.atNanoseconds > 0)
        let more = try await samples(
            of: 8, from: connection,
            asking: [.sampleStack(hang: 9, turn: sample.turn + 1), .sampleStack(hang: 8, turn: sample.turn)])
        #expect(more.contains { $0.hang == 8 })
        #expect(more.allSatisfy { [7, 8].contains($0.hang) && $0.turn == sample.turn })
        try app.send("go")
        #expect(await app.waitForExit() == .status(0))
    }

    // MARK: -

    /// What an app sends of a hang. Asked again and again: on a busy machine its thread may not come to its handler in time,
    /// and then there is no answer. Each time a command tells when all was dealt with.
    private func samples(
        of hang: UInt64, from connection: FakeDaemon.Connection, asking requests: [DaemonMessage]
    ) async throws -> [StackSample] {
        var samples: [StackSample] = []
        for round in UInt32(1)...50 where !samples.contains(where: { $0.hang == hang }) {
            for request in requests { connection.send(request) }
            connection.send(.pulse(request: round, storeID: nil, key: ""))
            let messages = try #require(
                try await connection.messages {
                    $0.contains { if case .done(let result) = $0 { result.request == round } else { false } }
                })
            samples += messages.compactMap(\.stackSample).filter { !$0.frames.isEmpty }
        }
        return samples
    }

    private func hanging(_ kind: String) async throws -> ChildProcess {
        let app = try ChildProcess([ChildProcess.product("measured"), "hang", kind])
        #expect(try await app.nextLine() == "ready")
        return app
    }

    /// What a sample answers.
    private func frames(of app: ChildProcess) async throws -> [String] {
        let line = try await app.ask("sample")
        return line.isEmpty ? [] : line.components(separatedBy: " | ")
    }

    /// The line of the hanging program's source with these words.
    private func line(of mark: String) throws -> Int {
        let source = Checkout.url("Tests/Processes/measured/Hanging/Hangs.swift")
        let lines = try String(contentsOf: source, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        return try #require(lines.firstIndex { $0.hasSuffix(mark) }) + 1
    }

    private func signals(_ mask: String) throws -> Set<Int> {
        let bits = try #require(UInt64(mask, radix: 16))
        return Set((1...64).filter { bits >> UInt64($0 - 1) & 1 == 1 })
    }

    /// The signals that a process has handlers for.
    private func signals(of app: ChildProcess) throws -> Set<Int> {
        let status = try String(contentsOfFile: "/proc/\(app.processID)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") })
        return try signals(line.dropFirst(7).trimmingCharacters(in: .whitespaces))
    }
}

extension AppMessage {
    fileprivate var stackSample: StackSample? { if case .stack(let sample) = self { sample } else { nil } }
}

extension TemporaryDirectory {
    fileprivate func startHanging(_ kind: String, _ environment: [String: String]) throws -> ChildProcess {
        var all = ProcessInfo.processInfo.environment
        all["RERENDER_RUNTIME_DIR"] = url.path
        all.merge(environment) { $1 }
        return try ChildProcess([ChildProcess.product("measured"), "hang", kind], environment: all)
    }
}
