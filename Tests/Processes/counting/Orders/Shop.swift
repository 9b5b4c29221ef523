// SPDX-License-Identifier: MIT
// Three stores, ten threads, and counters that know nothing of the library: the ground truth.

import Foundation
import Glibc
import Rerender
import Synchronization

/// Evaluates views and counts beside, so that a test can compare the two.
final class Shop: Sendable {
    static let threads = 10
    static let views = 40

    let stores: [RerenderStore]
    private let labels: [String]
    /// Evaluations by store and view, counted inside the bodies.
    private let counters: [[Counter]]

    init() {
        stores = ["main", "sidebar", "detail"].map { RerenderStore(name: $0) }
        labels = (0..<Self.views).map { "view \($0)" }
        counters = stores.map { _ in (0..<Self.views).map { _ in Counter() } }
    }

    /// Evaluates `count` bodies, spread over threads, stores and views.
    func run(_ count: Int) {
        onThreads(Self.threads) { [self] thread in
            for number in stride(from: thread, to: count, by: Self.threads) {
                // A cheap spread that gives every view another share.
                let mix = (number &* 2_654_435_761) >> 8
                evaluate(store: mix % stores.count, view: (mix % 97) % Self.views, thread: thread)
            }
        }
    }

    private func evaluate(store: Int, view: Int, thread: Int) {
        stores[store].evaluate(labels[view], instance: InstanceID(rawValue: UInt64(thread))) {
            counters[store][view].add()
        }
    }

    /// Evaluates `count` bodies on the calling thread.
    func runHere(_ count: Int) {
        for number in 0..<count { evaluate(store: number % stores.count, view: number % Self.views, thread: 0) }
    }

    /// Calls `fork` inside the body of a view.
    func forkInBody(_ fork: () -> pid_t) -> pid_t {
        stores[0].evaluate(labels[0]) {
            let child = fork()
            if child != 0 { counters[0][0].add() }
            return child
        }
    }

    /// Evaluates on ten threads for as long as `whileRunning` does not return.
    func spin(_ whileRunning: () -> Void) {
        let isOver = Flag()
        let threads = DispatchGroup()
        for thread in 0..<Self.threads {
            // Not the dispatch pool: it has as many threads as the machine has processors.
            threads.enter()
            Thread.detachNewThread { [self] in
                var number = thread
                while !isOver.isSet {
                    evaluate(store: number % stores.count, view: number % Self.views, thread: thread)
                    number += 1
                }
                threads.leave()
            }
        }
        say("spinning")
        whileRunning()
        isOver.set()
        threads.wait()
    }

    /// Evaluates `Outer`, in it `Middle`, and in that `Inner`, which throws.
    func nest(_ count: Int) {
        struct Failure: Error {}
        let store = stores[0]
        onThreads(4) { _ in
            for _ in 0..<count {
                store.evaluate("Outer") {
                    store.evaluate("Middle", reason: "tap") {
                        try? store.evaluate("Inner") { throw Failure() }
                    }
                }
            }
        }
    }

    /// A view with a label that is too long, and one whose parent it is.
    func evaluateBelowLongParent() {
        let parent = String(repeating: "long ", count: 1_000)
        stores[0].evaluate(parent) {}
        stores[0].evaluate("Child", parent: ViewKey(rawValue: parent)) {}
    }

    /// Labels with control characters, a NUL, bytes that are no UTF-8, and far too much text.
    func evaluateHostileLabels() {
        let labels = [
            "\u{1B}]0;title\u{7}\r\n\u{202E}", "nul\u{0}inside",
            String(decoding: [98, 97, 100, 32, 0xC3, 0xFF, 32, 98, 121, 116, 101, 115], as: UTF8.self),
            String(repeating: "long ", count: 1_000),
        ]
        for label in labels { stores[0].evaluate(label) {} }
    }

    /// What was counted: `STORE VIEW COUNT` for each view that was evaluated, in a line.
    func counts() -> String {
        var entries: [String] = []
        for (store, name) in ["main", "sidebar", "detail"].enumerated() {
            for view in 0..<Self.views where counters[store][view].value > 0 {
                entries.append("\(name)/\(labels[view])=\(counters[store][view].value)")
            }
        }
        return entries.joined(separator: ";")
    }
}

/// A word from one thread to others.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .sequentiallyConsistent) }
}

/// A number that threads add to.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func add() { count.add(1, ordering: .sequentiallyConsistent) }
}

/// Runs `body` on so many threads at once, and waits for all. What no thread can be had for runs on this one. Not on the pool of
/// libdispatch, which has descriptors of its own: a host that uses it must not close those.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = (1..<count).map { number in startThread(nil) { body(number) } }
    body(0)
    for (index, thread) in threads.enumerated() {
        if let thread { pthread_join(thread, nil) } else { body(index + 1) }
    }
}
