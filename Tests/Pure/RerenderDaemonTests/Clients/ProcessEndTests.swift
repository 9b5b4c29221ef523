// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
import RerenderQuery
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("The ends of processes")
struct ProcessEndTests {
    @Test("are not asked for of a process that the kernel does not name")
    func foreign() {
        #expect(ProcessEnd(of: 0) == nil)
        #expect(ProcessEnd(of: -1) == nil)
    }
}

/// What a process has used of processors.
enum ProcessorTime {
    /// By the kernel's account, all threads together.
    static func milliseconds(of pid: Int32) throws -> Double {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").reduce(0) { sum, thread in
            let times = try TestFile.text("/proc/\(pid)/task/\(thread)/schedstat")
            return sum + (times.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e6
        }
    }
}
