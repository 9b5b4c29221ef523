// SPDX-License-Identifier: MIT
// A real daemon, and an app whose main loop is held up on command and that measures itself for how long.

import Foundation
package import RerenderModel

/// A stall as the app itself saw it, in nanoseconds of CLOCK_MONOTONIC.
package struct Stall: Sendable {
    package let kind: String
    package let start: UInt64
    package let end: UInt64

    package var nanoseconds: UInt64 { end - start }

    package init?(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count == 4, words[0] == "end", let start = UInt64(words[2]), let end = UInt64(words[3]) else {
            return nil
        }
        (kind, self.start, self.end) = (String(words[1]), start, end)
    }

    /// When it ended on the wall clock, which the two clocks of this moment tell to some microseconds.
    package var endedAt: Timestamp {
        let wall = Timestamp.now.nanosecondsSince1970
        return Timestamp(nanosecondsSince1970: wall - Int64(Self.monotonic() - end))
    }

    package static func monotonic() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// The two processes.
package final class HangLab {
    package let daemon: DaemonProcess
    package let app: ChildProcess
    package let thresholdMilliseconds: Int

    /// Whether an app can be given a processor before all others; a container may refuse it to root, too.
    package static let canBePreferred: Bool = {
        guard geteuid() == 0, let chrt = ChildProcess.path(of: "chrt"), let yes = ChildProcess.path(of: "true") else {
            return false
        }
        return StartedChild.succeeds([chrt, "--fifo", "1", yes])
    }()

    /// `loop` is one that `loops stall` knows. An app that is preferred gets a processor whenever it wants to run, however busy the
    /// machine is.
    package init(
        loop: String, threshold: Int = 100, micro: Int = 50, environment: [String: String] = [:],
        isPreferred: Bool = false, seconds: Double = 2 * WaitLimit.seconds
    ) async throws {
        daemon = try await DaemonProcess()
        thresholdMilliseconds = threshold
        var all = ProcessInfo.processInfo.environment
        all["RERENDER_RUNTIME_DIR"] = daemon.directory
        for (name, value) in environment { all[name] = value }
        let command = isPreferred ? [try ChildProcess.installed("chrt"), "--fifo", "1"] : []
        app = try ChildProcess(
            command + [ChildProcess.product("loops"), "stall", loop], environment: all, seconds: seconds)
        let ready = try await app.nextLine()
        guard ready.hasPrefix("ready "), try await app.ask("threshold \(threshold) \(micro)") == "ok" else {
            throw ChildProcess.Failure("loops stall \(loop): \(ready)")
        }
        try await watched()
    }

    /// Waits until the daemon watches the app's loop: what comes before that is not its to see.
    private func watched() async throws {
        _ = try await daemon.http.eventually("the loop being watched", seen: { try processes() }) {
            try app.send("spin 1")
            while Stall(try await app.nextLine()) == nil {}
            let store = try processes().first { $0.pid == app.processID }
            return store.map { $0.mainLoop != MainLoopKind.none } == true
                && store?.hangThresholdMilliseconds == UInt32(thresholdMilliseconds)
                ? store : nil
        }
    }

    package func processes() throws -> [ProcessStats] {
        try daemon.http.get("/v1/stats").json(StatsExport.self).processes
    }

    package func hangs() throws -> [Hang] {
        try daemon.http.get("/v1/hangs?process=\(app.processID)").json(HangList.self).hangs
    }

    /// Holds up the loop, and returns what the app measured.
    package func stall(_ kind: String, _ milliseconds: Int) async throws -> Stall {
        try app.send("\(kind) \(milliseconds)")
        while true { if let stall = Stall(try await app.nextLine()), stall.kind == kind { return stall } }
    }

    /// The hang in which a stall ended, and in no other one did; waits until it is listed and fits.
    package func hang(holding stall: Stall, where fits: (Hang) -> Bool = { !$0.open }) async throws -> Hang {
        let end = stall.endedAt.nanosecondsSince1970
        return try await daemon.http.eventually("the hang of \(stall.kind) that ended at \(end)", seen: { try hangs() })
        {
            try hangs().first { hang in
                // The list's times have milliseconds. Its beginning says less: the hang of a pinged loop begins with a ping.
                let start = hang.startedAt.nanosecondsSince1970 - 2_000_000
                return start <= end && end <= start + Int64(hang.durationNanoseconds) + 4_000_000 && fits(hang)
            }
        }
    }
}
