// SPDX-License-Identifier: MIT
// Limits of memory, threads, stacks and signals: where a host lives without the library, it lives with it.

import Foundation
import RerenderWire
import TestSupport
import TestTraits
import Testing

private let setpriv = ChildProcess.path(of: "setpriv")

@Suite("The host's limits", .enabled(if: hasPrlimit, "needs prlimit"))
struct HostLimitTests {
    private static let orders = ["here 100", "cascade 20", "write 20"]

    /// How a counting process ended, and how much it says that it counted itself.
    private struct Outcome: Equatable {
        var exit: ChildProcess.Exit
        var sum: UInt64

        static func alive(_ sum: UInt64) -> Outcome { Outcome(exit: .status(0), sum: sum) }
    }

    /// Runs a counting process to its end, under limits that `prlimit` takes.
    ///
    /// - Parameter first: What it does before its first store.
    private func outcome(
        _ limits: [String], first: [String] = [], _ orders: [String] = orders, isOn: Bool = true,
        _ changes: [String: String] = [:], user: [String] = [], program: String = ChildProcess.product("counting")
    ) async throws -> Outcome {
        let directory = try TemporaryDirectory()
        if !user.isEmpty { chown(directory.url.path, 65_534, 65_534) }
        // The host is to die at once, and not to look at itself first.
        let environment = ["RERENDER": isOn ? "1" : "0", "SWIFT_BACKTRACE": "enable=no"]
            .merging(try LTTngSocket.alone(in: directory.path)) { $1 }.merging(changes) { $1 }
        let app = try directory.startApp(
            environment, under: prlimit() + limits + user, program: program, arguments: first)
        for order in orders + ["counts", "exit"] { try? app.send(order) }
        let output = await app.finish()
        let lines = output.standardOutput.split(separator: "\n")
        #expect(!lines.contains("refused"), "\(first)")
        let counts = lines.last { $0.contains("=") } ?? ""
        return Outcome(exit: output.exit, sum: Truth(String(counts)).sum)
    }

    /// The least of these limits under which the host lives without the library.
    private func least(_ limits: some Sequence<Int>, _ option: (Int) -> String) async throws -> Int {
        for limit in limits where try await outcome([option(limit)], isOn: false).exit == .status(0) { return limit }
        throw ChildProcess.Failure("the host lives under none of the limits")
    }

    // MARK: Memory

    @Test("on address space: under each limit under which it lives without the library, and 4 MiB, it lives with it")
    func addressSpace() async throws {
        func option(_ mebibytes: Int) -> String { "--as=\(mebibytes << 20)" }
        let least = try await least(stride(from: 48, to: 256, by: 4), option)
        let limits = Array(stride(from: least + 4, to: least + 64, by: 4)) + Array(stride(from: 192, to: 1_408, by: 64))
        for limit in limits {
            #expect(try await outcome([option(limit)]) == .alive(100), "\(limit) MiB, and \(least) without the library")
        }
    }

    @Test("on data: under each limit under which it lives without the library, and 1 MiB, it lives with it")
    func data() async throws {
        func option(_ mebibytes: Int) -> String { "--data=\(mebibytes << 20)" }
        let least = try await least(1..<64, option)
        for limit in Array(least + 1..<least + 16) + Array(stride(from: 24, to: 128, by: 8)) {
            #expect(try await outcome([option(limit)]) == .alive(100), "\(limit) MiB, and \(least) without the library")
        }
    }

    @Test("on address space: several threads that evaluate take no more than the C library's malloc reserves for each")
    func addressSpaceOfThreads() async throws {
        for limit in stride(from: 896, through: 1_536, by: 128) {
            let outcome = try await outcome(["--as=\(limit << 20)"], ["run 100", "stores 3", "cascade 20"])
            #expect(outcome == .alive(100), "\(limit) MiB")
        }
    }

