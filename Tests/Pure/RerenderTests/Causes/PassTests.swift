// SPDX-License-Identifier: MIT
// Further evaluations of one update, as a framework asks for to lay out, to measure and to commit.

import Observation
import RerenderModel
import TestSupport
import Testing

@testable import Rerender

@Observable private final class Shelf {
    var books = 1
    var height = 1
    var colour = 1

    /// Writes without telling Observation.
    func paintInSecret() { _colour += 1 }
}

private struct ShelfView {
    let shelf: Shelf
    var title = "Shelf"
}

/// A framework of one view, which counts for itself what it asks for.
private final class Framework {
    let store = RerenderStore(name: "pass tests")
    let shelf = Shelf()
    private(set) var updates: UInt64 = 0
    private(set) var passes: UInt64 = 0

    /// An update: one evaluation, and then `passes` further ones that read what `reading` says of each.
    func update(
        instance: InstanceID? = 1, title: String = "Shelf", passes: Int = 2,
        _ reading: (Shelf, _ pass: Int) -> Void = { shelf, _ in _ = shelf.books }
    ) {
        updates += 1
        evaluate(instance, title, isPass: false) { reading($0, 0) }
        for pass in 1...max(1, passes) where passes > 0 { self.pass(instance, title) { reading($0, pass) } }
    }

    func pass(
        _ instance: InstanceID? = 1, _ title: String = "Shelf", _ reading: (Shelf) -> Void = { _ = $0.books }
    ) {
        passes += 1
        evaluate(instance, title, isPass: true, reading)
    }

    func evaluate(
        _ instance: InstanceID? = 1, _ title: String = "Shelf", isPass: Bool,
        _ reading: (Shelf) -> Void = { _ = $0.books }
    ) {
        let view = ShelfView(shelf: shelf, title: title)
        store.evaluate("Shelf", of: view, instance: instance, isPass: isPass) { reading(view.shelf) }
    }

    var stats: Stats { store.stats.first { $0.key == "Shelf" } ?? Stats(key: "") }

    func reason(_ text: String) -> ReasonCount? { stats.reasons.first { $0.reason == text } }
}

@Suite("Passes")
struct PassTests {
    private let framework = Framework()

    @Test("are counted as evaluations and as passes, by the reason of their update, whose writes are counted once")
    func counted() throws {
        framework.update()
        for _ in 0..<5 {
            framework.shelf.books += 1
            framework.update(passes: 3)
        }
        let stats = framework.stats
        #expect(stats.count == framework.updates + framework.passes)
        #expect(stats.passes == framework.passes && stats.updates == framework.updates)
        let written = try #require(framework.reason("shelf.books"))
        #expect(written.count == 5 * 4 && written.passes == 5 * 3 && written.updates == 5)
        #expect(written.attribution == .exact && written.writers.map(\.count) == [5])
        let initial = try #require(framework.reason(Reason.initial))
        #expect(initial.count == 3 && initial.passes == 2)
        #expect(stats.reasons.reduce(0) { $0 + $1.count } == stats.count)
    }

    @Test("are neither wasted nor unjudged, whatever their inputs say")
    func noWaste() {
        for _ in 0..<4 { framework.update() }
        // All but the first update had the inputs of the one before.
        #expect(framework.stats.wasted.kinds == [.sameInputs: 3])
        #expect(framework.stats.wasted.unjudged == 0)
        // Without a value nothing is known, of passes either.
        let store = framework.store
        for _ in 0..<3 {
            store.evaluate("Bare") {}
            store.evaluate("Bare", isPass: true) {}
        }
        #expect(store.stats.first { $0.key == "Bare" }?.wasted.unjudged == 2)
        #expect(store.stats.first { $0.key == "Bare" }?.passes == 3)
    }

    @Test("are not twice in a turn, and do not make a later one so", arguments: [true, false])
    func turns(arePasses: Bool) {
        let store = framework.store
        func evaluate(isPass: Bool) { store.evaluate("Row", instance: 7, isPass: isPass) {} }
        for _ in 0..<3 {
            store.turnBegan()
            evaluate(isPass: false)
            evaluate(isPass: arePasses)
            evaluate(isPass: arePasses)
            store.committed("Row", changed: true, instance: 7)
        }
        // A pass in a later turn, and an update in that turn.
        store.turnBegan()
        evaluate(isPass: false)
        store.turnBegan()
        evaluate(isPass: true)
        evaluate(isPass: false)
        let kinds = store.stats.first { $0.key == "Row" }?.wasted.kinds
        #expect(kinds == (arePasses ? [:] : [.twiceInATurn: 6]))
    }

