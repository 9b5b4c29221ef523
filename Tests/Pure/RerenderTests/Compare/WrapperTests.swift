// SPDX-License-Identifier: MIT
import Synchronization
import TestSupport
import Testing

@testable import Rerender

/// A framework's wrapper of which its metadata alone do not tell enough: which of the two counts?
@propertyWrapper private struct Twofold<Value> {
    final class Box {
        var value: Value
        var former: Value
        init(_ value: Value, _ former: Value) { (self.value, self.former) = (value, former) }
    }
    private let box: Box?
    init(_ value: Value, _ former: Value) { box = Box(value, former) }
    init() { box = nil }
    var wrappedValue: Value? { box?.value }
}
private struct OfTwofold {
    @Twofold<String> var text: String?
    init(_ text: String, _ former: String) { _text = Twofold(text, former) }
    init() { _text = Twofold() }
}
@propertyWrapper private struct Excluded { var wrappedValue: Int; var more = 1 }
private struct OfExcluded {
    @Excluded var number: Int; init(_ number: Int, _ more: Int) { _number = Excluded(wrappedValue: number, more: more) }
}
@propertyWrapper private struct Shut { var wrappedValue: Int }
private struct OfShut { @Shut var number: Int; var title = "a" }

/// Not private: of private types no symbol counts.
enum WithSymbols {
    @propertyWrapper struct Plain<Value> {
        final class Box {
            var value: Value
            init(_ value: Value) { self.value = value }
        }
        private let box: Box
        init(wrappedValue: Value) { box = Box(wrappedValue) }
        var wrappedValue: Value { box.value }
    }
    /// With a number of its own beside what it wraps.
    @propertyWrapper struct Numbered<Value> {
        final class Box {
            var value: Value
            var writes: Int
            init(_ value: Value, _ writes: Int) { (self.value, self.writes) = (value, writes) }
        }
        private let box: Box
        init(_ value: Value, writes: Int) { box = Box(value, writes) }
        var wrappedValue: Value { box.value }
    }

    /// A lock of the program's own, with a number beside what it is made of.
    final class OwnLock: Sendable {
        private let inner = Mutex(())
        private let owner = 1
    }
    @propertyWrapper struct Guarded<Value> {
        final class Box {
            var value: Value
            let lock = OwnLock()
            init(_ value: Value) { self.value = value }
        }
        private let box: Box
        init(wrappedValue: Value) { box = Box(wrappedValue) }
        var wrappedValue: Value { box.value }
    }
    /// What has a lock for its own sake guards nothing beside it.
    final class Publisher: Sendable {
        private let listeners = Mutex<[String]>([])
        let name: [String] = []
    }
    @propertyWrapper struct Published<Value> {
        final class Box {
            var value: Value
            let publisher = Publisher()
            init(_ value: Value) { self.value = value }
        }
        private let box: Box
        init(wrappedValue: Value) { box = Box(wrappedValue) }
        var wrappedValue: Value { box.value }
    }

    struct Cell { var title: String }

    final class Shell<Content> {
        var content: Content
        init(_ content: Content) { self.content = content }
    }
    typealias Shells<Value> = Shell<Shell<Value>>
    @propertyWrapper struct InTwo<Value> {
        private let shell: Shells<Value>
        init(wrappedValue: Value) { shell = Shell(Shell(wrappedValue)) }
        var wrappedValue: Value { shell.content.content }
    }
    @propertyWrapper struct InThree<Value> {
        private let shell: Shell<Shells<Value>>
        init(wrappedValue: Value) { shell = Shell(Shell(Shell(wrappedValue))) }
        var wrappedValue: Value { shell.content.content.content }
    }
    @propertyWrapper struct InFour<Value> {
        private let shell: Shells<Shells<Value>>
        init(wrappedValue: Value) { shell = Shell(Shell(Shell(Shell(wrappedValue)))) }
        var wrappedValue: Value { shell.content.content.content.content }
    }
    @propertyWrapper struct InSeven<Value> {
        private let shell: Shell<Shells<Shells<Shells<Value>>>>
        init(wrappedValue: Value) { shell = Shell(Shell(Shell(Shell(Shell(Shell(Shell(wrappedValue))))))) }
        var wrappedValue: Value { shell.content.content.content.content.content.content.content }
    }
}
private struct OfTwoShells { @WithSymbols.InTwo var text: String }
private struct OfThreeShells { @WithSymbols.InThree var text: String }
private struct OfFourShells { @WithSymbols.InFour var text: String }
private struct OfSevenShells { @WithSymbols.InSeven var text: String }
private struct OfNumbered {
    @WithSymbols.Numbered<Int> var count: Int
    init(_ count: Int, writes: Int) { _count = WithSymbols.Numbered(count, writes: writes) }
}
private struct OfPlain { @WithSymbols.Plain var text: String }
private struct OfObject { @WithSymbols.Plain var object: Constant }
private final class Constant {
    let name: String
    init(_ name: String) { self.name = name }
}
private struct OfGuarded { @WithSymbols.Guarded var text: String }
private struct OfPublished { @WithSymbols.Published var text: String }

