// SPDX-License-Identifier: MIT
// What a process itself saw of one of its hangs, and what may be said of that.

import Foundation
import RerenderModel

/// A hang as its process saw it, by its own clock. `Tests/Processes/loops/Stalls/HangTruth.swift` writes it.
struct LabelledHang: Decodable {
    let kind: String
    /// Whether the loop says when a turn begins.
    let isExact: Bool
    private let begin: [UInt64]
    private let end: [UInt64]
    let waited: UInt64
    private let keys: [String]
    private let bodies: [[Int]]

    /// Nanoseconds between two readings of the clock: what is true is somewhere between them.
    struct Bounds: CustomStringConvertible {
        var least: Int
        var most: Int

        func allows(_ value: Int, within slack: Int) -> Bool { value >= least - slack && value <= most + slack }
        var description: String { "\(least)...\(most)" }
    }

    /// Whether a body ran in it, by which Rerender sees it on the thread that hangs.
    var hasBodies: Bool { !bodies.isEmpty }

    var begins: Bounds { Bounds(least: Int(begin[0]), most: Int(begin[1])) }
    var ends: Bounds { Bounds(least: Int(end[0]), most: Int(end[1])) }
    var duration: Bounds { Bounds(least: ends.least - begins.most, most: ends.most - begins.least) }

    /// What was said of it that is not true, of a hang that began at a time of the process's clock; empty if all is.
    ///
    /// `slack` is what two readings of the clock may be apart without anybody being wrong about a view.
    func faults(_ hang: Hang, beganAt start: Int, threshold: Int, slack: Int = 200_000) -> [String] {
        let end = start + Int(hang.durationNanoseconds)
        // Where the beginning is known to be late, views are judged by their part in what was reported.
        let views = ownTimes(from: isExact ? .min : start, to: isExact ? .max : end)
        let length = isExact ? duration : Bounds(least: end - start, most: end - start)
        let crossing = Bounds(
            least: (isExact ? begins.least : start) + threshold - slack,
            most: (isExact ? begins.most : start) + threshold + slack)
        var faults = viewFaults(hang, views, length, slack)
        let atCrossing = keys(at: crossing)
        if !atCrossing.contains(hang.viewAtThreshold?.rawValue ?? "-") {
            faults.append("\(hang.viewAtThreshold?.rawValue ?? "-") ran at the threshold; true: \(atCrossing)")
        }
        if let view = hang.view?.rawValue {
            let isRight = hang.attribution == .inBody ? atCrossing.contains(view) : atCrossing != [view]
            if !isRight { faults.append("\(view) \(hang.attribution); at the threshold: \(atCrossing)") }
        }
        for share in hang.shares where share.view != "other views" {
            let own = views[share.view.rawValue] ?? Bounds(least: 0, most: 0)
            if !own.allows(Int(share.nanoseconds), within: slack) {
                faults.append("\(share.view.rawValue) had \(share.nanoseconds); true: \(own)")
            }
        }
        let sum = hang.shares.reduce(hang.unattributedNanoseconds ?? 0) { $0 + $1.nanoseconds }
        if sum != hang.durationNanoseconds { faults.append("shares and the rest add up to \(sum)") }
        if hang.guess { faults.append("it is a guess") }
        return faults
    }

    private func viewFaults(_ hang: Hang, _ views: [String: Bounds], _ length: Bounds, _ slack: Int) -> [String] {
        let most = views.values.map(\.least).max() ?? 0
        guard let view = hang.view?.rawValue else {
            let missed = views.filter { $0.value.least >= length.most / 5 + slack }
            return missed.isEmpty ? [] : ["no view; true: \(missed) of \(length)"]
        }
        guard let own = views[view] else { return ["\(view), which did not run; true: \(views) of \(length)"] }
        let isLargest = own.most + slack >= most && own.most + slack >= length.least / 5
        return isLargest ? [] : ["\(view) with \(own); true: \(views) of \(length)"]
    }

    // MARK: Bodies

    private func key(_ body: [Int]) -> String { keys[body[0]] }

    /// Each view's own time between two times: that of its bodies, without the bodies inside of them.
    private func ownTimes(from first: Int, to last: Int) -> [String: Bounds] {
        func length(_ from: Int, _ to: Int) -> Int { max(0, min(to, last) - max(from, first)) }
        var own = bodies.map { Bounds(least: length($0[3], $0[4]), most: length($0[2], $0[5])) }
        for (body, times) in bodies.enumerated() where times[1] >= 0 {
            own[times[1]].least -= length(bodies[body][2], bodies[body][5])
            own[times[1]].most -= length(bodies[body][3], bodies[body][4])
        }
        return zip(bodies, own).reduce(into: [:]) { views, body in
            let known = views[key(body.0)] ?? Bounds(least: 0, most: 0)
            views[key(body.0)] = Bounds(
                least: known.least + max(0, body.1.least), most: known.most + max(0, body.1.most))
        }
    }

    /// The keys of the views that may have run within the bounds as the innermost ones; `-` for none.
    private func keys(at time: Bounds) -> Set<String> {
        var hidden = Set<Int>()
        var isInBody = false
        for times in bodies where times[3] <= time.least && time.most <= times[4] {
            if times[1] >= 0 { hidden.insert(times[1]) } else { isInBody = true }
        }
        let running = bodies.indices.filter {
            !hidden.contains($0) && bodies[$0][2] <= time.most && time.least <= bodies[$0][5]
        }
        return Set(running.map { key(bodies[$0]) } + (isInBody ? [] : ["-"]))
    }
}
