// SPDX-License-Identifier: MIT
// What the comparison of a view that has not changed allocates, and what many that have leave behind.

import Glibc
import Rerender

final class Subject {}

enum Load { case none, text(String), number(Int) }

struct Card {
    var id = 1
    var ratio = 0.5
    var isOpen = true
    var title = "short"
    var subtitle = String(repeating: "a subtitle that is too long ", count: 3)
    var badge: Int? = 3
    var numbers = [1, 2, 3]
    var texts = ["a", String(repeating: "text ", count: 10)]
    var load = Load.text(String(repeating: "payload ", count: 4))
    var subject = Subject()
    var action: () -> Void = {}
    var any: Any = [1, 2]
    var table = ["a": 1, "b": 2]
    weak var parent: Subject?
}

enum Comparison {
    /// Compares the same value again and again.
    static func unchanged() -> () -> Void {
        var card = Card()
        card.parent = card.subject
        let captured = card.subject
        card.action = { _ = captured }
        let state = State()
        _ = state.update(card)
        return {
            let change = state.update(card)
            precondition(change.changed.isEmpty && !change.unknown && !change.hasNewClosure && !change.hasNewIdentity)
        }
    }

    final class State {
        private var snapshot = ValueSnapshot()
        private let layout = ValueLayout.layout(of: Card.self, depth: 8)

        func update(_ card: Card) -> ValueChange {
            withUnsafePointer(to: card) { snapshot.update($0, layout) }
        }
    }

    /// Bytes by which the process grew while it compared that many values, each different from the one before.
    static func growth(_ count: Int) -> Int {
        let state = State()
        func update(_ count: Int) {
            for index in 0..<count {
                let subject = Subject()
                var card = Card(subject: subject, action: { _ = subject }, parent: subject)
                card.title = String(repeating: "title ", count: index % 30)
                card.numbers = Array(0..<index % 20)
                card.load = index % 2 == 0 ? .text("text \(index) of some length") : .number(index)
                card.any = index % 3 == 0 ? index : "text \(index) of some length"
                card.table = [card.title: index]
                let change = state.update(card)
                precondition(change.isFirst || change.isChanged(leaf: 3))
            }
        }
        update(5_000)
        let before = residentBytes()
        update(count)
        return residentBytes() - before
    }

    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return .max }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return .max }
        let words = line.prefix { $0 != 0 }.split(separator: 32)
        return words.count > 1 ? (Int(String(decoding: words[1].map(UInt8.init), as: UTF8.self)) ?? 0) * 4_096 : .max
    }
}
