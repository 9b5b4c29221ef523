// SPDX-License-Identifier: MIT
// Outputs that are compared: by ==, by a digest, with equalities that are odd, and with what only looks compared.

import Foundation
import Rerender
import Synchronization

private struct Leaf { var title: String }

/// Equal to all.
private struct Liar: Equatable {
    var number: Int
    static func == (_: Liar, _: Liar) -> Bool { true }
}
/// Equal to none.
private struct Loner: Equatable {
    var number: Int
    static func == (_: Loner, _: Loner) -> Bool { false }
}
private struct Partly: Equatable {
    var shown: Int
    var ignored: Int
    static func == (a: Partly, b: Partly) -> Bool { a.shown == b.shown }
}
private final class Node: Equatable {
    var number: Int
    init(_ number: Int) { self.number = number }
    static func == (a: Node, b: Node) -> Bool { a.number == b.number }
}
private struct Refused: Error {}

/// Evaluates a view of unchanged inputs with these outputs; each is as before where the second says so.
private func outputs<Output: Equatable & Sendable>(
    _ list: inout CaseList, _ name: String, isDescribed: Bool = true, _ outputs: [(Output, Bool)], line: UInt = #line
) {
    list.one(name) { recorder in
        for (number, (output, isSame)) in outputs.enumerated() {
            let truth = number == 0 ? Truth.initial : isSame ? .open.measured : .open
            recorder.evaluate(
                "View", Leaf(title: "a"), comparing: .equatable, isDescribed: isDescribed, is: truth, line: line
            ) { _ in output }
        }
    }
    list.one("\(name), in a child whose title changes") { recorder in
        for (number, (output, isSame)) in outputs.enumerated() {
            let changed = Truth.changed("title").under("Outer")
            let truth = number == 0 ? Truth.initial : isSame ? changed.measured : changed
            recorder.evaluate("Outer", One(value: 0), is: nil) { _ in
                recorder.evaluate(
                    "View", Leaf(title: "\(number)"), comparing: .equatable, isDescribed: isDescribed, is: truth,
                    line: line
                ) { _ in output }
            }
        }
    }
}

