// SPDX-License-Identifier: MIT
// What the ends came to.

/// What one end came to.
struct ChaosOutcome: Sendable {
    let plan: ChaosPlan
    /// The app's own counter: evaluations that began, and those that ended.
    let begun: UInt64
    let ended: UInt64
    /// What the daemon says: evaluations in views or dropped, and lost ones.
    let counted: UInt64
    let lost: UInt64
    /// Whether no daemon ever held the app's page, or a daemon's log says that none held it at its end.
    let isSaid: Bool
    /// What LTTng recorded; nil where it did not.
    var recording: ChaosRecording?

    private var seen: UInt64 { counted + lost }
    private var missing: UInt64 { seen < ended ? ended - seen : 0 }

    /// Evaluations that are missing, and of which the daemon says that they may be.
    var said: UInt64 { isSaid ? missing : 0 }
    /// Evaluations that are missing or that never were, and nothing says so.
    var unaccounted: UInt64 {
        (isSaid ? 0 : missing) + (seen > begun ? seen - begun : 0)
            + (recording?.unaccounted(begun: begun, ended: ended) ?? 0)
    }
}

extension ChaosOutcome: CustomStringConvertible {
    var description: String {
        "\(plan): \(unaccounted) unaccounted for, \(said) said to be missing; the app began \(begun) and ended \(ended), counted \(counted), lost \(lost)"
            + (recording.map { "; \($0)" } ?? "")
    }
}

/// The sums of all ends, by their kind.
struct ChaosTable {
    private(set) var outcomes: [ChaosOutcome] = []
    /// Ends that could not be made, with the reason.
    private(set) var failures: [String] = []

    var unaccounted: UInt64 { outcomes.reduce(0) { $0 + $1.unaccounted } }
    var isComplete: Bool { failures.isEmpty && unaccounted == 0 }

    mutating func add(_ outcomes: [ChaosOutcome]) { self.outcomes += outcomes }
    mutating func fail(_ text: String) { failures.append(text) }

    /// The table in Markdown.
    var lines: [String] {
        let head = ["kind of end", "times", "evaluations", "counted", "lost", "said to be missing", "unaccounted"]
        let rows = ChaosEnd.allCases.compactMap { end in
            row(end.rawValue, outcomes.filter { $0.plan.end == end })
        }
        let beside = ChaosDisturbance.allCases.filter { $0 != .none }.compactMap { disturbance in
            row("of these beside \(disturbance.rawValue)", outcomes.filter { $0.plan.disturbance == disturbance })
        }
        let cells =
            [head, ["---"] + head.dropFirst().map { _ in "--:" }] + rows + [row("all", outcomes) ?? []] + beside
        return cells.map { "| \($0.joined(separator: " | ")) |" }
    }

    /// What LTTng recorded, in a sentence; nil where it was not there.
    var recordings: String? {
        let recorded = outcomes.compactMap { outcome in outcome.recording.map { (outcome.ended, $0) } }
        guard !recorded.isEmpty else { return nil }
        let whole = recorded.filter(\.1.isWhole), cut = recorded.filter { !$0.1.isWhole }
        func sum(_ figure: KeyPath<ChaosRecording, UInt64>) -> String {
            Self.grouped(whole.reduce(0) { $0 + $1.1[keyPath: figure] })
        }
        return
            "LTTng lived through \(whole.count) recordings: of \(Self.grouped(whole.reduce(0) { $0 + $1.0 })) evaluations it "
            + "recorded \(sum(\.recorded)), and discarded at most \(sum(\.discarded)). "
            + "Of \(cut.count) recordings in which a part of it was killed, \(cut.count(where: \.1.isReadable)) can be read"
    }

    private func row(_ name: String, _ outcomes: [ChaosOutcome]) -> [String]? {
        guard !outcomes.isEmpty else { return nil }
        let sums: [UInt64] = [
            UInt64(outcomes.count), sum(outcomes, \.ended), sum(outcomes, \.counted), sum(outcomes, \.lost),
            sum(outcomes, \.said), sum(outcomes, \.unaccounted),
        ]
        return [name] + sums.map(Self.grouped)
    }

    private func sum(_ outcomes: [ChaosOutcome], _ figure: KeyPath<ChaosOutcome, UInt64>) -> UInt64 {
        outcomes.reduce(0) { $0 + $1[keyPath: figure] }
    }

    private static func grouped(_ number: UInt64) -> String {
        let digits = Array(String(number))
        let groups = stride(from: digits.count, to: 0, by: -3).map { String(digits[max(0, $0 - 3)..<$0]) }
        return groups.reversed().joined(separator: ",")
    }
}
