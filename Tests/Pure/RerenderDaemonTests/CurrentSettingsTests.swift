// SPDX-License-Identifier: MIT
import Dispatch
import NIOCore
import NIOPosix
import RerenderModel
import RerenderWire
import Synchronization
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("The user's settings in the daemon")
struct CurrentSettingsTests {
    @Test("are looked at off the event loop, which goes on while the file's home does not answer")
    func stalled() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let gate = DispatchSemaphore(value: 0)
        let first = loop.makePromise(of: UInt32?.self), second = loop.makePromise(of: UInt32?.self)
        let looks = Looks()
        try await loop.submit {
            let settings = CurrentSettings(
                { _ in
                    gate.wait()
                    var found = UserSettings()
                    found.hangThresholdMilliseconds = looks.next()
                    return .init(version: nil, settings: .success(found))
                }, log: CapturedLog().logger, loop: loop)
            settings.use { first.succeed($0.hangThresholdMilliseconds) }
            settings.use { second.succeed($0.hangThresholdMilliseconds) }
        }.get()
        let isAlive = try await loop.submit { true }.get()
        #expect(isAlive && looks.count == 0)
        gate.signal()
        let found = try await first.futureResult.get()
        #expect(found == 1)
        // It came in after the look had begun: the file may have changed since.
        gate.signal()
        let later = try await second.futureResult.get()
        #expect(later == 2)
    }

    @Test("are for no store that was told some before, also by a daemon that is gone")
    func configured() {
        var settings = UserSettings()
        (settings.hangThresholdMilliseconds, settings.hangStacks) = (321, true)
        var state = StoreState(storeID: 0, name: "main", startedAt: .now)
        #expect(settings.change(of: state)?.hangThresholdMilliseconds == 321)
        state.isConfigured = true
        #expect(settings.change(of: state) == nil)
    }
}

/// Counts looks.
private final class Looks: Sendable {
    private let number = Atomic<UInt32>(0)

    var count: UInt32 { number.load(ordering: .relaxed) }

    func next() -> UInt32 { number.add(1, ordering: .relaxed).newValue }
}
