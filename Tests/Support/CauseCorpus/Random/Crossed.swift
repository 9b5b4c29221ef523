// SPDX-License-Identifier: MIT
// Every kind of input in every kind of container: where a value is kept must not change what is said of it.

import Rerender

private enum Payload<Value> { case none, one(Value), two(Int, Value) }
private indirect enum Boxed<Value> { case end, box(Value, Boxed<Value>) }
private struct Nested<Value> { var number = 1; var inner: One<Value>; var text = "a" }
private protocol Erased {}
private struct Erasing<Value>: Erased { var value: Value }

extension Recorder {
    @_semantics("optimize.sil.specialize.generic.never")
    fileprivate func child<View>(_ view: View, _ truth: Truth) {
        children([view], isDescribed: false, are: [truth.reason == "initial" ? truth : truth.under("Outer")])
    }

    @_semantics("optimize.sil.specialize.generic.never")
    fileprivate func cross<Value>(_ container: String, _ value: Value, _ truth: Truth) {
        switch container {
        case "an optional": child(One(value: Optional(value)), truth)
        case "an array": child(One(value: [value]), truth)
        case "an array of arrays": child(One(value: [[], [value]]), truth)
        case "a tuple": child(One(value: (1, value)), truth)
        case "a dictionary": child(One(value: ["a": value]), truth)
        case "a struct in a struct": child(One(value: Nested(inner: One(value: value))), truth)
        case "an enum": child(One(value: Payload.one(value)), truth)
        case "an enum of two": child(One(value: Payload.two(7, value)), truth)
        case "an indirect enum": child(One(value: Boxed.box(value, .end)), truth)
        case "any value": child(One(value: value as Any), truth)
        case "an existential": child(One(value: Erasing(value: value) as any Erased), truth)
        default: child(One(value: value), truth)
        }
    }
}

extension Case {
    private static let placesToKeep = [
        "an optional", "an array", "an array of arrays", "a tuple", "a dictionary", "a struct in a struct", "an enum",
        "an enum of two", "an indirect enum", "any value", "an existential",
    ]

    static let crossed: [Case] = makeInputKinds().flatMap { kind in
        placesToKeep.map { container in Case("crossed: \(kind.name) in \(container)") { cross(kind, container, $0) } }
    }

    private static func cross(_ kind: some InputKind, _ container: String, _ recorder: Recorder) {
        let box = NumberBox()
        for (number, truth) in zip([1, 1, 2, 2, 1], truths(kind.nature)) {
            box.number = number
            recorder.cross(container, kind.make(number, box), truth)
        }
    }

    /// What is to be said of two equal ones, another one, an equal one again, and the first again.
    private static func truths(_ nature: Nature) -> [Truth] {
        let equal = Truth.equalInAWay.behind("value")
        let changed = Truth.changed("value"), open = Truth.open.behind("value")
        return switch nature {
        case .value: [.initial, .same, changed, .same, changed]
        // An equal object is another one all the same; of a container of such, nothing need be said.
        case .object: [.initial, equal, changed, equal, changed]
        case .closure: [.initial, equal, open, equal, open]
        // The object in it is the same, and between two of the evaluations it did not change.
        case .hidden: [.initial, equal, open, equal, open]
        }
    }
}
