// SPDX-License-Identifier: MIT
// What random programs hand to their views: kinds of values, each of which makes one for a number.

import Foundation

/// An object whose content changes while it stays the same.
final class NumberBox {
    var number = 0
}

/// What equal numbers say of two inputs of a kind.
enum Nature: Sendable {
    /// Other numbers make other values, equal numbers equal ones.
    case value
    /// As a value, but each is a new object.
    case object
    /// Equal numbers make the same function with the same captures; of others nobody can tell.
    case closure
    /// The same object each time, in which the number is.
    case hidden
}

/// A kind of input.
protocol InputKind: Sendable {
    associatedtype Value
    var name: String { get }
    var nature: Nature { get }
    /// Makes an input anew for a number from 0 to 3; where the content is hidden, of the cell.
    func make(_ number: Int, _ cell: NumberBox) -> Value
}

private struct Kind<Value>: InputKind {
    let name: String
    let nature: Nature
    let content: @Sendable (Int, NumberBox) -> Value

    func make(_ number: Int, _ cell: NumberBox) -> Value { content(number, cell) }
}

private func value<Value>(_ name: String, _ make: @escaping @Sendable (Int) -> Value) -> any InputKind {
    Kind(name: name, nature: .value) { number, _ in make(number) }
}

private func object<Value>(_ name: String, _ make: @escaping @Sendable (Int) -> Value) -> any InputKind {
    Kind(name: name, nature: .object) { number, _ in make(number) }
}

private func closure<Value>(_ name: String, _ make: @escaping @Sendable (Int) -> Value) -> any InputKind {
    Kind(name: name, nature: .closure) { number, _ in make(number) }
}

private func hidden<Value>(_ name: String, _ make: @escaping @Sendable (NumberBox) -> Value) -> any InputKind {
    Kind(name: name, nature: .hidden) { _, cell in make(cell) }
}

private enum Mode: Hashable { case off, level(Int), named(String), pair(Int8, Double) }
private indirect enum Tree { case leaf(Int), node(Tree, Tree) }
private struct Size: Hashable { var width: Double; var height: Double }
private struct Person { var name: String; var tags: [String]; var size: Size? }
private protocol Drawn {}
private struct Dot: Drawn { var radius: Int }
private struct Wide: Drawn { var a = 0, b = 0, c = 0, d: Int }
private final class Fixed {
    let number: Int; let name: String; init(_ number: Int) { (self.number, name) = (number, "fixed \(number)") }
}
private struct Action { let run: () -> Int }
private struct Action2 { let title: String; let run: (Int) -> Int }
private struct Storage { let cell: NumberBox }
private struct Padded { var flag: Bool; var number: Int; var last: UInt8 }

private func long(_ number: Int) -> String { "a text of more than fifteen bytes, number \(number)" }
private func function(_ number: Int) -> (Int) -> Int {
    switch number {
    case 0: { $0 + 1 }
    case 1: { $0 * 2 }
    case 2: { $0 - 3 }
    default: { $0 / 7 }
    }
}

/// All kinds; a function, because a literal of so many types is slow to check.
func makeInputKinds() -> [any InputKind] {
    var kinds: [any InputKind] = []
    kinds.append(value("Int") { $0 })
    kinds.append(value("Int8") { Int8($0) - 2 })
    kinds.append(value("Double") { Double($0) / 3 })
    kinds.append(value("Float80") { Float80($0) / 3 })
    kinds.append(value("String") { "text \($0)" })
    kinds.append(value("a long String", long))
    kinds.append(value("Substring") { long($0).dropFirst(2) })
    kinds.append(value("Character") { Character(Unicode.Scalar(UInt8(97 + $0))) })
    kinds.append(value("Int?") { $0 == 0 ? nil : $0 })
    kinds.append(value("String?") { $0 == 0 ? nil : long($0) })
    kinds.append(value("[Int]") { Array(0..<($0 + 2)) })
    kinds.append(value("[Int] of one length") { [1, 2, $0] })
    kinds.append(value("[String]") { ["a", long($0)] })
    kinds.append(value("[[Int?]]") { [[1, nil], [$0]] })
    kinds.append(value("ArraySlice<Int>") { [9, $0, 8, 7][1...2] })
    kinds.append(value("[String: Int]") { ["a": $0] })
    kinds.append(value("[Int: [Int]]") { [1: [$0]] })
    kinds.append(value("Set<Int>") { [$0 + 10] })
    kinds.append(value("(Int, String)") { (1, "b\($0)") })
    kinds.append(value("Mode") { [Mode.off, .level(1), .named("a"), .pair(1, 2)][$0] })
    kinds.append(value("Tree") { Tree.node(.leaf(0), .node(.leaf($0), .leaf(1))) })
    kinds.append(value("Size") { Size(width: 1, height: Double($0)) })
    kinds.append(value("Person") { Person(name: "a", tags: ["b", "\($0)"], size: Size(width: 1, height: 2)) })
    kinds.append(value("any Drawn") { $0 < 2 ? Dot(radius: $0) as any Drawn : Wide(d: $0) })
    kinds.append(value("Any") { $0 < 2 ? $0 as Any : long($0) as Any })
    kinds.append(value("AnyHashable") { $0 < 2 ? AnyHashable($0) : AnyHashable("\($0)") })
    kinds.append(value("SIMD4<Float>") { SIMD4<Float>(1, 2, 3, Float($0)) })
    kinds.append(value("Range<Int>") { 0..<($0 + 1) })
    kinds.append(value("Any.Type") { [Int.self, String.self, Bool.self, Double.self][$0] as Any.Type })
    kinds.append(value("Duration") { Duration.seconds($0) })
    kinds.append(value("Padded") { Padded(flag: true, number: 1, last: UInt8($0)) })
    kinds.append(value("Date") { Date(timeIntervalSince1970: Double($0)) })
    kinds.append(value("UUID") { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8($0))) })
    kinds.append(value("URL") { URL(filePath: "/tmp/a directory/\($0)") })
    kinds.append(value("Data") { Data([1, 2, UInt8($0)]) })
    kinds.append(value("a longer Data") { Data(repeating: UInt8($0), count: 50) })
    kinds.append(value("[Mode]") { [Mode.off, .level($0)] })
    kinds.append(value("Result") { $0 < 2 ? Result<Int, CancellationError>.success($0) : .success(-$0) })
    kinds.append(object("a fixed object", Fixed.init))
    kinds.append(object("a fixed object in a struct") { One(value: Fixed($0)) })
    kinds.append(closure("a closure with a number") { number in Action { number } })
    kinds.append(closure("one of four functions") { Action2(title: "a", run: function($0)) })
    kinds.append(hidden("an object with a variable") { $0 })
    kinds.append(hidden("an object in a struct") { Storage(cell: $0) })
    kinds.append(hidden("an object in any value") { $0 as Any })
    kinds.append(hidden("an optional object in a struct") { One(value: Optional(Storage(cell: $0))) })
    return kinds
}
