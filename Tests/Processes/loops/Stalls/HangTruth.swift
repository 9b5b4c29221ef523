// SPDX-License-Identifier: MIT
// What this process itself sees of a hang: by its own clock, around each body and around each turn of its loop.

import Foundation
import Rerender

/// One hang, as a line of JSON. Times are nanoseconds of CLOCK_MONOTONIC.
struct HangTruth: Encodable {
    var kind: String
    /// Whether the loop says when a turn begins. One that is pinged has an earliest time, which is when the turn before ended.
    var isExact: Bool
    /// When the turn began: between these two.
    var begin: [UInt64]
    /// When it ended: between these two.
    var end: [UInt64]
    /// How long the thread had no processor, by the kernel's count.
    var waited: UInt64
    /// The keys of the views.
    var keys: [String]
    /// The bodies: the place of the key, the place of the body around it or -1, and four times: before the call, first and last
    /// in the body, after the call.
    var bodies: [[Int]]
}

/// When the current turn began, and what is to be told of it when it has ended. Used on the loop's thread alone.
final class TurnMarks: @unchecked Sendable {
    static let shared = TurnMarks()
    private var begunAt: UInt64 = 0
    private var isExact = false
    private var tell: ((_ begunAt: UInt64, _ endedAt: UInt64, _ isExact: Bool) -> Void)?

    /// The loop wakes up. Called before the monitor's own hook.
    func begin() {
        begunAt = monotonic()
        isExact = true
    }

    /// The loop is about to wait. Called after the monitor's own hook.
    func end() {
        guard let tell else { return }
        self.tell = nil
        let endedAt = monotonic()
        tell(begunAt, endedAt, isExact)
        if !isExact { begunAt = endedAt }
    }

    func tellAtEnd(_ tell: @escaping (UInt64, UInt64, Bool) -> Void) { self.tell = tell }
}

/// Runs bodies and keeps when they ran. Used on the loop's thread alone.
final class BodyLog {
    private struct Thrown: Error {}

    private let store: RerenderStore
    private(set) var keys: [String] = []
    private(set) var bodies: [[Int]] = []
    private var places: [String: Int] = [:]
    private var current = -1

    init(_ store: RerenderStore) { self.store = store }

    /// Evaluates a view, under its key.
    func body(_ key: String, in other: RerenderStore? = nil, instance: UInt64? = nil, _ work: () -> Void) {
        around(key, work) { body in
            (other ?? store).evaluate(key, instance: instance.map { InstanceID($0) }) { body() }
        }
    }

    /// Evaluates a view that has no label.
    func unlabelled(_ work: () -> Void) {
        around("loops/Unlabelled.swift:7", work) { body in
            store.evaluate(fileID: "loops/Unlabelled.swift", line: 7) { body() }
        }
    }

    /// Evaluates a view whose body throws in the end.
    func throwing(_ key: String, _ work: () -> Void) {
        around(key, work) { body in
            try? store.evaluate(key) { () throws -> Void in
                body()
                throw Thrown()
            }
        }
    }

    private func around(_ key: String, _ work: () -> Void, _ evaluate: (_ body: () -> Void) -> Void) {
        let place = places[key] ?? keys.count
        if place == keys.count {
            keys.append(key)
            places[key] = place
        }
        let (body, around) = (bodies.count, current)
        bodies.append([place, around, 0, 0, 0, 0])
        current = body
        bodies[body][2] = Int(monotonic())
        withoutActuallyEscaping(work) { work in
            evaluate {
                bodies[body][3] = Int(monotonic())
                work()
                bodies[body][4] = Int(monotonic())
            }
        }
        bodies[body][5] = Int(monotonic())
        current = around
    }
}
