// SPDX-License-Identifier: MIT
// Bodies that are left by a jump. Prints what it counted itself: lines of a view, a tab and a number. For those that were left, the
// view is `left`.
//
// `probes jumps longjmp|exception STEP...` does each step, and what is left is left in this way.

import CJumps
import Foundation
import Observation
import Rerender
import Synchronization

private let kind = CommandLine.arguments.dropFirst(2).first == "exception" ? CJUMPS_EXCEPTION : CJUMPS_LONGJMP
private let store = RerenderStore(name: "main")
private let truth = Mutex<[String: Int]>([:])

func note(_ key: String) { truth.withLock { $0[key, default: 0] += 1 } }

final class Work {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}

/// Runs a body that may be left.
@inline(never)
func catching(_ body: @escaping () -> Void) {
    let work = Work(body)
    _ = cjumps_catch(
        kind, { if let work = $0 { Unmanaged<Work>.fromOpaque(work).takeUnretainedValue().run() } },
        Unmanaged.passUnretained(work).toOpaque())
    withExtendedLifetime(work) {}
}

/// Where the compiler does not see that nothing behind it is reached.
func leave() {
    note("left")
    cjumps_leave(kind)
}

struct Row { let number: Int }

@Observable
final class Model {
    var title = "title"
    var count = 0
}

/// An evaluation that ends.
@inline(never)
func evaluate(_ key: String, _ body: () -> Void = {}) {
    store.evaluate(key) {
        body()
        note(key)
    }
}

/// One that does not.
@inline(never)
func evaluateAndLeave(_ key: String) { store.evaluate(key) { leave() } }

/// Calls `body` so many calls deeper.
@inline(never)
func deeper(_ calls: Int, _ body: () -> Void) {
    if calls == 0 { return body() }
    deeper(calls - 1, body)
    withExtendedLifetime(calls) {}
}

nonisolated(unsafe) let model = Model()

/// More evaluations in each other than there is room for: those around the last ones do not count.
func nest(_ depth: Int) {
    if depth == 0 { return }
    store.evaluate("Nested") { nest(depth - 1) }
    // The first has a list of its reads, too.
    note(depth > 5_000 - 4_095 ? "left" : "Nested")
}

func step(_ name: String) {
    switch name {
    case "often":
        for _ in 0..<10_000 { catching { evaluateAndLeave("Often") } }
        for _ in 0..<100 { evaluate("Often") }
    case "inside":
        for _ in 0..<50 {
            evaluate("Outer") {
                catching { evaluateAndLeave("Inner") }
                cjumps_overwrite(16)
                evaluate("Next")
            }
        }
    case "levels":
        for _ in 0..<20 {
            catching {
                store.evaluate("First") {
                    note("left")
                    store.evaluate("Second") {
                        note("left")
                        evaluateAndLeave("Third")
                    }
                }
            }
            evaluate("After")
        }
    case "deeper":
        for calls in 0..<200 {
            catching { evaluateAndLeave("Shallow") }
            cjumps_overwrite(4)
            deeper(calls) { evaluate("Deep") }
            catching { deeper(calls) { evaluateAndLeave("Deeper") } }
            evaluate("Plain")
        }
    case "instances":
        for round in 0..<100 {
            for _ in 0..<3 {
                store.evaluate("Row", of: Row(number: 1), instance: 1) { note("Row") }
            }
            catching {
                store.evaluate("Row", of: Row(number: round % 2), instance: 1) { leave() }
            }
        }
    case "handlers":
        for _ in 0..<100 {
            catching { store.handling("click", of: "Row") { cjumps_leave(kind) } }
            store.evaluate("Written") {
                _ = model.count
                note("Written")
            }
            model.count += 1
        }
        store.evaluate("Written") { note("Written") }
    case "reads":
        for round in 0..<100 {
            catching {
                store.evaluate("Reading") {
                    _ = model.title
                    leave()
                }
            }
            // Observation lists this where the call was that was left.
            for _ in 0..<10 { _ = model.title.count + model.count }
            catching { store.reading("Written") { cjumps_leave(kind) } }
            for _ in 0..<10 { _ = model.title.count + model.count }
            withObservationTracking {
                evaluate("Tracked") { _ = model.title }
            } onChange: {
            }
            model.title = "title \(round)"
        }
    case "threads":
        cjumps_threads(
            { _, number in
                for _ in 0..<1_000 {
                    catching { evaluateAndLeave("Thread \(number)") }
                    evaluate("Thread \(number)")
                }
                // Nothing is evaluated behind it.
                catching { evaluateAndLeave("Thread \(number)") }
            }, nil, 8 << 20)
    case "deep":
        cjumps_threads({ _, number in if number == 0 { nest(5_000) } }, nil, 256 << 20)
    case "coroutines":
        cjumps_threads(
            { _, thread in
                for round in 0..<100 where thread == 0 {
                    evaluate("Before")
                    cjumps_interleave({ _, number in evaluate("Coroutine \(number)") { cjumps_yield() } }, nil)
                    cjumps_overwrite(16)
                    // The thread ends behind the last coroutines.
                    if round < 99 { evaluate("Behind") }
                }
            }, nil, 8 << 20)
    case "ended":
        for _ in 0..<10 {
            catching {
                let brief = RerenderStore(name: "brief")
                withExtendedLifetime(brief) { brief.evaluate("Brief") { cjumps_leave(kind) } }
            }
            evaluate("After brief")
        }
    default: exit(64)
    }
}

enum Jumps {
    static func run(_ steps: [String]) {
        // Made now, and not in a body that is left.
        _ = (kind, store)
        for name in steps { step(name) }
        for (key, count) in truth.withLock({ $0 }) { print("\(key)\t\(count)") }
    }
}