    @Test("a commit that changes nothing says that the update was wasted, and its passes were not")
    func commits() {
        framework.shelf.books += 1
        framework.update()
        framework.store.committed("Shelf", changed: false, instance: 1)
        #expect(framework.stats.wasted.measured == 1 && framework.stats.wasted.count == 1)
    }

    @Test("an equal output of a pass is no waste, and the next update is compared with it")
    func outputs() {
        let store = framework.store
        func evaluate(_ output: Int, isPass: Bool) {
            _ = store.evaluate("Sum", instance: 1, isPass: isPass, comparing: .equatable) { output }
        }
        evaluate(1, isPass: false)
        evaluate(1, isPass: true)
        #expect(store.stats.first?.wasted.count == 0)
        evaluate(2, isPass: true)
        evaluate(1, isPass: false)
        #expect(store.stats.first?.wasted.count == 0, "2 was shown")
        evaluate(1, isPass: false)
        #expect(store.stats.first?.wasted.kinds == [.sameOutput: 1])
    }

    @Test("what any evaluation of an update read is a cause of the next one", arguments: ["books", "height", "colour"])
    func reads(of property: String) throws {
        framework.update { shelf, pass in
            switch pass {
            case 0: _ = shelf.books
            case 1: _ = shelf.height
            default: _ = (shelf.books, shelf.colour)
            }
        }
        switch property {
        case "books": framework.shelf.books += 1
        case "height": framework.shelf.height += 1
        default: framework.shelf.colour += 1
        }
        framework.update { _, _ in }
        let reason = try #require(framework.reason("shelf.\(property)"))
        #expect(reason.count == 3 && reason.writers.map(\.count) == [1])
        // The update after it read nothing.
        framework.shelf.books += 1
        framework.shelf.height += 1
        framework.shelf.colour += 1
        framework.update(passes: 0) { _, _ in }
        #expect(framework.stats.lastReason == Reason.externalSignal)
    }

    @Test("what another model's evaluation read is added to what is known of the first, each by its name")
    func readsOfAnotherModel() {
        let (shelf, other) = (framework.shelf, Shelf())
        framework.update { shelf, pass in _ = pass == 0 ? shelf.books : other.books }
        other.books += 1
        framework.update { shelf, pass in _ = pass == 0 ? shelf.books : other.books }
        #expect(framework.reason("Shelf.books")?.count == 3)
        shelf.books += 1
        framework.update(passes: 0)
        #expect(framework.reason("shelf.books")?.count == 1)
    }

    @Test("a write between two evaluations makes the second one an update of its own")
    func writeBetween() {
        framework.update(passes: 1)
        framework.shelf.books += 1
        framework.evaluate(isPass: true)
        framework.pass()
        #expect(framework.stats.count == 4 && framework.stats.passes == 2)
        #expect(framework.reason("shelf.books")?.updates == 1)
        framework.store.invalidate("Shelf", instance: 1, cause: "count")
        framework.evaluate(isPass: true)
        #expect(framework.stats.passes == 2 && framework.reason("count")?.updates == 1)
    }

    @Test("of an update that the store does not know there are none")
    func unknownUpdate() {
        framework.evaluate(1, isPass: true)
        framework.evaluate(2, isPass: true)
        #expect(framework.stats.passes == 0 && framework.reason(Reason.initial)?.count == 2)
        framework.store.ended("Shelf", instance: 1)
        framework.evaluate(1, isPass: true)
        framework.pass(2)
        #expect(framework.stats.passes == 1 && framework.reason(Reason.initial)?.updates == 3)
        framework.store.isEnabled = false
        framework.store.isEnabled = true
        framework.evaluate(2, isPass: true)
        #expect(framework.stats.passes == 1, "nothing is known of the pause")
    }

    @Test(
        "the next update is compared with the first evaluation of the last one, and keeps its reason whatever a pass is of"
    )
    func properties() {
        framework.update(title: "a", passes: 0)
        framework.pass(1, "b")
        #expect(framework.reason(Reason.initial)?.count == 2)
        framework.update(title: "a", passes: 0)
        #expect(framework.stats.lastReason == Reason.externalSignal)
        framework.update(title: "c", passes: 0)
        #expect(framework.stats.lastReason == "title")
        framework.store.evaluate("Shelf", instance: 1, reason: "tap", isPass: true) {}
        #expect(framework.stats.lastReason == "title")
    }

