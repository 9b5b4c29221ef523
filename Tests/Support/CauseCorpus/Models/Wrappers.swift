// SPDX-License-Identifier: MIT
// Models with properties in wrappers, of which nobody hears, and with others that only look so, of which Observation does.

import Observation
import Rerender

@propertyWrapper private struct Clamped {
    var wrappedValue: Int
}
/// What it wraps is behind a computed property, and what it projects is itself.
@propertyWrapper private struct Counted {
    var number = 1
    var wrappedValue: Int {
        get { number }
        set { number = newValue }
    }
    var projectedValue: Counted {
        get { self }
        set { self = newValue }
    }
}
@propertyWrapper private final class Injected {
    var wrappedValue: Int
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}
@propertyWrapper private enum Late {
    case missing
    case there(Int)
    init(wrappedValue: Int) { self = .there(wrappedValue) }
    var wrappedValue: Int {
        get { if case .there(let value) = self { value } else { 0 } }
        set { self = .there(newValue) }
    }
}
@propertyWrapper private struct Kept<Value> {
    private var value: Value
    init(wrappedValue: Value) { value = wrappedValue }
    var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }
}
private enum Kinds {}
extension Kinds {
    @propertyWrapper fileprivate struct Nested {
        var number = 1
        var wrappedValue: Int {
            get { number }
            set { number = newValue }
        }
    }
}

private protocol Sounding: AnyObject, SendableMetatype {
    var name: String { get set }
    var volume: Int { get set }
}
@Observable private final class OfStruct: Sounding {
    var name = "n"
    @ObservationIgnored @Clamped var volume = 1
}
@Observable private final class OfComputed: Sounding {
    var name = "n"
    @ObservationIgnored @Counted var volume: Int
}
@Observable private final class OfObject: Sounding {
    var name = "n"
    @ObservationIgnored @Injected var volume = 1
}
@Observable private final class OfEnum: Sounding {
    var name = "n"
    @ObservationIgnored @Late var volume = 1
}
@Observable private final class OfGeneric: Sounding {
    var name = "n"
    @ObservationIgnored @Kept var volume = 1
}
@Observable private final class OfNested: Sounding {
    var name = "n"
    @ObservationIgnored @Kinds.Nested var volume: Int
}
@Observable private class Tuner: Sounding {
    var name = "n"
    @ObservationIgnored @Counted var volume: Int
}
@Observable private final class Radio: Tuner {
    var model = Unequal(value: 1)
}
/// The property of the same name and type in the subclass is tracked.
@Observable private class Hidden: Sounding {
    var name = "n"
    @ObservationIgnored @Counted private var level: Int
    var volume: Int {
        get { level }
        set { level = newValue }
    }
}
@Observable private final class Shown: Hidden {
    private var level = Counted()
    func look() -> Int { level.number }
}
@Observable private final class Generic<Value>: Sounding {
    var name = "n"
    var value: Value?
    @ObservationIgnored @Kept var volume = 1
}
/// One of two fields of a type is tracked.
@Observable private final class Mixed: Sounding {
    var name = "n"
    var tracked = Counted()
    @ObservationIgnored @Counted var volume: Int
}
/// Tells of reads by hand: of the wrapped value, and of the wrapper.
@Observable private final class ByHand: Sounding {
    @ObservationIgnored @Counted private var level: Int
    var name: String {
        get {
            access(keyPath: \.name)
            return "n\(level)"
        }
        set { withMutation(keyPath: \.name) { level = Int(newValue) ?? 0 } }
    }
    var volume: Int {
        get { level }
        set { level = newValue }
    }
    var whole: Counted {
        access(keyPath: \.whole)
        return $level
    }
}
/// With ignored variables that are called as the macro calls its own.
@Observable private final class Underscored: Sounding {
    var name = "n"
    @ObservationIgnored private var _level = 1
    var volume: Int {
        get { _level }
        set { _level = newValue }
    }
}
@Observable private final class Behind: Sounding {
    var name = "n"
    @ObservationIgnored private var _volume = 1
    var volume: Int {
        get { _volume }
        set { _volume = newValue }
    }
}
@Observable private class OpenBehind: Sounding {
    var name = "n"
    @ObservationIgnored private var _volume = 1
    var volume: Int {
        get { _volume }
        set { _volume = newValue }
    }
}
private struct Ward: Equatable {
    var number = 1
    var text = "a text that is too long to lie in its own words"
}
/// With properties of types that could be wrappers.
@Observable private final class Shelf {
    var name = "n"
    var style = Unequal(value: 1)
    var counted = Counted()
    var late = Late.missing
    var ward = Ward()
    var wards = [Ward()]
    var chosen: Ward?
    let id = 7
    @ObservationIgnored let fixed = Counted()
}
@Observable private final class Library {
    var shelf = Shelf()
    var cell = Cell(Ward())
}
@Observable private final class Cell<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
@Observable private final class Rack<Value> {
    var pair: Paired<Value>
    init(_ value: Value) { pair = Paired(value: value) }
}
private struct Paired<Value> {
    var value: Value
}
private final class Holder<Model> {
    let model: Model
    init(_ model: Model) { self.model = model }
}

