// SPDX-License-Identifier: MIT
import RerenderModel
import Testing

@Suite("What a turn of the main loop counts as") struct HangThresholdsTests {
    private static let millisecond: UInt64 = 1_000_000

    @Test("by the defaults, a turn of 250 ms is a hang, and one of 100 ms a micro-hang")
    func defaults() {
        let thresholds = HangThresholds()
        let lengths = [99, 100, 249, 250].map { thresholds.length(nanoseconds: $0 * Self.millisecond) }
        #expect(lengths == [.short, .microHang, .microHang, .hang])
    }

    @Test("a hang is one also where its threshold is the shorter of the two, and no threshold is below a millisecond")
    func limits() {
        let reversed = HangThresholds(hangMilliseconds: 20, microHangMilliseconds: 100)
        #expect(reversed.length(nanoseconds: 20 * Self.millisecond) == .hang)
        #expect(reversed.length(nanoseconds: 19 * Self.millisecond) == .short)
        let none = HangThresholds(hangMilliseconds: 0, microHangMilliseconds: 0)
        #expect(none.length(nanoseconds: Self.millisecond - 1) == .short)
    }

    /// One for each way in which a view or a handler is blamed.
    private static func hangs(milliseconds: UInt32) -> [Hang] {
        HangAttribution.allCases.map { attribution in
            var hang = Hang(id: 1, pid: 1, process: "", startedAt: Timestamp(nanosecondsSince1970: 1), turn: 1)
            (hang.durationNanoseconds, hang.attribution) = (UInt64(milliseconds) * millisecond, attribution)
            return hang
        }
    }

    /// Else the app keeps no record of the turn, and the watchdog opens no hang.
    @Test("what any store counts is no shorter by the shortest thresholds of all stores")
    func shortest() throws {
        #expect(HangThresholds.shortest(of: []) == nil)
        let values: [UInt32] = [1, 20, 100, 250, 3_600_000]
        let hangs = values.flatMap { Self.hangs(milliseconds: $0) }
        let all = values.flatMap { hang in
            values.map { HangThresholds(hangMilliseconds: hang, microHangMilliseconds: $0) }
        }
        for first in all {
            for second in all {
                let shortest = try #require(HangThresholds.shortest(of: [first, second]))
                for hang in hangs {
                    let counted = [first, second].map { $0.length(of: hang) }
                    // The app knows no more of a turn than how long it was.
                    let isKept = shortest.length(nanoseconds: hang.durationNanoseconds) != .short
                    #expect(isKept || counted.allSatisfy { $0 == .short }, "\(first), \(second), \(hang.attribution)")
                    let isOpened = shortest.length(of: hang) == .hang
                    #expect(isOpened || !counted.contains(.hang), "\(first), \(second), \(hang.attribution)")
                }
            }
        }
    }
}
