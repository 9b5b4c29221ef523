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

// What main loops call, in the order in which each table shows it, and the hangs that it was in.

/// A source or handler with the process that it is of.
package struct SourceRow: Sendable {
    /// The store that has the main loop, with `views` empty.
    package let store: ProcessStats
    package let row: LoopRow
    /// For how long the main loop was counted.
    package let counted: UInt64
    /// Its place among the rows of the process.
    package let number: Int

    /// The part of a core.
    package var share: CoreShare? {
        CoreShare(row.numbers.processor, of: counted, isShared: row.numbers.isShared != 0)
    }

    /// Calls in a second; nil where nothing was counted.
    package var rate: Double? { counted == 0 ? nil : row.calls.map { Double($0) / (Double(counted) / 1e9) } }

    /// What is called, for a column of its own: a handler by its widget and signal first.
    package var name: String {
        switch row.kind {
        case .handler, .tick: row.of.map { "\(Printable.text($0)) → \(row.function)" } ?? row.function
        case .others: "others"
        case .timer, .idle, .descriptor, .source, .runLoop, .wakeup, .sampled: row.function
        }
    }

    /// All rows of some stores: those with most processor time first, then those with most time by the clock.
    package static func all(_ stores: [ProcessStats]) -> [SourceRow] {
        let rows = stores.flatMap { store -> [SourceRow] in
            guard let loop = store.loop else { return [] }
            var store = store
            store.views = []
            return loop.rows.enumerated().filter { $0.element.isTold }.map { number, row in
                SourceRow(store: store, row: row, counted: loop.totals.counted, number: number)
            }
        }
        return rows.sorted(by: precedes)
    }

    private static func precedes(_ left: SourceRow, _ right: SourceRow) -> Bool {
        // Those without a name say least.
        let (isLeft, isRight) = (left.row.kind == .others, right.row.kind == .others)
        if isLeft != isRight { return isRight }
        let (one, other) = (left.row.numbers, right.row.numbers)
        if one.processor != other.processor { return one.processor > other.processor }
        if one.wall != other.wall { return one.wall > other.wall }
        if one.count != other.count { return one.count > other.count }
        return (left.store.pid, left.number) < (right.store.pid, right.number)
    }
}

/// Hangs of a store's epoch that were in one function of a source or handler, those of a view among them.
package struct SourceHangs: Hashable, Codable, Sendable {
    /// The most that are listed; a program hangs in few functions.
    package static let most = 16

    /// The function with its place, or what the handler or source is called: `on_clicked() cases.c:44`.
    package var name: String
    /// The view that the handler is of, which counts them too; nil where it is of none.
    package var view: ViewKey?
    /// The handler or source, where ``name`` is a function: `GtkButton#go: clicked`.
    package var handler: String?
    /// What it waited in, in the longest of them: `g_dbus_connection_call_sync()`; nil where that is not known.
    package var call: String?
    package var totals = HangTotals()

    package init(name: String, view: ViewKey? = nil, handler: String? = nil, call: String? = nil) {
        (self.name, self.view, self.handler, self.call) = (name, view, handler, call)
    }

    /// That of a hang, without its time; nil where it was in no source or handler.
    package init?(of hang: Hang) {
        guard !hang.guess, let name = hang.source ?? (hang.handler == nil ? nil : hang.blamedName) else { return nil }
        // A body that ran in a handler is the view's alone.
        guard hang.handler != nil || hang.view == nil else { return nil }
        let handler = hang.source == nil ? nil : hang.handler.map { Hang.name(of: hang.view, $0) ?? $0 }
        self.init(name: name, view: hang.handler == nil ? nil : hang.view, handler: handler)
    }

    /// Whether it is of the same source or handler: two lines of one function are one.
    package func isSame(as other: SourceHangs) -> Bool {
        let function = Self.function(in: name)
        return view == other.view
            && (name == other.name || (function != nil && Self.function(in: other.name) == function))
    }

    /// The function with its file and without its line: a stack has the line that ran, and a main loop's account the function's first. Nil
    /// where several functions of a file may be called so.
    static func function(in name: String) -> Substring? {
        guard let colon = name.lastIndex(of: ":"), name[colon...].dropFirst().allSatisfy(\.isWholeNumber),
            name[..<colon].contains("() "), !name.contains("lambda"), !name.contains("closure")
        else { return nil }
        return name[..<colon]
    }
}

extension [SourceHangs] {
    /// Adds a hang, if it was in a source or handler, and there is room.
    package mutating func add(_ hang: Hang) {
        guard let source = SourceHangs(of: hang) else { return }
        if index(of: source) == nil, count < SourceHangs.most { append(source) }
        guard let index = index(of: source) else { return }
        if self[index].call == nil || hang.durationNanoseconds > self[index].totals.worstNanoseconds {
            self[index].call = hang.call ?? self[index].call
        }
        var whole = hang
        // What is not known of one must not make the sum of several too small.
        if hang.share == nil { whole.sourceNanoseconds = hang.durationNanoseconds }
        self[index].totals.add(whole)
    }

    private func index(of source: SourceHangs) -> Int? { firstIndex { $0.isSame(as: source) } }
}

extension HangTotals {
    /// What is left without others that are among them. The longest is then no more than all of what is left.
    package func without(_ others: HangTotals) -> HangTotals {
        var left = self
        for sum in Self.sums { left[keyPath: sum] -= min(others[keyPath: sum], left[keyPath: sum]) }
        left.worstNanoseconds = Swift.min(worstNanoseconds, left.totalNanoseconds)
        left.worstFaultNanoseconds = Swift.min(worstFaultNanoseconds, left.faultNanoseconds)
        return left
    }
}