extension Case {
    static let wrappers = CaseList.make("wrappers") { list in
        func ignored<Model: Sounding>(
            _ name: String, _ make: @autoclosure @escaping @Sendable () -> Model, line: UInt = #line,
            _ read: @escaping @Sendable (Model) -> String = { "\($0.name)\($0.volume)" }
        ) {
            list.one("\(name), ignored") { recorder in
                let view = One(value: make())
                func evaluate(_ truth: Truth) {
                    recorder.evaluate("View", view, isDescribed: false, is: truth, line: line) { read($0.value) }
                }
                evaluate(.initial)
                for volume in 11...13 {
                    view.value.volume = volume
                    evaluate(.open.behind("value"))
                }
            }
            list.one("\(name), ignored, in a child") { recorder in
                let view = One(value: make())
                recorder.hides(view, line: line) { view.value.volume = 11 }
            }
            list.one("\(name), ignored, in a model in a constant") { recorder in
                let view = One(value: Holder(make()))
                func evaluate(_ truth: Truth) {
                    recorder.evaluate("View", view, isDescribed: false, is: truth, line: line) { read($0.value.model) }
                }
                evaluate(.initial)
                view.value.model.volume = 11
                evaluate(.open.behind("value"))
            }
        }
        ignored("a struct", OfStruct())
        ignored("a struct that computes its value", OfComputed())
        ignored("an object", OfObject())
        ignored("an enum", OfEnum())
        ignored("a generic struct", OfGeneric())
        ignored("a nested struct", OfNested())
        ignored("a struct in a superclass", Radio()) { "\($0.name)\($0.volume)\($0.model.value)" }
        ignored("a struct beside one of the same name in a subclass", Shown()) { "\($0.name)\($0.volume)\($0.look())" }
        ignored("a struct in a generic model", Generic<Int>())
        ignored("a struct beside a tracked property of its type", Mixed()) {
            "\($0.name)\($0.volume)\($0.tracked.number)"
        }
        ignored("a struct whose value is told of by hand", ByHand())
        ignored("a variable with an underscore", Underscored())
        ignored("a variable with an underscore, behind a property of its name", Behind())
        ignored("a variable with an underscore, behind a property of its name that can be overridden", OpenBehind())
        list.one("a struct that is told of by hand, ignored") { recorder in
            // Without names, the property cannot be told from the one that the macro would make.
            guard recorder.areNamesKnown else { return }
            let view = One(value: ByHand())
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", view, isDescribed: false, is: truth) { $0.value.whole.number }
            }
            evaluate(.initial)
            view.value.volume = 11
            evaluate(.open.behind("value"))
        }
        func tracked<Model: SendableMetatype>(
            _ name: String, _ make: @autoclosure @escaping @Sendable () -> Model, line: UInt = #line,
            _ read: @escaping @Sendable (Model) -> String
        ) {
            list.one("\(name), tracked") { recorder in
                let view = One(value: make())
                func evaluate(_ truth: Truth) {
                    recorder.evaluate("View", view, isDescribed: false, is: truth, line: line) { read($0.value) }
                }
                evaluate(.initial)
                evaluate(.same)
            }
        }
        @Sendable func readAll(_ shelf: Shelf) -> String {
            let values = "\(shelf.style.value)\(shelf.counted.number)\(shelf.late)\(shelf.ward)"
            return "\(shelf.name)\(values)\(shelf.wards)\(shelf.chosen?.number ?? 0)\(shelf.id)"
        }
        tracked("properties of types that are or could be wrappers", Shelf(), readAll)
        tracked("properties of such types that are read one after the other", Shelf()) { "\($0.ward)\($0.style.value)" }
        tracked("a model of which nothing of such a type is read", Shelf(), \.name)
        tracked("a model in a model", Library()) { "\(readAll($0.shelf))\($0.cell.value)" }
        tracked("a generic model of a struct", Cell(Ward())) { "\($0.value)" }
        tracked("a generic model of a generic struct", Rack(Ward())) { "\($0.pair)" }
        list.one("a model whose properties are read by another view, tracked") { recorder in
            let view = One(value: Cell(Paired(value: Ward()))), other = One(value: Rack(Paired(value: 1)))
            recorder.evaluate("View", view, isDescribed: false, is: .initial) { _ in }
            recorder.evaluate("View", other, isDescribed: false, is: nil) { _ in }
            recorder.evaluate("Reader", other, isDescribed: false, is: .initial) { "\($0.value.pair)" }
            recorder.evaluate("Second", other, isDescribed: false, is: .initial) { _ in }
            recorder.evaluate("Second", other, isDescribed: false, is: .same) { _ in }
        }
    }
}
