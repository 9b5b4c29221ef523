// SPDX-License-Identifier: MIT
// Stored properties in property wrappers: what they wrap counts, not the box that it lies in.

import Observation
import Rerender
import StateFramework
import Synchronization

private struct Position {
    var x: Int
    var y: Int
}
private struct Counter {
    @State var count: Int
}
private struct Titled {
    @State var title: String
    let number: Int
}
private struct Placed {
    @State var place: Position
}
private struct Chosen {
    @State var chosen: Int?
}
private struct Following {
    @State var ticker: Ticker
}
private struct Colored {
    @Ambient<String>("accent") var accent

    init(_ accent: String) { _accent.update(accent) }
}
private struct Linked {
    @Link<Int> var count: Int
    let number: Int

    init(_ number: Int) {
        _count = Link(get: { number }, set: { _ in })
        self.number = 1
    }
}
private struct Remembered {
    @Remembering var count: Int
}
@propertyWrapper private struct Private<Value> {
    private final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    private let box: Box
    init(wrappedValue: Value) { box = Box(wrappedValue) }
    var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
}
private struct OfPrivate {
    @Private var text: String
}
@propertyWrapper private final class Held {
    private let value: Int
    init(wrappedValue: Int) { value = wrappedValue }
    var wrappedValue: Int { value }
}
private struct OfObject {
    @Held var count: Int
}
@propertyWrapper private struct Kept<Value> {
    var wrappedValue: Value
}
@propertyWrapper private struct Limited {
    var wrappedValue: Int
    let limit: Int
}
@propertyWrapper private final class Shared {
    var wrappedValue: Int
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}
private struct Stored {
    @Kept var place: Position
    @Shared var count: Int
}
private struct Bounded {
    @Limited var level: Int
    init(_ level: Int, limit: Int) { _level = Limited(wrappedValue: level, limit: limit) }
}
private struct Nested {
    @State @Kept var count: Int
    @Kept @State var text: String
}
private struct Cell {
    var title: String
}
private struct Underscored {
    var _cell: Cell
    var _keeper: Keeper
}
private final class Keeper {
    var title = "a"
}
/// Its value is not what it keeps.
@propertyWrapper private struct Setting {
    static let current = Atomic(1)
    let key: String
    let standard: Int
    var wrappedValue: Int { Self.current.load(ordering: .relaxed) }
    init(wrappedValue: Int, _ key: String) { (self.key, standard) = (key, wrappedValue) }
}
private struct Configured {
    @Setting("size") var size = 1
}
@propertyWrapper private struct Locked<Value: Sendable> {
    private final class Box: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }
    private let box: Box
    init(wrappedValue: Value) { box = Box(wrappedValue) }
    var wrappedValue: Value { box.value.withLock { $0 } }
}
private struct OfLocked {
    @Locked var text: String
}
private struct Inner {
    @State var count: Int
}
private struct Outer {
    var inner: Inner
    var list: [Inner]
}

/// Equal, as far as its getter is known: it is code of the wrapper's own, so that nobody may call it wasted.
private let equal = Truth.open

@propertyWrapper private struct Looked<Value: Sendable> {
    let look: Int
    private let make: @Sendable (Int) -> Value
    init(_ look: Int, _ make: @escaping @Sendable (Int) -> Value) { (self.look, self.make) = (look, make) }
    var wrappedValue: Value { make(Setting.current.load(ordering: .relaxed)) }
}
/// Other getters of it may survive in an optimised build, while that of the wrapped value does not.
@propertyWrapper private enum Preferred {
    case first, second
    @inline(never) var isFirst: Bool { self == .first }
    var wrappedValue: Int { Setting.current.load(ordering: .relaxed) + (isFirst ? 0 : 1) }
    init(wrappedValue: Int) { self = wrappedValue == 0 ? .first : .second }
}
private enum Choices {
    @propertyWrapper struct Chosen {
        let key: String
        var isLong: Bool { key.utf8.count > Setting.current.load(ordering: .relaxed) }
        var wrappedValue: Int { Setting.current.load(ordering: .relaxed) * (isLong ? 2 : 3) }
    }
}
private struct OfLooked {
    @Looked(1, { $0 }) var look: Int
}
private struct OfPreferred {
    @Preferred var preferred = 0
}
private struct OfChosen {
    @Choices.Chosen(key: "size") var size: Int
}
private struct OfTwo {
    @Kept @Choices.Chosen var size: Int
    init() { _size = Kept(wrappedValue: Choices.Chosen(key: "size")) }
}
private struct OfEnumInside {
    @Kept @Preferred var preferred = 0
}

