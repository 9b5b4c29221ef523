// SPDX-License-Identifier: MIT
import Synchronization
import Testing

@testable import Rerender

@Suite("Closures that threads share")
struct SharedClosureTests {
    /// Where the stack ends in each call. Of the first and the last one that is the same, unless something was put in between.
    private final class Depth: Sendable {
        private let ends = Mutex<[UInt]>([])

        func note() {
            var local = 0
            let end = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
            ends.withLock { $0.append(end) }
        }

        var found: Set<UInt> { ends.withLock { Set($0) } }
    }

    private final class Calls: Sendable {
        let numbers = Mutex<[Int]>([])
    }

    @Test("are called from the same depth the thousandth time as the first time")
    func depth() {
        let (depth, follower) = (Depth(), ChangeFollower())
        let closure = SharedClosure<Int>()
        closure.set { _ in depth.note() }
        for number in 1...1_000 { closure.closure?(number) }
        #expect(depth.found.count == 1)

        let locked = Depth()
        closure.set { _ in locked.note() }
        for _ in 1...1_000 { closure.callLocked { 1 } }
        #expect(locked.found.count == 1)

        let told = Depth()
        follower.follow { told.note() }
        for _ in 1...1_000 { follower.tell() }
        #expect(told.found.count == 1)
    }

    @Test("are called with what is asked for, and are gone when they are taken away")
    func values() {
        let calls = Calls()
        let closure = SharedClosure<Int>()
        #expect(closure.closure == nil)
        closure.callLocked { 1 }
        closure.set { number in calls.numbers.withLock { $0.append(number) } }
        closure.closure?(2)
        closure.callLocked { 40 }
        closure.set(nil)
        closure.closure?(100)
        let numbers = calls.numbers.withLock { $0 }
        #expect(numbers == [2, 40])
    }
}