    @Test(
        "set when the library's threads work: 4 MiB more than is used then are enough for it",
        arguments: ["as", "data"])
    func setLater(kind: String) async throws {
        for kibibytes in [4_096, 6_144, 8_192, 12_288, 16_384, 32_768, 65_536, 131_072, 262_144] {
            let directory = try TemporaryDirectory()
            // Without LTTng, which may be loading at that moment.
            try Data("none".utf8).write(to: directory.url.appending(path: "liblttng-ust.so.1"))
            let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
            let app = try directory.startApp(["LD_LIBRARY_PATH": directory.url.path, "SWIFT_BACKTRACE": "enable=no"])
            #expect(try await app.nextLine() == "ready")
            #expect(try await app.ask("here 100") == "done")
            let connection = try await daemon.accept()
            // Each of the library's threads that allocates has done so.
            #expect(try await connection.messages { LatestTotals($0).sum == 100 } != nil)
            for order in ["limit \(kind) \(kibibytes)", "here 100", "cascade 20", "write 20", "counts", "exit"] {
                try? app.send(order)
            }
            let output = await app.finish()
            #expect(output.exit == .status(0), "\(kibibytes) KiB")
            let counts = output.standardOutput.split(separator: "\n").last { $0.contains("=") } ?? ""
            #expect(Truth(String(counts)).sum == 200, "\(kibibytes) KiB")
        }
    }

    @Test("on memory: one that its own threads could not live with is told no counts, and gets no thread of theirs")
    func noThreads() async throws {
        let directory = try TemporaryDirectory()
        for limit in ["--as=\(512 << 20)", "--data=\(48 << 20)"] {
            let app = try directory.startApp(under: prlimit(limit))
            #expect(try await app.nextLine() == "ready")
            #expect(try await app.ask("here 100") == "done")
            try await eventually("one thread", seen: { try threadNames(of: app.processID) }) {
                try threadNames(of: app.processID).count == 1 ? () : nil
            }
            #expect(HeldPage.paths(of: app.processID).isEmpty)
            #expect(Truth(try await app.ask("counts")).sum == 100)
            #expect(await app.finish().exit == .status(0))
        }
    }

    // MARK: Threads and signals

    @Test(
        "on processes: it gets all of its threads, and LTTng all of its own or none",
        .enabled(
            if: getuid() == 0 && setpriv != nil, "the limit binds another user only, which takes root and setpriv"))
    func threads() async throws {
        // One after the other: the limit is of all processes of a user, and this one has no others.
        var found: [Int] = []
        for count in 1...12 { found.append(try await threads(count, of: 65_531)) }
        let fewest = found.firstIndex { $0 > 0 } ?? found.count
        #expect(found == found.indices.map { $0 < fewest ? 0 : 2 }, "from the first limit on that has room for both")
    }