extension Case {
    static let wrappedValues = CaseList.make("wrapped values") { list in
        func one<View>(
            _ name: String, _ evaluations: @autoclosure @escaping @Sendable () -> [(view: View, truth: Truth)],
            line: UInt = #line
        ) {
            list.one(name) { recorder in
                // All are alive, so that no box can lie where another one lay.
                let evaluations = evaluations()
                for one in evaluations { recorder.evaluate(one.view, isDescribed: false, is: one.truth, line: line) }
                withExtendedLifetime(evaluations) {}
            }
        }
        one(
            "a number in boxes of another module",
            [
                (Counter(count: 1), .initial), (Counter(count: 1), equal),
                (Counter(count: 2), .changed("count")), (Counter(count: 2), equal),
            ])
        one(
            "a text in boxes",
            [
                (Titled(title: "a", number: 1), .initial), (Titled(title: "a", number: 1), equal),
                (Titled(title: "b", number: 1), .changed("title")),
                (Titled(title: "b", number: 2), .changed("number")),
            ])
        one(
            "a struct in boxes",
            [
                (Placed(place: Position(x: 1, y: 1)), .initial),
                (Placed(place: Position(x: 1, y: 2)), .changed("place.y")),
                (Placed(place: Position(x: 1, y: 2)), equal),
            ])
        one(
            "an optional in boxes",
            [
                (Chosen(chosen: nil), .initial), (Chosen(chosen: nil), equal),
                (Chosen(chosen: 1), .changed("chosen")), (Chosen(chosen: 1), equal),
                (Chosen(chosen: nil), .changed("chosen")),
            ])
        one(
            "a box of an optional of what it wraps",
            [
                (Colored("red"), .initial), (Colored("red"), equal), (Colored("blue"), .changed("accent")),
            ])
        one(
            "functions, which cannot be entered",
            [
                // With the same function and equal captures it is the same.
                (Linked(1), .initial), (Linked(1), equal.with(.either)), (Linked(2), .open),
            ])
        one(
            "two values of the type, of which one counts",
            [
                (Remembered(count: 1), .initial), (Remembered(count: 1), equal),
                (Remembered(count: 2), .open),
            ])
        one(
            "behind a lock",
            [(OfLocked(text: "a"), .initial), (OfLocked(text: "a"), equal), (OfLocked(text: "b"), .open)])
        list.one("a setting that is kept elsewhere") { recorder in
            recorder.evaluate(Configured(), isDescribed: false, is: .initial)
            Setting.current.add(1, ordering: .relaxed)
            recorder.evaluate(Configured(), isDescribed: false, is: .open)
        }
        func elsewhere<View>(_ name: String, _ make: @escaping @Sendable () -> View) {
            list.one("a getter of its own in \(name)") { recorder in
                recorder.evaluate(make(), isDescribed: false, is: .initial)
                Setting.current.add(1, ordering: .relaxed)
                // Nothing may be inferred in any build.
                recorder.evaluate(make(), isDescribed: false, is: .open)
            }
        }
        elsewhere("a generic wrapper", { OfLooked() })
        elsewhere("an enum", { OfPreferred() })
        elsewhere("a nested wrapper", { OfChosen() })
        elsewhere("a wrapper in a wrapper", { OfTwo() })
        elsewhere("an enum in a wrapper", { OfEnumInside() })
        one(
            "stored, in a struct and in an object",
            [
                (Stored(place: Position(x: 1, y: 1), count: 1), .initial),
                (Stored(place: Position(x: 1, y: 1), count: 1), .same),
                (Stored(place: Position(x: 2, y: 1), count: 1), .changed("place.x")),
                (Stored(place: Position(x: 2, y: 1), count: 2), .changed("count")),
            ])
        one(
            "stored beside a limit",
            [
                (Bounded(1, limit: 5), .initial), (Bounded(1, limit: 5), .same),
                (Bounded(2, limit: 5), .changed("level")), (Bounded(2, limit: 6), .open),
            ])
        // Nothing tells any build that these are wrappers.
        one(
            "a private wrapper",
            [
                (OfPrivate(text: "a"), .initial), (OfPrivate(text: "a"), equal),
                (OfPrivate(text: "b"), .changed("text")),
            ])
        one(
            "a private wrapper that is an object",
            [
                (OfObject(count: 1), .initial), (OfObject(count: 1), equal), (OfObject(count: 2), .changed("count")),
            ])
        one(
            "a wrapper in a wrapper",
            [
                (Nested(count: 1, text: "a"), .initial), (Nested(count: 1, text: "a"), equal),
                (Nested(count: 2, text: "a"), .changed("count")),
                (Nested(count: 2, text: "b"), .changed("text")),
            ])
        list.one("an underscore of the program's own") { recorder in
            let keeper = Keeper(), other = Keeper()
            func evaluate(_ title: String, _ keeper: Keeper, _ truth: Truth) {
                recorder.evaluate(
                    Underscored(_cell: Cell(title: title), _keeper: keeper), isDescribed: false, is: truth)
            }
            evaluate("a", keeper, .initial)
            var truth = Truth.changed("_cell.title")
            // Nothing tells that it is no wrapper.
            truth.lesser = ["cell"]
            evaluate("b", keeper, truth)
            evaluate("b", other, .changed("_keeper"))
            withExtendedLifetime((keeper, other)) {}
        }
        one(
            "in a struct, and in a list of structs",
            [
                (Outer(inner: Inner(count: 1), list: [Inner(count: 1)]), .initial),
                (Outer(inner: Inner(count: 2), list: [Inner(count: 1)]), .changed("inner.count")),
                (Outer(inner: Inner(count: 2), list: [Inner(count: 2)]), .changed("list")),
                (Outer(inner: Inner(count: 2), list: [Inner(count: 2)]), equal),
            ])
        list.one("a model in boxes") { recorder in
            let ticker = Ticker()
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", Following(ticker: ticker), isDescribed: false, is: truth) { $0.ticker.tick }
            }
            evaluate(.initial)
            let place = advance(ticker)
            evaluate(.wrote("ticker.tick", place))
            evaluate(equal)
            let other = Ticker()
            recorder.evaluate("View", Following(ticker: other), isDescribed: false, is: .changed("ticker")) {
                $0.ticker.tick
            }
            withExtendedLifetime((ticker, other)) {}
        }
        list.one("one box that is written") { recorder in
            let view = Counter(count: 1)
            recorder.evaluate(view, isDescribed: false, is: .initial)
            view.count = 2
            recorder.evaluate(view, isDescribed: false, is: .changed("count"))
            recorder.evaluate(view, isDescribed: false, is: equal)
        }
    }
}
