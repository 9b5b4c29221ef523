// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Rerender

/// Counts the objects of this test that live.
private final class Census {
    var living = 0
}

private final class Tenant {
    let census: Census
    var rent = 1
    init(_ census: Census) {
        self.census = census
        census.living += 1
    }
    deinit { census.living -= 1 }
}

/// Larger than what is kept for an address' sake.
private final class Giant {
    let census: Census
    var room = InlineArray<1_000, Int>(repeating: 0)
    init(_ census: Census) {
        self.census = census
        census.living += 1
    }
    deinit { census.living -= 1 }
}

private struct View {
    var tenant: Tenant?
    var giant: Giant?
    var items: [Int] = []
    var texts: [String] = []
    var table: [String: Int] = [:]
    var action: (() -> Int)?
    var content: Any = 0
    weak var neighbour: Tenant?
}

private let text = "a text that is too long to be kept in the string itself"

@Suite("Compare lifetimes")
struct CompareLifetimeTests {
    @Test("objects end when their owners let go, held in whatever way")
    func ends() {
        let census = Census()
        var snapshot = ValueSnapshot()
        for round in 0..<3 {
            do {
                let captured = Tenant(census)
                let view = View(
                    tenant: Tenant(census), giant: Giant(census), action: { captured.rent }, content: Tenant(census),
                    neighbour: captured)
                let change = snapshot.update(view)
                #expect(change.isFirst == (round == 0))
                #expect(census.living == 4)
                _ = snapshot.update(view)
                #expect(census.living == 4)
            }
            #expect(census.living == 0)
        }
        snapshot.forget()
        #expect(snapshot.isEmpty && census.living == 0)
    }

    @Test("objects stay uniquely referenced, and collections keep their storage when they grow in place")
    func uniqueness() {
        var snapshot = ValueSnapshot()
        var view = View(tenant: Tenant(Census()), giant: Giant(Census()))
        view.items.reserveCapacity(100)
        view.texts.reserveCapacity(100)
        view.table.reserveCapacity(100)
        view.items.append(1)
        view.texts.append(text)
        view.table[text] = 1
        for round in 0..<10 {
            _ = snapshot.update(view)
            #expect(isKnownUniquelyReferenced(&view.tenant))
            #expect(isKnownUniquelyReferenced(&view.giant))
            let before = addresses(view)
            view.items.append(round)
            view.texts.append("\(text) \(round)")
            view.table["\(text) \(round)"] = round
            #expect(addresses(view) == before)
            let change = snapshot.update(view)
            let names = ValueLayout.layout(of: View.self, depth: StoreLimits.reflectionDepth).names(of: change)
            #expect(names == "items, texts, table")
        }
    }

    /// The first words of the collections: their storage.
    private func addresses(_ view: borrowing View) -> [UInt] {
        func word<Value>(_ value: Value) -> UInt { unsafeBitCast(value, to: UInt.self) }
        return [word(view.items), word(view.texts), word(view.table)]
    }

    @Test("an element that is changed in place is seen although the storage is the same")
    func inPlace() {
        var snapshot = ValueSnapshot()
        var view = View(items: [1, 2, 3])
        _ = snapshot.update(view)
        view.items[1] = 5
        let change = snapshot.update(view)
        #expect(Verdict(change) == .changed)
    }

    @Test("a replaced object is changed each time, wherever its successor is put", arguments: [false, true])
    func addressReuse(isGiant: Bool) {
        let census = Census()
        var snapshot = ValueSnapshot()
        var view = View()
        _ = snapshot.update(view)
        var missed = 0
        for _ in 0..<1_000 {
            view.tenant = nil
            view.giant = nil
            if isGiant { view.giant = Giant(census) } else { view.tenant = Tenant(census) }
            if snapshot.update(view).changed.isEmpty { missed += 1 }
            if !snapshot.update(view).changed.isEmpty { missed += 1 }
        }
        #expect(missed == 0)
        #expect(census.living == 1)
    }

    @Test("another context of the same closure is another closure, wherever it is put")
    func contextReuse() {
        let census = Census()
        var snapshot = ValueSnapshot()
        var view = View()
        _ = snapshot.update(view)
        var missed = 0
        for _ in 0..<1_000 {
            view.action = nil
            let (first, second) = (Tenant(census), 5)
            view.action = { first.rent + second }
            let change = snapshot.update(view)
            if !change.hasOtherClosure && change.changed.isEmpty { missed += 1 }
            if snapshot.update(view).hasOtherClosure { missed += 1 }
        }
        #expect(missed == 0)
        view.action = nil
        #expect(census.living == 0)
    }

    @Test("a weak variable whose object has ended has changed")
    func weakEnd() {
        var snapshot = ValueSnapshot()
        var tenant: Tenant? = Tenant(Census())
        let view = View(neighbour: tenant)
        _ = snapshot.update(view)
        #expect(snapshot.update(view).changed.isEmpty)
        tenant = nil
        let change = snapshot.update(view)
        #expect(ValueLayout.layout(of: View.self, depth: StoreLimits.reflectionDepth).names(of: change) == "neighbour")
        withExtendedLifetime(tenant) {}
    }

    @Test("a snapshot is left on another thread than it was made on")
    func threads() async {
        let census = Census()
        struct Box: ~Copyable, @unchecked Sendable { var snapshot = ValueSnapshot() }
        var box = Box()
        _ = box.snapshot.update(View(tenant: Tenant(census), action: { [census] in census.living }))
        let taken = box
        await Task.detached { [taken = Wrapped(taken)] in taken.drop() }.value
        #expect(census.living == 0)

        final class Wrapped: @unchecked Sendable {
            private var box: Box?
            init(_ box: consuming Box) { self.box = consume box }
            func drop() { box = nil }
        }
    }

    @Test("another layout begins anew")
    func layouts() {
        var snapshot = ValueSnapshot()
        #expect(snapshot.update(1).isFirst)
        #expect(snapshot.update("1").isFirst)
        #expect(!snapshot.update("1").isFirst)
    }
}
