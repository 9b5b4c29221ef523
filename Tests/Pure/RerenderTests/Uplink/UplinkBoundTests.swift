// SPDX-License-Identifier: MIT
// How much waits for room in the socket.

import RerenderWire
import Synchronization
import TestSupport
import Testing

@testable import Rerender

@Suite("Bounds of what waits for the daemon")
struct UplinkBoundTests {
    private let uplink = Uplink(
        context: TestProcess().context, stores: StoreList(setThresholds: { _ in }), signal: UplinkSignal(),
        alarm: TurnAlarm())

    @Test("so many answers of bridges wait, the first", arguments: around(StoreLimits.waitingReplies))
    func replies(count: Int) {
        for number in 0..<UInt32(count) {
            uplink.finish(CommandResult(request: number, reached: 1), connection: 1)
        }
        let kept = UInt32(min(count, StoreLimits.waitingReplies))
        #expect(uplink.takeFinished(connection: 1).map(\.request) == Array(0..<kept))
        #expect(uplink.takeFinished(connection: 1).isEmpty)
    }

    @Test("so many marks wait, the first", arguments: around(StoreLimits.waitingMarks))
    func marks(count: Int) {
        uplink.signal.isConnected.store(true, ordering: .relaxed)
        for number in 0..<count { #expect(uplink.mark("mark \(number)")) }
        #expect(uplink.takeMarks() == (0..<min(count, StoreLimits.waitingMarks)).map { "mark \($0)" })
        #expect(uplink.takeMarks().isEmpty)
    }
}
