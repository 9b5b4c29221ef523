// SPDX-License-Identifier: MIT
// `allocations COUNT` evaluates views that have been met COUNT times each and prints what the thread allocated meanwhile,
// a line for each way to call the probe, one for turns of a GLib loop and one for evaluations inside of those, then by
// how many bytes ten times COUNT comparisons made the process grow.

import CAllocationCount
import Glibc
import Rerender

guard CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]), count > 0 else {
    print("usage: allocations COUNT")
    exit(EX_USAGE)
}

struct Row {
    let cents: Int
    let name: String
}

struct Problem: Error {}

let store = RerenderStore(name: "main")
let row = Row(cents: 12, name: "a name too long to be kept inside of the string itself")
/// Too long to be kept in the string itself, so that a copy would be an allocation.
let label = String(repeating: "CartTotal", count: 4)
nonisolated(unsafe) var sum = 0

/// How long bodies last now; zero while it is counted.
nonisolated(unsafe) var nanoseconds: UInt64 = 0

func work() {
    sum &+= 1
    let end = now() &+ nanoseconds
    while nanoseconds > 0, now() < end {}
}

func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// What `body` allocates in `count` turns, once it has run before.
///
/// Before, because a view makes room for durations of an order that it has not met; a busy machine may stretch any.
func allocations(in count: Int = count, _ body: () -> Void) -> UInt64 {
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
func wrappedPoll() -> (@convention(c) (UnsafeMutableRawPointer?, UInt32, Int32) -> Int32)? {
    typealias Poll = @convention(c) (UnsafeMutableRawPointer?, UInt32, Int32) -> Int32
    guard let library = dlopen("libglib-2.0.so.0", RTLD_NOW),
        let symbol = dlsym(library, "g_main_context_get_poll_func")
    else { return nil }
    // The library came after the first store; another one finds it.
    _ = RerenderStore(name: "second")
    return unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer?) -> Poll).self)(nil)
}

let results: [(String, UInt64)] = [
    ("literal", allocations { store.evaluate("Literal") { work() } }),
    ("place", allocations { store.evaluate { work() } }),
    ("long label", allocations { store.evaluate(label) { work() } }),
    ("inputs and instance", allocations { store.evaluate("Inputs", of: row, instance: 7) { work() } }),
    ("reason", allocations { store.evaluate("Reason", reason: "a reason that the caller knows") { work() } }),
    (
        "nested",
        allocations { store.evaluate("Outer") { store.evaluate("Inner", parent: "Outer") { work() } } }
    ),
    ("committed", allocations { store.committed("Literal") }),
    ("comparison", allocations(Comparison.unchanged())),
    ("told", allocations(Told(1, in: store).evaluate)),
    // A check that cannot fail is none: this one allocates each time.
    ("control", allocations { store.evaluate("Control") { sum &+= Array(repeating: sum, count: 100).count } }),
]
if let poll = wrappedPoll() { print("turn=\(allocations { _ = poll(nil, 0, 0) })") }
if let (count, unseen) = GLibTurns.run(count, store: store, warmUp: { _ = allocations($0) }) {
    print("in a turn=\(count)")
    print("unseen turns=\(unseen)")
}
let quiet = RerenderStore(name: "quiet")
Told.waitForQuiet(quiet)
print("told without input=\(allocations(Told(20, in: quiet).evaluate))")
// More causes than places: those without one look for one every two seconds. At first each of them does.
let crowd = Told(100, in: quiet)
let beforeFirst = callocation_count()
crowd.evaluate()
let first = callocation_count() - beforeFirst
let begunAt = now()
print("looks=\(allocations(in: count / 10, crowd.evaluate))")
print("most looks=\(first * ((now() - begunAt) / 2_000_000_000 + 1))")
for (name, count) in results { print("\(name)=\(count)") }
// The least of three: a leak is in each, and what another thread happens to load is in one.
let growth = (0..<3).map { _ in Comparison.growth(count * 4) }
print("growth=\(growth.min() ?? 0)")
