// SPDX-License-Identifier: MIT
// Stored properties of every kind: what of them is a change, what is not, and what cannot be told.

import Rerender
import RerenderModel

private struct Holder<Value> {
    var value: Value
}
private struct Pair<First, Second> {
    var first: First
    var second: Second
}
private struct Size: Equatable {
    var width: Double
    var height: Double
}
private struct Card {
    var title: String
    var size: Size
    let onTap: () -> Void
}
private enum Mode {
    case off, on
    case level(Int)
    case named(String, Bool)
    indirect case nested(Mode)
}
private final class Reference {
    var value = 1
}
private final class Style {
    let size: Int
    let name: String
    init(size: Int, name: String) {
        self.size = size
        self.name = name
    }
}
@propertyWrapper private struct Clamped {
    var wrappedValue: Int
}
private struct Wrapped {
    @Clamped var level: Int
}
private struct WeakHolder {
    weak var target: Reference?
}
private struct UnownedHolder {
    unowned let target: Reference
}
private struct Empty {}
private protocol Shape {}
private struct Circle: Shape {
    var radius: Double
}
private struct Square: Shape {
    var side: Double
}
private struct Many {
    var a = 0
    var b = 0
    var c = 0
    var d = 0
    var e = 0
    var f = 0
    var g = 0
    var h = 0
    var i = 0
    var j = 0
}
private struct Node {
    var name: String
    var children: [Node]
}
private typealias Block = (
    Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int,
    Int, Int, Int, Int, Int, Int, Int, Int, Int
)
private struct Large {
    var blocks: (Block, Block, Block, Block)
    var last: Int
}

/// A property of its own that changed, and one that did not, seen where no parent is known.
private let changed = Outcome("value", .diff)
private let unchanged = Outcome.again
private let newIdentity = Outcome("<external signal>", nil, waste: .newIdentity)

/// The outcome of a view whose one property was `old` and is `new`.
private func change<Value>(
    _ name: String, _ old: @escaping @Sendable () -> Value, _ new: @escaping @Sendable () -> Value, _ expected: Outcome,
    line: UInt = #line
) -> Case {
    Case("stored: \(name)") { recorder in
        // Both alive, so that the new one cannot lie where the old one lay.
        let (before, after) = (old(), new())
        recorder.evaluate(Holder(value: before), .initial, line: line)
        recorder.evaluate(Holder(value: after), expected, line: line)
        withExtendedLifetime((before, after)) {}
    }
}

private func long(_ letter: Character) -> String { String(repeating: letter, count: 40) }
private func block(_ value: Int) -> Block {
    (
        value, value, value, value, value, value, value, value, value, value, value, value, value, value, value, value,
        value, value, value, value, value, value, value, value, value, value, value, value, value, value, value, value
    )
}