    @Test("a write that was not reported is not hidden by a pass that reads anew")
    func unreported() {
        framework.update { shelf, _ in _ = shelf.colour }
        framework.update { shelf, _ in _ = shelf.colour }
        #expect(framework.stats.wasted.kinds == [.sameInputs: 1])
        framework.update(passes: 0) { shelf, _ in _ = shelf.colour }
        framework.shelf.paintInSecret()
        framework.pass { _ = ($0.colour, $0.height) }
        framework.update(passes: 0) { shelf, _ in _ = shelf.colour }
        #expect(framework.stats.wasted.kinds == [.sameInputs: 2])
        #expect(framework.stats.wasted.unjudged == 1)
    }

    @Test("an error of one evaluation of an update leaves the next update unjudged", arguments: [0, 1])
    func errors(failing: Int) {
        struct Failure: Error {}
        framework.update(passes: 0)
        for pass in 0..<2 {
            let view = ShelfView(shelf: framework.shelf)
            try? framework.store.evaluate("Shelf", of: view, instance: 1, isPass: pass > 0) { () throws(Failure) in
                _ = view.shelf.books
                if pass == failing { throw Failure() }
            }
        }
        let before = framework.stats.wasted
        framework.update(passes: 0)
        #expect(framework.stats.wasted.count == before.count)
        #expect(framework.stats.wasted.unjudged == (before.unjudged ?? 0) + 1)
    }

    @Test("what a bridge reported as read counts until the next update")
    func reported() {
        framework.update(passes: 0)
        framework.store.reading("Shelf", instance: 1) { _ = framework.shelf.height }
        framework.pass()
        framework.shelf.height += 1
        framework.update(passes: 0)
        #expect(framework.reason("shelf.height")?.count == 1)
    }

    @Test("a view evaluated within a pass has the way to the update's cause")
    func chains() {
        let store = framework.store
        func evaluate(isPass: Bool) {
            let view = ShelfView(shelf: framework.shelf)
            store.evaluate("Parent", of: view, instance: 1, isPass: isPass) {
                _ = view.shelf.books
                store.evaluate("Child", of: 1, instance: 2) {}
            }
        }
        evaluate(isPass: false)
        framework.shelf.books += 1
        evaluate(isPass: false)
        evaluate(isPass: true)
        let child = store.stats.first { $0.key == "Child" }
        let reason = child?.reasons.first { $0.reason == "parent: Parent" }
        #expect(reason?.chains == [ChainCount(chain: "Parent ← shelf.books", count: 2)])
    }

    @Test("a reset clears them, and a pass after it belongs to the update before it")
    func reset() {
        framework.update()
        framework.store.reset()
        framework.pass()
        #expect(framework.stats.count == 1 && framework.stats.passes == 1 && framework.stats.updates == 0)
        #expect(framework.stats.reasons.map(\.reason) == [Reason.initial])
        framework.store.reset()
        framework.update(passes: 0)
        #expect(framework.stats.passes == 0)
    }

    @Test("of a view whose body is called through a hook are counted in the same way")
    func injected() {
        let store = RerenderStore(name: "injected passes")
        let view = InjectedView("Hooked", in: store, file: "", line: 0)
        var value = ShelfView(shelf: framework.shelf)
        let type = unsafe unsafeBitCast(ShelfView.self as Any.Type, to: UnsafeRawPointer.self)
        func evaluate(isPass: Bool) {
            unsafe withUnsafePointer(to: &value) { value in
                unsafe view.evaluate(UnsafeRawPointer(value), type: type, instance: 3, isPass: isPass) {
                    _ = framework.shelf.books
                }
            }
        }
        evaluate(isPass: false)
        framework.shelf.books += 1
        for isPass in [false, true, true] { evaluate(isPass: isPass) }
        let stats = store.stats.first
        #expect(stats?.count == 4 && stats?.passes == 2)
        #expect(stats?.reasons.first { $0.reason == "shelf.books" }?.passes == 2)
    }

    @Test("reasons beyond the limit are counted as other, their passes too")
    func otherReasons() {
        for number in 0..<40 {
            framework.store.evaluate("Many", instance: 1, reason: "reason \(number)") {}
            framework.store.evaluate("Many", instance: 1, isPass: true) {}
        }
        let stats = framework.store.stats.first
        let other = stats?.reasons.first { $0.reason == Reason.other }
        #expect(other?.count == 16 && other?.passes == 8 && stats?.passes == 40)
        #expect(stats?.reasons.filter { $0.reason != Reason.other }.allSatisfy { $0.passes == 1 } == true)
    }
}