private struct Tree {
    @WithSymbols.Plain var left: [Tree]
    @WithSymbols.Plain var right: [Tree]
    var name: String
}
@propertyWrapper private struct Holding<Value> { var wrappedValue: Value }
private struct Hidden { var title: String }
/// Nothing tells that it is no wrapper: an enum stores nothing, so that no getter is missing.
private enum Phase {
    case first, last
    var isLast: Bool { self == .last }
}
private struct OfPhase { var _phase: Phase; var title = "a" }
private struct OfCell { var _cell: WithSymbols.Cell }
private struct OfHidden { var _hidden: Hidden }
private final class Keeper { let title = "a" }
private struct OfKeeper { var _keeper: Keeper }
private struct OfTwo<Value> { @Holding var value: Value }

private func describe(_ type: Any.Type, _ content: WrapperDescription.Content, isWhole: Bool = false) {
    guard let declaration = WrapperAdapters.declaration(of: type) else { return }
    WrapperAdapters.describe(declaration, as: WrapperDescription(content, isWhole: isWhole))
}

@Suite("Property wrappers")
struct WrapperTests {
    /// What changes from one value to another, and what comparing them says.
    private func change<Value>(_ old: Value, _ new: Value) -> (names: String, change: ValueChange) {
        var snapshot = ValueSnapshot()
        _ = snapshot.update(old)
        let change = snapshot.update(new)
        let settled = snapshot.update(new)
        #expect(settled.changed.isEmpty && !settled.isFirst)
        return (ValueLayout.layout(of: Value.self, depth: StoreLimits.reflectionDepth).names(of: change), change)
    }

    @Test("a box is entered, and another box with equal content is nothing new and no proof")
    func boxes() {
        let same = change(OfPlain(text: "a"), OfPlain(text: "a"))
        #expect(same.names == "" && !same.change.hasNewIdentity && !same.change.unknown)
        // The getter is code: nobody knows what else it asks for.
        #expect(!same.change.isProved)
        #expect(change(OfPlain(text: "a"), OfPlain(text: "b")).names == "text")
        let constant = Constant("a")
        #expect(change(OfObject(object: constant), OfObject(object: constant)).names == "")
        #expect(change(OfObject(object: constant), OfObject(object: Constant("b"))).names == "object")
    }

    @Test("what else a box keeps is the wrapper's own, also if it has the type of the content")
    func others() {
        #expect(change(OfNumbered(1, writes: 1), OfNumbered(1, writes: 2)).names == "")
        #expect(change(OfNumbered(1, writes: 1), OfNumbered(2, writes: 1)).names == "count")
    }

    @Test("an adapter tells where the content lies, and whether it is all")
    func adapters() {
        describe(Twofold<Int>.self, .path(["box", "value"]), isWhole: true)
        let same = change(OfTwofold("a", "x"), OfTwofold("a", "y"))
        #expect(same.names == "" && same.change.isProved)
        #expect(change(OfTwofold("a", "x"), OfTwofold("b", "x")).names == "text")
        let gone = change(OfTwofold("a", "x"), OfTwofold())
        #expect(gone.names == "" && gone.change.unknown, "no box, and nobody knows what is there then")
    }

