// SPDX-License-Identifier: MIT
// Whether the kernel ran a process's main thread: its own account, to judge ours by.

import Foundation
import RerenderModel
import TestSupport

/// What the kernel says of a process's main thread, looked at again and again.
final class Schedule {
    private let file: String
    private var looks: [(at: Timestamp, ran: UInt64, waited: UInt64)] = []

    init(of pid: Int32) throws {
        file = "/proc/\(pid)/task/\(pid)/schedstat"
        look()
        guard !looks.isEmpty else { throw ChildProcess.Failure("no \(file)") }
    }

    func look() {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return }
        let fields = text.split(separator: " ").compactMap { UInt64($0) }
        if fields.count >= 2 { looks.append((.now, fields[0], fields[1])) }
    }

    /// Whether the thread waited for a processor for most of the hang.
    func wasStarved(during hang: Hang) -> Bool {
        let start = hang.startedAt.nanosecondsSince1970, end = start + Int64(hang.durationNanoseconds)
        let before = looks.last { $0.at.nanosecondsSince1970 <= start } ?? looks[0]
        let after = looks.first { $0.at.nanosecondsSince1970 >= end } ?? looks[looks.count - 1]
        return (after.waited - before.waited) * 2 >= hang.durationNanoseconds
    }
}
