// SPDX-License-Identifier: MIT
// A flight page that somebody else writes to, while the app runs and the daemon reads.

import Foundation
import RerenderModel
import TestSupport

enum HostilePages {
    static func run(pages: Int, _ report: inout Report) async throws {
        let lab = try await HangLab(loop: "cfrunloop")
        let page = try HeldPage(of: lab.app.processID)
        var generator = SeededGenerator(seed: 7)
        let size = page.bytes.count
        for number in 1...pages {
            let offset = Int.random(in: 0..<size, using: &generator)
            let count = min(Int.random(in: 1...64, using: &generator), size - offset)
            page.write((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }, at: offset)
            if number.isMultiple(of: 1_000) {
                guard try lab.daemon.http.get("/v1/hangs").status == 200 else {
                    throw ChildProcess.Failure("no answer")
                }
                for hang in try lab.hangs() {
                    let shares = hang.shares.reduce(UInt64(0)) { $0 &+ $1.nanoseconds }
                    let outside = hang.unattributedNanoseconds ?? hang.durationNanoseconds
                    guard shares &+ outside == hang.durationNanoseconds else {
                        throw ChildProcess.Failure("shares that do not add up: \(hang)")
                    }
                }
            }
        }
        let isWell = try lab.daemon.http.get("/v1/health").status == 200
        // Another app is watched as before.
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = lab.daemon.directory
        let other = try ChildProcess([ChildProcess.product("loops"), "stall", "cfrunloop"], environment: environment)
        _ = try await other.nextLine()
        _ = try await eventually("the hang of another app") {
            try other.send("spin 400")
            while Stall(try await other.nextLine()) == nil {}
            return try lab.daemon.http.get("/v1/hangs?process=\(other.processID)").json(HangList.self).hangs.first
        }
        report.line("\(pages) pieces of garbage on a live page: the daemon answers and watches on", isWell)
    }
}
