// SPDX-License-Identifier: MIT
// A process with its input at a pipe and its output in a file.

import Foundation
import Glibc

/// A child with its output in a file, so that nothing blocks on a full pipe.
///
/// Not by `Foundation.Process`, which takes a child that closes its descriptors for one that has ended, and then notices the end of no
/// other one; beside, it takes descriptors and threads for each child.
package final class PlainChild {
    package let pid: Int32
    private let input: FileHandle
    private let file: String
    /// The status that `waitpid` gave; nil while it has not ended.
    private var ending: Int32?
    package var hasEnded: Bool { ending != nil }

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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe.reading.fileDescriptor, 0)
        posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        try InheritedDescriptors.closeAll(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the cooperative pool block signals, and children inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let path = "/usr/sbin:/usr/bin:/sbin:/bin"
        let variables = environment.merging(["PATH": path]) { own, _ in own }.map { "\($0.key)=\($0.value)" }
        let words = command.map { strdup($0) } + [nil]
        let texts = variables.map { strdup($0) } + [nil]
        defer { for text in words + texts { free(text) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, command[0], &actions, &attributes, words, texts)
        guard status == 0 else { throw ChildProcess.Failure("\(command[0]): \(String(cString: strerror(status)))") }
        pid = child
        input = pipe.writing
        try? pipe.reading.close()
    }

    deinit {
        guard !hasEnded else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    /// What it wrote so far.
    package var output: String { (try? TestFile.text(file)) ?? "" }

    package func send(_ signal: Int32) { if !hasEnded { kill(pid, signal) } }

    /// Writes a line to its input; one that has ended takes none.
    package func send(_ line: String) { try? input.write(contentsOf: Data((line + "\n").utf8)) }

    package func closeInput() { try? input.close() }

    /// Waits until it wrote a text; throws if it ends without.
    package func waitFor(_ text: String) async throws {
        try await eventually("\"\(text)\" of process \(pid)", seen: { output }) {
            let isOver = looksEnded
            if output.contains(text) { return () }
            guard !isOver else { throw ChildProcess.Failure("process \(pid) ended without \"\(text)\": \(output)") }
            return nil
        }
    }

    /// Waits for its end. One that does not end in time is killed: then it is not its end that is tested.
    package func waitForEnd(within seconds: Double = WaitLimit.seconds) async throws {
        let limit = ContinuousClock.now + .seconds(seconds)
        while !looksEnded {
            if ContinuousClock.now > limit { send(SIGKILL) }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Whether it has ended by now.
    package var looksEnded: Bool {
        var status: Int32 = 0
        if !hasEnded, waitpid(pid, &status, WNOHANG) == pid { ending = status }
        return hasEnded
    }

    /// Waits for its end; returns the exit status, or minus the signal.
    package func wait() async throws -> Int32 {
        let status = try await eventually("the end of process \(pid)", seen: { "it said: \(output)" }) {
            looksEnded ? ending : nil
        }
        // As WIFSIGNALED and WEXITSTATUS do, which Swift does not have.
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : -signal
    }
}
