// SPDX-License-Identifier: MIT
// The three counts that checks and comparisons use, and the causes of evaluations.

import ArgumentParser
package import RerenderShow

/// What is counted and limited.
enum Measure: String, Hashable, Sendable, CaseIterable, Codable {
    case evaluations
    case wasted
    case hangs
    /// In each second without input, of a process as a whole: frames, turns and wake-ups of its main loop, and nanoseconds of its processor
    /// time.
    case frames = "framesWithoutInput"
    case turns = "turnsWithoutInput"
    case wakeups = "wakeupsWithoutInput"
    case processor = "processorWithoutInput"

    /// Those that views have.
    static let ofViews: [Measure] = [.evaluations, .wasted, .hangs]
    /// Those that main loops have.
    static let withoutInput: [Measure] = [.frames, .turns, .wakeups, .processor]

    /// "5 evaluations", "1 wasted evaluation", "no hangs", "55 frames a second without input", "3.1% of a core without input".
    package func text(_ count: UInt64) -> String {
        switch self {
        case .evaluations: Self.text(count, "evaluation")
        case .wasted: Self.text(count, "wasted evaluation")
        case .hangs: Self.text(count, "hang")
        case .frames: Self.text(count, "frame") + " a second without input"
        case .turns: Self.text(count, "turn") + " a second without input"
        case .wakeups: Self.text(count, "wake-up") + " a second without input"
        case .processor: number(count) + " of a core without input"
        }
    }

    /// The number alone: "1,200", "3.1%".
    func number(_ count: UInt64) -> String {
        guard self == .processor else { return Counted.grouped(count) }
        return count == 0 ? "0%" : PercentOfCore.text(Double(count) / 1e7)
    }

    private static func text(_ count: UInt64, _ noun: String) -> String {
        count == 0 ? "no \(noun)s" : Counted.text(count, noun)
    }
}

/// Evaluations, wasted evaluations and hangs.
package struct Amounts: Hashable, Encodable, Sendable {
    var evaluations: UInt64 = 0
    var wasted: UInt64 = 0
    /// The part of ``wasted`` that is inferred from inputs, and not measured.
    var inferred: UInt64 = 0
    /// Hangs in which the machine ran the app, and which were not its end.
    var hangs: UInt64 = 0
    /// The others: no budget is for these, and no comparison.
    var starvedHangs: UInt64 = 0
    /// Hangs that are no fault of the program; nil for none.
    var excusedHangs: UInt64?
    /// What goes on in a second without input, of the process with most; nil where that is not known, and of views.
    var framesWithoutInput: UInt64?
    var turnsWithoutInput: UInt64?
    var wakeupsWithoutInput: UInt64?
    /// Nanoseconds of processor time.
    var processorWithoutInput: UInt64?

    subscript(measure: Measure) -> UInt64 {
        switch measure {
        case .evaluations: evaluations
        case .wasted: wasted
        case .hangs: hangs
        case .frames: framesWithoutInput ?? 0
        case .turns: turnsWithoutInput ?? 0
        case .wakeups: wakeupsWithoutInput ?? 0
        case .processor: processorWithoutInput ?? 0
        }
    }

    /// Takes what goes on without input.
    mutating func take(_ quiet: QuietAmounts) {
        (framesWithoutInput, turnsWithoutInput) = (quiet[.frames], quiet[.turns])
        (wakeupsWithoutInput, processorWithoutInput) = (quiet[.wakeups], quiet[.processor])
    }

    /// Takes hangs: what budgets are for, and the others.
    mutating func take(_ hangs: HangTotals) {
        self.hangs = hangs.blamable
        starvedHangs = min(hangs.starved, hangs.faults)
        excusedHangs = hangs.excused == 0 ? nil : min(hangs.excused, hangs.count)
    }

    /// Adds others; what does not fit stays at the largest number, because a file may say anything.
    mutating func add(_ other: Amounts) {
        evaluations = evaluations.clampedSum(other.evaluations)
        wasted = wasted.clampedSum(other.wasted)
        inferred = inferred.clampedSum(other.inferred)
        hangs = hangs.clampedSum(other.hangs)
        starvedHangs = starvedHangs.clampedSum(other.starvedHangs)
        if let excused = other.excusedHangs { excusedHangs = (excusedHangs ?? 0).clampedSum(excused) }
    }

    /// The same without what no budget is for.
    var compared: Amounts {
        var amounts = self
        (amounts.starvedHangs, amounts.excusedHangs) = (0, nil)
        return amounts
    }

    /// "5 evaluations, 3 wasted, no hangs"; "5 evaluations, 3 wasted and ~1 inferred, no hangs (1 more in which …)".
    package var text: String {
        let others = [
            starvedHangs == 0 ? nil : "\(Counted.grouped(starvedHangs)) more in which the machine did not run the app",
            excusedHangs.map {
                "\(Counted.grouped($0)) more as the program closed, first drew a window or waited for the display server"
            },
        ].compactMap(\.self)
        return "\(Measure.evaluations.text(evaluations)), \(wastedText), \(Measure.hangs.text(hangs))"
            + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
    }

    private var wastedText: String {
        let measured = wasted - min(inferred, wasted)
        guard inferred > 0 else { return "\(wasted == 0 ? "none" : Counted.grouped(wasted)) wasted" }
        return
            "\(measured == 0 ? "none" : Counted.grouped(measured)) wasted and ~\(Counted.grouped(inferred)) inferred"
    }
}