    /// How many threads LTTng has in a process under that limit.
    private func threads(_ count: Int, of user: uid_t) async throws -> Int {
        let (directory, files) = (try TemporaryDirectory(), try TemporaryDirectory())
        let program = files.url.path + "/counting"
        try await ChildProcess.copyProgram(ChildProcess.product("counting"), to: program)
        chmod(files.url.path, 0o755)
        chown(directory.url.path, user, user)
        let change = try [#require(setpriv), "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
        let environment = try LTTngSocket.alone(in: directory.path).merging(["HOME": directory.path]) { $1 }
        let app = try directory.startApp(
            environment, under: change + prlimit("--nproc=\(count)"), program: program)
        #expect(try await app.nextLine() == "ready")
        // Before the host's own threads, which may take what LTTng's need. The thread that loads LTTng has the program's
        // name, as the first thread has.
        let names = try await eventually("the end of loading", seen: { try threadNames(of: app.processID) }) {
            let names = try threadNames(of: app.processID)
            return names.filter { $0 == "counting" }.count == 1 ? names : nil
        }
        for order in ["run 100", "stores 3", "cascade 20"] { #expect(try await app.ask(order) == "done") }
        #expect(Truth(try await app.ask("counts")).sum == 100)
        #expect(await app.finish().exit == .status(0), "\(count)")
        return names.count { $0.hasSuffix("-ust") }
    }

    @Test("on pending signals: without a timer all counts are right, and arrive", .promise)
    func signals() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startApp(under: prlimit("--sigpending=0"))
        #expect(try await app.nextLine() == "ready")
        let connection = try await daemon.accept()
        #expect(try await app.ask("run 100") == "done")
        #expect(try await connection.messages { LatestTotals($0).sum == 100 } != nil)
        // The thread of the timer ends, because the kernel refuses it; the first thread alone has the program's name, and so each
        // of the others has its own.
        let names = try await eventually("the thread of no timer to end", seen: { try threadNames(of: app.processID) })
        {
            let names = try threadNames(of: app.processID)
            return names.filter { $0 == "counting" }.count == 1 && !names.contains("rerender-alarm") ? names : nil
        }
        #expect(names.contains("rerender-watch") && names.contains("rerender-uplink"), "\(names)")
        #expect(await app.finish().exit == .status(0))
    }

    @Test(
        "on locked memory: it lives with what the limit leaves, where all that it maps is locked",
        .enabled(if: getuid() == 0 && setpriv != nil, "the limit binds another user only, which takes root and setpriv")
    )
    func lockedMemory() async throws {
        let files = try TemporaryDirectory()
        let program = files.url.path + "/counting"
        try await ChildProcess.copyProgram(ChildProcess.product("counting"), to: program)
        chmod(files.url.path, 0o755)
        let user = try [#require(setpriv), "--reuid=65534", "--regid=65534", "--clear-groups"]
        for mebibytes in [4, 6, 8] {
            let limits = ["--memlock=\(mebibytes << 20)"]
            for isOn in [false, true] {
                let outcome = try await outcome(limits, first: ["lock"], isOn: isOn, user: user, program: program)
                #expect(outcome == .alive(100), "\(mebibytes) MiB, \(isOn)")
            }
        }
    }

    // MARK: Stacks

    @Test("on the first thread's stack: 32 KiB more than without the library are enough")
    func firstStack() async throws {
        func option(_ kibibytes: Int) -> String { "--stack=\(kibibytes << 10)" }
        // What the environment takes of the stack is the same for all.
        let least = try await least(stride(from: 32, to: 256, by: 4), option)
        for limit in stride(from: least + 32, through: least + 96, by: 8) {
            #expect(try await outcome([option(limit)]) == .alive(100), "\(limit) KiB, and \(least) without the library")
        }
    }

    @Test("a thread of the host's with a small stack needs at most 32 KiB more for what it evaluates")
    func smallStack() async throws {
        var least = 16
        while try await outcome([], ["small \(least)"], isOn: false).exit != .status(0) {
            least += 4
            try #require(least < 256, "the host lives with none of the stacks")
        }
        for kibibytes in stride(from: least + 32, through: least + 96, by: 8) {
            let outcome = try await outcome([], ["small \(kibibytes)"])
            #expect(outcome == .alive(100), "\(kibibytes) KiB, and \(least) without the library")
        }
    }

    @Test("threads of the library have the stack that they need, whatever the host's others begin with", .promise)
    func defaultStack() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startApp(LTTngSocket.alone(in: directory.path), arguments: ["stacks 16"])
        #expect(try await app.nextLine() == "set")
        #expect(try await app.nextLine() == "ready")
        let connection = try await daemon.accept()
        for order in ["here 100", "cascade 20", "hostile"] { #expect(try await app.ask(order) == "done") }
        #expect(UInt(try await app.ask("write 20")) != nil)
        // 104 bodies; 20 times 2 times 3, and 3 before; 20 times 2, and 2 before.
        #expect(try await connection.messages { LatestTotals($0).sum == 104 + 123 + 42 } != nil)
        #expect(try !hasLTTng(app))
        #expect(await app.finish().exit == .status(0))
    }

    @Test("LTTng is loaded where threads begin with stacks of 128 KiB")
    func leastStack() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startApp(LTTngSocket.alone(in: directory.path), arguments: ["stacks 128"])
        #expect(try await app.nextLine() == "set")
        #expect(try await app.nextLine() == "ready")
        _ = try await daemon.accept()
        #expect(try await app.ask("here 100") == "done")
        try await eventually("LTTng") { try hasLTTng(app) ? () : nil }
        #expect(await app.finish().exit == .status(0))
    }

    private func hasLTTng(_ app: ChildProcess) throws -> Bool {
        try TestFile.text("/proc/\(app.processID)/maps").contains("/liblttng-ust.so")
    }

    private func threadNames(of process: Int32) throws -> [String] {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap {
            // A thread may end meanwhile.
            try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
        }
    }
}
