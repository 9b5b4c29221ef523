// SPDX-License-Identifier: MIT
// Evaluations in the same turn, and those that only look so.

import Glibc
import Rerender
import RerenderModel

private struct Leaf {
    var title: String
}

/// Runs `body` on another thread, to its end.
private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Box(body)).toOpaque()
    let error = pthread_create(
        &thread, nil,
        { context in
            if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
            return nil
        }, context)
    precondition(error == 0, "no thread could be started")
    pthread_join(thread, nil)
}

extension Case {
    static let turns: [Case] = [
        Case("turn: an instance twice in one") { recorder in
            recorder.store.turnBegan()
            recorder.evaluate(Leaf(title: "a"), instance: 1, .initial)
            recorder.evaluate(Leaf(title: "b"), instance: 1, Outcome("title", .diff, waste: .twiceInATurn))
            recorder.store.committed("View", instance: 1)
            recorder.evaluate(Leaf(title: "c"), instance: 1, Outcome("title", .diff))
            recorder.store.turnBegan()
            recorder.evaluate(Leaf(title: "d"), instance: 1, Outcome("title", .diff))
        },
        Case("turn: rows that nobody numbers, once each in a turn") { recorder in
            for titles in [["a", "b", "c"], ["d", "e", "f"]] {
                recorder.store.turnBegan()
                for title in titles { recorder.evaluate("View", Leaf(title: title), nil) { _ in } }
            }
            recorder.expect(
                recorder.stats()?.wasted.kinds[.twiceInATurn, default: 0] == 0, "rows were taken for one another")
        },
        Case("turn: rows with numbers, once each in a turn") { recorder in
            for (round, titles) in [["a", "b"], ["c", "d"]].enumerated() {
                recorder.store.turnBegan()
                for (row, title) in titles.enumerated() {
                    recorder.evaluate(
                        Leaf(title: title), instance: InstanceID(UInt64(row)),
                        round == 0 ? .initial : Outcome("title", .diff))
                }
            }
        },
        Case("turn: without one, nothing is twice in it") { recorder in
            recorder.evaluate(Leaf(title: "a"), instance: 1, .initial)
            recorder.evaluate(Leaf(title: "b"), instance: 1, Outcome("title", .diff))
        },
        Case("turn: another store's is none of this one's") { recorder in
            RerenderStore(name: "another").turnBegan()
            recorder.evaluate(Leaf(title: "a"), instance: 1, .initial)
            recorder.evaluate(Leaf(title: "b"), instance: 1, Outcome("title", .diff))
        },
        Case("turn: another store's does not end this one's") { recorder in
            recorder.store.turnBegan()
            recorder.evaluate(Leaf(title: "a"), instance: 1, .initial)
            RerenderStore(name: "another").turnBegan()
            recorder.evaluate(Leaf(title: "b"), instance: 1, Outcome("title", .diff, waste: .twiceInATurn))
        },
        Case("turn: a thread without a loop is in none") { recorder in
            recorder.store.turnBegan()
            onAnotherThread {
                recorder.evaluate(Leaf(title: "a"), instance: 1, .initial)
                recorder.evaluate(Leaf(title: "b"), instance: 1, Outcome("title", .diff))
            }
            recorder.evaluate(Leaf(title: "c"), instance: 1, Outcome("title", .diff))
            recorder.evaluate(Leaf(title: "d"), instance: 1, Outcome("title", .diff, waste: .twiceInATurn))
        },
        Case("turn: two threads with turns of their own") { recorder in
            recorder.store.turnBegan()
            recorder.evaluate(Leaf(title: "a"), instance: 1, .initial)
            onAnotherThread {
                recorder.store.turnBegan()
                recorder.evaluate(Leaf(title: "b"), instance: 1, Outcome("title", .diff))
            }
            recorder.store.turnBegan()
            recorder.evaluate(Leaf(title: "c"), instance: 1, Outcome("title", .diff))
        },
    ]
}
