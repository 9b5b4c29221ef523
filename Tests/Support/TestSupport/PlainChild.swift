// SPDX-License-Identifier: MIT
// A process with its input at a pipe and its output in a file.

import Foundation
import Glibc

/// A child with its output in a file, so that nothing blocks on a full pipe.
package final class PlainChild {
    package var pid: Int32 { child.pid }
    private let child: StartedChild
    private let input: FileHandle
    private let file: String

    /// Starts a program with its output in a file of its own.
    package convenience init(_ path: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        try self.init(
            [path] + arguments, environment: environment, output: TestFile.makeDirectory() + "/output")
    }

    /// Starts a program; the environment is `environment` and PATH.
    ///
    /// - Parameters:
    ///   - command: The program's path, and its arguments.
    ///   - file: What it writes goes there.
    package init(_ command: [String], environment: [String: String], output file: String) throws {
        self.file = file
        let pipe = try ChildPipe()
        child = try StartedChild(
            command, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"].merging(environment) { $1 },
            [
                .copy(of: pipe.reading.fileDescriptor), .file(file, flags: O_WRONLY | O_CREAT | O_APPEND),
                .copy(of: 1),
            ],
            in: .ours)
        input = pipe.writing
        try? pipe.reading.close()
    }

    deinit { child.send(SIGKILL) }

    /// What it wrote so far.
    package var output: String { (try? TestFile.text(file)) ?? "" }

    package func send(_ signal: Int32) { child.send(signal) }

    /// Writes a line to its input; one that has ended takes none.
    package func send(_ line: String) { try? input.write(contentsOf: Data((line + "\n").utf8)) }

    package func closeInput() { try? input.close() }

    /// Waits until it wrote a text; throws if it ends without.
    package func waitFor(_ text: String) async throws {
        let news = News(of: file)
        try await eventually(
            "\"\(text)\" of process \(pid)", seen: { output }, pause: { try await news.next(or: child.end) }
        ) {
            let isOver = looksEnded
            if output.contains(text) { return () }
            guard !isOver else { throw ChildProcess.Failure("process \(pid) ended without \"\(text)\": \(output)") }
            return nil
        }
    }

    /// Waits for its end. One that does not end in time is killed: then it is not its end that is tested.
    package func waitForEnd(within seconds: Double = WaitLimit.seconds) async throws {
        let child = child
        try await offThePool {
            guard child.wait(within: seconds) == nil else { return }
            child.send(SIGKILL)
            child.wait()
        }
    }

    /// Whether it has ended by now.
    package var looksEnded: Bool { child.exit != nil }

    /// Waits for its end; returns the exit status, or minus the signal.
    package func wait() async throws -> Int32 {
        let child = child
        switch try await offThePool({ child.wait(within: WaitLimit.seconds) }) {
        case .status(let status)?: return status
        case .signal(let signal)?: return -signal
        case nil: throw NeverHappened(description: "the end of process \(pid) did not come; it said: \(output)")
        }
    }
}
