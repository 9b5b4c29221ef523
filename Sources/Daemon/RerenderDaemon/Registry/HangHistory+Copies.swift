// SPDX-License-Identifier: MIT
// One hang of a process in which several copies of the library watch the same main loop.

import RerenderModel
import RerenderWire

/// What the page of each copy says of one hang. A copy sees the bodies of its own views alone.
extension Hang {
    /// What copies say of a hang, as one: what the copy says that knows the largest share of it. Nil without any.
    static func ofCopies(_ reports: [Hang]) -> Hang? {
        guard var hang = reports.max(by: { $0.share ?? 0 < $1.share ?? 0 }) else { return nil }
        hang.open = reports.contains(where: \.open)
        if hang.open { hang.ended = nil }
        return hang
    }

    /// Whether both are about the same time: they share more than half of the shorter.
    func isAtTheTime(of other: Hang) -> Bool {
        let (start, otherStart) = (startedAt.nanosecondsSince1970, other.startedAt.nanosecondsSince1970)
        let shorter = min(durationNanoseconds, other.durationNanoseconds)
        let (later, isOver) = otherStart.subtractingReportingOverflow(start)
        guard !isOver else { return false }
        let length = later >= 0 ? durationNanoseconds : other.durationNanoseconds
        return min(length.saturatingDifference(later.magnitude), shorter) > shorter / 2
    }
}
