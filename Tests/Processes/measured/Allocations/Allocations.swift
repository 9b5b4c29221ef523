// SPDX-License-Identifier: MIT
// `measured allocations COUNT` evaluates views that have been met COUNT times each and prints what the thread allocated meanwhile,
// a line for each way to call the probe, one for turns of a GLib loop and one for evaluations inside of those, then by
// how many bytes ten times COUNT comparisons made the process grow.

import CAllocationCount
import Glibc
import Rerender

enum Allocations {
    private struct Row {
        let cents: Int
        let name: String
    }

    private static let store = RerenderStore(name: "main")
    private static let row = Row(cents: 12, name: "a name too long to be kept inside of the string itself")
    /// Too long to be kept in the string itself, so that a copy would be an allocation.
    private static let label = String(repeating: "CartTotal", count: 4)
    nonisolated(unsafe) private static var sum = 0

    /// How long bodies last now; zero while it is counted.
    nonisolated(unsafe) private static var nanoseconds: UInt64 = 0

    static func work() {
        sum &+= 1
        let end = monotonic() &+ nanoseconds
        while nanoseconds > 0, monotonic() < end {}
    }

    /// What `body` allocates in `count` turns, once it has run before.
    ///
    /// Before, because a view makes room for durations of an order that it has not met; a busy machine may stretch any.
    private static func measure(_ count: Int, _ body: () -> Void) -> UInt64 {
        for exponent in UInt64(0)..<27 {
            nanoseconds = 1 << exponent
            body()
        }
        nanoseconds = 0
        let before = callocation_count()
        for _ in 0..<count { body() }
        return callocation_count() - before
    }

    /// GLib's poll function, as the monitor of the main loop has wrapped it: each call ends a turn and begins one. Nil without
    /// GLib.
    private static func wrappedPoll() -> (@convention(c) (UnsafeMutableRawPointer?, UInt32, Int32) -> Int32)? {
        typealias Poll = @convention(c) (UnsafeMutableRawPointer?, UInt32, Int32) -> Int32
        guard let library = dlopen("libglib-2.0.so.0", RTLD_NOW),
            let symbol = dlsym(library, "g_main_context_get_poll_func")
        else { return nil }
        // The library came after the first store; another one finds it.
        _ = RerenderStore(name: "second")
        return unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer?) -> Poll).self)(nil)
    }

    static func run(_ count: Int) {
        let results = evaluations(count)
        if let poll = wrappedPoll() { print("turn=\(measure(count) { _ = poll(nil, 0, 0) })") }
        if let (inTurns, unseen) = GLibTurns.run(count, store: store, warmUp: { _ = measure(count, $0) }) {
            print("in a turn=\(inTurns)")
            print("unseen turns=\(unseen)")
        }
        let quiet = RerenderStore(name: "quiet")
        Told.waitForQuiet(quiet)
        print("told without input=\(measure(count, Told(20, in: quiet).evaluate))")
        // More causes than places: those without one look for one every two seconds. At first each of them does.
        let crowd = Told(100, in: quiet)
        let beforeFirst = callocation_count()
        crowd.evaluate()
        let first = callocation_count() - beforeFirst
        let begunAt = monotonic()
        print("looks=\(measure(count / 10, crowd.evaluate))")
        print("most looks=\(first * ((monotonic() - begunAt) / 2_000_000_000 + 1))")
        for (name, allocations) in results { print("\(name)=\(allocations)") }
        // The least of three: a leak is in each, and what another thread happens to load is in one.
        let growth = (0..<3).map { _ in Comparison.growth(count * 4) }
        print("growth=\(growth.min() ?? 0)")
    }

    /// What each way to call the probe allocates.
    private static func evaluations(_ count: Int) -> [(String, UInt64)] {
        [
            ("literal", measure(count) { store.evaluate("Literal") { work() } }),
            ("place", measure(count) { store.evaluate { work() } }),
            ("long label", measure(count) { store.evaluate(label) { work() } }),
            ("inputs and instance", measure(count) { store.evaluate("Inputs", of: row, instance: 7) { work() } }),
            (
                "reason",
                measure(count) { store.evaluate("Reason", reason: "a reason that the caller knows") { work() } }
            ),
            (
                "nested",
                measure(count) { store.evaluate("Outer") { store.evaluate("Inner", parent: "Outer") { work() } } }
            ),
            ("committed", measure(count) { store.committed("Literal") }),
            ("comparison", measure(count, Comparison.unchanged())),
            ("told", measure(count, Told(1, in: store).evaluate)),
            // Shows that the check can fail: this one allocates each time.
            (
                "control",
                measure(count) { store.evaluate("Control") { sum &+= Array(repeating: sum, count: 100).count } }
            ),
        ]
    }
}
