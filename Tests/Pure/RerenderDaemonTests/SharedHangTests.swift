// SPDX-License-Identifier: MIT
import RerenderModel
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("A hang that several copies of the library tell of")
struct SharedHangTests {
    @Test("names a view with a fifth of it, also if the other copy's bodies ran inside")
    func fifth() throws {
        // 80 of the 180 may be the other copy's: 100 of 681 are left, which is less than a fifth.
        #expect(try listed(window: 180, meter: 80, of: 681).view == nil)
        let most = try listed(window: 320, meter: 80, of: 681)
        #expect(most.view == "Window" && most.attribution == .inBody)
    }

    @Test("names no view that may have less than the other copy's")
    func most() throws {
        #expect(try listed(window: 500, meter: 260, of: 681).view == nil)
    }

    @Test("says that the named view ran at the threshold, where it did")
    func threshold() throws {
        let both: (ViewKey?, ViewKey?) = ("Window", "Meter")
        #expect(try listed(window: 600, meter: 80, of: 681, atThreshold: both).viewAtThreshold == "Window")
        #expect(try listed(window: 80, meter: 600, of: 681, atThreshold: both).viewAtThreshold == "Meter")
        #expect(try listed(window: 600, meter: 80, of: 681, atThreshold: (nil, "Meter")).viewAtThreshold == "Meter")
        #expect(try listed(window: 600, meter: 80, of: 681, atThreshold: (nil, nil)).viewAtThreshold == nil)
    }

    @Test("names the handler of one copy as it does a view")
    func handler() throws {
        var first = report(1, "Window", 600, of: 681, nil)
        (first.handler, first.attribution, first.shares[0].handler) = ("click", .inHandler, "click")
        for view in ["Window", nil] as [ViewKey?] {
            first.view = view
            first.shares[0].view = view ?? "click"
            let hang = try listed(first, report(2, "Meter", 80, of: 681, "Meter"))
            #expect(hang.view == view && hang.handler == "click" && hang.attribution == .inHandler)
        }
    }

    @Test("names no view where the times of one copy's bodies are not known")
    func unknown() throws {
        var lost = report(2, "Meter", 0, of: 681, nil)
        (lost.shares, lost.unattributedNanoseconds, lost.guess) = ([], nil, true)
        let hang = try listed(report(1, "Window", 600, of: 681, "Window"), lost)
        #expect(hang.view == nil && hang.shares.isEmpty && hang.unattributedNanoseconds == nil && hang.guess)
    }

    /// A hang of so many milliseconds as it is listed, of two reports that know a view each.
    private func listed(
        window: UInt64, meter: UInt64, of duration: UInt64, atThreshold: (ViewKey?, ViewKey?) = ("Window", nil)
    ) throws -> Hang {
        try listed(
            report(1, "Window", window, of: duration, atThreshold.0),
            report(2, "Meter", meter, of: duration, atThreshold.1))
    }

    private func listed(_ first: Hang, _ second: Hang) throws -> Hang {
        var book = HangHistory(limits: DaemonLimits())
        _ = book.put(first, of: ProcessInstance(pid: 10, startTicks: 1))
        _ = book.put(second, of: ProcessInstance(pid: 10, startTicks: 1, copy: 1))
        #expect(book.entries.count == 1)
        return try #require(book.hang(1))
    }

    private func report(
        _ id: UInt64, _ view: ViewKey, _ own: UInt64, of duration: UInt64, _ atThreshold: ViewKey?
    ) -> Hang {
        let millisecond: UInt64 = 1_000_000
        let startedAt = Timestamp(nanosecondsSince1970: 5_000_000_000)
        var hang = Hang(id: id, pid: 10, process: "shop", startedAt: startedAt, turn: id)
        hang.durationNanoseconds = duration * millisecond
        hang.shares = [Hang.Share(view: view, nanoseconds: own * millisecond)]
        hang.viewAtThreshold = atThreshold
        if own * 5 >= duration { (hang.view, hang.attribution) = (view, atThreshold == view ? .inBody : .share) }
        return hang
    }
}