extension Case {
    static let storedValues: [Case] =
        [
            change("integer changed", { 1 }, { 2 }, changed),
            change("integer equal", { 1 }, { 1 }, unchanged),
            change("bool changed", { true }, { false }, changed),
            change("NaN stays NaN", { Double.nan }, { Double.nan }, unchanged),
            change("-0.0 prints differently from 0.0", { 0.0 }, { -0.0 }, changed),
            change("float changed", { Float(1.5) }, { Float(2.5) }, changed),
            change("short string changed", { "a" }, { "b" }, changed),
            change("short string equal", { "abc" }, { ["a", "b", "c"].joined() }, unchanged),
            change("long string changed", { long("a") }, { long("b") }, changed),
            change("long string equal in new storage", { long("a") }, { long("a") }, unchanged),
            change(
                "string literal", { "a literal that is longer than fifteen bytes" },
                { "a literal that is longer than fifteen bytes" }, unchanged),
            change("optional to nil", { Optional(1) }, { Int?.none }, changed),
            change("optional nil stays", { Int?.none }, { Int?.none }, unchanged),
            change("optional payload changed", { Optional("x") }, { Optional("y") }, changed),
            change("optional long string nil to value", { String?.none }, { Optional(long("z")) }, changed),
            change("enum without payload", { Mode.off }, { Mode.on }, changed),
            change("enum payload equal", { Mode.level(3) }, { Mode.level(3) }, unchanged),
            change("enum payload changed", { Mode.level(3) }, { Mode.level(4) }, changed),
            change("enum with a string payload", { Mode.named("a", true) }, { Mode.named("a", false) }, changed),
            change("indirect enum changed", { Mode.nested(.level(1)) }, { Mode.nested(.level(2)) }, changed),
            change("small array changed", { [1, 2, 3] }, { [1, 2, 4] }, changed),
            change("small array equal in new storage", { Array(0..<3) }, { Array(0..<3) }, newIdentity),
            change("empty arrays", { [Int]() }, { [Int]() }, unchanged),
            change("array of strings changed", { ["a", long("b")] }, { ["a", long("c")] }, changed),
            change("array grew", { [1] }, { [1, 2] }, changed),
            change("huge array grew", { Array(0..<100_000) }, { Array(0..<100_001) }, changed),
            change(
                "huge array equal in new storage is not known", { Array(0..<100_000) }, { Array(0..<100_000) },
                .external),
            change("huge array changed at its start", { Array(0..<100_000) }, { Array(1..<100_001) }, changed),
            change("dictionary changed", { ["a": 1, "b": 2] }, { ["a": 1, "b": 3] }, changed),
            change("dictionary grew", { ["a": 1] }, { ["a": 1, "b": 2] }, changed),
            change("set changed", { Set([1, 2]) }, { Set([1, 3]) }, changed),
            change("reference replaced", { Reference() }, { Reference() }, changed),
            change(
                "immutable object replaced by an equal one", { Style(size: 1, name: "a") },
                { Style(size: 1, name: "a") }, Outcome("value", .diff, waste: .newIdentity)),
            change(
                "immutable object replaced by another", { Style(size: 1, name: "a") }, { Style(size: 2, name: "a") },
                changed),
            change(
                "existential of another type", { Circle(radius: 1) as any Shape }, { Square(side: 1) as any Shape },
                changed),
            change(
                "existential equal", { Circle(radius: 1) as any Shape }, { Circle(radius: 1) as any Shape }, unchanged),
            change(
                "existential changed", { Circle(radius: 1) as any Shape }, { Circle(radius: 2) as any Shape }, changed),
            change("Any changed", { 1 as Any }, { "one" as Any }, changed),
            change("tuple changed", { (1, "a") }, { (1, "b") }, Outcome("value.1", .diff)),
            change("metatype changed", { Int.self as Any.Type }, { String.self as Any.Type }, changed),
            change("empty struct: there is nothing to compare", { Empty() }, { Empty() }, .external),
            change(
                "generic struct", { Pair(first: 1, second: "a") }, { Pair(first: 1, second: "b") },
                Outcome("value.second", .diff)),
            change(
                "nested struct", { Size(width: 1, height: 2) }, { Size(width: 1, height: 3) },
                Outcome("value.height", .diff)),
            change(
                "tree changed deep down", { [Node(name: "a", children: [Node(name: "b", children: [])])] },
                { [Node(name: "a", children: [Node(name: "c", children: [])])] }, changed),
            change(
                "very large struct", { Large(blocks: (block(0), block(0), block(0), block(0)), last: 1) },
                { Large(blocks: (block(0), block(0), block(0), block(0)), last: 2) }, Outcome("value.last", .diff)),
            Case("stored: the wrapper's underscore is removed") { recorder in
                recorder.evaluate(Wrapped(level: 1), .initial)
                recorder.evaluate(Wrapped(level: 2), Outcome("level", .diff))
                recorder.evaluate(Wrapped(level: 2), .again)
            },
            Case("stored: several properties, in the order of their declaration") { recorder in
                recorder.evaluate(Pair(first: 1, second: "a"), .initial)
                recorder.evaluate(Pair(first: 2, second: "b"), Outcome("first, second", .diff))
            },
            Case("stored: more than eight properties") { recorder in
                recorder.evaluate(Many(), .initial)
                let many = Many(a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1)
                recorder.evaluate(many, Outcome("a, b, c, d, e, f, g, h, +2", .diff))
            },
            Case("stored: a closure is never a reason alone") { recorder in
                let size = Size(width: 1, height: 1)
                var counter = 0
                func tap(_ number: Int) -> () -> Void { { counter += number } }
                let first = tap(1)
                recorder.evaluate(Card(title: "a", size: size, onTap: first), .initial)
                recorder.evaluate(Card(title: "a", size: size, onTap: first), .external)
                recorder.evaluate(Card(title: "a", size: size, onTap: tap(2)), .external)
                recorder.evaluate(Card(title: "b", size: size, onTap: tap(3)), Outcome("title", .diff))
                recorder.expect(counter == 0, "a closure of the app was called")
            },
            Case("stored: references replaced at the same address") { recorder in
                var addresses = Set<UInt>()
                var reused = 0
                recorder.evaluate(Holder(value: Reference()), .initial)
                for _ in 0..<200 {
                    let reference = Reference()
                    if !addresses.insert(UInt(bitPattern: ObjectIdentifier(reference).hashValue)).inserted {
                        reused += 1
                    }
                    recorder.evaluate(Holder(value: reference), changed)
                }
                recorder.expect(recorder.stats()?.reasons.first { $0.reason == "value" }?.count == 200, "missed some")
            },
            Case("stored: the same reference, written inside") { recorder in
                let reference = Reference()
                recorder.evaluate(Holder(value: reference), .initial)
                reference.value = 2
                recorder.evaluate(Holder(value: reference), .external)
            },
            Case("stored: a weak reference whose target is gone") { recorder in
                var target: Reference? = Reference()
                let view = WeakHolder(target: target)
                recorder.evaluate(view, .initial)
                recorder.evaluate(view, .external)
                target = nil
                recorder.evaluate(view, Outcome("target", .diff))
                withExtendedLifetime(target) {}
            },
            Case("stored: an unowned reference") { recorder in
                let (one, two) = (Reference(), Reference())
                recorder.evaluate(UnownedHolder(target: one), .initial)
                recorder.evaluate(UnownedHolder(target: one), .external)
                recorder.evaluate(UnownedHolder(target: two), Outcome("target", .diff))
            },
            Case("stored: instances are compared with themselves only") { recorder in
                recorder.evaluate(Holder(value: 1), instance: 1, .initial)
                recorder.evaluate(Holder(value: 2), instance: 2, .initial)
                recorder.evaluate(Holder(value: 1), instance: 1, .again)
                recorder.evaluate(Holder(value: 3), instance: 2, changed)
            },
            Case("stored: a view of another type under the same key") { recorder in
                recorder.evaluate(Holder(value: 1), .initial)
                recorder.evaluate(Holder(value: "1"), .external)
                recorder.evaluate(Holder(value: "2"), changed)
            },
            Case("stored: an array that grows and shrinks") { recorder in
                recorder.evaluate(Holder(value: [Int]()), .initial)
                for count in [1, 5, 5_000, 3, 0] { recorder.evaluate(Holder(value: Array(0..<count)), changed) }
            },
            Case("stored: an instance that was dropped is not explained") { recorder in
                for instance in 0..<4_200 {
                    recorder.evaluate(Holder(value: 1), instance: InstanceID(rawValue: UInt64(instance)), nil)
                }
                recorder.evaluate(Holder(value: 2), instance: 0, .external)
                recorder.expect(recorder.stats()?.forgotten == 105, "\(recorder.stats()?.forgotten ?? 0) dropped")
            },
        ]
}