extension Case {
    static let outputs = CaseList.make("outputs") { list in
        CauseCorpus.outputs(&list, "texts", [("a", false), ("b", false), ("b", true), ("a", false)])
        CauseCorpus.outputs(&list, "numbers", [(1, false), (1, true), (2, false), (1, false)])
        CauseCorpus.outputs(&list, "NaN is unlike itself", [(Double.nan, false), (.nan, false), (.nan, false)])
        CauseCorpus.outputs(&list, "zeroes of both signs", isDescribed: false, [(0.0, false), (-0.0, true)])
        CauseCorpus.outputs(&list, "canonically equivalent texts", [("\u{E9}", false), ("e\u{301}", true)])
        CauseCorpus.outputs(&list, "optionals", [(Int?.none, false), (nil, true), (1, false), (nil, false)])
        CauseCorpus.outputs(&list, "arrays", [([1, 2], false), ([1, 2], true), ([1, 3], false)])
        CauseCorpus.outputs(&list, "sets of another order", [(Set(0..<9), false), (Set((0..<9).reversed()), true)])
        CauseCorpus.outputs(
            &list, "dates",
            [
                (Date(timeIntervalSince1970: 1), false), (Date(timeIntervalSince1970: 1), true),
                (Date(timeIntervalSince1970: 2), false),
            ])
        list.one("an equality that ignores a field") { recorder in
            func evaluate(_ output: Partly, _ truth: Truth) {
                recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, isDescribed: false, is: truth) { _ in
                    output
                }
            }
            evaluate(Partly(shown: 1, ignored: 1), .initial)
            evaluate(Partly(shown: 1, ignored: 2), .open.measured)
            evaluate(Partly(shown: 2, ignored: 2), .open)
        }
        list.one("an equality that always holds") { recorder in
            for number in 0..<3 {
                let truth = number == 0 ? Truth.initial : .open.measured
                recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, isDescribed: false, is: truth) { _ in
                    Liar(number: number)
                }
            }
        }
        list.one("an equality that never holds") { recorder in
            for number in 0..<3 {
                recorder.evaluate(
                    "View", Leaf(title: "a"), comparing: .equatable, isDescribed: false,
                    is: number == 0 ? .initial : .open
                ) { _ in Loner(number: 1) }
            }
        }
        list.one("an object as the output: compared when it is kept, not as it was") { recorder in
            let node = Node(1)
            recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, is: .initial) { _ in node }
            recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, is: .open.measured) { _ in node }
            recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, is: .open.measured) { _ in Node(1) }
            recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, is: .open) { _ in Node(2) }
        }
        list.one("a digest of a part") { recorder in
            func evaluate(_ text: String, _ truth: Truth) {
                recorder.evaluate(
                    "View", Leaf(title: text), comparing: .digest { $0.count }, isDescribed: false, is: truth
                ) { $0.title }
            }
            evaluate("ab", .initial)
            evaluate("cd", .changed("title").measured)
            evaluate("efg", .changed("title"))
            evaluate("efg", .open.measured)
        }
        list.one("a digest after an equality is not compared with it") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, is: .initial) { _ in "x" }
            recorder.evaluate("View", Leaf(title: "b"), comparing: .digest { $0.count }, is: .changed("title")) { _ in
                "x"
            }
            recorder.evaluate("View", Leaf(title: "c"), comparing: .equatable, is: .changed("title")) { _ in "x" }
            recorder.evaluate("View", Leaf(title: "d"), comparing: .equatable, is: .changed("title").measured) { _ in
                "x"
            }
        }
        list.one("digests of two functions are not compared") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), comparing: .digest { $0 + 1 }, is: .initial) { _ in 1 }
            recorder.evaluate(
                "View", Leaf(title: "b"), comparing: .digest { $0 }, isDescribed: false, is: .changed("title")
            ) { _ in 2 }
            recorder.evaluate(
                "View", Leaf(title: "c"), comparing: .equatable, isDescribed: false, is: .changed("title")
            ) { _ in 2 }
        }
        list.one("outputs of two types") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, is: .initial) { _ in 1 }
            recorder.evaluate("View", Leaf(title: "b"), comparing: .equatable, is: .changed("title")) { _ in UInt8(1) }
            recorder.evaluate("View", Leaf(title: "c"), comparing: .equatable, is: .changed("title")) { _ in
                Int?.some(1)
            }
        }
        list.one("outputs that are nothing") { recorder in
            let nothing = OutputComparison<Void>.digest { _ in 0 }
            recorder.evaluate("View", Leaf(title: "a"), comparing: nothing, is: .initial) { _ in }
            recorder.evaluate("View", Leaf(title: "b"), comparing: nothing, is: .changed("title").measured) { _ in }
        }
        list.one("instances have outputs of their own") { recorder in
            func evaluate(_ instance: InstanceID, _ title: String, _ truth: Truth) {
                recorder.evaluate("View", Leaf(title: title), instance: instance, comparing: .equatable, is: truth) {
                    $0.title.count
                }
            }
            evaluate(1, "a", .initial)
            evaluate(2, "bb", .initial)
            evaluate(1, "cc", .changed("title"))
            evaluate(2, "dd", .changed("title").measured)
        }
        list.one("an instance's number that is used again") { recorder in
            func evaluate(_ title: String, _ truth: Truth) {
                recorder.evaluate("View", Leaf(title: title), instance: 7, comparing: .equatable, is: truth) {
                    $0.title.count
                }
            }
            evaluate("a", .initial)
            recorder.store.ended("View", instance: 7)
            evaluate("b", .initial)
            evaluate("c", .changed("title").measured)
        }
        list.one("a body that throws has no output") { recorder in
            func evaluate(_ title: String, throwing: Bool, _ truth: Truth) {
                let before = recorder.stats()
                _ = try? recorder.store.evaluate("View", of: Leaf(title: title), comparing: .equatable) {
                    if throwing { throw Refused() }
                    return 1
                }
                recorder.judge(Recorder.outcome(before, recorder.stats()), by: truth, #line)
            }
            evaluate("a", throwing: false, .initial)
            evaluate("b", throwing: true, .changed("title"))
            // What was shown last, before it threw or after, cannot be told.
            evaluate("c", throwing: false, .changed("title"))
            evaluate("d", throwing: false, .changed("title").measured)
        }
        list.one("a body that throws has another result, with equal inputs") { recorder in
            func evaluate(throwing: Bool, _ truth: Truth) {
                let before = recorder.stats()
                _ = try? recorder.store.evaluate("View", of: Leaf(title: "a"), comparing: .equatable) {
                    if throwing { throw Refused() }
                    return 1
                }
                recorder.judge(Recorder.outcome(before, recorder.stats()), by: truth, #line)
            }
            evaluate(throwing: false, .initial)
            evaluate(throwing: true, .open)
            evaluate(throwing: false, .open)
            evaluate(throwing: false, .open.measured)
        }
        list.one("an evaluation without a view stands between two of equal views") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), is: .initial) { _ in "a" }
            _ = recorder.store.evaluate("View") { "b" }
            recorder.evaluate("View", Leaf(title: "a"), isDescribed: false, is: .open) { _ in "a" }
            recorder.evaluate("View", Leaf(title: "a"), is: .same) { _ in "a" }
        }
        list.one("an output that is compared only now and then") { recorder in
            func evaluate(_ title: String, _ output: Int, compares: Bool, _ truth: Truth) {
                recorder.evaluate("View", Leaf(title: title), comparing: compares ? .equatable : nil, is: truth) { _ in
                    output
                }
            }
            evaluate("a", 1, compares: true, .initial)
            evaluate("b", 2, compares: false, .changed("title"))
            evaluate("c", 1, compares: true, .changed("title"))
            evaluate("d", 1, compares: true, .changed("title").measured)
            evaluate("d", 1, compares: false, .same)
        }
        list.one("a huge output") { recorder in
            var text = String(repeating: "a", count: 100_000)
            recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, is: .initial) { _ in text }
            recorder.evaluate("View", Leaf(title: "b"), comparing: .equatable, is: .changed("title").measured) { _ in
                text
            }
            text.removeLast()
            text.append("b")
            recorder.evaluate("View", Leaf(title: "c"), comparing: .equatable, is: .changed("title")) { _ in text }
        }
        list.one("what nobody reports: another output with equal inputs") { recorder in
            nonisolated(unsafe) var hidden = 0
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, is: truth) { _ in hidden }
            }
            evaluate(.initial)
            hidden = 1
            evaluate(.open)
            evaluate(.open.measured)
        }
        list.one("an output with a closure, by a digest of its data") { recorder in
            let data = OutputComparison<(String, () -> Int)>.digest { $0.0 }
            recorder.evaluate("View", Leaf(title: "a"), comparing: data, isDescribed: false, is: .initial) {
                ($0.title, { 1 })
            }
            recorder.evaluate("View", Leaf(title: "a"), comparing: data, isDescribed: false, is: .open.measured) {
                ($0.title, { 2 })
            }
        }
    }

    static let sameAgain = CaseList.make("same again") { list in
        list.one("a plain struct, four times") { recorder in
            for round in 0..<4 { recorder.evaluate(Leaf(title: "a"), is: round == 0 ? .initial : .same) }
            recorder.expect(recorder.stats()?.wasted.inferred == 3, "\(recorder.stats()?.wasted.inferred ?? 0) of 3")
        }
        list.one("of several instances") { recorder in
            for round in 0..<3 {
                for instance in 1...4 {
                    recorder.evaluate(
                        Leaf(title: "row \(instance)"), instance: InstanceID(UInt64(instance)),
                        is: round == 0 ? .initial : .same)
                }
            }
        }
        list.one("after a change") { recorder in
            let titles = ["a", "b", "b", "a", "a", "c"]
            let truths: [Truth] = [.initial, .changed("title"), .same, .changed("title"), .same, .changed("title")]
            for (title, truth) in zip(titles, truths) { recorder.evaluate(Leaf(title: title), is: truth) }
        }
        list.one("where no view is handed over") { recorder in
            for round in 0..<3 {
                let before = recorder.stats()
                recorder.store.evaluate("View") {}
                recorder.judge(Recorder.outcome(before, recorder.stats()), by: round == 0 ? .initial : .open, #line)
            }
        }
        list.one("deeper than comparing goes") { recorder in
            recorder.store.reflectionDepth = 1
            func view(_ number: Int) -> One<One<One<One<Int>>>> {
                One(value: One(value: One(value: One(value: number))))
            }
            recorder.evaluate(view(1), is: .initial)
            recorder.evaluate(view(2), is: .changed("value.value.value.value"))
        }
        list.one("when counting begins again") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.store.isEnabled = false
            recorder.store.evaluate("View", of: Leaf(title: "b")) {}
            recorder.store.isEnabled = true
            // What was evaluated last is not what is known.
            recorder.evaluate(Leaf(title: "a"), is: .open)
            recorder.evaluate(Leaf(title: "a"), is: .same)
        }
        list.one("after a reset") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.store.reset()
            recorder.evaluate(Leaf(title: "a"), is: .same)
            recorder.evaluate(Leaf(title: "b"), is: .changed("title"))
        }
        list.one("after its end") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.store.ended("View")
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.evaluate(Leaf(title: "a"), is: .same)
        }
        list.one("with a reason of the caller's") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), is: .initial) { _ in }
            recorder.evaluate("View", Leaf(title: "a"), reason: "timer", is: .announced("timer")) { _ in }
            recorder.evaluate("View", Leaf(title: "a"), is: .same) { _ in }
        }
        list.one("with an announced cause") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), is: .initial) { _ in }
            recorder.store.invalidate("View", cause: "state")
            recorder.evaluate("View", Leaf(title: "a"), is: .announced("state")) { _ in }
            recorder.evaluate("View", Leaf(title: "a"), is: .same) { _ in }
        }
        list.one("of 10,000 instances, of which some are forgotten") { recorder in
            for instance in 0..<10_000 {
                recorder.store.evaluate("View", of: Leaf(title: "a"), instance: InstanceID(UInt64(instance))) {}
            }
            recorder.evaluate(Leaf(title: "b"), instance: 3, is: .open.behind("title"))
            recorder.evaluate(Leaf(title: "b"), instance: 9_999, is: .changed("title"))
            recorder.evaluate(Leaf(title: "a"), instance: 9_998, is: .same)
            recorder.evaluate(Leaf(title: "b"), instance: 3, is: .same)
        }
        list.one("in several stores with one key") { recorder in
            let other = RerenderStore(name: "other")
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            other.evaluate("View", of: Leaf(title: "b")) {}
            recorder.evaluate(Leaf(title: "a"), is: .same)
            other.evaluate("View", of: Leaf(title: "c")) {}
            recorder.evaluate(Leaf(title: "c"), is: .changed("title"))
        }
    }
}
