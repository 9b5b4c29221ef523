// SPDX-License-Identifier: MIT
// The one order of views in tables, `top`, the HUD and pages: the class of what was found, then what a view cost by itself.

/// What a view is ranked by. The larger, the higher it stands.
///
/// First comes the class of finding, then what the view cost by itself: its self time in the share of its evaluations that had a cause of their
/// own, or its time in hangs, if that is longer. Of those that cost the same, more such evaluations come first, then more evaluations.
package struct RowRank: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// The class of finding.
    package enum Mark: UInt64, Comparable, Sendable, CaseIterable {
        /// Nothing was found.
        case plain
        /// It keeps the program busy, and no fault is known.
        case busy
        /// A fault.
        case fault

        package static func < (left: Mark, right: Mark) -> Bool { left.rawValue < right.rawValue }
    }

    /// The class in the two highest bits, and the nanoseconds.
    private let cost: UInt64
    /// Evaluations with a cause of their own in the upper half, and all of them in the lower one.
    private let evaluations: UInt64

    private static let markShift: UInt64 = 62
    private static let mostNanoseconds: UInt64 = (1 << 62) - 1

    /// - Parameters:
    ///   - own: The evaluations that had a cause of their own.
    ///   - hangs: The time in hangs that the view was blamed for.
    package init(_ mark: Mark, selfNanoseconds: UInt64, own: UInt64, of count: UInt64, hangs: UInt64 = 0) {
        let part = own >= count ? selfNanoseconds : UInt64(UInt128(selfNanoseconds) * UInt128(own) / UInt128(count))
        cost = mark.rawValue << Self.markShift | min(max(part, hangs), Self.mostNanoseconds)
        evaluations = min(own, count, 0xFFFF_FFFF) << 32 | min(count, 0xFFFF_FFFF)
    }

    /// The class.
    package var mark: Mark { Mark(rawValue: cost >> Self.markShift) ?? .plain }

    /// What the view cost by itself, in nanoseconds.
    package var nanoseconds: UInt64 { cost & Self.mostNanoseconds }

    /// The same as two numbers, for what orders by numbers.
    package var words: (UInt64, UInt64) { (cost, evaluations) }

    package static func < (left: RowRank, right: RowRank) -> Bool { left.words < right.words }
}

/// Finds the class of the views of one store.
package struct RowMarks: Sendable {
    /// For how long the store has counted; nil where that is not known.
    private let counted: UInt64?
    private let running: Double
    /// The views that findings and cycles name.
    private let named: [(key: String, mark: RowRank.Mark)]
    /// A bit for each length of these keys, modulo 64: nearly all views have another one, and their keys are not compared.
    private let lengths: UInt64

    /// - Parameters:
    ///   - store: Its views are not looked at.
    ///   - running: By what time in bodies is multiplied to have processor time.
    ///   - verdict: That of all stores; nil where it is not known.
    package init(_ store: ProcessStats, running: Double, _ verdict: Verdict?) {
        (counted, self.running) = (store.countedNanoseconds, running)
        let found = (verdict?.findings ?? []).compactMap { finding -> (key: String, mark: RowRank.Mark)? in
            let isHere = finding.pid == store.pid && finding.storeNumber ?? store.storeNumber == store.storeNumber
            guard isHere, let view = finding.view, let mark = finding.kind.rowMark else { return nil }
            return (key: view.rawValue, mark: mark)
        }
        let steps = (store.cycles ?? []).filter(\.isFinding).flatMap(\.steps)
        let all = found + steps.map { step -> (key: String, mark: RowRank.Mark) in (key: step.name, mark: .fault) }
        named = all
        lengths = all.reduce(UInt64(0)) { $0 | Self.bit(of: $1.key) }
    }

    private static func bit(of key: String) -> UInt64 { 1 << (UInt64(key.utf8.count) & 63) }

    /// The class of a view.
    package func mark(of key: String, hangs: HangTotals, wastedNanoseconds: UInt64) -> RowRank.Mark {
        if hangs.blamable > 0 { return .fault }
        if VerdictFloor.isWasteful(wastedNanoseconds, of: counted, running: running) { return .fault }
        guard lengths & Self.bit(of: key) != 0 else { return .plain }
        return named.reduce(RowRank.Mark.plain) { mark, other in
            // Bytes, so that no key is slow to compare.
            let isSame = other.key.utf8.count == key.utf8.count && other.key.utf8.elementsEqual(key.utf8)
            return isSame ? max(mark, other.mark) : mark
        }
    }

    package func rank(of view: Stats) -> RowRank {
        let mark = mark(of: view.key.rawValue, hangs: view.hangs, wastedNanoseconds: view.wasted.nanoseconds)
        return RowRank(
            mark, selfNanoseconds: view.ownNanoseconds, own: view.ownCauses, of: view.count,
            hangs: view.hangs.feltNanoseconds)
    }

    /// The same by its costs.
    ///
    /// - Parameter own: The evaluations that had a cause of their own.
    package func rank(of costs: ViewCosts, own: UInt64, of count: UInt64) -> RowRank {
        let mark = mark(of: costs.key.rawValue, hangs: costs.hangs, wastedNanoseconds: costs.wastedNanoseconds)
        return RowRank(
            mark, selfNanoseconds: costs.selfNanoseconds, own: own, of: count, hangs: costs.hangs.feltNanoseconds)
    }
}

extension Stats {
    /// Evaluations with a cause of their own: those that no other view passed on.
    package var ownCauses: UInt64 {
        let passed = reasons.reduce(UInt64(0)) { Reason.isPassedOn($1.reason) ? $0.clampedSum($1.count) : $0 }
        return count - min(passed, count)
    }
}

extension Verdict.Kind {
    /// The class of a view that a finding of this kind names; nil where it is neither a fault nor busy.
    fileprivate var rowMark: RowRank.Mark? { isMarked ? .fault : self == .busy ? .busy : nil }
}
