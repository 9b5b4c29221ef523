// SPDX-License-Identifier: MIT
// A write that is told of again when the value is in its place.

import Observation
@_spi(Bridge) import Rerender
import Synchronization
import Testing

/// A model in whose writes something else can happen.
private final class Folder: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let stored = Mutex(0)

    var size: Int {
        registrar.access(self, keyPath: \.size)
        return stored.withLock { $0 }
    }

    func set(_ new: Int, within: () -> Void = {}) {
        registrar.withMutation(of: self, keyPath: \.size) {
            within()
            stored.withLock { $0 = new }
        }
    }
}

struct AwaitedWriteTests {
    /// What is read of these folders is followed; the sizes that are there whenever a write is told of as done.
    private static func follow(
        _ outer: Folder, _ inner: Folder, asks: @escaping @Sendable () -> Bool, _ body: () -> Void
    ) throws -> [[Int]] {
        var list: AccessList?
        AccessList.record(&list) { _ = outer.size + inner.size }
        let told = Told()
        let registration = try #require(list).register { _ in
            asks()
        } didSet: {
            told.sizes.withLock { $0.append([outer.size, inner.size]) }
        }
        body()
        registration.cancel()
        return told.sizes.withLock { $0 }
    }

    private final class Told: Sendable {
        let sizes = Mutex<[[Int]]>([])
    }

    @Test
    func aWriteThatIsAskedForIsToldOnceWhenTheValueIsInItsPlace() throws {
        let (outer, inner) = (Folder(), Folder())
        let told = try Self.follow(outer, inner, asks: { true }, { outer.set(5) })
        #expect(told == [[5, 0]])
    }

    @Test
    func aWriteThatIsNotAskedForIsNotToldAgain() throws {
        let (outer, inner) = (Folder(), Folder())
        let told = try Self.follow(outer, inner, asks: { false }, { outer.set(5) })
        #expect(told.isEmpty)
    }

    @Test
    func everyWriteIsAskedAboutAndToldAnew() throws {
        let (outer, inner) = (Folder(), Folder())
        let told = try Self.follow(outer, inner, asks: { true }) {
            outer.set(1)
            inner.set(2)
            outer.set(3)
        }
        #expect(told == [[1, 0], [1, 2], [3, 2]])
    }

    @Test
    func aWriteWithinAnotherOfTheSameNameDoesNotHideTheOuterOnesEnd() throws {
        let (outer, inner) = (Folder(), Folder())
        let told = try Self.follow(outer, inner, asks: { true }, { outer.set(1, within: { inner.set(2) }) })
        #expect(told.last == [1, 2])
    }
}
