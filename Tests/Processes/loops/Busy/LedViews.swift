// SPDX-License-Identifier: MIT
// `loops led WHAT MILLISECONDS`: an app on the main run loop with a view whose body leads to its next evaluation, for so long. It then says
// `rounds`, a tab, and how many there were, and exits.
//
//     queue    over a block of the main queue
//     task     over a task of the main actor
//     detour   over a task elsewhere that comes back to the main actor
//     after    over a timer of the main queue, which is no cycle
//     sleep    over a task that sleeps first, which is no cycle either
//
// `loops led kinds` puts blocks of each kind on a queue, in a body and elsewhere, and says what they did: `inside=…`, `outside=…`.

import CRerender
import Dispatch
import Foundation
import Glibc
import Observation
import Rerender
import Synchronization

/// A view that keeps itself busy over what is called later.
enum LedViews {
    private static let ways = ["queue", "task", "detour", "after", "sleep"]

    @MainActor
    static func run(_ arguments: [String]) {
        let way = arguments.first ?? ""
        if way == "kinds" { return BlockKinds.run() }
        guard ways.contains(way), let milliseconds = arguments.dropFirst().first.flatMap({ Int($0) }) else {
            print("usage: loops led \(ways.joined(separator: "|")) MILLISECONDS, or loops led kinds")
            exit(EX_USAGE)
        }
        let view = LedView(way, for: .milliseconds(milliseconds))
        view.evaluate()
        while true { RunLoop.main.run(until: .distantFuture) }
    }
}

@MainActor
@Observable
private final class LedModel {
    var value = 0
}

@MainActor
private final class LedView {
    private let model = LedModel()
    private let way: String
    private let end: ContinuousClock.Instant
    private var rounds = 0

    init(_ way: String, for duration: Duration) {
        (self.way, end) = (way, ContinuousClock.now + duration)
    }

    func evaluate() {
        rounds += 1
        store.evaluate("Row") { body() }
    }

    private func body() {
        _ = model.value
        lead()
    }

    /// What the body leads to.
    private func lead() {
        switch way {
        case "queue": DispatchQueue.main.async { MainActor.assumeIsolated { self.write() } }
        case "task": Task { @MainActor in self.write() }
        case "detour": Task.detached { await self.write() }
        case "after":
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(1)) {
                MainActor.assumeIsolated { self.write() }
            }
        default:
            Task { @MainActor in
                try? await Task.sleep(for: .milliseconds(1))
                self.write()
            }
        }
    }

    /// Writes what the body reads, and does what a framework does then.
    private func write() {
        guard ContinuousClock.now < end else {
            print("rounds\t\(rounds)")
            exit(EXIT_SUCCESS)
        }
        // So that the loop has other things to do, too.
        usleep(200)
        model.value += 1
        evaluate()
    }
}

/// What a queue does with blocks.
private enum BlockKinds {
    /// Lines of several threads.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var text: String { lines.withLock { $0.joined(separator: ",") } }
    }

    /// Says when a block lets go of it.
    private final class Kept: Sendable {
        private let lines: Lines
        private let name: String

        init(_ name: String, _ lines: Lines) { (self.name, self.lines) = (name, lines) }
        deinit { lines.add("released-\(name)") }
        func note() { lines.add(name) }
    }

    static func run() {
        waitUntilFollowed()
        var inside = ""
        store.evaluate("Kinds") { inside = kinds() }
        say("inside=\(inside) outside=\(kinds())")
    }

    /// Waits until a block that a body puts on a queue is followed: the hooks are there. Ends the process with EX_SOFTWARE where they do
    /// not come.
    private static func waitUntilFollowed() {
        let (queue, deadline) = (DispatchQueue(label: "first"), ContinuousClock.now + .seconds(60))
        while !isFollowed(on: queue) {
            guard ContinuousClock.now < deadline else {
                say("blocks are not followed")
                exit(EX_SOFTWARE)
            }
            usleep(1_000)
        }
    }

    private static func isFollowed(on queue: DispatchQueue) -> Bool {
        let lines = Lines()
        store.evaluate("First") { queue.async { if crerender_queue_step() != nil { lines.add("followed") } } }
        queue.sync {}
        return lines.text == "followed"
    }

    /// What blocks of each kind did, in order. The queue begins when all are there, so that they alone keep what they have.
    private static func kinds() -> String {
        let (lines, group) = (Lines(), DispatchGroup())
        let queue = DispatchQueue(label: "kinds", attributes: .concurrent)
        queue.suspend()
        put(lines, group, on: queue)
        queue.resume()
        group.wait()
        queue.sync(flags: .barrier) {}
        return lines.text
    }

    private static func put(_ lines: Lines, _ group: DispatchGroup, on queue: DispatchQueue) {
        let first = Kept("plain", lines)
        queue.async { first.note() }
        let second = Kept("barrier", lines)
        queue.async(flags: .barrier) { second.note() }
        let third = Kept("group", lines)
        queue.async(group: group) { third.note() }
        // Of a concurrent queue, these wait for what is before them, and hold up what is behind them, by their flags.
        let item = DispatchWorkItem(flags: .barrier) { lines.add("item") }
        item.notify(queue: queue) { lines.add("notified") }
        queue.async(execute: item)
        let cancelled = DispatchWorkItem { lines.add("cancelled") }
        cancelled.cancel()
        queue.async(execute: cancelled)
        let last = Kept("last", lines)
        queue.async(group: group, qos: .utility, flags: .barrier) { last.note() }
    }
}