    @Test("an adapter tells that a type is no wrapper, or one that cannot be entered")
    func refusals() {
        describe(Excluded.self, .noWrapper)
        #expect(change(OfExcluded(1, 1), OfExcluded(1, 2)).names == "_number.more")
        describe(Shut.self, .closed)
        let shut = change(OfShut(number: 1), OfShut(number: 2))
        #expect(shut.names == "" && !shut.change.isProved && !shut.change.unknown)
        #expect(change(OfShut(number: 1), OfShut(number: 2, title: "b")).names == "title")
    }

    @Test("a box with a lock of the program's own in it is not read, and one with a publisher is")
    func locks() {
        let guarded = change(OfGuarded(text: "a"), OfGuarded(text: "b"))
        #expect(guarded.names == "" && !guarded.change.isProved)
        #expect(change(OfPublished(text: "a"), OfPublished(text: "b")).names == "text")
    }

    @Test("so many are entered, the wrapper and boxes in it", arguments: around(StoreLimits.wrapperDepth))
    func deepBoxes(levels: Int) throws {
        let changes = [
            3: change(OfTwoShells(text: "a"), OfTwoShells(text: "b")),
            4: change(OfThreeShells(text: "a"), OfThreeShells(text: "b")),
            5: change(OfFourShells(text: "a"), OfFourShells(text: "b")),
            8: change(OfSevenShells(text: "a"), OfSevenShells(text: "b")),
        ]
        let found = try #require(changes[levels])
        #expect(found.names == (levels <= StoreLimits.wrapperDepth ? "text" : ""))
        // The getter is code, and what is not entered may have changed.
        #expect(!found.change.isProved)
    }

    @Test("boxes in boxes of the same type end")
    func trees() {
        let leaf = Tree(left: [], right: [], name: "leaf")
        let other = Tree(left: [], right: [], name: "other")
        let old = Tree(left: [leaf], right: [leaf], name: "root")
        #expect(change(old, Tree(left: [leaf], right: [leaf], name: "root")).names == "")
        #expect(change(old, Tree(left: [leaf], right: [other], name: "root")).names == "right")
    }

    @Test("what may be a wrapper as far as anything tells is compared, and proves nothing")
    func doubts() {
        let same = change(OfPhase(_phase: .first), OfPhase(_phase: .first))
        #expect(same.names == "" && !same.change.unknown && !same.change.isProved)
        #expect(change(OfPhase(_phase: .first), OfPhase(_phase: .last)).names == "phase")
        let inArray = change([OfPhase(_phase: .first)], [OfPhase(_phase: .first)])
        #expect(!inArray.change.isProved)
        // Of this one the symbols tell, and of a private one none does in any build.
        let cell = WithSymbols.Cell(title: "a"), hidden = OfHidden(_hidden: Hidden(title: "a"))
        #expect(change(OfCell(_cell: cell), OfCell(_cell: cell)).change.isProved)
        #expect(!change(hidden, hidden).change.isProved)
        #expect(change(hidden, OfHidden(_hidden: Hidden(title: "b"))).names == "hidden")
        let other = change(OfKeeper(_keeper: Keeper()), OfKeeper(_keeper: Keeper()))
        #expect(other.names == "" && !other.change.isProved, "another object may have the same value")
    }

    @Test("what a wrapper keeps may be a wrapper as far as anything tells, and proves nothing then")
    func inner() {
        let phase = OfTwo(value: Phase.first), cell = OfTwo(value: WithSymbols.Cell(title: "a"))
        #expect(!change(phase, phase).change.isProved)
        #expect(change(phase, OfTwo(value: Phase.last)).names == "value")
        #expect(change(cell, cell).change.isProved)
        #expect(change(OfTwo(value: 1), OfTwo(value: 1)).change.isProved)
    }

    @Test("symbols tell of a wrapped value, and that there is none")
    func symbols() {
        guard case .found(.parameter(0)) = PropertySymbols.wrappedValue(of: TypeMetadata(WithSymbols.Plain<Int>.self))
        else {
            Issue.record("the first parameter is wrapped")
            return
        }
        guard case .absent = PropertySymbols.wrappedValue(of: TypeMetadata(WithSymbols.Cell.self)) else {
            Issue.record("a cell wraps nothing")
            return
        }
        guard case .unknown = PropertySymbols.wrappedValue(of: TypeMetadata(Hidden.self)) else {
            Issue.record("an optimised build may have no getter of a private type")
            return
        }
    }
}
