// SPDX-License-Identifier: MIT
import Testing

@testable import RerenderTool

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
}
