// SPDX-License-Identifier: MIT
// What happens at one end: decided by a seed and a number, so that a run can be repeated.

import TestSupport

/// What is ended, and how.
enum ChaosEnd: String, CaseIterable {
    case appKilled = "app: SIGKILL"
    case appTerminated = "app: SIGTERM"
    case appAborts = "app: abort"
    case appExits = "app: exit"
    case appLeaves = "app: exit while its threads evaluate"
    case appBecomesItself = "app: exec of itself"
    case appBecomesAnother = "app: exec of another program"
    case appForks = "app: fork without exec"
    case daemonKilled = "daemon: SIGKILL"
    case daemonTerminated = "daemon: SIGTERM"
    case bothKilled = "app and daemon: SIGKILL"
    case recordedExit = "app: exit, while LTTng records"
    case consumerKilled = "LTTng's consumer daemon: SIGKILL, while it records"
    case sessionDaemonKilled = "LTTng's session daemon: SIGKILL, while it records"
    case bystander = "app that lives through ten others: exit"

    /// Those that need a recording.
    static let recorded: [ChaosEnd] = [.recordedExit, .consumerKilled, .sessionDaemonKilled]

    /// How often each comes, of all that are not recorded.
    static let weights: [(ChaosEnd, Int)] = [
        (.appKilled, 16), (.appTerminated, 6), (.appAborts, 6), (.appExits, 10), (.appLeaves, 10),
        (.appBecomesItself, 8),
        (.appBecomesAnother, 6), (.appForks, 6), (.daemonKilled, 16), (.daemonTerminated, 8), (.bothKilled, 8),
    ]

    /// How an app ends that outlives what was ended.
    static let last: [ChaosEnd] = [.appKilled, .appTerminated, .appAborts, .appExits, .appLeaves]
}

/// What goes on beside it.
enum ChaosDisturbance: String, CaseIterable, Sendable {
    case none
    case daemonStopped = "SIGSTOP and SIGCONT of the daemon"
    case appStopped = "SIGSTOP and SIGCONT of the app"
    case descriptorsClosed = "close_range by the app"
    case diskFull = "a full disk"
    case clockStepped = "a step of the wall clock"
}

/// One end.
struct ChaosPlan: Sendable {
    let number: Int
    let end: ChaosEnd
    let disturbance: ChaosDisturbance
    let threads: Int
    /// How the app ends if the end is another's.
    let last: ChaosEnd
    /// Microseconds from the app's start to the disturbance, from there to the end, and from there to the next step.
    let waits: [Int]
    /// Whether a daemon that ended is back before the app ends.
    let returnsFirst: Bool
    /// Of two that are killed together, whether the daemon comes first.
    let daemonFirst: Bool
    /// Seconds by which the wall clock steps.
    let step: Int

    /// - Parameters:
    ///   - end: What is ended; nil leaves that to the seed.
    ///   - disturbances: Those that can be had here.
    ///   - isAlwaysDisturbed: Whether something goes on beside each end, and not only beside half of them.
    init(
        number: Int, seed: UInt64, end: ChaosEnd? = nil, disturbances: [ChaosDisturbance],
        isAlwaysDisturbed: Bool = false
    ) {
        var generator = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
        self.number = number
        self.end = end ?? Self.end(&generator)
        let other = disturbances.randomElement(using: &generator) ?? .none
        // Half of the ends are undisturbed. Those that are recorded have no disk of their own.
        let needsRoom = ChaosEnd.recorded.contains(self.end)
        let isDisturbed = (Bool.random(using: &generator) || isAlwaysDisturbed) && !(other == .diskFull && needsRoom)
        disturbance = isDisturbed ? other : .none
        threads = Int.random(in: 1...3, using: &generator)
        last = ChaosEnd.last.randomElement(using: &generator) ?? .appExits
        // A third at once, before the app has connected; and moments within a few milliseconds of each other.
        // LTTng writes what it recorded to files about once a second.
        let before =
            ChaosEnd.recorded.contains(self.end)
            ? 0...2_500_000
            : [0...5_000, 0...150_000, 0...400_000].randomElement(using: &generator) ?? 0...0
        let between = [0...0, 0...3_000, 0...60_000].randomElement(using: &generator) ?? 0...0
        let after = [0...3_000, 0...120_000].randomElement(using: &generator) ?? 0...0
        waits = [before, between, after].map { Int.random(in: $0, using: &generator) }
        returnsFirst = Bool.random(using: &generator)
        daemonFirst = Bool.random(using: &generator)
        step = Int.random(in: -86_400...86_400, using: &generator)
    }

    private static func end(_ generator: inout SeededGenerator) -> ChaosEnd {
        var rest = Int.random(in: 0..<ChaosEnd.weights.reduce(0) { $0 + $1.1 }, using: &generator)
        for (end, weight) in ChaosEnd.weights {
            if rest < weight { return end }
            rest -= weight
        }
        return .appKilled
    }
}

extension ChaosPlan: CustomStringConvertible {
    var description: String {
        let beside = disturbance == .none ? "" : ", beside \(disturbance.rawValue)"
        let order = "last \(last.rawValue), \(returnsFirst ? "daemon back first" : "app ends first")"
        return "end \(number): \(end.rawValue)\(beside); \(threads) threads, after \(waits) µs; \(order)"
    }
}
