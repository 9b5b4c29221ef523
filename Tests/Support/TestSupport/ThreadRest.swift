// SPDX-License-Identifier: MIT
// What threads wait for, as the kernel shows it: whether one will wake up by itself can be seen, and takes no time to wait for.

import Foundation
import Glibc

/// The system call in which a thread waits, with its arguments.
package struct KernelWait: CustomStringConvertible {
    private let words: [Substring]

    package var description: String { words.joined(separator: " ") }

    /// The wait of a thread, whose folder is `/proc/PROCESS/task/THREAD`.
    package init(of thread: String) throws {
        words = try String(contentsOfFile: thread + "/syscall", encoding: .utf8).split(whereSeparator: \.isWhitespace)
    }

    /// Whether something has to happen for it to end: no time is set for it, and it is no wait for a time.
    package var isEndless: Bool {
        guard let call = words.first.flatMap({ Int($0) }) else { return false }
        if Self.without.contains(call) { return true }
        if let place = Self.withPointer[call] { return words.count > place && words[place] == "0x0" }
        // GLib waits for the longest time that there is, 24 days, where a source is due later.
        if let place = Self.withMilliseconds[call] {
            return words.count > place && (words[place].hasSuffix("ffffffff") || words[place] == "0x7fffffff")
        }
        return false
    }

    /// Whether it is a wait at a word in memory, futex(2).
    package var isAtWord: Bool { words.first.flatMap { Int($0) } == Self.futex }

    /// How long a wait at a word still lasts by itself, in nanoseconds; nil where it has no end, or is over meanwhile.
    ///
    /// The time is one of the monotonic clock, and lies in the process's memory.
    package func rest(of thread: String) throws -> Int64? {
        guard isAtWord, words.count > 4, let place = UInt64(words[4].dropFirst(2), radix: 16), place != 0,
            let memory = FileHandle(forReadingAtPath: thread + "/mem")
        else { return nil }
        try memory.seek(toOffset: place)
        let bytes = try memory.read(upToCount: 16) ?? Data()
        guard bytes.count == 16, try KernelWait(of: thread).words == words else { return nil }
        let parts = [UInt8](bytes).withUnsafeBytes {
            [$0.loadUnaligned(as: Int64.self), $0.loadUnaligned(fromByteOffset: 8, as: Int64.self)]
        }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return (parts[0] - Int64(now.tv_sec)) * 1_000_000_000 + parts[1] - Int64(now.tv_nsec)
    }

    #if arch(x86_64)
        private static let futex = 202
        /// read, pause.
        private static let without: Set = [0, 34]
        /// Where the address of a time is: rt_sigtimedwait, futex, ppoll.
        private static let withPointer = [128: 3, futex: 4, 271: 3]
        /// Where a number of milliseconds is, -1 for no time: poll, epoll_wait, epoll_pwait.
        private static let withMilliseconds = [7: 3, 232: 4, 281: 4]
    #else
        private static let futex = 98
        private static let without: Set = [63]
        private static let withPointer = [137: 3, futex: 4, 73: 3]
        private static let withMilliseconds = [22: 4]
    #endif
}

/// Threads of a process that all sleep until something happens.
package struct ThreadRest {
    /// How often each gave up its processor, by its folder in `/proc`.
    package let switches: [String: String]

    /// Nil where one runs, or waits for a time.
    ///
    /// - Parameter isMeant: Whether a thread of that name is looked at.
    package init?(of pid: Int32, where isMeant: (String) -> Bool = { _ in true }) throws {
        switches = try Self.switches(of: pid, where: isMeant)
        // None has run while they were looked at one after the other.
        guard switches.keys.allSatisfy({ (try? KernelWait(of: $0).isEndless) == true }),
            try switches == Self.switches(of: pid, where: isMeant)
        else { return nil }
    }

    /// Whether a thread is one of Rerender's, by its name.
    package static func isOurs(_ name: String) -> Bool { name.hasPrefix("rerender-") }

    /// What threads wait for, by their names.
    package static func waits(of pid: Int32) throws -> [String] {
        let tasks = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { task in
            // A thread may end meanwhile.
            guard let name = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8),
                let wait = try? KernelWait(of: "\(tasks)/\(task)")
            else { return nil }
            return "\(name.trimmingCharacters(in: .newlines)): \(wait)"
        }
    }

    private static func switches(of pid: Int32, where isMeant: (String) -> Bool) throws -> [String: String] {
        let tasks = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(into: [:]) { counts, task in
            // A thread may end meanwhile.
            guard let status = try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8),
                let name = status.split(separator: "\n").first?.dropFirst("Name:\t".count), isMeant(String(name))
            else { return }
            counts["\(tasks)/\(task)"] = status.split(separator: "\n")
                .first { $0.hasPrefix("voluntary_ctxt_switches") }.map(String.init)
        }
    }
}
