// SPDX-License-Identifier: MIT
// `loops busy WHAT ROUNDS`: an app on the main run loop whose views keep it busy, for so many rounds, and which then exits. How long a body
// takes is processor time of its thread, so that other programs make nothing longer.
//
//     spread   ten rounds a second: 30 views, each with 0.3 ms and the same output
//     micro    two rounds a second: a body of 200 ms, each time with another output
//     needed   ten rounds a second: a body of 20 ms, each time with another output
//     shared   a round a second, by turns: a hang in which V0 has 600 ms and each of four others 350, and one that B has nearly alone

import Foundation
import Glibc
import Rerender

/// Views that keep the main run loop busy.
enum BusyViews {
    private static let intervals = ["spread": 0.1, "micro": 0.5, "needed": 0.1, "shared": 1]

    @MainActor
    static func run(_ arguments: [String]) {
        let what = arguments.first ?? ""
        let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 0
        guard let interval = intervals[what], rounds > 0 else {
            print("usage: loops busy \(intervals.keys.sorted().joined(separator: "|")) ROUNDS")
            exit(EX_USAGE)
        }
        let all = BusyRounds(rounds, RerenderStore(name: "main"))
        let timer = Timer(timeInterval: interval, repeats: true) { _ in MainActor.assumeIsolated { all.next(what) } }
        RunLoop.main.add(timer, forMode: .default)
        RunLoop.main.run()
    }
}

private func work(_ milliseconds: Double) {
    func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }
    let end = processorTime() + milliseconds
    while processorTime() < end {}
}

/// Evaluates a view; it has another output for another number.
private func evaluate(_ view: String, _ milliseconds: Double, output: Int, in store: RerenderStore) {
    _ = store.evaluate(view, comparing: .equatable) { () -> Int in
        work(milliseconds)
        return output
    }
}

private func run(_ what: String, _ round: Int, in store: RerenderStore) {
    switch what {
    case "spread": for row in 0..<30 { evaluate("Row\(row)", 0.3, output: 1, in: store) }
    case "micro": evaluate("Canvas", 200, output: round, in: store)
    case "needed": evaluate("Canvas", 20, output: round, in: store)
    case "shared":
        if round % 2 == 0 {
            for view in 0..<5 { evaluate("V\(view)", view == 0 ? 600 : 350, output: round, in: store) }
        } else {
            evaluate("B", 1_300, output: round, in: store)
            evaluate("Other", 100, output: round, in: store)
        }
    default: break
    }
}

@MainActor
private final class BusyRounds {
    private let count: Int
    private let store: RerenderStore
    private var done = 0

    init(_ count: Int, _ store: RerenderStore) { (self.count, self.store) = (count, store) }

    func next(_ what: String) {
        guard done < count else {
            print("rounds\t\(count)")
            exit(EXIT_SUCCESS)
        }
        run(what, done, in: store)
        done += 1
    }
}