private protocol AnyView {}
extension Card: AnyView {}
extension Large: AnyView {}
extension Empty: AnyView {}

extension Case {
    /// Bridges hand over what they have: the view in a container.
    static let containers: [Case] = [
        Case("container: a small view's own properties") { recorder in
            let tap = {}
            func view(_ title: String, _ width: Double) -> any AnyView {
                Card(title: title, size: Size(width: width, height: 1), onTap: tap)
            }
            recorder.evaluate(view("a", 1), .initial)
            recorder.evaluate(view("b", 1), Outcome("title", .diff))
            recorder.evaluate(view("b", 2), Outcome("size.width", .diff))
        },
        Case("container: a large view's own properties") { recorder in
            func view(_ last: Int) -> any AnyView {
                Large(blocks: (block(0), block(0), block(0), block(0)), last: last)
            }
            recorder.evaluate(view(1), .initial)
            recorder.evaluate(view(2), Outcome("last", .diff))
            recorder.evaluate(view(2), .again)
        },
        Case("container: another type of view") { recorder in
            recorder.evaluate(Empty() as any AnyView, .initial)
            recorder.evaluate(Holder(value: 1) as Any, .external)
            recorder.evaluate(Holder(value: 2) as Any, changed)
            recorder.evaluate(Holder(value: 2) as Any, unchanged)
        },
        Case("container: a reference") { recorder in
            let (one, two) = (Reference(), Reference())
            recorder.evaluate(one as AnyObject, .initial)
            recorder.evaluate(one as AnyObject, .external)
            recorder.evaluate(two as AnyObject, Outcome("self", .diff))
        },
    ]
}
