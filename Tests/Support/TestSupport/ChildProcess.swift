// SPDX-License-Identifier: MIT
// A real process under test: started, talked to by lines, awaited; killed when it does not end.

import Foundation
import Synchronization

/// A child process whose output arrives as lines. Every wait ends at the latest when the child is killed.
package final class ChildProcess: Sendable {
    /// How it ended.
    package enum Exit: Sendable, Equatable {
        case status(Int32)
        case signal(Int32)
    }

    /// What a process that was run to its end left behind.
    package struct Output: Sendable {
        package let exit: Exit
        package let standardOutput: String
        package let standardError: String

        package var succeeded: Bool { exit == .status(0) }
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    package let processID: Int32
    private let name: String
    private let child: StartedChild
    private let input: FileHandle
    private let lines: LineStream
    private let errors: LineStream
    private let guardian: Guardian

    /// Starts `command`, found by its path. It is killed where it has not ended after `seconds`, so that no wait lasts for ever.
    package init(_ command: [String], environment: [String: String]? = nil, seconds: Double = 2 * WaitLimit.seconds)
        throws
    {
        let (input, output, error) = try (ChildPipe(), ChildPipe(), ChildPipe())
        let ends = [input.reading, output.writing, error.writing]
        // Tests leave nothing in the home of who runs them.
        child = try StartedChild(
            command,
            environment: ["RERENDER_HISTORY": "0"].merging(environment ?? ProcessInfo.processInfo.environment) { $1 },
            ends.map { .copy(of: $0.fileDescriptor) })
        for end in ends { try? end.close() }
        name = command.joined(separator: " ")
        processID = child.pid
        self.input = input.writing
        lines = LineStream(output.reading)
        errors = LineStream(error.reading)
        guardian = Guardian(child, seconds: seconds)
    }

    /// A test that failed half-way leaves no process behind.
    deinit { child.send(SIGKILL) }

    /// Writes a line to its standard input.
    package func send(_ line: String) throws {
        do {
            try input.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            throw Failure("\(name) takes no input any more: \(error)")
        }
    }

    /// The next line of its standard output.
    package func nextLine() async throws -> String {
        if let line = await lines.next() { return line }
        let end = await waitForExit()
        throw Failure(
            "\(name) ended (\(end)\(guardian.reason ?? "")) instead of answering; it said: \(await errors.rest())")
    }

    /// Waits for a line of its standard error that has a text; what came before it is gone.
    package func waitForError(_ text: String) async throws {
        while let line = await errors.next() { if line.contains(text) { return } }
        throw Failure("\(name) ended without \"\(text)\"")
    }

    /// Sends a line and returns the line that answers it.
    @discardableResult
    package func ask(_ line: String) async throws -> String {
        try send(line)
        return try await nextLine()
    }

    package func closeInput() { try? input.close() }

    package func kill(_ signal: Int32) { child.send(signal) }

    /// Waits for the end.
    @discardableResult
    package func waitForExit() async -> Exit {
        let child = child
        return (try? await offThePool { child.wait() }) ?? .signal(SIGKILL)
    }

    /// Closes the input and collects what the process still says.
    package func finish() async -> Output {
        closeInput()
        async let output = lines.rest()
        async let error = errors.rest()
        let exit = await waitForExit()
        let reason = guardian.reason.map { "\nkilled by the test\($0)" } ?? ""
        return Output(exit: exit, standardOutput: await output, standardError: await error + reason)
    }

    /// Runs a command to its end.
    package static func run(
        _ command: [String], environment: [String: String]? = nil, seconds: Double = 2 * WaitLimit.seconds
    ) async throws -> Output {
        try await ChildProcess(command, environment: environment, seconds: seconds).finish()
    }

    /// Copies a program to a place where every user may run it.
    ///
    /// By a process of its own: were the copy written here, a child that another thread starts at that moment would hold
    /// it open for writing until its own `exec`, and running the copy would fail with "Text file busy".
    package static func copyProgram(_ program: String, to place: String) async throws {
        let output = try await run(["/bin/cp", "--", program, place])
        guard output.succeeded, chmod(place, 0o755) == 0 else {
            throw Failure("cannot copy \(program): \(output.standardError)")
        }
    }

    /// Makes a script that can be run, in the place of what was there. By a process of its own, as ``copyProgram(_:to:)`` does.
    package static func makeScript(_ text: String, at place: String) async throws {
        let draft = place + ".draft"
        try text.write(toFile: draft, atomically: false, encoding: .utf8)
        try await copyProgram(draft, to: place)
        try FileManager.default.removeItem(atPath: draft)
    }

    /// The absolute path of a command, nil if it is not installed.
    package static func path(of command: String) -> String? {
        let places = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (path + places).map { "\($0)/\(command)" }.first { access($0, X_OK) == 0 }
    }

    /// The same; throws if it is not installed.
    package static func installed(_ command: String) throws -> String {
        guard let path = path(of: command) else { throw Failure("\(command) is not installed") }
        return path
    }

    /// A product of this package, which lies beside the running tests.
    package static func product(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }
}

/// Waits for the end of a process, and kills one that does not end.
private final class Guardian: Sendable {
    private let isOver = Mutex(false)
    private let seconds: Double

    /// Why it was killed, nil if it was not.
    var reason: String? { isOver.withLock { $0 } ? ": it had not ended after \(seconds) s" : nil }

    init(_ child: StartedChild, seconds: Double) {
        self.seconds = seconds
        Thread.detachNewThread { [self] in
            guard child.wait(within: seconds) == nil else { return }
            isOver.withLock { $0 = true }
            child.send(SIGKILL)
            child.wait()
        }
    }
}

/// The lines of a pipe, read on a thread of its own (a blocking read has no place in the cooperative pool).
private final class LineStream: Sendable {
    private let stream: AsyncStream<String>

    init(_ file: FileHandle) {
        let (stream, feed) = AsyncStream<String>.makeStream()
        self.stream = stream
        Thread.detachNewThread {
            var pending: [UInt8] = []
            ChildPipe.read(file.fileDescriptor) { piece in
                pending += piece
                let parts = pending.split(separator: 10, omittingEmptySubsequences: false)
                for line in parts.dropLast() { feed.yield(String(decoding: line, as: UTF8.self)) }
                pending = Array(parts.last ?? [])
            }
            if !pending.isEmpty { feed.yield(String(decoding: pending, as: UTF8.self)) }
            feed.finish()
        }
    }

    func next() async -> String? {
        for await line in stream { return line }
        return nil
    }

    func rest() async -> String {
        var text = ""
        for await line in stream { text += line + "\n" }
        return text
    }
}
