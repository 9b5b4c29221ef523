// SPDX-License-Identifier: MIT
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
