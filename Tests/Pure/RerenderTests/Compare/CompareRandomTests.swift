// SPDX-License-Identifier: MIT
import Testing
import TestSupport

@testable import Rerender

private enum Load: Equatable { case none, number(Int), text(String), both(UInt8, String) }
private final class Thing { var name = "" }
private struct Inner: Equatable { var flag = false, ratio = 0.5, note: String? }

/// A struct of all kinds whose truth is kept by `==` on copies, which the comparison never uses.
private struct Everything {
    var number = 0
    var flag = false
    var title = "title"
    var long = "a text that is too long to be kept in the string itself"
    var optional: Int?
    var load = Load.none
    var inner = Inner()
    var numbers = [1, 2, 3]
    var texts = ["a", "b"]
    var inners = [Inner()]
    var table = ["a": 1, "b": 2]
    var set: Set<Int> = [1, 2, 3]
    var thing = Thing()
    var maybe: Thing?
    var any: any Equatable & Sendable = 1
    var pair = (1, "x")
    var nested: [String: [Int]] = [:]
}

@Suite("Compare random values")
struct CompareRandomTests {
    @Test(
        "what is said to have changed has, and nothing else, over random changes",
        arguments: [1, 2, 3, 4, 5] as [UInt64])
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var value = Everything()
        var snapshot = ValueSnapshot()
        _ = snapshot.update(value)
        let layout = ValueLayout.layout(of: Everything.self, depth: StoreLimits.reflectionDepth)
        for step in 0..<2_000 {
            let old = value
            for _ in 0..<Int.random(in: 0...3, using: &random) { mutate(&value, &random) }
            let change = snapshot.update(value)
            let found = layout.leaves.indices.filter(change.isChanged).map { layout.leaves[$0].name }
            #expect(found == truth(old, value), "step \(step)")
            #expect(change.unknown == isReordered(old, value) && !change.equalReplacement, "step \(step)")
        }
    }

    /// Whether something that is equal has another order.
    private func isReordered(_ old: Everything, _ new: Everything) -> Bool {
        old.table == new.table && Array(old.table.keys) != Array(new.table.keys)
            || old.set == new.set && Array(old.set) != Array(new.set)
            || old.nested == new.nested && Array(old.nested.keys) != Array(new.nested.keys)
    }

    private func mutate(_ value: inout Everything, _ random: inout SeededGenerator) {
        let number = Int.random(in: 0..<3, using: &random)
        let text = String(repeating: "some text ", count: number) + "\(number)"
        switch Int.random(in: 0..<18, using: &random) {
        case 0: value.number = number
        case 1: value.flag.toggle()
        case 2: value.title = "title \(number)"
        case 3: value.long = text
        case 4: value.optional = number == 0 ? nil : number
        case 5:
            value.load = [.none, .number(number), .text(text), .both(1, text)][Int.random(in: 0..<4, using: &random)]
        case 6:
            value.inner = Inner(flag: number == 0, ratio: [0.0, 1, .infinity][number], note: number == 1 ? nil : text)
        case 7: value.numbers.append(number)
        case 8: value.numbers = Array(value.numbers.suffix(5).map { $0 })
        case 9: value.texts[0] = text
        case 10: value.inners = (0..<number).map { Inner(note: $0 == 0 ? nil : text) }
        case 11: value.table[text] = number == 2 ? nil : Int.random(in: 0..<2, using: &random)
        case 12: value.set = Set((number..<number + 4).shuffled(using: &random))
        case 13: value.thing = Thing()
        case 14: value.maybe = number == 0 ? nil : value.thing
        case 15: value.any = number == 0 ? 1 : text
        case 16: value.pair = (number, text)
        default: value.nested["\(number)", default: []].append(number)
        }
        if value.nested.count == 3 { value.nested = [:] }
    }

    /// In the order of declaration, which is that of the leaves.
    private func truth(_ old: Everything, _ new: Everything) -> [String] {
        func same(_ one: any Equatable, _ other: any Equatable) -> Bool {
            func compare<Value: Equatable>(_ one: Value) -> Bool { one == other as? Value }
            return compare(one)
        }
        let all: [(String, Bool)] = [
            ("number", old.number == new.number), ("flag", old.flag == new.flag), ("title", old.title == new.title),
            ("long", old.long == new.long), ("optional", old.optional == new.optional), ("load", old.load == new.load),
            ("inner.flag", old.inner.flag == new.inner.flag), ("inner.ratio", old.inner.ratio == new.inner.ratio),
            ("inner.note", old.inner.note == new.inner.note), ("numbers", old.numbers == new.numbers),
            ("texts", old.texts == new.texts), ("inners", old.inners == new.inners), ("table", old.table == new.table),
            ("set", old.set == new.set), ("thing", old.thing === new.thing), ("maybe", old.maybe === new.maybe),
            ("any", same(old.any, new.any)), ("pair.0", old.pair.0 == new.pair.0), ("pair.1", old.pair.1 == new.pair.1),
            ("nested", old.nested == new.nested),
        ]
        return all.filter { !$0.1 }.map(\.0)
    }
}
