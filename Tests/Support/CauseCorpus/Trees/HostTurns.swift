// SPDX-License-Identifier: MIT
// Turns, commits, evaluations again, and pauses.

import Dispatch
import Rerender
import RerenderModel

private struct Leaf { var title: String }

extension Truth {
    fileprivate static let again = Truth.changed("title").wasted(.twiceInATurn)
}

extension Case {
    static let turnsOfHosts = CaseList.make("turns") { list in
        list.one("twice in one") { recorder in
            recorder.store.turnBegan()
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.evaluate(Leaf(title: "b"), is: .again)
            recorder.evaluate(Leaf(title: "c"), is: .again)
            recorder.store.turnBegan()
            recorder.evaluate(Leaf(title: "d"), is: .changed("title"))
        }
        list.one("once in each of two") { recorder in
            for (number, title) in ["a", "b", "c"].enumerated() {
                recorder.store.turnBegan()
                recorder.evaluate(Leaf(title: title), is: number == 0 ? .initial : .changed("title"))
            }
        }
        list.one("rows without instances, once each") { recorder in
            for round in 0..<2 {
                recorder.store.turnBegan()
                recorder.evaluate("Outer", Leaf(title: "\(round)"), is: nil) { _ in
                    for row in 0..<3 { recorder.evaluate("Row", Leaf(title: "row \(row)"), is: nil) { _ in } }
                }
            }
            let waste = recorder.stats("Row")?.wasted
            recorder.expect(waste?.kinds[.twiceInATurn] ?? 0 == 0, "\(waste?.kinds ?? [:])")
        }
        list.one("rows without instances and with equal inputs, once each") { recorder in
            recorder.store.turnBegan()
            recorder.evaluate("Outer", Leaf(title: "o"), is: nil) { _ in
                for _ in 0..<3 { recorder.evaluate("Row", Leaf(title: "row"), is: nil) { _ in } }
            }
            let waste = recorder.stats("Row")?.wasted
            recorder.expect(waste?.kinds[.twiceInATurn] ?? 0 == 0, "\(waste?.kinds ?? [:])")
        }
        list.one("rows with instances, once each") { recorder in
            for round in 0..<2 {
                recorder.store.turnBegan()
                for row in 0..<3 {
                    recorder.evaluate(
                        Leaf(title: "row \(row), \(round)"), instance: InstanceID(UInt64(row)),
                        is: round == 0 ? .initial : .changed("title"))
                }
            }
        }
        list.one("rows with instances, one of them twice") { recorder in
            recorder.store.turnBegan()
            for row in 0..<3 {
                recorder.evaluate(Leaf(title: "\(row)"), instance: InstanceID(UInt64(row)), is: .initial)
            }
            recorder.evaluate(Leaf(title: "x"), instance: 1, is: .again)
        }
        list.one("a commit between the two") { recorder in
            recorder.store.turnBegan()
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.store.committed("View", changed: true)
            recorder.evaluate(Leaf(title: "b"), is: .changed("title"))
        }
        list.one("another store's turn") { recorder in
            let other = RerenderStore(name: "other")
            other.evaluate("View", of: Leaf(title: "a")) {}
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            other.turnBegan()
            recorder.evaluate(Leaf(title: "b"), is: .changed("title"))
            recorder.evaluate(Leaf(title: "c"), is: .changed("title"))
        }
        list.one("another thread's turn") { recorder in
            recorder.store.turnBegan()
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                recorder.evaluate(Leaf(title: "b"), is: .changed("title"))
                done.signal()
            }
            done.wait()
        }
        list.one("twice in one, with the same inputs") { recorder in
            recorder.store.turnBegan()
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.evaluate(Leaf(title: "a"), is: .same.with(.inferred(Truth.byInputs.union([.twiceInATurn]))))
        }
        list.one("twice in one, with the same output") { recorder in
            recorder.store.turnBegan()
            recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, is: .initial) { $0.title.count }
            recorder.evaluate("View", Leaf(title: "b"), comparing: .equatable, is: .changed("title").measured) {
                $0.title.count
            }
        }
        list.one("again, as the host says") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.store.committed("View", changed: true)
            recorder.evaluate(Leaf(title: "b"), is: .changed("title"))
            recorder.store.evaluatesAgain("View")
            recorder.evaluate(Leaf(title: "c"), is: .again)
        }
        list.one("again for one instance only") { recorder in
            for instance: InstanceID in [1, 2] { recorder.evaluate(Leaf(title: "a"), instance: instance, is: .initial) }
            recorder.store.evaluatesAgain("View", instance: 1)
            recorder.evaluate(Leaf(title: "b"), instance: 2, is: .changed("title"))
            recorder.evaluate(Leaf(title: "b"), instance: 1, is: .again)
        }
    }

    static let commits = CaseList.make("commits") { list in
        /// What is wasted after evaluations of these titles and a commit.
        @Sendable func waste(_ recorder: Recorder, measured: UInt64, inferred: UInt64, line: UInt = #line) {
            let waste = recorder.stats()?.wasted
            recorder.expect(
                waste?.measured == measured && waste?.inferred == inferred, "\(String(describing: waste))", line: line)
        }
        list.one("that changes nothing") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.store.committed("View", changed: true)
            recorder.evaluate(Leaf(title: "b"), is: .changed("title"))
            recorder.store.committed("View", changed: false)
            waste(recorder, measured: 1, inferred: 0)
        }
        list.one("that changes something overrules what inputs showed") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.evaluate(Leaf(title: "a"), is: .same)
            recorder.store.committed("View", changed: true)
            waste(recorder, measured: 0, inferred: 0)
        }
        list.one("that says nothing leaves what inputs showed") { recorder in
            recorder.children([Leaf(title: "a"), Leaf(title: "a")], are: [.initial, .same.under("Outer")])
            recorder.store.committed("View")
            waste(recorder, measured: 0, inferred: 1)
        }
        list.one("of another instance") { recorder in
            for instance: InstanceID in [1, 2] { recorder.evaluate(Leaf(title: "a"), instance: instance, is: .initial) }
            for instance: InstanceID in [1, 2] { recorder.store.committed("View", changed: true, instance: instance) }
            for instance: InstanceID in [1, 2] {
                recorder.evaluate(Leaf(title: "b"), instance: instance, is: .changed("title"))
            }
            recorder.store.committed("View", changed: false, instance: 2)
            waste(recorder, measured: 1, inferred: 0)
        }
        list.one("before anything was evaluated") { recorder in
            recorder.store.committed("View", changed: false)
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            waste(recorder, measured: 0, inferred: 0)
        }
        list.one("two after one evaluation") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.store.committed("View", changed: true)
            recorder.store.committed("View", changed: false)
            waste(recorder, measured: 0, inferred: 0)
        }
        list.one("that changes nothing after an output that differs") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, is: .initial) { $0.title }
            recorder.store.committed("View", changed: true)
            recorder.evaluate("View", Leaf(title: "b"), comparing: .equatable, is: .changed("title")) { $0.title }
            recorder.store.committed("View", changed: false)
            waste(recorder, measured: 1, inferred: 0)
        }
        list.one("across a reset") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.evaluate(Leaf(title: "b"), is: .changed("title"))
            recorder.store.reset()
            recorder.store.committed("View", changed: false)
            let count = recorder.stats()?.wasted.count ?? 0
            recorder.expect(count <= recorder.stats()?.count ?? 0, "\(count) wasted of none")
        }
    }

    static let hostileHosts = CaseList.make("hosts") { list in
        list.one("a store that is read in a body") { recorder in
            for round in 0..<3 {
                recorder.evaluate("View", Leaf(title: "a"), is: round == 0 ? .initial : .same) { _ in
                    _ = recorder.store.exportJSON()
                }
            }
        }
        list.one("a view that ends in its own body") { recorder in
            for _ in 0..<3 {
                recorder.evaluate("View", Leaf(title: "a"), instance: 1, is: .initial) { _ in }
                recorder.store.ended("View", instance: 1)
            }
            recorder.evaluate("View", Leaf(title: "a"), instance: 2, is: .initial) { _ in
                recorder.store.ended("View", instance: 2)
            }
            recorder.evaluate("View", Leaf(title: "b"), instance: 2, is: nil) { _ in }
            recorder.expect(recorder.stats()?.wasted.count == 0, "wasted")
        }
        list.one("a reset in a body") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), is: nil) { _ in recorder.store.reset() }
            recorder.evaluate("View", Leaf(title: "b"), is: .changed("title")) { _ in }
        }
        list.one("counting switched off in a body") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), is: nil) { _ in recorder.store.isEnabled = false }
            recorder.store.evaluate("View", of: Leaf(title: "b")) {}
            recorder.store.isEnabled = true
            recorder.evaluate("View", Leaf(title: "b"), is: .open) { _ in }
            recorder.evaluate("View", Leaf(title: "c"), is: .changed("title")) { _ in }
        }
        list.one("a label that is empty, and one that is long") { recorder in
            for key in ["", String(repeating: "k", count: 1_000)] {
                recorder.evaluate(key, Leaf(title: "a"), is: .initial) { _ in }
                recorder.evaluate(key, Leaf(title: "b"), is: .changed("title")) { _ in }
                recorder.evaluate(key, Leaf(title: "b"), is: .same) { _ in }
            }
        }
        list.one("two views of one instance number") { recorder in
            for key in ["A", "B"] { recorder.evaluate(key, Leaf(title: key), instance: 1, is: .initial) { _ in } }
            recorder.evaluate("A", Leaf(title: "A"), instance: 1, is: .same) { _ in }
            recorder.evaluate("B", Leaf(title: "b"), instance: 1, is: .changed("title")) { _ in }
        }
        list.one("instances by objects that go and come at one address") { recorder in
            final class Node {}
            for _ in 0..<20 {
                let node = Node()
                recorder.evaluate(Leaf(title: "a"), instance: InstanceID(node), is: .initial)
                recorder.store.ended("View", instance: InstanceID(node))
            }
        }
        list.one("another setting in between") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.store.reflectionDepth = 3
            recorder.evaluate(Leaf(title: "a"), is: .same.with(.either))
            recorder.store.recordsWriters = false
            recorder.evaluate(Leaf(title: "b"), is: .changed("title"))
            recorder.evaluate(Leaf(title: "b"), is: .same)
        }
        list.one("a body of an hour's depth") { recorder in
            func evaluate(_ depth: Int) {
                recorder.store.evaluate("Deep", of: depth, instance: InstanceID(UInt64(depth))) {
                    if depth > 0 { evaluate(depth - 1) }
                }
            }
            // In a debug build 240 take what the library takes of a stack of 8 MiB, and with Address Sanitizer 145.
            evaluate(120)
            evaluate(120)
            recorder.expect(recorder.stats("Deep")?.count == 242, "\(recorder.stats("Deep")?.count ?? 0)")
            recorder.expect(recorder.stats("Deep")?.wasted.measured == 0, "measured")
        }
        list.one("40 keys and 40 reasons") { recorder in
            for round in 0..<40 {
                recorder.evaluate("View", One(value: round), reason: "reason \(round)", is: nil) { _ in }
            }
            recorder.expect(recorder.stats()?.reasons.reduce(0) { $0 + $1.count } == 40, "do not add up")
        }
    }
}
