// SPDX-License-Identifier: MIT
// How long a test waits: less than its limit on a free machine, and longer on a busy one.

import Glibc

/// The time that a test is ready to wait, counted as a free machine would.
///
/// Ask ``isReached()`` again and again while waiting. A step in which more threads were ready to run than there are
/// processors counts in proportion, and one in which this process did not run itself counts little. Progress that is
/// noted starts the count anew. In any case the wait ends after ``hardLimit``.
package struct WaitLimit: Sendable {
    /// What the machine is like at a moment.
    package struct Moment: Sendable {
        /// In seconds of a clock that never goes back.
        var time: Double
        /// Threads that run or want to, for each processor.
        var load: Double

        package init(time: Double, load: Double) {
            self.time = time
            self.load = load
        }

        package static var now: Moment { Moment(time: Self.clock, load: Machine.load) }

        private static var clock: Double {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }

    /// Seconds on a free machine.
    package let seconds: Double
    /// Seconds after which the wait ends, whatever the machine is like.
    package let hardLimit: Double
    private let longestStep: Double
    private let start: Moment
    private var last: Moment
    private var spent = 0.0
    private var highestLoad = 0.0

    /// `longestStep` is what a step between two questions counts at most.
    package init(seconds: Double, longestStep: Double = 0.25, at moment: Moment = .now) {
        self.seconds = seconds
        self.longestStep = longestStep
        hardLimit = min(max(20 * seconds, 60), seconds + 600)
        start = moment
        last = moment
    }

    /// Counts the step since the last question, and says whether the limit is reached.
    package mutating func isReached(at moment: Moment = .now) -> Bool {
        spent += min(moment.time - last.time, longestStep) / max(1, moment.load)
        highestLoad = max(highestLoad, moment.load)
        last = moment
        return spent >= seconds || moment.time - start.time >= hardLimit
    }

    /// What is waited for goes on: the count starts anew.
    package mutating func noteProgress() { spent = 0 }

    /// How long was waited, and why so long, for the message of a failure.
    package var summary: String {
        func rounded(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
        let load = highestLoad > 1 ? ", with up to \(rounded(highestLoad)) threads for each processor" : ""
        return "not within \(rounded(last.time - start.time)) s\(load)"
    }
}

/// The machine that the tests run on.
private enum Machine {
    private static let processors = Double(max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))

    /// Threads that run or want to, for each processor; 1 where the kernel does not tell.
    static var load: Double {
        guard let file = fopen("/proc/loadavg", "re") else { return 1 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, CInt(line.count), file) != nil else { return 1 }
        // "0.20 0.18 0.12 RUNNING/ALL LAST"
        let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
            separator: " ")
        let running = fields.count > 3 ? fields[3].split(separator: "/").first.flatMap { Double($0) } : nil
        return (running ?? processors) / processors
    }
}

/// The processor time of a process and its descendants, which tells that they do something.
package enum ProcessTree {
    /// In ticks of the kernel; children that ended and were awaited are in it.
    package static func ticks(of pid: Int32) -> UInt64 {
        own(pid) + children(of: pid).reduce(0) { $0 + ticks(of: $1) }
    }

    private static func own(_ pid: Int32) -> UInt64 {
        // The name of the program stands in parentheses and may hold anything; user and system time follow it.
        let fields = text("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 14 ? fields[11...14].compactMap { UInt64($0) }.reduce(0, +) : 0
    }

    private static func children(of pid: Int32) -> [Int32] {
        text("/proc/\(pid)/task/\(pid)/children").split(separator: " ").compactMap { Int32($0) }
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