/// A reason of a view with its writer.
package struct Cause: Hashable, Encodable, Sendable {
    let reason: String
    /// Whether comparing values found it.
    let isGuess: Bool
    let count: UInt64
    /// The ancestors down to the first cause, where a parent is the reason.
    let chain: String?
    /// The most frequent writer of the cause; nil if unknown.
    let writer: String?

    /// "4 model.text, written by FormModel.text.setter Form.swift:20"; "4 ~text" where that is a guess.
    package var text: String {
        let sign = isGuess ? "~" : ""
        return "\(Counted.grouped(count)) \(sign)\(Printable.text(reason))\(Self.origin(chain: chain, writer: writer))"
    }

    /// ", began with …, written by …", as far as it is known.
    static func origin(chain: String?, writer: String?) -> String {
        let began = chain.map { ", began with \(Printable.text($0))" } ?? ""
        return began + (writer.map { ", written by \(Printable.text($0))" } ?? "")
    }
}

extension Tally {
    /// The most causes that are named for a view.
    static let namedCauses = 3

    /// Why a view was evaluated, the main reason first.
    package func causes(of view: KeyTally) -> [Cause] { view.reasons.map { cause($0) } }

    /// A reason with who wrote what caused it: for a parent's evaluation the writer of what the chain began with.
    func cause(_ reason: ReasonCount) -> Cause {
        let chain = reason.chains.first
        let writer =
            reason.namedWriter
            ?? chain?.origin.flatMap { views[$0.view]?.reason($0.reason)?.namedWriter }
        return Cause(
            reason: reason.reason, isGuess: reason.isGuess, count: reason.count, chain: chain?.chain,
            writer: writer?.writer)
    }
}

// What goes on without input, as budgets limit it.

/// How much of it there is in a second, of the process with most. Less than five seconds do not count.
struct QuietAmounts: Hashable, Sendable {
    private var amounts: [Measure: UInt64] = [:]
    /// The process with most of each, safe to print.
    private(set) var processes: [Measure: String] = [:]

    /// Adds up the stores of an export; nothing where no process tells of its main loop.
    init(_ stores: [ProcessStats]) {
        for store in stores {
            guard let totals = store.loop?.totals else { continue }
            let name = "\(Printable.text(store.name))[\(store.pid)]"
            for measure in Measure.withoutInput {
                let amount = Self.amount(measure, totals)
                if amounts[measure].map({ $0 >= amount }) == true { continue }
                (amounts[measure], processes[measure]) = (amount, name)
            }
        }
    }

    subscript(measure: Measure) -> UInt64? { amounts[measure] }

    /// Whether any process told of its main loop.
    var areKnown: Bool { !amounts.isEmpty }

    private static func amount(_ measure: Measure, _ totals: LoopTotals) -> UInt64 {
        let stretches = measure == .frames ? [totals.frames] : [totals.frames, totals.spinning, totals.busy]
        let long = stretches.filter { $0.isLong(at: nil) }
        let rates = long.map { stretch -> Double in
            switch measure {
            case .frames: stretch.perSecond(stretch.frames)
            case .turns: stretch.perSecond(stretch.turns)
            case .wakeups: stretch.perSecond(stretch.wakeups)
            case .processor: stretch.perSecond(stretch.processor)
            case .evaluations, .wasted, .hangs: 0
            }
        }
        // An export may say anything.
        return UInt64(max(0, min(rates.max() ?? 0, 1e18)).rounded())
    }
}

// Faults for which a check fails, whatever the budget says.

/// A kind of fault, as `--fail-on` names it.
struct FaultKind: ExpressibleByArgument, Hashable, Sendable {
    let kind: Verdict.Kind

    init?(argument: String) {
        guard let kind = Verdict.Kind(rawValue: argument), kind.isMarked else { return nil }
        self.kind = kind
    }

    static var allValueStrings: [String] { Verdict.Kind.allCases.filter(\.isMarked).map(\.rawValue) }
}

/// Findings of one kind.
package struct FoundFault: Hashable, Encodable, Sendable {
    package let kind: Verdict.Kind
    let count: UInt64
    /// The sentences of those that the verdict names.
    let findings: [String]

    /// `2 findings of the kind "sameFrames"`.
    var text: String { "\(Counted.text(count, "finding")) of the kind \"\(kind.rawValue)\"" }
}

extension Tally {
    /// What was found of some kinds, in their order; none of a kind that was not.
    func faults(of kinds: [Verdict.Kind]) -> [FoundFault] {
        kinds.compactMap { kind in
            guard let verdict, verdict.count(of: kind) > 0 else { return nil }
            let named = verdict.findings.filter { $0.kind == kind }.map(\.readable)
            return FoundFault(kind: kind, count: verdict.count(of: kind), findings: named)
        }
    }

    /// Why faults cannot be told, where a check fails for some; empty where they can.
    func gaps(failingOn kinds: [Verdict.Kind]) -> [String] {
        kinds.isEmpty || verdict != nil || processes == 0 ? [] : ["faults are not known: the export has no verdict"]
    }
}
