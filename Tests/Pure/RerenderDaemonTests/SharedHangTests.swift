// SPDX-License-Identifier: MIT
import RerenderModel
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("A hang that several copies of the library tell of")
struct SharedHangTests {
    @Test("is listed once, with what the copy says that knows the largest share")
    func largest() throws {
        #expect(try listed(window: 320, meter: 80).view == "Window")
        let hang = try listed(window: 80, meter: 320)
        #expect(hang.view == "Meter" && hang.shares.map(\.view) == ["Meter"] && hang.id == 1)
        #expect(hang.shares[0].nanoseconds + (hang.unattributedNanoseconds ?? 0) == hang.durationNanoseconds)
    }

    @Test("is open while a copy says so")
    func open() throws {
        var book = HangHistory(limits: DaemonLimits())
        var (first, second) = (report(1, "Window", 320), report(2, "Meter", 80))
        (first.open, second.open) = (true, true)
        put([first, second], into: &book)
        first.open = false
        put([first], into: &book)
        #expect(book.hang(1)?.open == true)
        second.open = false
        put([second], into: &book)
        #expect(book.hang(1)?.open == false && book.entries.count == 1)
    }

    private func listed(window: UInt64, meter: UInt64) throws -> Hang {
        var book = HangHistory(limits: DaemonLimits())
        put([report(1, "Window", window), report(2, "Meter", meter)], into: &book)
        #expect(book.entries.count == 1)
        return try #require(book.hang(1))
    }

    /// The first is the first copy's.
    private func put(_ reports: [Hang], into book: inout HangHistory) {
        for report in reports {
            _ = book.put(report, of: ProcessInstance(pid: 10, startTicks: 1, copy: UInt32(report.id) - 1))
        }
    }

    /// A hang of 681 ms.
    private func report(_ id: UInt64, _ view: ViewKey, _ own: UInt64) -> Hang {
        let millisecond: UInt64 = 1_000_000
        let startedAt = Timestamp(nanosecondsSince1970: 5_000_000_000)
        var hang = Hang(id: id, pid: 10, process: "shop", startedAt: startedAt, turn: id)
        hang.durationNanoseconds = 681 * millisecond
        hang.shares = [Hang.Share(view: view, nanoseconds: own * millisecond)]
        hang.unattributedNanoseconds = (681 - own) * millisecond
        (hang.view, hang.attribution) = (view, .share)
        return hang
    }
}
