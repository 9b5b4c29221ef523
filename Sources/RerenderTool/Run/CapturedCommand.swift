// SPDX-License-Identifier: MIT
// A short command whose output we read.

import Glibc
import NIOPosix

/// Runs small programs of the system.
enum CapturedCommand {
    /// How long a program may take.
    static let limit = Duration.seconds(5)
    /// The most that is read of its output.
    static let longest = 1 << 20

    /// The program's standard output; nil where it cannot be run, does not end in time, or ends with another status
    /// than 0.
    static func output(of arguments: [String]) async -> String? {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        defer { pool.shutdownGracefully { _ in } }
        var ends: [CInt] = [-1, -1]
        // pipe2 is not to be had here; pipe() fills the two numbers of the array that it is given.
        guard unsafe ends.withUnsafeMutableBufferPointer({ unsafe pipe($0.baseAddress) }) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = try? ChildProcess.start(
            arguments, environment: CommandEnvironment.ours(), output: .captured(ends[1]))
        _ = close(ends[1])
        defer { _ = close(ends[0]) }
        guard let child else { return nil }
        let alarm = Task {
            try await Task.sleep(for: limit)
            child.send(SIGKILL)
        }
        defer { alarm.cancel() }
        let end = ends[0]
        return try? await pool.runIfActive { collect(end, child) }
    }

    private static func collect(_ descriptor: CInt, _ child: ChildProcess) -> String? {
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while text.count < longest {
            // read() writes at most the bytes that the array has.
            let count = unsafe piece.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            text += piece.prefix(count)
        }
        return child.wait() == .exited(0) ? String(decoding: text, as: UTF8.self) : nil
    }
}
