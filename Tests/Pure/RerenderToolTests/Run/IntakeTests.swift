// SPDX-License-Identifier: MIT
import FoundationEssentials
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Synchronization
import Testing

@Suite("Whether the daemon has taken in everything")
struct IntakeTests {
    /// A daemon that is drained from some question on, and until then takes in a byte between two questions, or none.
    private final class SlowDaemon: DaemonClient {
        let drainedAt: Int
        let isReading: Bool
        let asked = Mutex(0)

        init(drainedAt: Int, isReading: Bool = false) {
            self.drainedAt = drainedAt
            self.isReading = isReading
        }

        func send(_ request: QueryRequest, receive: (_ bytes: [UInt8]) throws -> Void) async throws {
            var health = HealthReport()
            health.drained = asked.withLock { asked in
                asked += 1
                if isReading { health.bytesReceived = UInt64(asked) }
                return asked >= drainedAt
            }
            try receive(Array(try StatsExport.encoder().encode(health)))
        }
    }

    /// A clock that goes on only while somebody sleeps, and then at once.
    private final class SleptClock: Clock {
        struct Instant: InstantProtocol {
            var elapsed = Duration.zero
            func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
            func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
            static func < (one: Instant, other: Instant) -> Bool { one.elapsed < other.elapsed }
        }

        private let time = Mutex(Instant())
        var now: Instant { time.withLock { $0 } }
        var minimumResolution: Duration { .nanoseconds(1) }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            time.withLock { $0 = max($0, deadline) }
        }
    }

    private let clock = SleptClock()

    private func wait(_ daemon: SlowDaemon, limit: Duration) async throws -> Bool {
        let directory = RuntimeDirectory(path: "/nonexistent/rerender")
        return try await Session(directory: directory, client: daemon).waitForIntake(limit: limit, clock: clock)
    }

    @Test("a daemon that is not drained is asked again until it is", arguments: [1, 7])
    func asksAgain(drainedAt: Int) async throws {
        let daemon = SlowDaemon(drainedAt: drainedAt)
        #expect(try await wait(daemon, limit: .seconds(60)))
        #expect(daemon.asked.withLock { $0 } == drainedAt)
    }

    @Test("a daemon that still reads is waited for, however long that takes")
    func progress() async throws {
        let daemon = SlowDaemon(drainedAt: 20, isReading: true)
        #expect(try await wait(daemon, limit: .milliseconds(400)))
        #expect(daemon.asked.withLock { $0 } == 20 && clock.now.elapsed > .milliseconds(400))
    }

    @Test("waiting has an end, and says that it was not enough")
    func givesUp() async throws {
        #expect(try await !wait(SlowDaemon(drainedAt: .max), limit: .milliseconds(50)))
        #expect(clock.now.elapsed >= .milliseconds(50))
    }
}
