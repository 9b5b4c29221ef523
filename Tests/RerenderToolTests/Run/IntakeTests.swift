// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import RerenderModel
import RerenderQuery
@testable import RerenderRun
@testable import RerenderTool
@testable import RerenderToolBase
import Synchronization
import Testing

@Suite("Whether the daemon has taken in everything")
struct IntakeTests {
    private let list = """
        Num       RefCount Protocol Flags    Type St Inode Path
        ffff8b1: 00000002 00000000 00010000 0001 01 11111 /run/my dir/push.sock
        ffff8b2: 00000003 00000000 00000000 0001 03 22222 /run/my dir/push.sock
        ffff8b3: 00000002 00000000 00000000 0001 02     0 /run/my dir/push.sock
        ffff8b4: 00000003 00000000 00000000 0001 03 33333 /run/my dir/query.sock
        ffff8b5: 00000003 00000000 00000000 0001 03 44444
        ffff8b6: 00000003 00000000 00000000 0001 03 55555 /run/my dir/push.sock

        """

    @Test("the kernel's list tells accepted connections from waiting ones, and neither from the listener")
    func parsing() {
        let sockets = KernelSockets(parsing: list, path: "/run/my dir/push.sock")
        #expect(sockets.accepted == 2)
        #expect(sockets.waiting == 1)
        #expect(KernelSockets(parsing: "", path: "/x") == KernelSockets(parsing: list, path: "/run/my"))
    }

    private func state(_ accepted: Int, waiting: Int = 0, connected: Set<Int32> = [], dead: Set<Int32> = [])
        -> IntakeState
    {
        var sockets = KernelSockets(parsing: "", path: "")
        sockets.accepted = accepted
        sockets.waiting = waiting
        return IntakeState(sockets: sockets, connected: connected, dead: dead)
    }

    @Test("it has when nothing waits, nobody who is gone counts as connected, and every connection is known")
    func settled() {
        #expect(state(0).isSettled(usualExcess: 0))
        #expect(state(1, connected: [7]).isSettled(usualExcess: 0))
        #expect(!state(0, waiting: 1).isSettled(usualExcess: 0))
        #expect(!state(1).isSettled(usualExcess: 0))
        #expect(!state(1, connected: [7], dead: [7]).isSettled(usualExcess: 0))
        #expect(!state(0, connected: [7], dead: [7]).isSettled(usualExcess: 0))
    }

    @Test("connections that said nothing before the command started are not waited for")
    func usualExcess() {
        #expect(state(3, connected: [7]).isSettled(usualExcess: 2))
        #expect(!state(4, connected: [7]).isSettled(usualExcess: 2))
    }

    /// A daemon that learns only after some questions that a process has ended.
    private final class SlowDaemon: QueryClient {
        let pid: Int32
        let learnsAt: Int
        let asked = Mutex(0)

        init(pid: Int32, learnsAt: Int) {
            self.pid = pid
            self.learnsAt = learnsAt
        }

        func send(_ request: QueryRequest, receive: (_ bytes: [UInt8]) throws -> Void) async throws {
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            // The first question is how things are before the command starts.
            let store = Sample.store(pid: pid, connected: number > 1 && number < learnsAt)
            try receive(Array(try StatsExport.encoder().encode(ProcessList(processes: [store]))))
        }
    }

    private func wait(_ daemon: SlowDaemon, limit: Duration) async throws -> Bool {
        let directory = RuntimeDirectory(path: "/nonexistent/rerender")
        return try await IntakeWait(session: Session(directory: directory, client: daemon), limit: limit).wait()
    }

    @Test("a daemon that still counts a dead process as connected is asked again until it does not")
    func asksAgain() async throws {
        let gone = try Spawned(["/bin/true"])
        try await gone.wait()
        let daemon = SlowDaemon(pid: gone.pid, learnsAt: 7)
        #expect(try await wait(daemon, limit: .seconds(60)))
        #expect(daemon.asked.withLock { $0 } == 7)
    }

    @Test("waiting has an end, and says that it was not enough")
    func givesUp() async throws {
        let gone = try Spawned(["/bin/true"])
        try await gone.wait()
        #expect(try await !wait(SlowDaemon(pid: gone.pid, learnsAt: .max), limit: .milliseconds(50)))
    }

    @Test("a process that lives on is not waited for")
    func alive() async throws {
        let daemon = SlowDaemon(pid: getpid(), learnsAt: .max)
        #expect(try await wait(daemon, limit: .seconds(60)))
        #expect(daemon.asked.withLock { $0 } == 2)
    }
}
